import { membersOf } from '../../../app/session/branches/branchRuns.ts'
import { branchNames } from '../../../app/session/branches/branchWords.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { t } from '../../../language/translate.ts'
import { type Compared, firstChoice, underPolicy } from '../../../runs/study/compare.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import { policies, policyName } from '../../../scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'

/** What takes part in a comparison: a scenario with a name. */
export interface Entrant {
  readonly key: string
  readonly name: string
  readonly scenario: Scenario
}

/** An entrant that has been played. */
export interface ComparedRun extends Entrant {
  readonly compared: Compared
  /** The record, for pictures; null if only figures were asked for, and until the record has been read. */
  readonly run: Run | null
}

export type ComparedRuns = ReadonlyMap<string, ComparedRun>

/** One worker who runs each job to its end: a pipeline should be faster than that. */
export const BASELINE: PolicyKind = 'single'

/** Returns a key of all that the runs of these entrants depend on. */
export function entrantsKey(entrants: readonly Entrant[]): string {
  return JSON.stringify(entrants.map(({ key, scenario }) => [key, comparisonKey(scenario)]))
}

/** A comparison of at most this many services takes a moment. */
const AT_ONCE = 240_000

/** Returns whether playing all of them takes only a moment, so that it may begin by itself. */
export function playsAtOnce(entrants: readonly Entrant[]): boolean {
  return entrants.reduce((sum, { scenario }) => sum + countJobs(scenario.source) * scenario.stages.length, 0) <= AT_ONCE
}

/** Returns the policies to compare that the scenario can be played under, in the order of the list. */
export function chosenFor(scenario: Scenario, chosen: readonly PolicyKind[] | null): readonly PolicyKind[] {
  const kinds = (chosen ?? firstChoice(scenario)).filter((kind) => 'scenario' in underPolicy(scenario, kind))
  return (Object.keys(policies) as PolicyKind[]).filter((kind) => kinds.includes(kind))
}

/** Returns the scenario under each of the policies that it can be played under. */
export function entrantsUnder(scenario: Scenario, kinds: readonly PolicyKind[]): readonly Entrant[] {
  return kinds.flatMap((kind) => {
    const parsed = underPolicy(scenario, kind)
    return 'scenario' in parsed ? [{ key: kind, name: policyName(parsed.scenario.policy), scenario: parsed.scenario }] : []
  })
}

/** Returns all that has to be played, in this order: the scenario's own policy first, then the baseline, then the others. */
export function withBaseline(scenario: Scenario, entrants: readonly Entrant[]): readonly Entrant[] {
  const first = entrants.filter(({ key }) => key === scenario.policy.kind)
  const baseline = entrants.some(({ key }) => key === BASELINE) ? [] : entrantsUnder(scenario, [BASELINE])
  return [...first, ...baseline, ...entrants.filter((entrant) => !first.includes(entrant))]
}

/** Returns the runs that would come out the same again: another policy in the header changes none of them. */
export function stillValid(entrants: readonly Entrant[], runs: ComparedRuns): ComparedRuns {
  return new Map(
    entrants.flatMap(({ key, name, scenario }) => {
      const run = runs.get(key)
      return run !== undefined && comparisonKey(scenario) === comparisonKey(run.scenario) ? [[key, { ...run, name }] as const] : []
    }),
  )
}

/** Returns the entrants that have to be played. Those that are drawn need a record too. */
export function runsToPlay(entrants: readonly Entrant[], runs: ComparedRuns, isDrawn: (entrant: Entrant) => boolean): readonly Entrant[] {
  return entrants.filter((entrant) => {
    const known = runs.get(entrant.key)
    return known === undefined || (known.run === null && isDrawn(entrant))
  })
}

/** Returns the original of a scenario and its branches, as they are played. */
export function entrantsOnBranches(whole: Scenario): readonly Entrant[] {
  const names = [t('Original'), ...branchNames(whole)]
  return membersOf(whole).map((scenario, m) => ({ key: `${m}`, name: names[m], scenario }))
}
