import { pairs } from 'd3-array'
import { t } from '../../../language/translate.ts'
import { MAX_ERLANG_K, MAX_ITEMS, MAX_SEED } from '../../../scenario/model/limits.ts'
import type { Micros, Scenario, Service, Stage } from '../../../scenario/model/scenario.ts'
import { fixed } from '../../../views/drawing/format.ts'
import { normalQuantile } from '../../../workload/elementary.ts'
import { createRandom, randomKey } from '../../../workload/random.ts'
import { type Samples, type StageSamples, serviceMeans, weightsOf } from './samples.ts'

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
  const values = { name, cv: fixed(cv, 2) }
  if (source === 'buckets') return t('{name}: the service times have the coefficient of variation {cv}, from the buckets of their histogram', values)
  return source === 'means'
    ? t('{name}: the service times have the coefficient of variation {cv}, from how much their counted means vary', values)
    : t('{name}: the service times have the coefficient of variation {cv}, from their {percentile}', { ...values, percentile: source })
}

/**
 * A queue that stands at its longest for this many samples, compared with the lengths just below, may be full. It falls below while the
 * stage before works on the next job.
 */
const [FULL_SAMPLES, FULL_RATIO, CLEARLY_FULL] = [6, 0.5, 4]

/** The stage before waits if, with jobs in its queue, its workers are busy for less than this share of the time, and less than usual by this factor. */
const [IDLE, IDLER] = [0.8, 0.85]
/** How full a queue is from where on, and in how many samples. */
const [FULL_FROM, FULL_TIMES] = [0.8, 4]

/**
 * Returns how many jobs the queue of a stage seems to hold, and whether it is clear without a run; null if it never seems to be full. It is
 * clear if the queue stands at its end, or if the stage before, whose jobs are counted, has idle workers and waiting jobs meanwhile.
 */
export function capacityOfLog({ queue }: StageSamples, before: StageSamples | null = null, time: Float64Array | null = null) {
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
function isBlocked(queue: Float64Array, most: number, { queue: waiting, completed, service, workers }: StageSamples, time: Float64Array): boolean {
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

/** Returns counted arrivals as whole numbers that never fall. */
export function wholeCounts(came: Float64Array): Float64Array {
  const whole = came.map(Math.round)
  for (let k = whole.length - 2; k >= 0; k--) whole[k] = Math.max(0, Math.min(whole[k], whole[k + 1]))
  return whole
}

/** A block has at least this many jobs and this many for each worker, so that the jobs in service, which are not counted, matter little. */
const [BLOCK, PER_WORKER, MIN_BLOCKS] = [8, 4, 12]
/** A smaller dispersion may be chance. */
const BURSTS = 1.6

/** Returns the variance of the arrivals of a block over their mean: 1 if they seem independent. `expected`: the arrivals at the smooth rates. */
export function dispersionOf({ stages }: Samples, came: Float64Array, expected: (sample: number) => number): number {
  const most = stages[0].workers.reduce((sum, each) => Math.max(sum, each), 1)
  const size = Math.max(BLOCK, PER_WORKER * most)
  let [blocks, sum, from] = [0, 0, 0]
  for (let k = 1; k < came.length; k++) {
    const mean = expected(k) - expected(from)
    if (mean < size) continue
    sum += (came[k] - came[from] - mean) ** 2 / mean
    blocks++
    from = k
  }
  const dispersion = blocks < MIN_BLOCKS ? 1 : sum / blocks
  return dispersion < BURSTS ? 1 : dispersion
}

/** How jobs arrive on days like that of a log. */
export interface DayArrivals {
  /** The jobs that are there at time 0. */
  readonly early: number
  /** In jobs per second, from each time on. */
  readonly rates: readonly (readonly [from: Micros, rate: number])[]
  /** The log ends at this time. */
  readonly end: Micros
  /** The variance of the jobs in an interval over their mean: 1 if jobs come independently, more if they come in bursts. */
  readonly dispersion: number
  /** How long a burst lasts. */
  readonly interval: Micros
  /** By stage: its service times without what the logged day took by chance; none: as on that day. */
  readonly services?: readonly Pick<Stage, 'service' | 'changes'>[]
  /** The standard errors that the log leaves, as shares: of the rates, and by stage of its mean service times. None: the means are known. */
  readonly errors?: { readonly rates: readonly number[]; readonly services: readonly (readonly number[])[] }
}

const SECOND = 1e6
/** Two seeds this far apart share no day. */
const STEP = 7919

/** Means err by at most this many standard errors. */
const FARTHEST = 2.5

/**
 * Returns day `k` of a fitted scenario: other arrivals and other service times, with means that differ from those of the log by as much as the
 * log leaves uncertain. Day 0 is the fitted one.
 */
export function otherDay(scenario: Scenario, arrivals: DayArrivals | null, k: number): Scenario {
  if (k === 0) return scenario
  const seed = (scenario.seed + k * STEP) % (MAX_SEED + 1)
  const { source } = scenario
  if (arrivals === null || source.kind !== 'times') return { ...scenario, seed }
  const random = createRandom(seed, randomKey('means'))
  const share = (error = 0, place: number, piece: number) => Math.exp(error * Math.min(FARTHEST, Math.max(-FARTHEST, normalQuantile(random(place, piece)))))
  const at = arrivalTimes({ ...arrivals, rates: arrivals.rates.map(([from, rate], r) => [from, rate * share(arrivals.errors?.rates[r], 0, r)]) }, seed)
  // The service times change at the same time as on the fitted day, so at another job.
  const moved = (from: number) => (from <= arrivals.early ? from : (at.length * from) / source.at.length)
  const stages = scenario.stages.map((stage, s) => {
    const { service, changes } = arrivals.services?.[s] ?? stage
    const errors = arrivals.errors?.services[s] ?? []
    // Jobs that are in later stages when the log begins pass the first ones in no time, before the first mean.
    const skipped = changes.length + 1 - errors.length
    const other = (of: Service, c: number) =>
      'mean' in of && of.mean > 1 ? { ...of, mean: Math.max(1, Math.round(of.mean * share(errors[c - skipped], s + 1, c))) } : of
    return {
      ...stage,
      service: other(service, 0),
      changes: ascending(changes.map((change, c) => ({ from: Math.round(moved(change.from)), service: other(change.service, c + 1) }))),
    }
  })
  return { ...scenario, seed, source: { kind: 'times', at }, stages }
}

/** Returns arrival times: a Poisson process of single jobs, or of bursts whose sizes give the dispersion (a negative binomial process). */
export function arrivalTimes({ early, rates, end, dispersion, interval }: DayArrivals, seed: number): number[] {
  const random = createRandom(seed, randomKey('day'))
  let draws = 0
  const draw = () => random(0, draws++)
  const at = Array.from({ length: early }, () => 0)
  const perBurst = dispersion > 1 ? (dispersion - 1) / Math.log(dispersion) : 1
  for (const [k, [from, rate]] of rates.entries()) {
    const until = Math.min(end, rates[k + 1]?.[0] ?? end)
    if (rate <= 0) continue
    const next = () => (-Math.log(draw()) * perBurst * SECOND) / rate
    for (let time = from + next(); time < until && at.length < MAX_ITEMS; time += next()) {
      const size = dispersion > 1 ? burstSize(1 - 1 / dispersion, draw()) : 1
      for (let n = 0; n < size && at.length < MAX_ITEMS; n++) at.push(Math.min(end, Math.floor(time + (n === 0 ? 0 : interval * draw()))))
    }
  }
  return at.sort((a, b) => a - b)
}

/** Returns a size of the logarithmic series distribution (Fisher, Corbet and Williams 1943), by inversion. */
function burstSize(p: number, u: number): number {
  let [size, chance] = [1, -p / Math.log(1 - p)]
  for (let left = u; left > chance && size < MAX_ITEMS; size++) {
    left -= chance
    chance *= (p * size) / (size + 1)
  }
  return size
}

function ascending<T extends { readonly from: number }>(changes: readonly T[]): T[] {
  return changes.filter(({ from }, k) => changes.slice(k + 1).every((later) => later.from > from))
}
