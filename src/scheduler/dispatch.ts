import { exchangeSeats } from '../allocation/apportion.ts'
import { type Ballot, createBallot, hashBallot } from '../allocation/ballot.ts'
import { createEstimates, type Estimates, estimateInto, observe } from '../allocation/estimate.ts'
import { divisorsOf } from '../allocation/rules.ts'
import { type Journal, pushDecision, pushSeats } from '../pipeline/journal.ts'
import { FINISHED, pushRow, STARTED, serviceAt } from '../pipeline/rows.ts'
import { apply, createState, runnable, type State, servedAlone, settle } from '../pipeline/state.ts'
import { markDone } from '../pipeline/tally.ts'
import { workersEver } from '../pipeline/topology.ts'
import type { Micros, Scenario } from '../scenario/scenario.ts'
import { declaredMeans } from '../scenario/serviceMean.ts'
import { type PolicyRow, type PolicyView, policies } from './policies.ts'
import { createPosting, drawPosts, matchPosts, type Posting } from './posts.ts'

/** The scheduler with all it remembers. Arrays by `k` stand in tie order: stage `stageOf[k]`, ids ascending. */
export interface Core {
  readonly scenario: Scenario
  readonly state: State
  readonly estimates: Estimates
  readonly row: PolicyRow
  readonly view: PolicyView
  readonly ballot: Ballot
  readonly divisors: Float64Array
  readonly stageOf: Int16Array
  readonly seats: Int32Array
  readonly previous: Int32Array
  readonly posting: Posting
  readonly done: Uint8Array
  readonly scratch: Float64Array
}

/**
 * `sizeOf` tells what a job costs at a stage; only the clairvoyant discipline `shortest` asks.
 * The scenario must have come out of `parse`.
 */
export function createCore(scenario: Scenario, sizeOf: (stage: number, job: number) => Micros): Core {
  const stages = scenario.stages.length
  const workers = workersEver(scenario)
  const state = createState(scenario, sizeOf)
  const ballot = createBallot(stages)
  const stageOf = tieOrder(scenario)
  const row = policies[scenario.policy.kind]
  const posting = createPosting(stages, workers)
  return {
    scenario,
    state,
    estimates: createEstimates(scenario.estimator, scenario.estimator.prior, declaredMeans(scenario)),
    row,
    view: { scenario, policy: scenario.policy, state, ballot, stageOf, runnable: posting.runnable },
    ballot,
    divisors: divisorsOf(row.rule ?? 'leastScore', workers),
    stageOf,
    seats: new Int32Array(stages),
    previous: new Int32Array(stages),
    posting,
    done: new Uint8Array(stages),
    scratch: new Float64Array(stages),
  }
}

/**
 * The one door to the core. Takes the facts of one instant, the rows of the journal from `from` on (in the order of law
 * 11), and appends all that follows: consequences, at most one decision, orders. Returns where those begin.
 */
export function dispatch(core: Core, journal: Journal, from: number): number {
  const { state, estimates } = core
  const { rows } = journal
  const facts = rows.length
  const time = rows.time[facts - 1]
  for (let i = from; i < facts; i++) {
    apply(state, rows, i)
    if (rows.kind[i] === FINISHED) observe(estimates, rows.stage[i], serviceAt(rows, i))
  }
  if (state.due.length > 0) settle(state, rows, time)
  if (!state.tally.stopped && hasWork(core)) decide(core, journal, time)
  return facts
}

/** Fills in how many jobs may start at each stage; false when no hand is empty or nothing may start. */
function hasWork(core: Core): boolean {
  const { state, stageOf, posting } = core
  const { tally } = state
  let busy = 0
  let any = 0
  for (let k = 0; k < stageOf.length; k++) {
    busy += tally.busy[stageOf[k]]
    posting.runnable[k] = runnable(state, stageOf[k])
    any += posting.runnable[k]
  }
  posting.idle = tally.live - busy
  return any > 0 && posting.idle > 0
}

function decide(core: Core, journal: Journal, time: Micros): void {
  const { ballot, seats, previous, row, posting } = core
  fillBallot(core)
  for (let k = 0; k < seats.length; k++) previous[k] = seats[k]
  if (row.allocate) row.allocate(core.view, seats)
  else exchangeSeats(ballot.votes, ballot.eligible, ballot.workers, core.divisors, seats)
  record(core, journal)
  // A job that must go alone makes a batch smaller than was counted on, and a start may make room in a bounded queue for
  // another: then there is work left to draw posts for.
  do {
    drawPosts(posting, core)
    matchPosts(posting, core)
    for (let p = 0; p < posting.posts; p++) start(core, journal, time, posting.worker[p], core.stageOf[posting.place[p]])
  } while (posting.posts > 0 && (core.state.tries.size > 0 || core.state.topology.bounded) && hasWork(core))
}

function fillBallot({ ballot, state, estimates, stageOf, done, scratch }: Core): void {
  const { tally } = state
  estimateInto(estimates, scratch)
  markDone(state.topology, tally, done)
  ballot.workers = tally.live
  for (let k = 0; k < stageOf.length; k++) {
    const stage = stageOf[k]
    ballot.waiting[k] = tally.waiting[stage]
    ballot.means[k] = scratch[stage]
    ballot.votes[k] = tally.waiting[stage] * scratch[stage]
    ballot.eligible[k] = 1 - done[stage]
  }
}

function record({ ballot, seats, previous, stageOf }: Core, { rows, decisions }: Journal): void {
  pushDecision(decisions, rows.length, hashBallot(ballot))
  for (let k = 0; k < seats.length; k++) if (seats[k] !== previous[k]) pushSeats(decisions, stageOf[k], seats[k])
}

/** Orders a worker to take its next batch from the queue of a stage. */
function start({ scenario, state }: Core, { rows }: Journal, time: Micros, worker: number, stage: number): void {
  const queue = state.queues[stage]
  const most = Math.min(scenario.batch.size, runnable(state, stage))
  for (let taken = 0; taken < most; taken++) {
    const job = queue.peek()
    const alone = servedAlone(state, stage, job)
    if (alone && taken > 0) return
    pushRow(rows, time, STARTED, stage, worker, job)
    apply(state, rows, rows.length - 1)
    if (alone) return
  }
}

/** Stage numbers in the order of ties: ids in ascending code-point order (ids are ASCII, so `<` compares code points). */
function tieOrder(scenario: Scenario): Int16Array {
  const ids = scenario.stages.map((stage) => stage.id)
  return Int16Array.from(ids.keys()).sort((a, b) => (ids[a] < ids[b] ? -1 : 1))
}
