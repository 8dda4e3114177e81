import { begunIn } from '../../../scenario/edit/branches.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'

/** Returns from when on the draft can change: where its branch begins; 0 for the original. */
export function firstEditableTime(session: Session): Micros {
  const { whole, shown } = scenarioStore(session).getState()
  return shown === null ? 0 : whole.branches[shown].at
}

/** Returns from which job on the service time of a stage can change in a branch; 0 for the original. */
export function firstEditableJob(session: Session, stage: number): number {
  const { whole, shown } = scenarioStore(session).getState()
  return shown === null ? 0 : begunIn(whole, shown)[stage]
}
