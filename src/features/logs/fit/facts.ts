import { pairs } from 'd3-array'
import { t } from '../../../language/translate.ts'
import { MAX_ERLANG_K, MAX_ITEMS, MAX_SEED } from '../../../scenario/model/limits.ts'
import type { Micros, Scenario, Service } from '../../../scenario/model/scenario.ts'
import { fixed } from '../../../views/drawing/format.ts'
import { createRandom, randomKey } from '../../../workload/random.ts'
import { type Samples, type StageSamples, serviceMeans } from './samples.ts'

/** The spread of the service times of a stage, as a log tells it. `cv`: the standard deviation over the mean. */
export interface KnownSpread {
  readonly cv: number
  readonly source: 'p95' | 'p99' | 'means'
}

/** A spread from means needs this many samples with services. Neighbours that are this alike come from a mean over a longer time. */
const [MIN_MEANS, ALIKE] = [30, 0.3]
const MAX_CV = 6

/** Returns the spread of the service times, from percentiles or from how much the counted means vary; null if the log does not tell it. */
export function spreadOfLog(stage: StageSamples): KnownSpread | null {
  const [p95, p99] = stage.tails
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
  return source === 'means'
    ? t('{name}: the service times have the coefficient of variation {cv}, from how much their counted means vary', values)
    : t('{name}: the service times have the coefficient of variation {cv}, from their {percentile}', { ...values, percentile: source })
}

/**
 * A queue that stands at its longest for this many samples, compared with the lengths just below, may be full. It falls below while the
 * stage before works on the next job.
 */
const [FULL_SAMPLES, FULL_RATIO, CLEARLY_FULL] = [6, 0.5, 4]

/** Returns how many jobs the queue of a stage seems to hold, and whether it is clear without a run; null if it never seems to be full. */
export function capacityOfLog({ queue }: StageSamples): { readonly capacity: number; readonly clear: boolean } | null {
  const capacity = queue.reduce((most, each) => Math.max(most, each), 0)
  if (capacity < 2) return null
  const width = Math.max(1, Math.ceil(0.2 * capacity))
  const full = queue.filter((each) => each === capacity).length
  const below = queue.filter((each) => each < capacity && each >= capacity - width).length / width
  // A queue that never changes is not known to be bounded.
  if (full < FULL_SAMPLES || full < FULL_RATIO * below || full === queue.length) return null
  return { capacity, clear: full >= CLEARLY_FULL * Math.max(FULL_SAMPLES / 2, below) }
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
}

const SECOND = 1e6
/** Two seeds this far apart share no day. */
const STEP = 7919

/** Returns day `k` of a fitted scenario: other arrivals at the same rates, and other service times. Day 0 is the fitted one. */
export function otherDay(scenario: Scenario, arrivals: DayArrivals | null, k: number): Scenario {
  if (k === 0) return scenario
  const seed = (scenario.seed + k * STEP) % (MAX_SEED + 1)
  const { source } = scenario
  if (arrivals === null || source.kind !== 'times') return { ...scenario, seed }
  const at = arrivalTimes(arrivals, seed)
  // The service times change at the same time as on the fitted day, so at another job.
  const moved = (from: number) => (from <= arrivals.early ? from : (at.length * from) / source.at.length)
  const stages = scenario.stages.map((stage) => ({
    ...stage,
    changes: ascending(stage.changes.map(({ from, service }) => ({ from: Math.round(moved(from)), service }))),
  }))
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
