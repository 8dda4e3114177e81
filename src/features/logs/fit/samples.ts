import { median, pairs } from 'd3-array'
import { t } from '../../../language/translate.ts'
import { MAX_PHASES } from '../../../scenario/model/limits.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { listed, quoted } from '../../../scenario/model/words.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { logPointsOf } from '../measure/logPoints.ts'
import type { SystemLog } from '../read/log.ts'

/** The state of one stage at each time of the log; `service` in microseconds. */
export interface StageSamples extends Readonly<Record<'queue' | 'service' | 'workers', Float64Array>> {
  readonly name: string
  /** Jobs that left the stage, and that arrived, since the first time; null where the log does not say. */
  readonly completed: Float64Array | null
  readonly arrivals: Float64Array | null
  /** Workers that serve a job; null where the log does not say. */
  readonly busy: Float64Array | null
  /** The 95th and 99th percentile of the service times, over their mean; null where the log does not say. */
  readonly tails: readonly [p95: number | null, p99: number | null]
  /** The mean of the squares of the service times, as `service` their mean; null where the log does not say. */
  readonly squares: Float64Array | null
}

/** A log by stage, in the order of the pipeline, with a sample of every stage at every time. */
export type Samples = { readonly time: Float64Array; readonly stages: readonly StageSamples[] }

/** A fit needs at least this many times. */
const MIN_TIMES = 10
/** A counter falls only when its process restarts: at less than this share of its steps. */
const FALLS = 0.05

/**
 * Returns the log by stage and time. A stage keeps its last values until its next row. `order`: the names of the stages along the
 * pipeline; null: as they appear. Throws a Refusal for a log that cannot be fitted.
 */
export function samplesOf(log: SystemLog, order: readonly string[] | null): Samples {
  const { time, rowsOf, workers } = logPointsOf(log)
  if (time.length < MIN_TIMES)
    throw new Refusal(
      'time',
      t('found {times} times; allowed: at least {MIN_TIMES}', { times: time.length, MIN_TIMES }),
    )
  if (workers === 0) throw new Refusal('workers', noWorkers())
  const numbers = order === null ? log.stages.map((_, s) => s) : order.map((name) => log.stages.indexOf(name))
  if (numbers.length !== log.stages.length || new Set(numbers).size < numbers.length || numbers.includes(-1)) {
    const values = { found: listed((order ?? []).map(quoted)), stages: listed(log.stages.map(quoted)) }
    throw new Refusal('--stages', t('found {found}; allowed: each of {stages} once', values))
  }
  return { time, stages: numbers.map((s) => stageSamples(log, time, s, rowsOf[s])) }
}

export const noWorkers = (): string => t('the log does not say how many workers each stage had; add a column "workers"')

function stageSamples(log: SystemLog, time: Float64Array, stage: number, rows: Uint32Array): StageSamples {
  if (rows.length === 0) throw new Refusal('stage', t('{stage} has no valid row', { stage: quoted(log.stages[stage]) }))
  const column = (values: ArrayLike<number>) => {
    let r = 0
    return time.map((at) => {
      while (r + 1 < rows.length && log.time[rows[r + 1]] <= at) r++
      return values[rows[r]]
    })
  }
  const known = (values: Float64Array | null) => {
    const all = values === null ? null : column(values)
    return all === null || all.some(Number.isNaN) ? null : all
  }
  const counted = (values: Float64Array | null) => {
    const all = known(values)
    return all === null ? null : sinceFirst(all)
  }
  return {
    name: log.stages[stage],
    queue: column(log.queue),
    service: column(log.service),
    workers: column(log.workers).map((workers) => Math.max(0, workers)),
    completed: counted(log.completed),
    arrivals: counted(log.arrivals),
    busy: known(log.busy),
    tails: [tailOf(log, log.p95, rows), tailOf(log, log.p99, rows)],
    squares: known(log.squares),
  }
}

/** Returns the middle of a percentile over the mean, in the rows that have both. */
function tailOf({ service }: SystemLog, values: Float64Array | null, rows: Uint32Array): number | null {
  const shares =
    values === null ? [] : Array.from(rows, (row) => values[row] / service[row]).filter((share) => share > 0)
  return median(shares) ?? null
}

/** Returns the sum since the first time, of a counter that may restart, or of counts per sample. */
function sinceFirst(values: Float64Array): Float64Array {
  let falls = 0
  for (let k = 1; k < values.length; k++) if (values[k] < values[k - 1]) falls++
  const isCounter = falls <= FALLS * values.length && values[values.length - 1] !== values[0]
  const sum = new Float64Array(values.length)
  for (let k = 1; k < values.length; k++)
    sum[k] = sum[k - 1] + (isCounter && values[k] >= values[k - 1] ? values[k] - values[k - 1] : values[k])
  return sum
}

/** A stretch of a log with one value: samples `from` to `to`, which is the first sample of the next stretch. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly value: number
  /** The square of the standard error of the value. */
  readonly variance: number
}

/** Returns the bounds of this number of pieces, of about equally many samples. */
export function evenBounds(samples: number, pieces: number): number[] {
  return Array.from({ length: pieces + 1 }, (_, k) => Math.round((k * (samples - 1)) / pieces))
}

/** Returns the mean of samples `from` to `to`. */
export function meanOf(values: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let k = from; k <= to; k++) sum += values[k]
  return sum / (to - from + 1)
}

/**
 * Returns longer pieces. It joins the two neighbours that differ least, as long as they differ by fewer than `errors` standard errors, or
 * by less than the share `least` of their value, or there are more than `most` pieces. `byJobs`: a piece weighs as much as its jobs, which its
 * variance tells, not as its time.
 */
export function joined(
  pieces: readonly Stretch[],
  { errors, least, most }: Readonly<Record<'errors' | 'least' | 'most', number>>,
  byJobs = false,
): Stretch[] {
  const all = [...pieces]
  for (;;) {
    const apart = all.slice(1).map((piece, k) => apartBy(all[k], piece, least))
    const nearest = apart.reduce((best, each, k) => (each < apart[best] ? k : best), 0)
    if (apart.length === 0 || (apart[nearest] >= errors && all.length <= most)) return all
    all.splice(nearest, 2, together(all[nearest], all[nearest + 1], byJobs))
  }
}

/** Returns by how many standard errors two values differ; less than 1 where the difference is below the share `least`. */
function apartBy(a: Stretch, b: Stretch, least: number): number {
  const difference = Math.abs(a.value - b.value)
  const share = difference / Math.max(Number.MIN_VALUE, least * Math.max(a.value, b.value))
  return share < 1 ? share : difference / Math.sqrt(Math.max(Number.MIN_VALUE, a.variance + b.variance))
}

function together(a: Stretch, b: Stretch, byJobs: boolean): Stretch {
  const [first, second] = [a, b].map((each) => (byJobs ? each.value ** 2 / each.variance : each.to - each.from))
  const [one, other] = [first / (first + second), second / (first + second)]
  return {
    from: a.from,
    to: b.to,
    value: one * a.value + other * b.value,
    variance: one * one * a.variance + other * other * b.variance,
  }
}

const SAMPLES = 20
const MAX_PIECES = 12

/** Returns the mean service times of a stage, in microseconds, in one piece unless they clearly change. */
export function serviceMeans(stage: StageSamples): Stretch[] {
  const weights = weightsOf(stage)
  const bounds = (errors: number) => ({ errors, least: 0.1, most: MAX_PIECES })
  const [totals, square] = [serviceTotals(stage), cvSquareOf(stage, weights)]
  if (totals !== null && square !== null) {
    const jobsIn = (from: number, to: number) => weights.subarray(from + 1, to + 1).reduce((sum, jobs) => sum + jobs, 0)
    return joined(
      connected(totals, weights.length - 1).map((each) => ({
        ...each,
        variance: (square * each.value ** 2) / jobsIn(each.from, each.to),
      })),
      bounds(3),
      true,
    )
  }
  const pieces = evenBounds(weights.length, Math.min(MAX_PIECES, Math.max(1, Math.floor(weights.length / SAMPLES))))
  return joined(
    connected(
      pairs(pieces).flatMap(([from, to]) => pieceOf(stage.service, weights, from, to)),
      weights.length - 1,
    ),
    bounds(4),
  )
}

/** Returns pieces without gaps: a stretch without services belongs to the piece after it, or at the end to the last. */
function connected(served: readonly Stretch[], end: number): Stretch[] {
  return served.map((piece, k) => ({
    ...piece,
    from: k === 0 ? 0 : served[k - 1].to,
    to: k === served.length - 1 ? end : piece.to,
  }))
}

/** Means over a longer time than the distance of two samples differ from the next by less than this share of what they differ from the third. */
const SMOOTHED = 0.6

/**
 * Returns the square of the coefficient of variation of single services, from how much the means of neighbouring samples differ, so that a
 * change of the mean does not count. null if there are few samples, if their means are all alike or if they seem to be smoothed.
 */
function cvSquareOf({ service }: StageSamples, weights: Float64Array): number | null {
  const served = Array.from(weights.keys()).filter((k) => weights[k] >= 1)
  const apart = (lag: number) => {
    const squares = served.slice(lag).map((k, i) => {
      const before = served[i]
      const mean = (weights[k] * service[k] + weights[before] * service[before]) / (weights[k] + weights[before])
      return ((service[k] - service[before]) / mean) ** 2 / (1 / weights[k] + 1 / weights[before])
    })
    return squares.reduce((sum, each) => sum + each, 0) / squares.length
  }
  if (served.length < SAMPLES) return null
  const square = apart(1)
  return square > 0 && square >= SMOOTHED * apart(3) ? square : null
}

/** At most this many short stretches have their own mean, each of this many services or more. */
const [MAX_TOTALS, MIN_SERVICES] = [32, 12]

/** Returns whether the log counts the services of a stage and how long each took, of enough of them. */
function isMeasured({ completed, service }: StageSamples): boolean {
  return (
    completed !== null && completed[completed.length - 1] >= MIN_SERVICES && service.some((mean) => mean !== service[0])
  )
}

/**
 * Returns how long the services of a stage took together until each sample, in microseconds; null where the log does not count them. A log counts the
 * time of a service when it ends. While jobs wait, all workers serve, so the sum over such a stretch is spread evenly over their time. `isFull`: whether
 * workers may have waited at a sample because the next stage was full.
 */
export function workUntil(
  stage: StageSamples,
  time: Float64Array,
  isFull: (sample: number) => boolean = () => false,
): Float64Array | null {
  if (!isMeasured(stage)) return null
  const { service, queue, workers } = stage
  const work = weightsOf(stage).map((jobs, k) => jobs * service[k])
  const serves = (k: number) => queue[k - 1] >= 1 && queue[k] >= 1 && !isFull(k)
  for (let from = 1; from < work.length; from++) {
    let [to, sum, could] = [from, 0, 0]
    for (; to < work.length && serves(to); to++) {
      sum += work[to]
      could += workers[to] * (time[to] - time[to - 1])
    }
    if (could > 0) for (let k = from; k < to; k++) work[k] = (sum * workers[k] * (time[k] - time[k - 1])) / could
    from = to
  }
  let sum = 0
  return work.map((each) => (sum += each))
}

/** Returns the mean service times of a stage in short stretches; null where the log does not count them. */
function serviceTotals(stage: StageSamples): Stretch[] | null {
  const { completed, service } = stage
  if (completed === null || !isMeasured(stage)) return null
  const all = completed[completed.length - 1]
  const pieces = Math.max(1, Math.min(MAX_TOTALS, Math.floor(all / MIN_SERVICES), completed.length - 1))
  const weights = weightsOf(stage)
  const served = pairs(evenBounds(weights.length, pieces)).flatMap(([from, to]) =>
    pieceOf(service, weights, from + 1, to),
  )
  return served.map((piece, k) => ({ ...piece, from: k === 0 ? 0 : piece.from - 1 }))
}

/** Returns the mean of the services between two samples; none if there were none. */
function pieceOf(service: Float64Array, weights: Float64Array, from: number, to: number): Stretch[] {
  let [sum, squares, weight] = [0, 0, 0]
  for (let i = from; i <= to; i++) {
    sum += weights[i] * service[i]
    weight += weights[i]
  }
  if (weight === 0) return []
  const value = sum / weight
  for (let i = from; i <= to; i++) squares += weights[i] * (service[i] - value) ** 2
  return [{ from, to, value, variance: squares / weight / (to - from + 1) }]
}

/** Returns the weight of each sample: the services since the sample before, or 1 if they were not counted. */
export function weightsOf({ completed, service }: StageSamples): Float64Array {
  if (completed === null || completed[completed.length - 1] === 0) return service.map(() => 1)
  return completed.map((all, k) => (k === 0 ? 0 : all - completed[k - 1]))
}

/** The workers of each stage from a time on. */
export type Crew = { readonly at: Micros; readonly workers: readonly number[] }

/** Returns the crews of a log over time: exact, or means of equal stretches if they change more often than a scenario allows. */
export function crewsOf({ time, stages }: Samples): { readonly crews: readonly Crew[]; readonly exact: boolean } {
  const each = Array.from(time, (at, k): Crew => ({ at, workers: stages.map(({ workers }) => workers[k]) }))
  let crews = withoutRepeats(each)
  const exact = crews.length <= MAX_PHASES
  if (!exact) {
    const bounds = evenBounds(time.length, MAX_PHASES - 1)
    const mean = (from: number, to: number) =>
      stages.map(({ workers }) => Math.max(1, Math.round(meanOf(workers, from, to))))
    crews = withoutRepeats(bounds.slice(1).map((to, k) => ({ at: time[bounds[k]], workers: mean(bounds[k], to) })))
  }
  const [end, last] = [time[time.length - 1] + 1, crews[crews.length - 1]]
  // The jobs that remain after the log must be served.
  if (last.workers.includes(0))
    crews = [...crews, { at: end, workers: last.workers.map((workers) => Math.max(1, workers)) }]
  return { crews, exact }
}

/** Returns the most workers of all stages together at one time. */
export function mostWorkers(crews: readonly Crew[]): number {
  return Math.max(1, ...crews.map(({ workers }) => workers.reduce((sum, each) => sum + each, 0)))
}

function withoutRepeats(crews: readonly Crew[]): Crew[] {
  return crews.filter(({ workers }, k) => k === 0 || workers.some((each, s) => each !== crews[k - 1].workers[s]))
}
