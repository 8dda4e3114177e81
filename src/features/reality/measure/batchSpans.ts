import { groupingIn } from '../../../measures/frame/frame.ts'
import { countRow } from '../../../pipeline/countRow.ts'
import { createCounts, frontOf } from '../../../pipeline/counts.ts'
import { ARRIVED, beganAt, DISMISSED, endedAt, FINISHED, HIRED, JOINED, LOST, NONE, PHASE, type Rows, rowTime, STARTED, THREW } from '../../../pipeline/rows.ts'
import { createSwitchCosts } from '../../../pipeline/switchCosts.ts'
import { workersEver } from '../../../pipeline/topology.ts'
import { beginsBatch, createResourceQueues, joinResourceQueue, leaveResourceQueue } from '../../../pipeline/workerJobs.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { eachRow, type Trace } from '../../../trace/trace.ts'

/** One batch of one worker, from its order to its report, and what it waited for. */
export interface BatchSpan {
  readonly stage: number
  readonly worker: number
  /** Its services are entries `from` to `from + jobs - 1` of the columns, in the order in which the worker did them. */
  readonly from: number
  jobs: number
  readonly ordered: Micros
  /** When the worker could have begun it: at its order, at the end of the batch before, or when it got a resource. */
  ready: Micros
  /** NaN: never. */
  reported: Micros
  /** It came back undone: a job threw, or the worker was lost. */
  undone: boolean
  /** What the worker loses by changing stage and group before the first job. */
  switchCost: Micros
  cause: WaitCause
}

/**
 * Why a batch could not begin before its `ready`:
 *
 *   report    another batch's report brought what was missing: `job`, or (NONE) the worker, a resource, room, an order
 *   end       its worker had prefetched it and was at another batch, which ended
 *   arrival   job `job` arrived
 *   clock     only time: a worker came, a controller asked, a phase began, the run began
 */
export type WaitCause =
  | { readonly by: 'report'; readonly batchSpan: BatchSpan; readonly job: number }
  | { readonly by: 'end'; readonly batchSpan: BatchSpan }
  | { readonly by: 'arrival'; readonly job: number }
  | { readonly by: 'clock' }

/** All batches of a run. Columns by service: its job, and when its work began and ended (NaN: it came back undone). */
export interface BatchSpans {
  readonly job: Int32Array
  readonly began: Float64Array
  readonly ended: Float64Array
  /** The one reported last. */
  readonly last: BatchSpan | null
}

/** Rows between two pauses: a few milliseconds of work. */
const ROWS_A_STEP = 16_384

/** Folds a run into its batches: 20 bytes a service and some 150 a batch. */
export function* batchSpansInSteps(trace: Trace): Generator<void, BatchSpans> {
  const fold = createFold(trace)
  for (let row = 0; row < trace.length; row += ROWS_A_STEP) {
    eachRow(trace, row, Math.min(trace.length, row + ROWS_A_STEP), (rows, i) => take(fold, rows, i))
    yield
  }
  const { job, began, ended, last } = fold
  return { job, began, ended, last }
}

function createFold(trace: Trace) {
  const { scenario, topology } = trace
  const workers = workersEver(scenario)
  const groupOf = groupingIn(trace)
  let started = 0
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] === STARTED) started++
  })
  return {
    job: new Int32Array(started),
    began: new Float64Array(started).fill(Number.NaN),
    ended: new Float64Array(started).fill(Number.NaN),
    services: 0,
    /** By worker: the batches in its hands, the current one first; the batch before. */
    hands: Array.from({ length: workers }, (): BatchSpan[] => []),
    before: [] as (BatchSpan | undefined)[],
    /** By stage and job: its latest service, and the batch that brought it to where it waits. */
    serviceOf: scenario.stages.map((): number[] => []),
    broughtBy: scenario.stages.map((): (BatchSpan | undefined)[] => []),
    /** By job. */
    arrivedAt: [] as number[],
    last: null as BatchSpan | null,
    lastArrived: NONE,
    switchCosts: createSwitchCosts(scenario, workers, groupOf),
    /** When the phases so far began. */
    phaseTimes: [] as Micros[],
    /**
     * By stage, 1: the switch cost of a batch is fixed when it is ordered, not when it begins. On threads a prefetched batch is
     * sent at once.
     */
    sentAtOnce: topology.exclusive.map((exclusive) => (isRealTime(trace.engine) ? 1 - exclusive : 0)),
    resourceQueues: createResourceQueues(scenario, workers, groupOf),
    topology,
    counts: createCounts(scenario),
  }
}

type Fold = ReturnType<typeof createFold>

function take(fold: Fold, rows: Rows, i: number): void {
  const kind = rows.kind[i]
  const worker = rows.worker[i]
  const job = rows.job[i]
  const time = rowTime(rows, i)
  if (kind === STARTED) order(fold, rows.stage[i], worker, job, time)
  else if (kind === FINISHED) finish(fold, worker, job, rows, i)
  else if (kind === ARRIVED) {
    fold.arrivedAt[job] = time
    fold.lastArrived = job
  } else if (kind === THREW) {
    layDown(fold, worker, 1, time)
    fold.switchCosts.stoppedAt(worker, job)
  } else if (kind === LOST || (kind === DISMISSED && job !== NONE)) layDown(fold, worker, fold.hands[worker].length, time)
  else if (kind === HIRED || kind === JOINED) fold.switchCosts.forget(worker)
  else if (kind === PHASE) fold.phaseTimes.push(time)
  countRow(fold.topology, fold.counts, rows, i)
}

function order(fold: Fold, stage: number, worker: number, job: number, time: Micros): void {
  const { hands, resourceQueues } = fold
  const k = fold.services++
  fold.job[k] = job
  fold.serviceOf[stage][job] = k
  if (!beginsBatch(fold.counts, worker)) {
    hands[worker][hands[worker].length - 1].jobs++
    return
  }
  const cause = causeOf(fold, stage, worker, job, time)
  hands[worker].push({ stage, worker, from: k, jobs: 1, ordered: time, ready: time, reported: Number.NaN, undone: false, switchCost: 0, cause })
  if (resourceQueues !== null) joinResourceQueue(resourceQueues, stage, worker, job)
}

/** Returns what the facts of this instant brought that the order was waiting for: the worker first, then the job, then anything. */
function causeOf({ hands, before, broughtBy, arrivedAt, last, lastArrived }: Fold, stage: number, worker: number, job: number, time: Micros): WaitCause {
  const own = before[worker]
  if (hands[worker].length === 0 && own?.reported === time) return { by: 'report', batchSpan: own, job: NONE }
  const brought = broughtBy[stage][job]
  if (brought?.reported === time) return { by: 'report', batchSpan: brought, job }
  if (arrivedAt[job] === time) return { by: 'arrival', job }
  if (last?.reported === time) return { by: 'report', batchSpan: last, job: NONE }
  if (arrivedAt[lastArrived] === time) return { by: 'arrival', job: lastArrived }
  return { by: 'clock' }
}

function finish(fold: Fold, worker: number, job: number, rows: Rows, i: number): void {
  const batchSpan = fold.hands[worker][0]
  const k = fold.serviceOf[batchSpan.stage][job]
  fold.began[k] = beganAt(rows, i)
  fold.ended[k] = endedAt(rows, i)
  for (const next of fold.topology.ways[batchSpan.stage]) fold.broughtBy[next][job] = batchSpan
  if (frontOf(fold.counts, worker) === 1) close(fold, worker, rowTime(rows, i), false)
}

/** The worker lays down so many of its batches: their jobs wait again. */
function layDown(fold: Fold, worker: number, batchSpans: number, time: Micros): void {
  for (let n = 0; n < batchSpans; n++) {
    const { stage, from, jobs } = fold.hands[worker][0]
    for (let k = from; k < from + jobs; k++) fold.broughtBy[stage][fold.job[k]] = fold.hands[worker][0]
    close(fold, worker, time, true)
  }
}

/** Ends the batch that a worker is at. Its prefetched batch begins, and the next worker gets the resource. */
function close(fold: Fold, worker: number, time: Micros, undone: boolean): void {
  const { hands, before, resourceQueues, switchCosts, phaseTimes, sentAtOnce, job, ended } = fold
  const batchSpan = hands[worker].shift()
  if (batchSpan === undefined) return
  const last = batchSpan.from + batchSpan.jobs - 1
  batchSpan.reported = time
  batchSpan.undone = undone
  // Over a network the scheduler hears later than the worker goes on, and settles the cost then.
  const settled = sentAtOnce[batchSpan.stage] === 1 ? batchSpan.ordered : Math.max(batchSpan.ready, before[worker]?.reported ?? 0)
  batchSpan.switchCost = switchCosts.before(worker, batchSpan.stage, [job[batchSpan.from], job[last]], phaseTimes.filter((at) => at <= settled).length)
  before[worker] = batchSpan
  fold.last = batchSpan
  if (hands[worker].length > 0) goOn(hands[worker][0], batchSpan, undone ? time : ended[last])
  const granted = resourceQueues === null ? NONE : leaveResourceQueue(resourceQueues, worker)
  if (granted !== NONE) awaited(hands[granted][0], batchSpan, time)
}

/** A prefetched batch begins where the first ended, unless it was ordered later: then it is like any other. */
function goOn(next: BatchSpan, batchSpan: BatchSpan, end: Micros): void {
  if (batchSpan.undone) awaited(next, batchSpan, end)
  else if (next.ordered <= end) {
    next.ready = end
    next.cause = { by: 'end', batchSpan }
  }
}

function awaited(next: BatchSpan, batchSpan: BatchSpan, time: Micros): void {
  next.ready = time
  next.cause = { by: 'report', batchSpan, job: NONE }
}
