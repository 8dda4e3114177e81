import { countRow } from '../../pipeline/countRow.ts'
import { createCounts } from '../../pipeline/counts.ts'
import { eachSeat } from '../../pipeline/journal.ts'
import { beganAt, DISMISSED, FAILED, FINISHED, HIRED, JOINED, kinds, LOST, PHASE, type Row, THREW } from '../../pipeline/rows.ts'
import { workersEver } from '../../pipeline/topology.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { eachRow, type Trace, timeOf, traceRow } from '../trace.ts'

/** An event of the Trace Event format: M names a process or thread, X is a slice, C a counter, i an instant. */
interface TimelineEvent {
  readonly ph: 'M' | 'X' | 'C' | 'i'
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: Micros
  readonly dur?: Micros
  readonly s?: 't' | 'p'
  readonly args: object
}

/** Events in one part. */
const PART = 4096
const PID = 1
/** The thread of queues, seats and decisions. Worker w has thread w + 1, the number that people see. */
const SCHEDULER = 0

/**
 * Writes the run in the Trace Event format, which Perfetto and browsers' profilers open, in parts. There is one process. The
 * first thread has queues and seats as counters and decisions as instants; each worker's thread has a slice for every job.
 * Times are in microseconds. Events stand in order of time, and the slices of a thread do not overlap.
 */
export function* writeTraceEvents(trace: Trace): Generator<string, void, undefined> {
  const { scenario, topology, decisions, length } = trace
  const out = namesOf(trace)
  const slices = createSlices(trace)
  const counts = createCounts(scenario)
  const shown = new Int32Array(scenario.stages.length).fill(-1)
  yield '{"displayTimeUnit":"ms","traceEvents":[\n'
  let comma = ''
  let d = 0
  for (let row = 0; row < length; ) {
    const time = timeOf(trace, row)
    slices.until(time, out)
    for (; row < length && timeOf(trace, row) === time; row++) {
      eachRow(trace, row, row + 1, (rows, i) => countRow(topology, counts, rows, i))
      const mishap = mishapOf(traceRow(trace, row), scenario)
      if (mishap !== null) out.push(mishap)
      for (; d < decisions.length && decisions.row[d] === row + 1; d++) decided(trace, d, time, out)
    }
    scenario.stages.forEach(({ id }, s) => {
      if (shown[s] === counts.waiting[s]) return
      shown[s] = counts.waiting[s]
      out.push({ ph: 'C', name: `Queue ${id}`, pid: PID, tid: SCHEDULER, ts: time, args: { waiting: shown[s] } })
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
  const name = (what: string, tid: number, args: object) => events.push({ ph: 'M', name: what, pid: PID, tid, ts: 0, args })
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
function decided({ scenario, decisions }: Trace, d: number, time: Micros, out: TimelineEvent[]): void {
  const seats: Record<string, number> = {}
  eachSeat(decisions, d, (stage, given) => {
    seats[scenario.stages[stage].id] = given
  })
  out.push({ ph: 'i', name: `Decision ${d + 1}`, pid: PID, tid: SCHEDULER, ts: time, s: 't', args: { seats } })
  for (const [id, held] of Object.entries(seats)) out.push({ ph: 'C', name: `Seats ${id}`, pid: PID, tid: SCHEDULER, ts: time, args: { seats: held } })
}

/** Returns an instant for a fault, a worker that comes or goes, or a new phase with its changes; null for other rows. */
function mishapOf({ kind, worker, job, time }: Row, { later }: Scenario): TimelineEvent | null {
  if (kind === PHASE) return { ph: 'i', name: kinds[kind], pid: PID, tid: SCHEDULER, ts: time, s: 'p', args: later[job] }
  if (kind !== THREW && kind !== LOST && kind !== JOINED && kind !== HIRED && kind !== DISMISSED && kind !== FAILED) return null
  return { ph: 'i', name: kinds[kind], pid: PID, tid: worker + 1, ts: time, s: 't', args: job < 0 ? {} : { job } }
}

/**
 * Hands out the slices of all workers in order of their beginnings. The slices of one worker come in order (those of a batch
 * are sorted first), so the next is the earliest of the workers' next ones.
 */
function createSlices(trace: Trace) {
  const { scenario, length } = trace
  const workers = workersEver(scenario)
  const rowsOf: number[][] = Array.from({ length: workers }, () => [])
  const last = new Float64Array(workers)
  const jumbled = new Set<number>()
  eachRow(trace, 0, length, (rows, i, row) => {
    if (rows.kind[i] !== FINISHED) return
    const worker = rows.worker[i]
    const began = beganAt(rows, i)
    if (began < last[worker]) jumbled.add(worker)
    last[worker] = began
    rowsOf[worker].push(row)
  })
  const began = (row: number) => traceRow(trace, row).began
  for (const worker of jumbled) rowsOf[worker].sort((a, b) => began(a) - began(b))
  const at = new Uint32Array(workers)
  const next = Float64Array.from(rowsOf, (rows) => (rows.length === 0 ? Number.POSITIVE_INFINITY : began(rows[0])))
  const through = new Float64Array(workers)

  function take(worker: number): TimelineEvent {
    const rows = rowsOf[worker]
    const { stage, job, ended } = traceRow(trace, rows[at[worker]++])
    // Clocks of threads may let a job begin before the last has ended. It is cut to begin there.
    const ts = next[worker]
    const dur = Math.max(0, ended - ts)
    through[worker] = ts + dur
    next[worker] = at[worker] === rows.length ? Number.POSITIVE_INFINITY : Math.max(began(rows[at[worker]]), through[worker])
    return { ph: 'X', name: scenario.stages[stage].id, pid: PID, tid: worker + 1, ts, dur, args: { job } }
  }

  return {
    /** Appends the remaining slices that began at or before `time`. */
    until(time: Micros, out: TimelineEvent[]): void {
      for (;;) {
        let earliest = 0
        for (let w = 1; w < workers; w++) if (next[w] < next[earliest]) earliest = w
        if (!(next[earliest] <= time)) return
        out.push(take(earliest))
      }
    },
  }
}
