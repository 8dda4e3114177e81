import { t } from '../../../language/translate.ts'
import { readPart, withPart } from '../../../scenario/parse/part.ts'
import { editOrShowProblems, showProblems } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { announceEdit, hasPlaceFor, stageCount } from './actions.ts'
import { choose, chosenStages, chosenText, focusNode } from './canvasStore.ts'

/** Pastes and duplicates the selected stages as text. It is fetched with the first paste, because the parser is long. */

const ASIDE = { x: 32, y: 32 }

export function duplicate(session: Session): void {
  if (chosenStages(session).length > 0) paste(session, chosenText(session))
}

/** Adds the stages of a text and selects them, or shows what is wrong with it. */
export function paste(session: Session, text: string) {
  const part = readPart(text)
  if ('problems' in part) return showProblems(session, part.problems)
  if (!hasPlaceFor(session, part.stages.length)) return
  let added: readonly string[] = []
  const done = editOrShowProblems(session, (draft) => {
    const { scenario, ids } = withPart(draft, part, ASIDE)
    added = ids
    return scenario
  })
  if (!done) return
  choose(session, added)
  focusNode(session, added[0])
  announceEdit(session, t('{name} added.', { name: stageCount(added.length) }))
}
