import type { Journal } from '../pipeline/journal.ts'
import { NONE, PHASE, pushRow } from '../pipeline/rows.ts'
import { isElastic } from '../scenario/model/defaults.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../scenario/model/schedule.ts'
import { retime, type Ticker } from './ticker.ts'

/** How far a run is in the turns of its scenario. */
export interface Phases {
  /** How many it has taken. */
  taken: number
  /** When the next is due; Infinity if none is. */
  next: Micros
}

export function createPhases({ later }: Scenario): Phases {
  return { taken: 0, next: later.length === 0 ? Infinity : later[0].at }
}

interface PhaseChange {
  readonly scenario: Scenario
  readonly journal: Journal
  readonly turns: Phases
  readonly ticker: Ticker | null
  readonly now: Micros
}

/** Appends the turns that are due by now. Returns what holds then. */
export function pushPhases({ scenario, journal, turns, ticker, now }: PhaseChange): Scenario {
  const { later } = scenario
  for (; turns.next <= now; turns.next = later[turns.taken]?.at ?? Infinity) pushRow(journal.rows, now, PHASE, NONE, NONE, turns.taken++)
  const held = scenarioAtPhase(scenario, turns.taken)
  if (ticker !== null && isElastic(held.policy)) retime(ticker, held.policy.every, now)
  return held
}
