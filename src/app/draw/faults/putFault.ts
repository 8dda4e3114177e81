import { type Fault, faultKey, freshEvent, freshJob, SLOWER, scenarioFaults, slowed, withFault, withoutFault } from '../../../scenario/edit/faults.ts'
import { newPhase } from '../../../scenario/edit/newPhase.ts'
import type { Micros, Problem, Scenario, WorkerEvent } from '../../../scenario/model/scenario.ts'
import { runStore } from '../../session/run/runStore.ts'
import { edit, refuse, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { asOnScreen } from './faultWords.ts'
import { type JobClock, jobClockOf } from './jobClock.ts'

/** Each is an edit like any other: undone with the others, and judged by `parse`. */

export function faultByKey(scenario: Scenario, key: string): Fault | undefined {
  return scenarioFaults(scenario).find((each) => faultKey(each) === key)
}

/** Puts something in, in place of `key` if that is given. Returns the name it has now, or what is wrong with it. */
export function putFault(
  session: Session,
  next: Fault,
  key: string | null,
  merge?: string,
): { readonly key: string } | { readonly problems: readonly Problem[] } {
  let name = ''
  const problems = edit(
    session,
    (scenario) => {
      const { scenario: made, key: given } = withFault(scenario, next, key)
      name = given
      return made
    },
    merge,
  )
  return problems.length === 0 ? { key: name } : { problems: problems.map(asOnScreen) }
}

/** The same, where nobody waits for the answer: the page says what is wrong. */
export function putFaultOrRefuse(session: Session, next: Fault, key: string | null, merge?: string): string | null {
  const done = putFault(session, next, key, merge)
  if ('key' in done) return done.key
  refuse(session, done.problems)
  return null
}

export function takeOut(session: Session, key: string): void {
  edit(session, (scenario) => withoutFault(scenario, key))
}

/** Something at an instant, as a menu offers it: to a worker, to the rule, or to the stage of an id. */
export function freshAt(session: Session, time: Micros, what: { readonly kind: WorkerEvent['kind'] | 'turn' } | { readonly stage: string }): Fault | null {
  const { draft } = scenarioStore(session).getState()
  if ('kind' in what) return what.kind === 'turn' ? newPhase(draft, Math.round(time)) : freshEvent(draft, what.kind, Math.max(0, Math.round(time)))
  const stage = draft.stages.find(({ id }) => id === what.stage)
  if (stage === undefined) return null
  const clock = jobClockOf(draft, runStore(session).getState().run, [stage.id], Infinity)
  const from = freshJob(stage, clock.jobAt(stage.id, time))
  return from === null ? null : slowed(stage, from, SLOWER)
}

/** The same thing at another instant. */
export function movedTo(fault: Fault, time: Micros, clock: JobClock): Fault {
  if (fault.kind !== 'change') return { ...fault, at: Math.max(fault.kind === 'turn' ? 1 : 0, Math.round(time)) }
  return { ...fault, from: clock.jobAt(fault.stage, time) }
}
