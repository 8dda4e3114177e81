import { t } from '../../../language/translate.ts'
import { resized } from '../../../pipeline/column.ts'
import type { Micros, Problem } from '../../../scenario/model/scenario.ts'
import { countText } from '../../../scenario/model/words.ts'

/**
 * A log of another system, in columns. Row i is the state of one stage at time[i], in order of time. Rows of one time make one point; a
 * stage without a row there is unchanged.
 *
 *   time       0    0    0    5e6  5e6  10e6     since `origin`
 *   stage      0    1    2    0    2    1
 *   queue      12   0    3    40   5    1        jobs that wait
 *   service    1e3  4e3  2e3  1e3  2e3  4500     mean service time in microseconds
 *   workers    2    5    1    2    1    5        -1: unknown
 *   completed  90   12   11   97   13   14       jobs that left the stage; NaN: unknown. So are the other columns below
 */
export interface SystemLog {
  /** Names by number, in order of appearance. */
  readonly stages: string[]
  /** Whether the file may have sorted the names, so that their order says nothing about the pipeline. */
  isSorted: boolean
  /** The time of the first row: since 1970, or since what the file counts from. */
  origin: Micros
  length: number
  time: Float64Array
  stage: Uint8Array
  queue: Int32Array
  service: Float64Array
  workers: Int16Array
  /** Jobs that left the stage and that arrived: counters, or numbers since the row before; null: in no row. */
  completed: Float64Array | null
  arrivals: Float64Array | null
  /** Workers that serve a job; service times that 95% and 99% of the jobs do not exceed, in microseconds. */
  busy: Float64Array | null
  p95: Float64Array | null
  p99: Float64Array | null
  /** The mean of the squares of the service times, in square microseconds, as the buckets of a histogram tell it. */
  squares: Float64Array | null
}

/** The columns that a log may lack. */
const optional = ['completed', 'arrivals', 'busy', 'p95', 'p99', 'squares'] as const

/** The maximum number of rows: about 230 MB. */
export const MAX_LOG_ROWS = 10_000_000
/** The maximum number of jobs in one queue. */
export const MAX_LOG_QUEUE = 1_000_000_000

export function createLog(): SystemLog {
  return {
    stages: [],
    isSorted: false,
    origin: 0,
    length: 0,
    time: new Float64Array(64),
    stage: new Uint8Array(64),
    queue: new Int32Array(64),
    service: new Float64Array(64),
    workers: new Int16Array(64),
    completed: null,
    arrivals: null,
    busy: null,
    p95: null,
    p99: null,
    squares: null,
  }
}

export function pushLogRow(
  log: SystemLog,
  time: Micros,
  stage: number,
  queue: number,
  service: Micros,
  workers: number,
): void {
  const i = log.length
  if (i === log.time.length) resize(log, Math.ceil(i * 1.5))
  log.time[i] = time
  log.stage[i] = stage
  log.queue[i] = queue
  log.service[i] = service
  log.workers[i] = workers
  log.length = i + 1
}

/** Writes the optional values of the last row: completed, arrivals, busy, p95, p99 and squares. Values that are not numbers from 0 up count as missing. */
export function noteCounts(log: SystemLog, ...values: readonly number[]): void {
  for (const [k, name] of optional.entries()) {
    const value = values[k] ?? Number.NaN
    const known = value >= 0
    if (known) log[name] ??= new Float64Array(log.time.length).fill(Number.NaN)
    const column = log[name]
    if (column !== null) column[log.length - 1] = known ? value : Number.NaN
  }
}

/** Returns the rows from one time to another, both since the origin. Each stage begins with its last row before. */
export function logPart(log: SystemLog, from: Micros, to: Micros): SystemLog {
  const before = new Map<number, number>()
  const rows: number[] = []
  for (let i = 0; i < log.length && log.time[i] <= to; i++)
    if (log.time[i] > from) rows.push(i)
    else before.set(log.stage[i], i)
  const kept = [...[...before.values()].sort((a, b) => a - b), ...rows]
  const part: SystemLog = { ...createLog(), stages: log.stages, isSorted: log.isSorted, origin: log.origin + from }
  for (const i of kept) {
    pushLogRow(part, Math.max(0, log.time[i] - from), log.stage[i], log.queue[i], log.service[i], log.workers[i])
    noteCounts(part, ...optional.map((name) => log[name]?.[i] ?? Number.NaN))
  }
  trimLog(part)
  return part
}

/** The bad rows of a file, which are left out. Of rows that are bad alike only the first is kept, and the others are counted. */
export interface BadRows {
  count: number
  /** By the message without its numbers and names; at most `SHOWN`. */
  readonly kinds: Map<string, Problem & { readonly more: number }>
}

const SHOWN = 20

export const createBadRows = (): BadRows => ({ count: 0, kinds: new Map() })

/** Notes a bad row. `place` is called only if the row is kept. Give `kind` if a row of another name is bad in another way. */
export function noteBadRow(
  { bad }: { readonly bad: BadRows },
  place: () => string,
  message: string,
  kind = message.replace(/"[^"]*"|\d[\d.,]*/g, '#'),
): void {
  bad.count++
  const known = bad.kinds.get(kind)
  if (known !== undefined) bad.kinds.set(kind, { ...known, more: known.more + 1 })
  else if (bad.kinds.size < SHOWN) bad.kinds.set(kind, { path: place(), message, more: 0 })
}

/** Returns the problems of bad rows, each with the number of equal ones, and how many rows none of them tells. */
export function toldProblems({ count, kinds }: BadRows): { readonly problems: Problem[]; readonly untold: number } {
  let untold = count
  const problems = Array.from(kinds.values(), ({ path, message, more }) => {
    untold -= 1 + more
    return { path: more === 0 ? path : t('{path} and {more} more', { path, more: countText(more) }), message }
  })
  return { problems, untold }
}

/** Says that a row, or a sample of a series, is not later than the one before. */
export const unordered = (): string => t('time runs back or repeats; allowed: rows in order of time')

/** Says that a file has too many of something, which its path names. */
export const tooMany = (max: number): string => t('more than {max}', { max: countText(max) })

/** Frees the unused memory. */
export function trimLog(log: SystemLog): void {
  if (log.time.length > log.length) resize(log, log.length)
}

function resize(log: SystemLog, size: number): void {
  log.time = resized(log.time, size)
  log.stage = resized(log.stage, size)
  log.queue = resized(log.queue, size)
  log.service = resized(log.service, size)
  log.workers = resized(log.workers, size)
  for (const name of optional) {
    const column = log[name]
    if (column !== null) log[name] = resized(column, size)
  }
}
