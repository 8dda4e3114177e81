import { pairs } from 'd3-array'
import { t } from '../../../language/translate.ts'
import { MAX_ERLANG_K } from '../../../scenario/model/limits.ts'
import type { Micros, Service } from '../../../scenario/model/scenario.ts'
import { fixed } from '../../../views/drawing/format.ts'
import { samplerOf } from '../../../workload/laws.ts'
import type { RandomDraw } from '../../../workload/random.ts'
import { type StageSamples, serviceMeans, weightsOf } from './samples.ts'

/** The spread of the service times of a stage, as a log tells it. `cv`: the standard deviation over the mean. */
export interface KnownSpread {
  readonly cv: number
  readonly source: 'p95' | 'p99' | 'means' | 'buckets'
}

/** A spread from means needs this many samples with services. Neighbours that are this alike come from a mean over a longer time. */
const [MIN_MEANS, ALIKE] = [30, 0.3]
const MAX_CV = 6

/** Returns the spread of the service times, from buckets, from percentiles or from how much the counted means vary; null if the log does not tell it. */
export function spreadOfLog(stage: StageSamples): KnownSpread | null {
  const [p95, p99] = stage.tails
  const buckets = cvOfSquares(stage)
  if (buckets !== null) return { cv: buckets, source: 'buckets' }
  // Beyond this share a lognormal p95 says little about its spread; the p99 still does.
  if (p99 !== null) return { cv: cvOfTail(p99, P99), source: 'p99' }
  if (p95 !== null) return { cv: cvOfTail(p95, P95), source: 'p95' }
  const cv = cvOfMeans(stage)
  return cv === null ? null : { cv, source: 'means' }
}

/** Quantiles of the normal distribution. */
const [P95, P99] = [1.645, 2.326]

/** Returns the coefficient of variation at which a lognormal distribution has this quantile over its mean, by bisection. */
function cvOfTail(share: number, quantile: number): number {
  // exp(z s - s² / 2) grows until s = z.
  let [low, high] = [0, quantile]
  for (let k = 0; k < 40; k++) {
    const s = (low + high) / 2
    if (Math.exp(quantile * s - (s * s) / 2) < share) low = s
    else high = s
  }
  return Math.min(MAX_CV, Math.sqrt(Math.exp(low * low) - 1))
}

/** Returns the coefficient of variation within the stretches of one mean; null without squares. */
function cvOfSquares(stage: StageSamples): number | null {
  const { squares } = stage
  if (squares === null) return null
  const weights = weightsOf(stage)
  let [sum, weight] = [0, 0]
  for (const { from, to, value } of serviceMeans(stage))
    for (let k = from === 0 ? 0 : from + 1; k <= to; k++) {
      sum += (weights[k] * squares[k]) / (value * value)
      weight += weights[k]
    }
  return weight > 0 ? Math.min(MAX_CV, Math.sqrt(Math.max(0, sum / weight - 1))) : null
}

/** The mean of n services varies by the variance of one over n. null if means are not counted, are all alike or are smoothed. */
function cvOfMeans(stage: StageSamples): number | null {
  const { service, completed } = stage
  if (completed === null || service.every((mean) => mean === service[0])) return null
  const apart: number[] = []
  for (const { from, to, value } of serviceMeans(stage))
    for (let k = from + 1; k <= to; k++) {
      const jobs = completed[k] - completed[k - 1]
      if (jobs >= 1) apart.push((Math.sqrt(jobs) * (service[k] - value)) / value)
    }
  if (apart.length < MIN_MEANS) return null
  const square = apart.reduce((sum, each) => sum + each * each, 0)
  const together = pairs(apart).reduce((sum, [a, b]) => sum + a * b, 0)
  return together > ALIKE * square ? null : Math.min(MAX_CV, Math.sqrt(square / apart.length))
}

/** Returns service times with this spread. */
export function serviceWithCv(mean: Micros, cv: number): Service {
  const k = Math.round(1 / Math.max(1e-9, cv * cv))
  if (k > MAX_ERLANG_K) return { kind: 'constant', mean }
  if (k > 1) return { kind: 'erlang', mean, k }
  return cv < 1.15 ? { kind: 'exponential', mean } : { kind: 'lognormal', mean, cv: Math.round(cv * 100) / 100 }
}

/** Says what a log tells about the spread of a stage. */
export function spreadSentence(name: string, { cv, source }: KnownSpread): string {
  const from = { buckets: t('a histogram'), means: t('the counted means'), p95: 'p95', p99: 'p99' }[source]
  return t('{name}: coefficient of variation of the service times {cv}, from {from}', { name, cv: fixed(cv, 2), from })
}

/**
 * A queue that stands at its longest for this many samples, compared with the lengths just below, may be full. It falls below while the
 * stage before works on the next job.
 */
const [FULL_SAMPLES, FULL_RATIO, CLEARLY_FULL] = [6, 0.5, 4]

/** The stage before waits if, with jobs in its queue, its workers are busy for less than this share of the time, and less than usual by this factor. */
const [IDLE, IDLER] = [0.8, 0.85]
/** From this share of its capacity on a queue counts as full, and it must be so in this number of samples. */
export const FULL_FROM = 0.8
const FULL_TIMES = 4

/**
 * Returns how many jobs the queue of a stage seems to hold, and whether it is clear without a run; null if it never seems to be full. It is
 * clear if the queue stands at its end, or if the stage before, whose jobs are counted, has idle workers and waiting jobs meanwhile.
 */
export function capacityOfLog(
  { queue }: StageSamples,
  before: StageSamples | null = null,
  time: Float64Array | null = null,
) {
  const capacity = queue.reduce((most, each) => Math.max(most, each), 0)
  if (capacity < 2) return null
  if (before !== null && time !== null && isBlocked(queue, capacity, before, time)) return { capacity, clear: true }
  const width = Math.max(1, Math.ceil(0.2 * capacity))
  const full = queue.filter((each) => each === capacity).length
  const below = queue.filter((each) => each < capacity && each >= capacity - width).length / width
  // A queue that never changes is not known to be bounded.
  if (full < FULL_SAMPLES || full < FULL_RATIO * below || full === queue.length) return null
  return { capacity, clear: full >= CLEARLY_FULL * Math.max(FULL_SAMPLES / 2, below) }
}

/** Returns whether the stage before waits while the queue is nearly as long as ever, and not otherwise. */
function isBlocked(
  queue: Float64Array,
  most: number,
  { queue: waiting, completed, service, workers }: StageSamples,
  time: Float64Array,
): boolean {
  if (completed === null) return false
  const [full, other] = [
    { work: 0, could: 0, times: 0 },
    { work: 0, could: 0, times: 0 },
  ]
  for (let k = 1; k < queue.length; k++) {
    if (waiting[k - 1] < 1 || waiting[k] < 1) continue
    const of = Math.min(queue[k - 1], queue[k]) >= FULL_FROM * most ? full : other
    of.work += (completed[k] - completed[k - 1]) * service[k]
    of.could += (time[k] - time[k - 1]) * workers[k]
    of.times++
  }
  const [busy, usual] = [full, other].map(({ work, could }) => (could > 0 ? work / could : 1))
  return full.times >= FULL_TIMES && busy < IDLE && busy < IDLER * (other.times >= FULL_TIMES ? usual : IDLE)
}

/** The sum of the service times of a stretch of jobs is corrected by at most this factor. */
const MAX_SHARE = 3

/** A stretch has at least this many services. */
const MIN_SERVICES = 6
/** A run that is ahead of the log, or behind it, by less than this number of jobs is near enough. */
const NEAR = 0.5

/**
 * Returns service times that take as long together as those of the log, whatever random numbers a run draws. The jobs are divided into stretches
 * with a mean of their own. A stretch begins where the run would otherwise be furthest ahead of the log or behind it; where no job waits, that
 * counts little. `passing`: how many jobs of the run come first and are served in no time. `missing`: how many jobs of the log come first and are
 * not in the run. `most`: the maximum number of stretches. Returns null if hardly any job is left.
 */
export function following(
  { completed, queue }: StageSamples,
  work: Float64Array,
  { passing, missing, most }: Readonly<Record<'passing' | 'missing' | 'most', number>>,
  serviceOf: (mean: Micros) => Service,
  random: RandomDraw,
): readonly { readonly from: number; readonly service: Service }[] | null {
  const done = (completed ?? work).map((jobs) => Math.max(0, Math.round(jobs - missing)))
  const [first, last] = [Math.max(0, done.lastIndexOf(0)), work.length - 1]
  if (done[last] < MIN_SERVICES) return null
  const mean = (work[last] - work[first]) / done[last]
  const drawn = samplerOf(serviceOf(mean), random)
  let [job, sum] = [0, 0]
  const own = done.map((jobs) => {
    for (; job < jobs; job++) sum += drawn(passing + job)
    return sum
  })
  const share = (from: number, to: number, ahead = 0) =>
    Math.min(MAX_SHARE, Math.max(1 / MAX_SHARE, (work[to] - work[from] - ahead) / Math.max(1, own[to] - own[from])))
  /** Returns the sample in a stretch at which it is best divided, and by how many jobs the run is off there. */
  const worst = (from: number, to: number) => {
    const scale = share(from, to)
    let [at, off] = [from, 0]
    for (let k = from + 1; k < to; k++) {
      if (done[k] - done[from] < MIN_SERVICES || done[to] - done[k] < MIN_SERVICES) continue
      const apart = (Math.min(1, queue[k]) * Math.abs(work[k] - work[from] - scale * (own[k] - own[from]))) / mean
      if (apart > off) [at, off] = [k, apart]
    }
    return { from, to, at, off }
  }
  const stretches = [worst(first, last)]
  while (stretches.length < most) {
    const furthest = stretches.reduce((best, each, k) => (each.off > stretches[best].off ? k : best), 0)
    const { from, to, at, off } = stretches[furthest]
    if (off < NEAR) break
    stretches.splice(furthest, 1, worst(from, at), worst(at, to))
  }
  let ahead = 0
  return stretches.map(({ from, to }) => {
    const service = serviceOf(roughly(mean * share(from, to, ahead)))
    ahead += ('mean' in service ? service.mean / mean : 1) * (own[to] - own[from]) - (work[to] - work[from])
    return { from: passing + done[from], service }
  })
}

/** Returns a number with three digits, so that links stay short. */
function roughly(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 2)
  return Math.round(value / unit) * unit
}
