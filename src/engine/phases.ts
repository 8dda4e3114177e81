import type { Journal } from '../pipeline/journal.ts'
import { NONE, PHASE, pushRow } from '../pipeline/rows.ts'
import { isElastic } from '../scenario/model/defaults.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../scenario/model/schedule.ts'
import { type ControllerClock, changePeriod } from './controllerClock.ts'

/** Which phases of the schedule have begun. */
export interface Phases {
  /** How many phases have begun since time 0. */
  taken: number
  /** When the next phase begins; Infinity if there is none. */
  next: Micros
}

export function createPhases({ later }: Scenario): Phases {
  return { taken: 0, next: later.length === 0 ? Infinity : later[0].at }
}

interface PhaseChange {
  readonly scenario: Scenario
  readonly journal: Journal
  readonly phases: Phases
  readonly controllerClock: ControllerClock | null
  readonly now: Micros
}

/** Appends a row for each phase that begins by now. Returns the scenario as it holds then. */
export function pushPhases({ scenario, journal, phases, controllerClock, now }: PhaseChange): Scenario {
  const { later } = scenario
  for (; phases.next <= now; phases.next = later[phases.taken]?.at ?? Infinity) pushRow(journal.rows, now, PHASE, NONE, NONE, phases.taken++)
  const held = scenarioAtPhase(scenario, phases.taken)
  if (controllerClock !== null && isElastic(held.policy)) changePeriod(controllerClock, held.policy.every, now)
  return held
}
