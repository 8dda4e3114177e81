import { openPanel } from '../../session/run/panelStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { canvasStore, canvasView, focusNode, selectNode } from '../editing/canvasStore.ts'
import { placedProblems } from '../editing/draftProblems.ts'

/** Selects the first place on the canvas with a problem and makes it visible. A problem without a place is in the settings. */
export function showProblem(session: Session): void {
  const { draft, draftProblems } = scenarioStore(session).getState()
  const [place] = placedProblems(draft, draftProblems).keys()
  if (place === undefined) {
    openPanel(session, 'scenario')
    return
  }
  const [from, to] = place.split(' ')
  selectNode(session, to === undefined ? place : null)
  if (to !== undefined) canvasStore(session).setState({ link: place })
  canvasView(session).show?.(from)
  focusNode(session, from)
}
