import { t } from '../../language/translate.ts'
import { BUSY, type Counts, countStaffed, IDLE } from '../../pipeline/counts.ts'
import { HIRED, JOINED, NONE, PREFETCH, STARTED } from '../../pipeline/rows.ts'
import { createStartUps, type StartUps } from '../../pipeline/switchCosts.ts'
import { isElastic } from '../../scenario/model/defaults.ts'
import { firstWhole } from '../../scenario/model/halving.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { followTrace, type Trace, timeOf } from '../../trace/trace.ts'
import { startUpsOf } from '../../workload/service.ts'
import type { Frame, WorkerFrame } from './frame.ts'

/** A worker starts up at a stage from the first instant to the second. */
export interface StartUp {
  readonly stage: number
  readonly from: Micros
  readonly until: Micros
}

/** The start-ups of a run by worker. Reads the new rows of a growing trace. */
interface Read {
  readonly startUps: StartUps
  readonly lists: StartUp[][]
  rows: number
  prefetching: boolean
}

const startUpsByTrace = new WeakMap<Trace, Read>()

/** Returns the start-ups of a run by worker; null if no stage needs any. */
export function startUpsIn(trace: Trace): readonly (readonly StartUp[])[] | null {
  const { scenario } = trace
  const workers = trace.head.counts.status.length
  const startUps = startUpsByTrace.has(trace) ? null : createStartUps(scenario, workers, startUpsOf(scenario))
  if (startUps !== null)
    startUpsByTrace.set(trace, {
      startUps,
      lists: Array.from({ length: workers }, () => []),
      rows: 0,
      prefetching: false,
    })
  const read = startUpsByTrace.get(trace)
  if (read === undefined) return null
  const elastic = isElastic(scenario.policy)
  followTrace(trace, read, Infinity, (rows, i, row) => {
    const kind = rows.kind[i]
    const worker = rows.worker[i]
    if (kind === HIRED || kind === JOINED) read.startUps.forget(worker)
    if (kind === PREFETCH) read.prefetching = true
    else if (kind !== STARTED) read.prefetching = false
    if (kind !== HIRED && (kind !== STARTED || elastic || read.prefetching)) return
    const from = timeOf(trace, row)
    const until = read.startUps.begin(worker, rows.stage[i], from)
    const list = read.lists[worker]
    if (until > from && list.at(-1)?.until !== until) list.push({ stage: rows.stage[i], from, until })
  })
  return read.lists
}

/** Returns the start-up that a worker is in at the time of a frame; null if it is in none. */
export function startUpAt(
  trace: Trace,
  worker: number,
  { status, stage }: Pick<WorkerFrame, 'status' | 'stage'>,
  time: Micros,
): StartUp | null {
  if (status !== 'busy' && status !== 'idle') return null
  return lastBefore(startUpsIn(trace)?.[worker] ?? [], time, stage)
}

function lastBefore(list: readonly StartUp[], time: Micros, stage: number): StartUp | null {
  const last = list[firstWhole(0, list.length, (i) => list[i].from > time) - 1]
  return last !== undefined && last.stage === stage && last.until > time ? last : null
}

/** How many workers a stage has that are ready, and how many start up. */
export type Readiness = { readonly running: number; readonly starting: number }

/** Returns the workers of each stage; null if no stage needs a start-up. */
export function readinessBy(trace: Trace, counts: Counts, time: Micros): Readiness[] | null {
  const all = startUpsIn(trace)
  if (all === null) return null
  const { status, stage } = counts
  const starting = trace.scenario.stages.map(() => 0)
  const staffed = new Int32Array(starting.length)
  countStaffed(counts, staffed)
  all.forEach((list, w) => {
    if ((status[w] === BUSY || status[w] === IDLE) && stage[w] !== NONE && lastBefore(list, time, stage[w]) !== null)
      starting[stage[w]]++
  })
  return starting.map((few, s) => ({ running: staffed[s] - few, starting: few }))
}

/** Returns the readiness of a stage: "3 running, 1 starting"; null if none starts. */
export function startingNote(trace: Trace, { time, workers, stages }: Frame, stage: number): string | null {
  const starting = workers.filter(
    (worker, w) => worker.stage === stage && startUpAt(trace, w, worker, time) !== null,
  ).length
  return starting === 0
    ? null
    : t('{running, number} running, {starting, number} starting', {
        running: stages[stage].staffed - starting,
        starting,
      })
}
