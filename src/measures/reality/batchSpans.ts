import { createResourceQueues, joinResourceQueue, leaveResourceQueue, type ResourceQueues } from '../../pipeline/resourceQueues.ts'
import { ARRIVED, beganAt, DISMISSED, endedAt, FINISHED, HIRED, LOST, NONE, type Rows, rowTime, STARTED, THREW, TURNED } from '../../pipeline/rows.ts'
import { createSwitchCosts, type SwitchCosts } from '../../pipeline/switchCosts.ts'
import { type Topology, workersEver } from '../../pipeline/topology.ts'
import { isRealTime } from '../../scenario/model/engines.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { eachRow, type Trace } from '../../trace/trace.ts'
import { groupingIn } from '../frame/groups.ts'

/** One batch in the hands of one worker, from its order to its report, and what it had to wait for. */
export interface BatchSpan {
  readonly stage: number
  readonly worker: number
  /** Its services are entries `from` to `from + jobs - 1` of the columns, in the order in which the worker did them. */
  readonly from: number
  jobs: number
  readonly ordered: Micros
  /** From when on the worker might have been at it: its order, or the end of the batch before, or the grant of a resource. */
  ready: Micros
  /** NaN: never. */
  reported: Micros
  /** It came back undone: a job threw, or the worker was lost. */
  undone: boolean
  /** What the worker loses for changing stage and group before the first job. */
  change: Micros
  cause: WaitCause
}

/**
 * Why an errand could not begin before its `ready`:
 *
 *   report    the report of another brought what was missing: `job`, or (NONE) the worker, a resource, room, an order
 *   end       its worker had it in hand already and was at another, to whose end it went on
 *   arrival   job `job` arrived
 *   clock     nothing but time: a worker came, a controller asked, the scenario turned, the run began
 */
export type WaitCause =
  | { readonly by: 'report'; readonly batchSpan: BatchSpan; readonly job: number }
  | { readonly by: 'end'; readonly batchSpan: BatchSpan }
  | { readonly by: 'arrival'; readonly job: number }
  | { readonly by: 'clock' }

/** All errands of a run. Columns by service: which job, when its work began and ended (NaN: it came back undone). */
export interface BatchSpans {
  readonly job: Int32Array
  readonly began: Float64Array
  readonly ended: Float64Array
  /** The one reported last. */
  readonly last: BatchSpan | null
}

/** Rows between two rests: a few milliseconds' worth. */
const ROWS_A_STEP = 16_384

/** Folds a run into its errands, 20 bytes a service and some 150 a batch. */
export function* batchSpansInSteps(trace: Trace): Generator<void, BatchSpans> {
  const fold = createFold(trace)
  for (let row = 0; row < trace.length; row += ROWS_A_STEP) {
    eachRow(trace, row, Math.min(trace.length, row + ROWS_A_STEP), (rows, i) => take(fold, rows, i))
    yield
  }
  const { job, began, ended, last } = fold
  return { job, began, ended, last }
}

interface Fold {
  readonly job: Int32Array
  readonly began: Float64Array
  readonly ended: Float64Array
  services: number
  /** By worker: the errands in its hands, the one it is at first; the one it was at before. */
  readonly hands: BatchSpan[][]
  readonly before: (BatchSpan | undefined)[]
  /** By worker: how many jobs of the errand it is at have been reported in the rows so far. */
  readonly through: Int32Array
  /** By stage and job, of which parts may be at several stages at once: its latest service; the errand that brought it to where it waits. */
  readonly serviceOf: readonly number[][]
  readonly broughtBy: readonly (BatchSpan | undefined)[][]
  /** By job. */
  readonly arrivedAt: number[]
  last: BatchSpan | null
  lastArrived: number
  /** Who was given a job by the row before; NONE: that row was no order. */
  given: number
  readonly changes: SwitchCosts
  /** When the scenario turned, so far. */
  readonly turned: Micros[]
  /** By stage, 1: what a batch costs beside its work is settled as it is ordered, not as it is begun. On threads a second batch is sent off at once. */
  readonly sentAtOnce: Uint8Array
  readonly lines: ResourceQueues | null
  readonly ways: Topology['ways']
}

function createFold(trace: Trace): Fold {
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
    hands: Array.from({ length: workers }, () => []),
    before: [],
    through: new Int32Array(workers),
    serviceOf: scenario.stages.map(() => []),
    broughtBy: scenario.stages.map(() => []),
    arrivedAt: [],
    last: null,
    lastArrived: NONE,
    given: NONE,
    changes: createSwitchCosts(scenario, workers, groupOf),
    turned: [],
    sentAtOnce: topology.exclusive.map((exclusive) => (isRealTime(trace.engine) ? 1 - exclusive : 0)),
    lines: createResourceQueues(scenario, workers, groupOf),
    ways: topology.ways,
  }
}

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
    fold.changes.stoppedAt(worker, job)
  } else if (kind === LOST || (kind === DISMISSED && job !== NONE)) layDown(fold, worker, fold.hands[worker].length, time)
  else if (kind === HIRED) fold.changes.forget(worker)
  else if (kind === TURNED) fold.turned.push(time)
  fold.given = kind === STARTED ? worker : NONE
}

function order(fold: Fold, stage: number, worker: number, job: number, time: Micros): void {
  const { hands, lines } = fold
  const k = fold.services++
  fold.job[k] = job
  fold.serviceOf[stage][job] = k
  // A batch is a run of rows.
  if (fold.given === worker) {
    hands[worker][hands[worker].length - 1].jobs++
    return
  }
  const cause = causeOf(fold, stage, worker, job, time)
  hands[worker].push({ stage, worker, from: k, jobs: 1, ordered: time, ready: time, reported: Number.NaN, undone: false, change: 0, cause })
  if (lines !== null) joinResourceQueue(lines, stage, worker, job)
}

/** What the facts of this instant brought that the order had been waiting for: the worker itself first, then the job, then anything. */
function causeOf({ hands, before, broughtBy, arrivedAt, last, lastArrived }: Fold, stage: number, worker: number, job: number, time: Micros): WaitCause {
  const own = before[worker]
  if (hands[worker].length === 0 && own?.reported === time) return { by: 'report', batchSpan: own, job: NONE }
  const brought = broughtBy[stage][job]
  if (brought?.reported === time) return { by: 'report', batchSpan: brought, job }
  if (brought === undefined && arrivedAt[job] === time) return { by: 'arrival', job }
  if (last?.reported === time) return { by: 'report', batchSpan: last, job: NONE }
  if (arrivedAt[lastArrived] === time) return { by: 'arrival', job: lastArrived }
  return { by: 'clock' }
}

function finish(fold: Fold, worker: number, job: number, rows: Rows, i: number): void {
  const batchSpan = fold.hands[worker][0]
  const k = fold.serviceOf[batchSpan.stage][job]
  fold.began[k] = beganAt(rows, i)
  fold.ended[k] = endedAt(rows, i)
  for (const next of fold.ways[batchSpan.stage]) fold.broughtBy[next][job] = batchSpan
  if (++fold.through[worker] === batchSpan.jobs) close(fold, worker, rowTime(rows, i), false)
}

/** The worker lays down so many of its errands: their jobs wait again. */
function layDown(fold: Fold, worker: number, batchSpans: number, time: Micros): void {
  for (let n = 0; n < batchSpans; n++) {
    const { stage, from, jobs } = fold.hands[worker][0]
    for (let k = from; k < from + jobs; k++) fold.broughtBy[stage][fold.job[k]] = fold.hands[worker][0]
    close(fold, worker, time, true)
  }
}

/** The errand that a worker is at is over. Another that it has in hand begins, and whoever stood in line behind it comes to the head. */
function close(fold: Fold, worker: number, time: Micros, undone: boolean): void {
  const { hands, through, before, lines, changes, turned, sentAtOnce, job, ended } = fold
  const batchSpan = hands[worker].shift()
  if (batchSpan === undefined) return
  const last = batchSpan.from + batchSpan.jobs - 1
  batchSpan.reported = time
  batchSpan.undone = undone
  const settled = sentAtOnce[batchSpan.stage] === 1 ? batchSpan.ordered : batchSpan.ready
  batchSpan.change = changes.before(worker, batchSpan.stage, [job[batchSpan.from], job[last]], turned.filter((at) => at <= settled).length)
  through[worker] = 0
  before[worker] = batchSpan
  fold.last = batchSpan
  if (hands[worker].length > 0) goOn(hands[worker][0], batchSpan, undone ? time : ended[last])
  const granted = lines === null ? NONE : leaveResourceQueue(lines, worker)
  if (granted !== NONE) awaited(hands[granted][0], batchSpan, time)
}

/** A second batch begins where the first ended, unless it was ordered later still: then it is as any other. */
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
