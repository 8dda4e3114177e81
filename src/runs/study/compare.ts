import { type LowerBound, lowerBoundOf } from '../../measures/figures/lowerBound.ts'
import { type Metrics, metricsOf } from '../../measures/figures/metrics.ts'
import { type Occupancy, occupancyOf } from '../../measures/figures/occupancy.ts'
import { type Ending, type Failure, type Journal, sliceJournal } from '../../pipeline/journal.ts'
import { setPolicy } from '../../scenario/edit/edits.ts'
import { compact } from '../../scenario/model/compact.ts'
import { isPinned } from '../../scenario/model/defaults.ts'
import { countJobs } from '../../scenario/model/limits.ts'
import type { Parsed, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { withoutKey } from '../../scenario/model/schedule.ts'
import { parse } from '../../scenario/parse/parse.ts'
import { playTrial, type TrialOptions } from '../play/trial.ts'

/** A run of a comparison, as the thread that has played it hands it over. */
export interface Compared {
  readonly figures: Metrics
  readonly occupancy: Occupancy
  readonly bound: LowerBound
  readonly ending: Ending | null
  readonly failures: readonly Failure[]
  /** All that happened, in the parts in which the engine told it; null where only the figures were asked for. */
  readonly journals: readonly Journal[] | null
}

/** So many policies are compared at a time: as many pictures as fit side by side. */
export const MOST_POLICIES = 6
/** Records are kept of so many services in all: some 150 MB of rows and drawings. Beyond, a comparison has figures only. */
const MOST_RECORDED = 2_000_000

/** Policies that are worth a look beside the scenario's own. */
const contrasts: readonly PolicyKind[] = ['leastScore', 'jefferson', 'longestQueue', 'backpressure', 'onePerStage', 'sinkFirst', 'adams']

/**
 * The scenario under another policy, which takes over whether to lend, and else begins with what is sensible; it holds for the
 * whole run, whatever the turns of the scenario say of policies. Under its own the scenario stays as it is.
 */
export function underPolicy(scenario: Scenario, kind: PolicyKind): Parsed {
  if (scenario.policy.kind === kind) return { scenario }
  const changed = setPolicy(scenario, kind)
  const lends = isPinned(kind) || isPinned(scenario.policy.kind) ? {} : { lend: scenario.policy.lend }
  return parse({ ...changed, policy: { ...changed.policy, ...lends }, later: withoutKey(scenario.later, 'policy') })
}

/** The scenario's own policy and those that differ most from it and can play it, six in all. */
export function firstChoice(scenario: Scenario): readonly PolicyKind[] {
  const kinds = new Set([scenario.policy.kind, ...contrasts])
  return [...kinds].filter((kind) => 'scenario' in underPolicy(scenario, kind)).slice(0, MOST_POLICIES)
}

/** Everything of a scenario on which its run rests, in one order of keys: not its title, nor where its cards stand. */
export function comparisonKey(scenario: Scenario): string {
  return JSON.stringify(compact({ ...scenario, title: '', stages: scenario.stages.map((stage) => ({ ...stage, position: null })) }))
}

/** Whether the records of so many runs may be kept, for pictures beside the figures. */
export function mayRecord(scenario: Scenario, runs: number): boolean {
  return countJobs(scenario.source) * scenario.stages.length * runs <= MOST_RECORDED
}

/** Plays a scenario in the simulation: what it amounts to, and if asked all that happened. */
export async function playCompared(scenario: Scenario, record: boolean, options: TrialOptions = {}): Promise<Compared> {
  const journals: Journal[] = []
  const trace = await playTrial(scenario, options, record ? (journal) => journals.push(sliceJournal(journal)) : undefined)
  return {
    figures: metricsOf(trace),
    occupancy: occupancyOf(trace),
    bound: lowerBoundOf(scenario),
    ending: trace.ending,
    failures: trace.failures,
    journals: record ? journals : null,
  }
}
