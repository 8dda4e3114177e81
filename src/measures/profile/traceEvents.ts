import { resized } from '../../pipeline/column.ts'
import { eachSeat } from '../../pipeline/journal.ts'
import { DISMISSED, FAILED, HIRED, JOINED, kinds, LOST, NONE, PHASE, type Row, THREW } from '../../pipeline/rows.ts'
import { workersEver } from '../../pipeline/topology.ts'
import { stageLabels } from '../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { createFollower, follow } from '../../trace/follow.ts'
import { type Trace, timeOf, traceRow } from '../../trace/trace.ts'
import {
  type Batches,
  closeBatches,
  createBatches,
  extendBatches,
  isWaitingForResource,
  type ServedBatch,
} from '../jobs/batches.ts'

/** An event of the Trace Event format: M names a process or thread, X is a slice, C a counter, i an instant. */
interface TimelineEvent {
  readonly ph: 'M' | 'X' | 'C' | 'i'
  readonly name: string
  readonly cat?: string
  readonly pid: number
  readonly tid: number
  readonly ts: Micros
  readonly dur?: Micros
  readonly s?: 't' | 'p'
  readonly args?: object
}

const PART = 4096
const PID = 1
/** The thread of queues, seats and decisions. Worker w has thread w + 1, the number that people see. */
const SCHEDULER = 0

/** Writes the run in the Trace Event format of Perfetto and profilers, in parts: counters, decisions, and a thread of slices for each worker. */
export function* writeTraceEvents(trace: Trace): Generator<string, void, undefined> {
  const { scenario, decisions, length } = trace
  const out = namesOf(trace)
  const labels = stageLabels(scenario)
  const addSlices = createSliceEvents(trace, labels)
  const follower = createFollower(trace)
  const { waiting } = follower.counts
  const shown = new Int32Array(scenario.stages.length).fill(-1)
  yield '{"displayTimeUnit":"ms","traceEvents":[\n'
  let comma = ''
  let d = 0
  for (let row = 0; row < length; ) {
    const time = timeOf(trace, row)
    addSlices(time, out)
    for (; row < length && timeOf(trace, row) === time; row++) {
      follow(follower, 1, null)
      const event = eventOf(traceRow(trace, row), scenario)
      if (event !== null) out.push(event)
      for (; d < decisions.length && decisions.row[d] === row + 1; d++) decided(trace, labels, d, time, out)
    }
    labels.forEach((label, s) => {
      if (shown[s] === waiting[s]) return
      shown[s] = waiting[s]
      out.push({ ph: 'C', name: `Queue ${label}`, pid: PID, tid: SCHEDULER, ts: time, args: { waiting: shown[s] } })
    })
    if (out.length < PART) continue
    yield comma + spelled(out)
    comma = ',\n'
    out.length = 0
  }
  if (out.length > 0) yield comma + spelled(out)
  yield '\n]}\n'
}

function spelled(events: readonly TimelineEvent[]): string {
  return events.map((event) => JSON.stringify(event)).join(',\n')
}

function namesOf({ scenario }: Trace): TimelineEvent[] {
  const events: TimelineEvent[] = []
  const name = (kind: string, tid: number, args: object) =>
    events.push({ ph: 'M', name: kind, pid: PID, tid, ts: 0, args })
  name('process_name', SCHEDULER, { name: scenario.title === '' ? 'Apportion' : `Apportion: ${scenario.title}` })
  name('thread_name', SCHEDULER, { name: 'Scheduler' })
  name('thread_sort_index', SCHEDULER, { sort_index: 0 })
  for (let thread = 1; thread <= workersEver(scenario); thread++) {
    name('thread_name', thread, { name: `Worker ${thread}` })
    name('thread_sort_index', thread, { sort_index: thread })
  }
  return events
}

/** Writes a decision as an instant, and its changed seats as counters. */
function decided({ decisions }: Trace, labels: readonly string[], d: number, time: Micros, out: TimelineEvent[]): void {
  const seats: Record<string, number> = {}
  eachSeat(decisions, d, (stage, given) => {
    seats[labels[stage]] = given
  })
  out.push({ ph: 'i', name: `Decision ${d + 1}`, pid: PID, tid: SCHEDULER, ts: time, s: 't', args: { seats } })
  for (const [label, held] of Object.entries(seats))
    out.push({ ph: 'C', name: `Seats ${label}`, pid: PID, tid: SCHEDULER, ts: time, args: { seats: held } })
}

/** Returns an instant for a fault, a worker that joins or leaves, or a new phase with its changes; null for other rows. */
function eventOf({ kind, worker, job, time }: Row, { later }: Scenario): TimelineEvent | null {
  if (kind === PHASE)
    return { ph: 'i', name: kinds[kind], pid: PID, tid: SCHEDULER, ts: time, s: 'p', args: later[job] }
  if (kind !== THREW && kind !== LOST && kind !== JOINED && kind !== HIRED && kind !== DISMISSED && kind !== FAILED)
    return null
  return {
    ph: 'i',
    name: kinds[kind],
    pid: PID,
    tid: worker + 1,
    ts: time,
    s: 't',
    args: job < 0 ? {} : { job: job + 1 },
  }
}

/** The ways in which a worker spends time: a job that it finishes, work that is thrown away, a change of stage or group, the wait for a resource. */
const [WORK, THROWN_AWAY, STAGE_CHANGE, GROUP_CHANGE, RESOURCE_WAIT] = [0, 1, 2, 3, 4]

/** By what a worker does: the category, and the name of the slice. */
const sliceNames: readonly (readonly [category: string, name: (stage: string) => string])[] = [
  ['work', (stage) => stage],
  ['thrown away', (stage) => `Thrown away: ${stage}`],
  ['change', (stage) => `Change to ${stage}`],
  ['change', (stage) => `Change of group: ${stage}`],
  ['wait', (stage) => `Wait for resource: ${stage}`],
]

/** Returns a function that appends the remaining slices of all workers that began at or before `time`, in order of their beginnings. */
function createSliceEvents(trace: Trace, labels: readonly string[]): (time: Micros, out: TimelineEvent[]) => void {
  const { by, activity, stage, job, began, ended } = workSlices(trace)
  const taken = new Uint32Array(by.length)
  const beginning = (worker: number) =>
    taken[worker] === by[worker].length ? Infinity : began[by[worker][taken[worker]]]
  const next = Float64Array.from(by, (_, worker) => beginning(worker))
  return (time, out) => {
    for (;;) {
      let worker = 0
      for (let w = 1; w < next.length; w++) if (next[w] < next[worker]) worker = w
      if (!(next[worker] <= time)) return
      const k = by[worker][taken[worker]++]
      next[worker] = beginning(worker)
      const [category, name] = sliceNames[activity[k]]
      // The job is a category, not an argument: speedscope makes what has other arguments an entry of its own.
      const cat = `${category},job ${job[k] + 1}`
      out.push({
        ph: 'X',
        name: name(labels[stage[k]]),
        cat,
        pid: PID,
        tid: worker + 1,
        ts: began[k],
        dur: ended[k] - began[k],
      })
    }
  }
}

/** Returns the slices of the workers as columns. The jobs in hand at the end are thrown away; a job that begins before the last has ended is cut. */
function workSlices(trace: Trace): Slices {
  const slices = createSlices(trace.head.counts.status.length)
  const batches: Batches = createBatches(trace, { closed: (batch, thrown) => addBatch(slices, batches, batch, thrown) })
  extendBatches(batches)
  closeBatches(batches)
  return slices
}

/** 23 bytes a slice. */
function createSlices(workers: number) {
  return {
    length: 0,
    activity: new Uint8Array(64),
    stage: new Int16Array(64),
    job: new Int32Array(64),
    began: new Float64Array(64),
    ended: new Float64Array(64),
    /** By worker: its slices in order of time, without overlaps, and the end of the last. */
    by: Array.from({ length: workers }, (): number[] => []),
    through: new Float64Array(workers),
  }
}

type Slices = ReturnType<typeof createSlices>

/** Adds the slices of a batch: the wait for a resource, the changes, and its jobs in order of service or (undone) all that is thrown away. */
function addBatch(slices: Slices, batches: Batches, batch: ServedBatch, thrown: number): void {
  const { through } = slices
  const { before, job: jobs, began, ended, switchCosts } = batches
  const { stage, worker, from, ordered, ready, prefetched, reported, undone, switchCost } = batch
  const services = Array.from({ length: batch.jobs }, (_, k) => from + k).sort((a, b) => began[a] - began[b])
  const first = jobs[undone ? from : services[0]]
  const job = thrown === NONE ? first : thrown
  if (undone && isWaitingForResource(batches, batch)) add(slices, worker, RESOURCE_WAIT, stage, job, ordered, reported)
  else {
    if (!prefetched) add(slices, worker, RESOURCE_WAIT, stage, first, ordered, ready)
    const start = Math.max(prefetched ? 0 : ready, through[worker])
    // All the time until it works: where cores are shared, a change takes longer too.
    const end = undone ? Math.min(reported, start + switchCost) : began[services[0]]
    if (switchCost > 0)
      add(slices, worker, before[worker]?.stage === stage ? GROUP_CHANGE : STAGE_CHANGE, stage, job, start, end)
    if (undone) add(slices, worker, THROWN_AWAY, stage, job, start, reported)
    else
      services.forEach((service, k) => {
        const own = jobs[service]
        if (k > 0 && switchCosts.between(worker, jobs[services[k - 1]], own) > 0)
          add(slices, worker, GROUP_CHANGE, stage, own, through[worker], began[service])
        add(slices, worker, WORK, stage, own, began[service], ended[service])
      })
  }
  if (undone) through[worker] = reported
}

/** Adds a slice, cut to begin where the last one of the worker ends. Only finished jobs may have no length. */
function add(
  slices: Slices,
  worker: number,
  activity: number,
  stage: number,
  job: number,
  began: Micros,
  ended: Micros,
): void {
  const from = Math.max(began, slices.through[worker])
  const to = Math.max(from, ended)
  if (to === from && activity !== WORK) return
  const k = slices.length++
  if (k === slices.activity.length)
    for (const column of ['activity', 'stage', 'job', 'began', 'ended'] as const) grow(slices, column)
  slices.activity[k] = activity
  slices.stage[k] = stage
  slices.job[k] = job
  slices.began[k] = from
  slices.ended[k] = to
  slices.by[worker].push(k)
  slices.through[worker] = to
}

function grow<K extends 'activity' | 'stage' | 'job' | 'began' | 'ended'>(slices: Slices, column: K): void {
  slices[column] = resized(slices[column], 2 * slices.length) as Slices[K]
}
