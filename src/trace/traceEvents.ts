import { beganAt, endedAt, FINISHED, FAILED, JOINED, kinds, LOST, type Rows, THREW } from '../pipeline/rows.ts'
import { countRow, createTally } from '../pipeline/tally.ts'
import type { Micros } from '../scenario/scenario.ts'
import { eachRow, type Trace } from './trace.ts'

/**
 * The run in the Trace Event format, which Perfetto and the browsers' profilers open, in parts. One process; thread 0 has
 * the queues and seats as counters and the decisions as instants, thread n worker n with a slice for every job it served.
 * Times are in microseconds, which is the format's own unit; events stand in order of time, slices of one thread never overlap.
 *
 *   ph  M name of a process or thread    X slice (ts, dur)    C counter    i instant
 */
export function* writeTraceEvents(trace: Trace): Generator<string, void, undefined> {
  let part: string[] = []
  let first = true
  yield '{"displayTimeUnit":"ms","traceEvents":[\n'
  for (const event of eventsOf(trace)) {
    part.push(JSON.stringify(event))
    if (part.length < PART) continue
    yield (first ? '' : ',\n') + part.join(',\n')
    first = false
    part = []
  }
  if (part.length > 0) yield (first ? '' : ',\n') + part.join(',\n')
  yield '\n]}\n'
}

const PART = 4096
const PID = 1
/** The thread of queues, seats and decisions. */
const SCHEDULER = 0

interface TimelineEvent {
  readonly ph: 'M' | 'X' | 'C' | 'i'
  readonly pid: number
  readonly tid: number
  readonly ts: Micros
  readonly dur?: Micros
  readonly name: string
  readonly cat?: string
  readonly s?: 't' | 'p'
  readonly args: Readonly<Record<string, string | number>>
}

/** The events in order of time: at each instant the slices that began by then, then what the instant changed. */
function* eventsOf(trace: Trace): Generator<TimelineEvent, void, undefined> {
  yield* names(trace)
  const slices = createSlices(trace)
  for (const { time, from, to, decisions } of instantsOf(trace)) {
    yield* slices.until(time)
    yield* changes(trace, time, from, to)
    for (let d = decisions[0]; d < decisions[1]; d++) yield* decided(trace, d, time)
    for (const event of queues(trace, slices.counted, time, from, to)) yield event
  }
  yield* slices.until(Number.POSITIVE_INFINITY)
}

function* names({ scenario, head }: Trace): Generator<TimelineEvent, void, undefined> {
  const named = (tid: number, name: string, args: TimelineEvent['args']): TimelineEvent => ({ ph: 'M', pid: PID, tid, ts: 0, name, args })
  yield named(SCHEDULER, 'process_name', { name: scenario.title === '' ? 'Apportion' : `Apportion: ${scenario.title}` })
  yield named(SCHEDULER, 'thread_name', { name: 'Scheduler' })
  yield named(SCHEDULER, 'thread_sort_index', { sort_index: 0 })
  for (let w = 0; w < head.tally.status.length; w++) {
    yield named(w + 1, 'thread_name', { name: `Worker ${w + 1}` })
    yield named(w + 1, 'thread_sort_index', { sort_index: w + 1 })
  }
}

interface Instant {
  readonly time: Micros
  /** Its rows, and the decisions that stand behind one of them. */
  readonly from: number
  readonly to: number
  readonly decisions: readonly [from: number, to: number]
}

function* instantsOf(trace: Trace): Generator<Instant, void, undefined> {
  const { decisions } = trace
  let decided = 0
  let from = 0
  while (from < trace.length) {
    const time = timeAt(trace, from)
    let to = from + 1
    while (to < trace.length && timeAt(trace, to) === time) to++
    const before = decided
    while (decided < decisions.length && decisions.row[decided] <= to) decided++
    yield { time, from, to, decisions: [before, decided] }
    from = to
  }
}

function timeAt(trace: Trace, row: number): Micros {
  return locate(trace, row, (rows, i) => rows.time[i])
}

function locate<T>(trace: Trace, row: number, read: (rows: Rows, i: number) => T): T {
  let out: T | undefined
  eachRow(trace, row, row + 1, (rows, i) => {
    out = read(rows, i)
  })
  return out as T
}
