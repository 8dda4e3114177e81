import { t } from '../../../language/translate.ts'
import { MAX_STAGES } from '../../../scenario/model/limits.ts'
import { readPart, withPart } from '../../../scenario/parse/part.ts'
import { editOrShowProblems, scenarioStore, showProblems } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { announce, choose, chosenStages, chosenText, focusNode } from './canvasStore.ts'

/** Pastes and duplicates the selected stages as text. It is fetched with the first paste, because the parser is long. */

const ASIDE = { x: 32, y: 32 }

export function duplicate(session: Session): void {
  if (chosenStages(session).length > 0) paste(session, chosenText(session))
}

/** Adds the stages of a text and selects them, or shows what is wrong with it. */
export function paste(session: Session, text: string) {
  const part = readPart(text)
  if ('problems' in part) return showProblems(session, part.problems)
  const all = scenarioStore(session).getState().draft.stages.length + part.stages.length
  if (all > MAX_STAGES) {
    const message = t(
      'that would make {all, plural, one {# stage} other {# stages}}; a pipeline has at most {MAX_STAGES}',
      { all, MAX_STAGES },
    )
    return showProblems(session, [{ path: 'stages', message }])
  }
  let added: readonly string[] = []
  const done = editOrShowProblems(session, (draft) => {
    const { scenario, ids } = withPart(draft, part, ASIDE)
    added = ids
    return scenario
  })
  if (!done) return
  choose(session, added)
  focusNode(session, added[0])
  announce(
    session,
    t('{n, plural, one {# stage} other {# stages}} pasted, linked to nothing else yet.', { n: added.length }),
  )
}
