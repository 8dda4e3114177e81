import { t } from '../../../language/translate.ts'
import { MAX_STAGES } from '../../../scenario/model/limits.ts'
import { readPart, withPart, writePart } from '../../../scenario/parse/part.ts'
import { edit, refuse, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { announce, choose, chosenStages, focusNode } from './canvasStore.ts'

/** Part of a pipeline as text: what is chosen is copied, cut, pasted and duplicated. */

/** How far from the original a copy is put. */
const ASIDE = { x: 32, y: 32 }

export function chosenText(): string {
  return writePart(scenarioStore.getState().drawing, chosenStages())
}

export function duplicate(): void {
  if (chosenStages().length > 0) paste(chosenText())
}

function roomFor(part: ReturnType<typeof readPart>): ReturnType<typeof readPart> {
  if ('problems' in part) return part
  const all = scenarioStore.getState().drawing.stages.length + part.stages.length
  if (all <= MAX_STAGES) return part
  return {
    problems: [
      {
        path: 'stages',
        message: t('that would make {all, plural, one {# stage} other {# stages}}; a pipeline has at most {MAX_STAGES}', { all, MAX_STAGES }),
      },
    ],
  }
}

/** Adds what the text says beside what is there, chosen; or says what is wrong with it. */
export function paste(text: string): void {
  const part = roomFor(readPart(text))
  if ('problems' in part) {
    refuse(part.problems)
    return
  }
  let added: readonly string[] = []
  const done = edit((drawing) => {
    const { scenario, ids } = withPart(drawing, part, ASIDE)
    added = ids
    return scenario
  })
  if (!done) return
  choose(added)
  focusNode(added[0])
  announce(t('{n, plural, one {# stage} other {# stages}} pasted, linked to nothing else yet.', { n: added.length }))
}
