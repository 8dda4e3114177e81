import { figuresOf, type RunFigures } from '../../measures/figures/metrics.ts'
import { type Occupancy, occupancyOf } from '../../measures/figures/occupancy.ts'
import { type Ending, type Failure, type Journal, sliceJournal } from '../../pipeline/journal.ts'
import { setPolicy } from '../../scenario/edit/edits.ts'
import { isPinned } from '../../scenario/model/defaults.ts'
import type { Parsed, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { withoutKey } from '../../scenario/model/schedule.ts'
import { countServices } from '../../scenario/model/sources.ts'
import { parse } from '../../scenario/parse/parse.ts'
import { playTrial, type TrialOptions } from '../play/play.ts'

/** A run of a comparison, as returned by the thread that played it. */
export interface Compared extends RunFigures {
  readonly occupancy: Occupancy
  readonly ending: Ending | null
  readonly failures: readonly Failure[]
  /** The record in parts, in order; null if only the metrics were asked for. */
  readonly journals: readonly Journal[] | null
}

/** The most policies in one comparison: as many pictures as fit side by side. */
export const MAX_COMPARED = 6
/** The most services of which records are kept, some 150 MB of rows and drawings. A larger comparison has metrics only. */
const MAX_RECORDED = 2_000_000

/** The policies that are compared with the scenario's own unless the user chooses others. */
const contrasts: readonly PolicyKind[] = [
  'leastScore',
  'jefferson',
  'longestQueue',
  'backpressure',
  'onePerStage',
  'sinkFirst',
  'adams',
]

/** Returns the scenario under another policy, which keeps `lend`, for the whole run; under its own it stays as it is. */
export function underPolicy(scenario: Scenario, kind: PolicyKind): Parsed {
  if (scenario.policy.kind === kind) return { scenario }
  const changed = setPolicy(scenario, kind)
  const lends = isPinned(kind) || isPinned(scenario.policy.kind) ? {} : { lend: scenario.policy.lend }
  return parse({ ...changed, policy: { ...changed.policy, ...lends }, later: withoutKey(scenario.later, 'policy') })
}

/** Returns the scenario with these moves, one for each decision from the first on; `leastScore` decides after them. */
export function withMoves(scenario: Scenario, allocations: readonly (readonly number[])[]): Scenario {
  return { ...scenario, policy: { kind: 'byHand', allocations, lend: true }, branches: [], later: [] }
}

/** Returns the scenario's own policy and up to five others that can play it. */
export function firstChoice(scenario: Scenario): readonly PolicyKind[] {
  const kinds = new Set([scenario.policy.kind, ...contrasts])
  return [...kinds].filter((kind) => 'scenario' in underPolicy(scenario, kind)).slice(0, MAX_COMPARED)
}

/** Returns whether the records of this many runs may be kept, for pictures. */
export function mayRecord(scenario: Scenario, runs: number): boolean {
  return countServices(scenario) * runs <= MAX_RECORDED
}

/** Plays a scenario in the simulation and returns its metrics, and with `record` all that happened. */
export async function playCompared(scenario: Scenario, record: boolean, options: TrialOptions = {}): Promise<Compared> {
  const journals: Journal[] = []
  const trace = await playTrial(
    scenario,
    options,
    record ? (journal) => journals.push(sliceJournal(journal)) : undefined,
  )
  return {
    ...figuresOf(trace),
    occupancy: occupancyOf(trace),
    ending: trace.ending,
    failures: trace.failures,
    journals: record ? journals : null,
  }
}
