import type { Divisors } from '../allocation/apportion.ts'
import { type Ballot, createBallot } from '../allocation/ballot.ts'
import { createEstimates, type Estimates } from '../allocation/estimate.ts'
import { divisorsOf, weighsVotes } from '../allocation/rules.ts'
import { createOutlook, looksAhead, looksAtAges, type Outlook } from '../pipeline/outlook.ts'
import { createState, type State } from '../pipeline/state.ts'
import type { StartUpDraw } from '../pipeline/switchCosts.ts'
import { workersEver } from '../pipeline/topology.ts'
import { carries } from '../scenario/model/defaults.ts'
import { declaredMeans } from '../scenario/model/distributions.ts'
import { tieOrder } from '../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { phasesOf, scenarioAtPhase } from '../scenario/model/schedule.ts'
import { type Assignments, createAssignments } from './assignments.ts'
import { type Messages, prefetches, type RoundTrips, roundTripsOf, unmeasured } from './batches.ts'
import { Carrying, type VictimDraw } from './carrying.ts'
import { type StartCode, type StartedCode, withoutCode } from './codePolicy.ts'
import { type PolicyRow, type PolicyView, policyRow } from './policies.ts'
import { createPools, type Pools, retune, type Starting, startingOf } from './resize.ts'
import { type PrefetchTakers, type Roster, rosterOf, takersOf } from './roster.ts'

/** The settings of one phase. Only `beginPhase` reads them from the scenario. */
interface PhaseSettings {
  /** The scenario with the values of this phase; see `scenarioAtPhase`. An engine may replace it by one with more phases to come. */
  scenario: Scenario
  readonly estimates: Estimates
  readonly row: PolicyRow
  readonly view: PolicyView
  /** Null unless the policy is the user's own code. */
  readonly code: StartedCode | null
  /** The weights of the stages: the votes of the ballot, or an array of their own if the rule weighs something else. */
  readonly weights: Float64Array
  readonly divisors: Divisors
  /** The power of the policy `power`; 1 for the others. */
  readonly power: number
  readonly prefetches: boolean
}

/** The scheduler and its memory. Arrays by `k` are in tie order: stage `stageOf[k]`, ids ascending. */
export interface Core extends PhaseSettings {
  readonly state: State
  /** One for each estimator in the schedule. All get all measurements. */
  readonly estimators: readonly Estimates[]
  readonly ballot: Ballot
  readonly stageOf: Int16Array
  readonly seats: Int32Array
  readonly previous: Int32Array
  /** Decisions since the policy began. */
  readonly taken: { decisions: number }
  readonly assignments: Assignments
  /** Message times to the workers, and their measurement (null where no batch depends on them). */
  readonly messages: Messages
  readonly roundTrips: RoundTrips | null
  /** Which workers are idle where, and which may get a second batch (null: never any). */
  readonly roster: Roster
  carrying: Carrying | null
  readonly victimOf: VictimDraw
  takers: PrefetchTakers | null
  /** Controllers of pools; null under a policy that keeps its workers. */
  readonly pools: Pools | null
  /** The hired workers that are starting up. */
  readonly starting: Starting
  readonly done: Uint8Array
  readonly scratch: Float64Array
  /** The input of policies that look ahead; null if the scenario has none. */
  outlook: Outlook | null
  /** When each job arrived; null if no policy asks. */
  arrivals: Float64Array | null
  readonly startCode: StartCode
  /** Why the policy cannot decide: the run ends here. Null if nothing is wrong. */
  problem: string | null
}

/** `sizeOf` is what a queue orders jobs by: see createState. The scenario must have passed `parse`. */
export function createCore(
  scenario: Scenario,
  sizeOf: (stage: number, job: number) => Micros,
  groupOf: (job: number) => number,
  routeOf: (stage: number, job: number) => number,
  startCode = withoutCode,
  startUpOf: StartUpDraw = () => 0,
  victimOf: VictimDraw = () => 0,
): Core {
  const stages = scenario.stages.length
  const kinds = new Set(phasesOf(scenario).map(({ estimator }) => estimator))
  const state = createState(scenario, sizeOf, groupOf, routeOf)
  const roundTrips = roundTripsOf(scenario, state.topology)
  const ballot = createBallot(stages)
  // Until the source is exhausted no stage is done.
  ballot.eligible.fill(1)
  const kept = {
    state,
    estimators: Array.from(kinds, (kind) => createEstimates(kind, kind.prior, declaredMeans(scenario))),
    ballot,
    stageOf: Int16Array.from(tieOrder(scenario)),
    assignments: createAssignments(stages, workersEver(scenario)),
    taken: { decisions: 0 },
    messages: roundTrips ?? unmeasured,
    roster: rosterOf(state.counts),
    carrying: phasesOf(scenario).some(({ policy }) => carries(policy.kind)) ? new Carrying(stages) : null,
    victimOf,
  }
  const settings = phaseSettings(scenario, kept, codeOf(scenario, startCode))
  // Written out, because objects made by spreading have a hidden class each, which makes every access to them slow.
  return {
    scenario: settings.scenario,
    estimates: settings.estimates,
    row: settings.row,
    view: settings.view,
    code: settings.code,
    weights: settings.weights,
    divisors: settings.divisors,
    power: settings.power,
    prefetches: settings.prefetches,
    state: kept.state,
    estimators: kept.estimators,
    ballot: kept.ballot,
    stageOf: kept.stageOf,
    assignments: kept.assignments,
    taken: kept.taken,
    messages: kept.messages,
    roundTrips,
    roster: kept.roster,
    carrying: kept.carrying,
    victimOf,
    takers: phasesOf(scenario).some(prefetches) ? takersOf(state.counts) : null,
    seats: new Int32Array(stages),
    previous: new Int32Array(stages),
    pools: createPools(scenario),
    starting: startingOf(scenario, workersEver(scenario), startUpOf),
    done: new Uint8Array(stages),
    scratch: new Float64Array(stages),
    outlook: phasesOf(scenario).some(({ policy }) => looksAhead(policy)) ? createOutlook(state.topology) : null,
    arrivals: phasesOf(scenario).some(({ policy }) => looksAtAges(policy)) ? new Float64Array(64) : null,
    startCode,
    problem: null,
  }
}

type Kept = Pick<
  Core,
  | 'state'
  | 'estimators'
  | 'ballot'
  | 'stageOf'
  | 'assignments'
  | 'taken'
  | 'messages'
  | 'roster'
  | 'carrying'
  | 'victimOf'
>

function codeOf(scenario: Scenario, startCode: StartCode): StartedCode | null {
  return scenario.policy.kind === 'code' ? startCode(scenario.policy, scenario) : null
}

function phaseSettings(
  given: Scenario,
  { state, estimators, ballot, stageOf, assignments, taken, messages, roster, carrying, victimOf }: Kept,
  code: StartedCode | null,
): PhaseSettings {
  const scenario =
    code !== null && !code.lends && given.policy.lend ? { ...given, policy: { ...given.policy, lend: false } } : given
  const { policy } = scenario
  const row = policyRow(policy.kind)
  const estimates = estimators.find(({ kind }) => kind === scenario.estimator) ?? estimators[0]
  const power = policy.kind === 'power' ? policy.p : 1
  const divisors = divisorsOf(row.rule ?? 'leastScore', assignments.worker.length, power)
  return {
    scenario,
    estimates,
    row,
    view: {
      scenario,
      policy,
      state,
      roster,
      estimates,
      ballot,
      stageOf,
      runnable: assignments.runnable,
      divisors,
      taken,
      messages,
      carrying,
      victimOf,
    },
    code,
    weights: row.rule === undefined || weighsVotes(row.rule) ? ballot.votes : new Float64Array(stageOf.length),
    divisors,
    power,
    prefetches: prefetches(scenario),
  }
}

export function beginPhase(core: Core): void {
  const { policy } = core.scenario
  const { counts } = core.state
  const next = scenarioAtPhase(core.scenario, counts.phase)
  Object.assign(core, phaseSettings(next, core, next.policy === policy ? core.code : codeOf(next, core.startCode)))
  if (core.scenario.policy !== policy) core.taken.decisions = 0
  if (prefetches(next)) core.takers ??= takersOf(counts)
  if (looksAhead(next.policy)) core.outlook ??= createOutlook(core.state.topology)
  // Jobs that came before the first phase that asks count from its beginning.
  if (looksAtAges(next.policy)) core.arrivals ??= new Float64Array(Math.max(64, counts.arrived)).fill(counts.time)
  if (core.pools !== null) retune(core.pools, core.scenario)
}
