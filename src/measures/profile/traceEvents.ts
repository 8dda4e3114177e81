import { eachSeat } from '../../pipeline/journal.ts'
import { DISMISSED, FAILED, HIRED, JOINED, kinds, LOST, PHASE, type Row, THREW } from '../../pipeline/rows.ts'
import { workersEver } from '../../pipeline/topology.ts'
import { stageLabels } from '../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { createFollower, follow } from '../../trace/follow.ts'
import { type Trace, timeOf, traceRow } from '../../trace/trace.ts'
import { GROUP_CHANGE, RESOURCE_WAIT, STAGE_CHANGE, THROWN_AWAY, WORK, workSlices } from './workSlices.ts'

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

/** Events in one part. */
const PART = 4096
const PID = 1
/** The thread of queues, seats and decisions. Worker w has thread w + 1, the number that people see. */
const SCHEDULER = 0

/**
 * Writes the run in the Trace Event format, which Perfetto and browsers' profilers open, in parts. There is one process. The
 * first thread has queues and seats as counters and decisions as instants; each worker's thread has a slice for every job, and for
 * what else took its time. Jobs, workers and decisions count from 1. Times are in microseconds. Events stand in order of time, and the slices of a thread do not overlap.
 */
export function* writeTraceEvents(trace: Trace): Generator<string, void, undefined> {
  const { scenario, decisions, length } = trace
  const out = namesOf(trace)
  const labels = stageLabels(scenario)
  const slices = createSlices(trace, labels)
  const follower = createFollower(trace)
  const { waiting } = follower.counts
  const shown = new Int32Array(scenario.stages.length).fill(-1)
  yield '{"displayTimeUnit":"ms","traceEvents":[\n'
  let comma = ''
  let d = 0
  for (let row = 0; row < length; ) {
    const time = timeOf(trace, row)
    slices.until(time, out)
    for (; row < length && timeOf(trace, row) === time; row++) {
      follow(follower, 1, null)
      const mishap = mishapOf(traceRow(trace, row), scenario)
      if (mishap !== null) out.push(mishap)
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
  const name = (kind: string, tid: number, args: object) => events.push({ ph: 'M', name: kind, pid: PID, tid, ts: 0, args })
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
  for (const [label, held] of Object.entries(seats)) out.push({ ph: 'C', name: `Seats ${label}`, pid: PID, tid: SCHEDULER, ts: time, args: { seats: held } })
}

/** Returns an instant for a fault, a worker that comes or goes, or a new phase with its changes; null for other rows. */
function mishapOf({ kind, worker, job, time }: Row, { later }: Scenario): TimelineEvent | null {
  if (kind === PHASE) return { ph: 'i', name: kinds[kind], pid: PID, tid: SCHEDULER, ts: time, s: 'p', args: later[job] }
  if (kind !== THREW && kind !== LOST && kind !== JOINED && kind !== HIRED && kind !== DISMISSED && kind !== FAILED) return null
  return { ph: 'i', name: kinds[kind], pid: PID, tid: worker + 1, ts: time, s: 't', args: job < 0 ? {} : { job: job + 1 } }
}

/** By what a worker does: the category, and the name of the slice. */
const sliceNames = {
  [WORK]: ['work', (stage: string) => stage],
  [THROWN_AWAY]: ['thrown away', (stage: string) => `Thrown away: ${stage}`],
  [STAGE_CHANGE]: ['change', (stage: string) => `Change to ${stage}`],
  [GROUP_CHANGE]: ['change', (stage: string) => `Change of group: ${stage}`],
  [RESOURCE_WAIT]: ['wait', (stage: string) => `Wait for resource: ${stage}`],
} as const

/** Hands out the slices of all workers in order of their beginnings. */
function createSlices(trace: Trace, labels: readonly string[]) {
  const { by, at } = workSlices(trace)
  const taken = new Uint32Array(by.length)
  const beginning = (worker: number) => (taken[worker] === by[worker].length ? Number.POSITIVE_INFINITY : at(by[worker][taken[worker]]).began)
  const next = Float64Array.from(by, (_, worker) => beginning(worker))

  function take(worker: number): TimelineEvent {
    const { activity, stage, job, began, ended } = at(by[worker][taken[worker]++])
    next[worker] = beginning(worker)
    const [cat, name] = sliceNames[activity as keyof typeof sliceNames]
    // The job is a category, not an argument: speedscope makes what has other arguments an entry of its own.
    return { ph: 'X', name: name(labels[stage]), cat: `${cat},job ${job + 1}`, pid: PID, tid: worker + 1, ts: began, dur: ended - began }
  }

  return {
    /** Appends the remaining slices that began at or before `time`. */
    until(time: Micros, out: TimelineEvent[]): void {
      for (;;) {
        let earliest = 0
        for (let w = 1; w < next.length; w++) if (next[w] < next[earliest]) earliest = w
        if (!(next[earliest] <= time)) return
        out.push(take(earliest))
      }
    },
  }
}
