import {
  type Fault,
  faultKey,
  firstFreeJob,
  newPhase,
  newWorkerEvent,
  SLOWER,
  scenarioFaults,
  slowerService,
  withFault,
  withoutFault,
} from '../../../scenario/edit/faults.ts'
import type { Micros, Problem, Scenario, WorkerEvent } from '../../../scenario/model/scenario.ts'
import { runStore } from '../../session/run/runStore.ts'
import { edit, scenarioStore, showProblems } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { problemOnScreen } from './faultWords.ts'
import { type JobClock, jobClockOf } from './jobClock.ts'

export function faultByKey(scenario: Scenario, key: string): Fault | undefined {
  return scenarioFaults(scenario).find((each) => faultKey(each) === key)
}

/** Adds a fault, or replaces the `old` one. Returns its key, or the problems. */
export function putFault(
  session: Session,
  next: Fault,
  old: string | null,
  merge?: string,
): { readonly key: string } | { readonly problems: Problem[] } {
  let key = ''
  const change = (before: Scenario) => {
    const made = withFault(before, next, old)
    key = made.key
    return made.scenario
  }
  const problems = edit(session, change, merge)
  return problems.length === 0 ? { key } : { problems: problems.map(problemOnScreen) }
}

export function putFaultOrShowProblems(
  session: Session,
  next: Fault,
  key: string | null,
  merge?: string,
): string | null {
  const done = putFault(session, next, key, merge)
  if ('key' in done) return done.key
  showProblems(session, done.problems)
  return null
}

export function removeFault(session: Session, key: string): void {
  edit(session, (scenario) => withoutFault(scenario, key))
}

/** Returns a new fault at an instant: of a worker, of the policy, or of a stage. */
export function newFaultAt(
  session: Session,
  time: Micros,
  what: { readonly kind: WorkerEvent['kind'] | 'phase' } | { readonly stage: string },
): Fault | null {
  const { draft } = scenarioStore(session).getState()
  if ('kind' in what)
    return what.kind === 'phase'
      ? newPhase(draft, Math.round(time))
      : newWorkerEvent(draft, what.kind, Math.max(0, Math.round(time)))
  const stage = draft.stages.find(({ id }) => id === what.stage)
  if (stage === undefined) return null
  const clock = jobClockOf(draft, runStore(session).getState().run, [stage.id], Infinity)
  const from = firstFreeJob(stage, clock.jobAt(stage.id, time))
  return from === null ? null : slowerService(stage, from, SLOWER)
}

export function faultMovedTo(fault: Fault, time: Micros, clock: JobClock): Fault {
  if (fault.kind !== 'change') return { ...fault, at: Math.max(fault.kind === 'phase' ? 1 : 0, Math.round(time)) }
  return { ...fault, from: clock.jobAt(fault.stage, time) }
}
