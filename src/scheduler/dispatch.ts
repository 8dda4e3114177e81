import { exchangeSeats } from '../allocation/apportion.ts'
import { type Ballot, castAllVotes, castForeseen, createBallot } from '../allocation/ballot.ts'
import { createEstimates, type Estimates, estimatesOf, observe } from '../allocation/estimate.ts'
import { divisorsOf } from '../allocation/rules.ts'
import { weighsVotes, weightsInto } from '../allocation/weights.ts'
import { apply, applyBatch, enact, settle, startJob, startJobs } from '../pipeline/apply.ts'
import { grown } from '../pipeline/column.ts'
import { markDone } from '../pipeline/counts.ts'
import { type Journal, pushChangedSeats, pushDecision } from '../pipeline/journal.ts'
import { createOutlook, lookAhead, looksAhead, looksAtAges, type Outlook } from '../pipeline/outlook.ts'
import { ARRIVED, FINISHED, NONE, PHASE, PREFETCH, type Rows, rowTime } from '../pipeline/rows.ts'
import type { Shards } from '../pipeline/shards.ts'
import { AT_ONCE, createState, roomFor, runnable, type State, servedAlone, servesAtOnce } from '../pipeline/state.ts'
import { workersEver } from '../pipeline/topology.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { phasesOf, scenarioAtPhase } from '../scenario/model/schedule.ts'
import { declaredMeans } from '../scenario/model/serviceMean.ts'
import { tieOrder } from '../scenario/model/tieOrder.ts'
import { type Messages, messagesOf, prefetches, sizeAt } from './batches.ts'
import { askCode, type StartCode, type StartedCode, withoutCode } from './codePolicy.ts'
import { type PolicyRow, type PolicyView, policyRow } from './policies.ts'
import { canGive, createPosting, drawPosts, matchPosts, type Posting, prefetchTaker } from './posts.ts'
import { type PrefetchTakers, takersOf } from './prefetchTakers.ts'
import { createPools, type Pools, resize, retune } from './resize.ts'
import { type Roster, rosterOf } from './roster.ts'

/** The settings of one phase. Only `beginPhase` reads them from the scenario. */
interface PhaseSettings {
  /** The scenario with the values of this phase; see `scenarioAtPhase`. */
  readonly scenario: Scenario
  readonly estimates: Estimates
  readonly row: PolicyRow
  readonly view: PolicyView
  /** Null unless the policy is the user's own code. */
  readonly code: StartedCode | null
  /** The weights of the stages: the votes of the ballot, or an array of their own if the rule weighs something else. */
  readonly weights: Float64Array
  readonly divisors: Float64Array
  /** The power of the policy `power`; 1 for the others. */
  readonly power: number
  /** Whether a worker may get a second batch. */
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
  readonly posting: Posting
  /** What the scheduler knows of the way to the workers: an engine that measures it writes it here, between two decisions. */
  readonly messages: Messages
  /** Who is idle where, and who may get a second batch (null: never anybody). Rows up to `noted` of the journal are in them. */
  readonly roster: Roster
  readonly takers: PrefetchTakers | null
  noted: number
  /** Controllers of pools; null under a policy that keeps its workers. */
  readonly pools: Pools | null
  readonly done: Uint8Array
  readonly scratch: Float64Array
  /** What policies that look ahead see; null if the scenario has none. */
  readonly outlook: Outlook | null
  /** When each job arrived; null if no policy asks. */
  arrivals: Float64Array | null
  readonly startCode: StartCode
  /** Why the policy cannot decide: the run ends here. Null if nothing is wrong. */
  problem: string | null
}

/**
 * Facts about jobs: `sizeOf` is the service time at a stage, which only the clairvoyant discipline `shortest` reads; `groupOf` the
 * group; `routeOf` the way from a stage that routes. The scenario must have passed `parse`.
 */
export function createCore(
  scenario: Scenario,
  sizeOf: (stage: number, job: number) => Micros,
  groupOf: (job: number) => number,
  routeOf: (stage: number, job: number) => number,
  startCode = withoutCode,
): Core {
  const stages = scenario.stages.length
  const kinds = new Set(phasesOf(scenario).map(({ estimator }) => estimator))
  const state = createState(scenario, sizeOf, groupOf, routeOf)
  const kept = {
    state,
    estimators: Array.from(kinds, (kind) => createEstimates(kind, kind.prior, declaredMeans(scenario))),
    ballot: createBallot(stages),
    stageOf: Int16Array.from(tieOrder(scenario)),
    posting: createPosting(stages, workersEver(scenario)),
    taken: { decisions: 0 },
    messages: messagesOf(scenario),
    roster: rosterOf(state.counts),
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
    posting: kept.posting,
    taken: kept.taken,
    messages: kept.messages,
    roster: kept.roster,
    takers: phasesOf(scenario).some(prefetches) ? takersOf(state.counts) : null,
    noted: 0,
    seats: new Int32Array(stages),
    previous: new Int32Array(stages),
    pools: createPools(scenario),
    done: new Uint8Array(stages),
    scratch: new Float64Array(stages),
    outlook: phasesOf(scenario).some(({ policy }) => looksAhead(policy)) ? createOutlook(stages) : null,
    arrivals: phasesOf(scenario).some(({ policy }) => looksAtAges(policy)) ? new Float64Array(64) : null,
    startCode,
    problem: null,
  }
}

type Kept = Pick<Core, 'state' | 'estimators' | 'ballot' | 'stageOf' | 'posting' | 'taken' | 'messages' | 'roster'>

function codeOf(scenario: Scenario, startCode: StartCode): StartedCode | null {
  return scenario.policy.kind === 'code' ? startCode(scenario.policy, scenario) : null
}

function phaseSettings(
  given: Scenario,
  { state, estimators, ballot, stageOf, posting, taken, messages, roster }: Kept,
  code: StartedCode | null,
): PhaseSettings {
  const scenario = code !== null && !code.lends && given.policy.lend ? { ...given, policy: { ...given.policy, lend: false } } : given
  const { policy } = scenario
  const row = policyRow(policy.kind)
  const estimates = estimators.find(({ kind }) => kind === scenario.estimator) ?? estimators[0]
  const power = policy.kind === 'power' ? policy.p : 1
  const divisors = divisorsOf(row.rule ?? 'leastScore', posting.worker.length, power)
  return {
    scenario,
    estimates,
    row,
    view: { scenario, policy, state, roster, estimates, ballot, stageOf, runnable: posting.runnable, divisors, taken, messages },
    code,
    weights: row.rule === undefined || weighsVotes(row.rule) ? ballot.votes : new Float64Array(stageOf.length),
    divisors,
    power,
    prefetches: prefetches(scenario),
  }
}

/** Begins the next phase of the scenario. */
function beginPhase(core: Core): void {
  const { policy } = core.scenario
  const next = scenarioAtPhase(core.scenario, core.state.counts.phase)
  Object.assign(core, phaseSettings(next, core, next.policy === policy ? core.code : codeOf(next, core.startCode)))
  if (core.scenario.policy !== policy) core.taken.decisions = 0
  if (core.pools !== null) retune(core.pools, core.scenario)
}

/**
 * The only entry to the core. Takes the facts of one instant, the rows of the journal from `from` on (ordered by law 11), and appends what
 * follows: consequences, at most one decision, orders. Returns the row where those begin.
 */
export function dispatch(core: Core, journal: Journal, from: number): number {
  const { state, estimators } = core
  const { rows } = journal
  const facts = rows.length
  const time = rowTime(rows, facts - 1)
  const inBatches = core.scenario.batch.size !== 1
  core.noted = from
  for (let i = from; i < facts; i++) {
    const kind = rows.kind[i]
    const batch = kind === FINISHED && inBatches ? applyBatch(state, rows, i, facts) : 0
    if (batch > 0) {
      for (let e = 0; e < estimators.length; e++) observeRows(estimators[e], rows, i, i + batch)
      i += batch - 1
      continue
    }
    apply(state, rows, i)
    if (kind === FINISHED) for (let e = 0; e < estimators.length; e++) observe(estimators[e], rows.stage[i], rows.lasted[i])
    else if (kind === ARRIVED) noteArrival(core)
    else if (kind === PHASE) beginPhase(core)
  }
  if (state.due.length > 0) settle(state, rows, time)
  if (core.pools !== null && !state.counts.stopped) resize(core.pools, state, core.stageOf, core.estimates, journal, facts)
  // A dismissed worker may return a part of a failed job.
  if (state.due.length > 0) settle(state, rows, time)
  noteWorkers(core, rows)
  if (!state.counts.stopped && hasWork(core)) decide(core, journal, time)
  return facts
}

/** Notes on the roster what has become of the workers in the rows that are not noted yet. */
function noteWorkers(core: Core, { worker, length }: Rows): void {
  const { roster, takers, state } = core
  let last: number = NONE
  for (let i = core.noted; i < length; i++) {
    const w = worker[i]
    if (w === NONE || w === last) continue
    last = w
    roster.note(state.counts, w)
    if (takers !== null) takers.note(state.counts, w)
  }
  core.noted = length
}

/** Adds the measurements of `finished` rows [from, to). */
function observeRows(estimates: Estimates, { stage, lasted }: Rows, from: number, to: number): void {
  for (let i = from; i < to; i++) observe(estimates, stage[i], lasted[i])
}

function noteArrival(core: Core): void {
  if (core.arrivals === null) return
  const { arrived, time } = core.state.counts
  if (arrived > core.arrivals.length) core.arrivals = grown(core.arrivals, arrived)
  core.arrivals[arrived - 1] = time
}

/** Fills in how many jobs may start and how many workers are busy at each stage. Returns whether a worker can take a batch. */
function hasWork(core: Core): boolean {
  const { state, stageOf, posting } = core
  const { counts } = state
  const { runnable: ready, staffed } = posting
  const { busy } = counts
  let idle = counts.live
  for (let stage = 0; stage < busy.length; stage++) idle -= busy[stage]
  posting.idle = idle
  if (idle === 0 && !core.prefetches) return false
  for (let k = 0; k < ready.length; k++) {
    const stage = stageOf[k]
    ready[k] = runnable(state, stage)
    staffed[k] = busy[stage]
  }
  return canGive(posting, state, stageOf, core.prefetches ? core.takers : null)
}

function decide(core: Core, journal: Journal, time: Micros): void {
  const { ballot, seats, previous, row, posting, weights } = core
  fillBallot(core)
  const hash = castVotes(core)
  if (row.rule !== undefined && weights !== ballot.votes) weightsInto(row.rule, ballot, core.power, weights)
  let changed = true
  if (core.code !== null) core.problem = askCode(core, core.code, seats, time)
  else if (row.allocate) row.allocate(core.view, seats)
  else changed = exchangeSeats(weights, ballot.eligible, ballot.workers, core.divisors, seats)
  if (core.problem !== null) return
  pushDecision(journal.decisions, journal.rows.length, hash)
  core.taken.decisions++
  if (changed) pushChangedSeats(journal.decisions, core.stageOf, seats, previous)
  if (core.state.shards !== null) dealShards(core, core.state.shards)
  posting.held = row.holds ? heldBack(core) : 0
  // A job that goes alone makes a batch smaller than planned, and a start may make room in a bounded queue. Then posts remain to be drawn.
  let given = 0
  do {
    drawPosts(posting, core)
    matchPosts(posting, core)
    given = posting.posts
    for (let p = 0; p < posting.posts; p++)
      startBatch(core, journal, time, posting.worker[p], core.stageOf[posting.place[p]], posting.size[p], posting.ticket[p])
    noteWorkers(core, journal.rows)
    if (core.prefetches) given += givePrefetches(core, journal, time)
    noteWorkers(core, journal.rows)
  } while (given > 0 && (core.state.tries.size > 0 || core.state.topology.bounded) && hasWork(core))
}

/** Casts the votes of all stages, with what the policy sees ahead. Returns the hash of all. */
function castVotes({ ballot, stageOf, estimates, scratch, outlook, arrivals, state, scenario: { policy } }: Core): number {
  const hash = castAllVotes(ballot, stageOf, estimatesOf(estimates, scratch))
  if (outlook === null) return hash
  // After a phase that looked ahead, nothing more is seen ahead.
  lookAhead(policy, state.topology, state.counts, arrivals ?? [], outlook)
  return castForeseen(ballot, stageOf, outlook, hash)
}

/**
 * Returns how many idle workers have no seat and stay idle. One of them must lend a hand if no worker is busy and no job arrives, or the run would
 * stop. Without lending it does: it ends stuck.
 */
function heldBack({ seats, posting: { idle, staffed }, state: { counts } }: Core): number {
  let without = idle
  for (let k = 0; k < seats.length; k++) without -= Math.max(0, seats[k] - staffed[k])
  return Math.max(0, Math.min(without, idle < counts.live || !counts.exhausted ? idle : idle - 1))
}

/**
 * Gives busy workers a second batch of their stage, so that they need not wait for a message. Only where jobs may still start after the
 * idle workers are served, and the stage has a seat for each busy worker, so that they will stay. Returns how many.
 */
function givePrefetches(core: Core, journal: Journal, time: Micros): number {
  const { state, stageOf, seats } = core
  const { rows } = journal
  let given = 0
  for (let k = 0; k < stageOf.length; k++) {
    const stage = stageOf[k]
    const busy = state.counts.busy[stage]
    if (busy === 0 || seats[k] < busy) continue
    for (let jobs = runnable(state, stage); jobs > 0; jobs = runnable(state, stage)) {
      const worker = prefetchTaker(core.takers, state, stage)
      if (worker === NONE) break
      enact(state, rows, time, PREFETCH, stage, worker, NONE)
      startBatch(core, journal, time, worker, stage, sizeAt(core, k, jobs, seats[k]), NONE)
      given++
    }
  }
  return given
}

/** Fills in who may have workers, and what waits where. */
function fillBallot({ ballot, state, stageOf, done }: Core): void {
  const { counts } = state
  markDone(state.topology, counts, done)
  ballot.workers = counts.live
  for (let k = 0; k < stageOf.length; k++) {
    const stage = stageOf[k]
    ballot.waiting[k] = counts.waiting[stage]
    ballot.eligible[k] = 1 - done[stage]
  }
}

/** The seats of a stage are its shards. Other shards let other jobs start. */
function dealShards(core: Core, { queues }: Shards): void {
  for (let k = 0; k < core.seats.length; k++) queues[core.stageOf[k]].deal(core.seats[k])
  hasWork(core)
}

/** Orders a worker to take its next batch from the queue of a stage; with shards it begins at this ticket. */
function startBatch({ state }: Core, { rows }: Journal, time: Micros, worker: number, stage: number, size: number, ticket: number): void {
  const queue = state.queues[stage]
  const shard = state.shards === null ? null : state.shards.queues[stage]
  // A worker started just now may have taken the last place in a queue that two stages feed.
  const most =
    size === 1 && (state.topology.linear || !state.topology.bounded) ? 1 : roomFor(state, stage, shard === null ? Math.min(size, queue.length) : size)
  if (most >= AT_ONCE && servesAtOnce(state, stage)) {
    startJobs(state, rows, time, stage, worker, most)
    return
  }
  let job = ticket
  for (let taken = 0; taken < most; taken++) {
    if (shard === null) job = queue.peek()
    else if (taken > 0) job = shard.following(job)
    const alone = servedAlone(state, stage, job)
    if (job === NONE || (alone && taken > 0)) return
    startJob(state, rows, time, stage, worker, job)
    if (alone) return
  }
}
