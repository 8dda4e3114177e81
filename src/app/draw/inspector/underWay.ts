import { begunIn } from '../../../scenario/edit/branches.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'

/** From when on what is on the canvas can be changed: when the branch there begins; 0 for a trunk. */
export function changesFrom(session: Session): Micros {
  const { whole, shown } = scenarioStore(session).getState()
  return shown === null ? 0 : whole.branches[shown].at
}

/** From which job on a stage can cost something else, the branch being under way by then; 0 for a trunk. */
export function jobsFrom(session: Session, stage: number): number {
  const { whole, shown } = scenarioStore(session).getState()
  return shown === null ? 0 : begunIn(whole, shown)[stage]
}
