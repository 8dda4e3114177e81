import {
  type Fault,
  faultKey,
  firstFreeJob,
  SLOWER,
  scenarioFaults,
  slowerService,
  withFault,
  withoutFault,
} from '../../../scenario/edit/faults.ts'
import type { Micros, Problem, Scenario, Stage } from '../../../scenario/model/scenario.ts'
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

/** Returns a fault that makes a stage slower from an instant on; null if no job is left for it. */
export function newSlowdownAt(session: Session, time: Micros, stage: Stage): Fault | null {
  const { draft } = scenarioStore(session).getState()
  const clock = jobClockOf(draft, runStore(session).getState().run, [stage.id], Infinity)
  const from = firstFreeJob(stage, clock.jobAt(stage.id, time))
  return from === null ? null : slowerService(stage, from, SLOWER)
}

export function faultMovedTo(fault: Fault, time: Micros, clock: JobClock): Fault {
  if (fault.kind !== 'change') return { ...fault, at: Math.max(fault.kind === 'phase' ? 1 : 0, Math.round(time)) }
  return { ...fault, from: clock.jobAt(fault.stage, time) }
}
