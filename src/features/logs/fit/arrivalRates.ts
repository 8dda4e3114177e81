import { pairs } from 'd3-array'
import { erlangC } from '../../theory/measure/erlang.ts'
import { evenBounds, joined, meanOf, type Samples, type StageSamples, type Stretch } from './samples.ts'

/** The arrival rates at the first stage, in jobs per second. */
export interface ArrivalRates {
  readonly pieces: readonly Stretch[]
  /** The same in longer pieces, for other days: what differs by chance alone is joined. */
  readonly smooth: readonly Stretch[]
  /** The jobs that arrived until each sample, if they were counted. If not, the rates follow from queues, service times and workers. */
  readonly came: Float64Array | null
}

/** The minimum number of samples for one rate, if it is estimated and if jobs are counted. */
const [SAMPLES, COUNTED] = [8, 2]
/** Neighbouring rates are joined if they differ by fewer standard errors. Counted rates follow the log closely. */
const [ERRORS, COUNTED_ERRORS] = [2, 0.5]
/**
 * On other days a rate changes only where that is clear: of 64 pieces of one rate some neighbours differ by two standard errors by chance, and days with
 * such rates have longer queues than those of the system.
 */
const DAY_ERRORS = 2.8
const MAX_PIECES = 64
const SECOND = 1e6
/** If at least this share of the samples has a queue, all workers of the stage count as busy all the time. */
const ALWAYS = 0.95

/** Returns the rates of a log. Neighbouring stretches whose rates hardly differ are one piece. */
export function arrivalRates(samples: Samples): ArrivalRates {
  const [first] = samples.stages
  // If jobs wait at first, each worker already serves one, which is no arrival.
  const served = first.arrivals === null && first.busy === null && first.queue[0] > 0 ? first.workers[0] : 0
  const counts = arrivalsCounted(first)?.map((jobs) => Math.max(0, jobs - served)) ?? null
  // A job in service may not be counted, so what left and what waits may fall for a moment. The last sum stays.
  const came = counts === null ? null : wholeCounts(counts)
  const counted = came !== null
  const pieces = Math.floor(samples.time.length / (counted ? COUNTED : SAMPLES))
  const bounds = evenBounds(samples.time.length, Math.min(MAX_PIECES, Math.max(1, pieces)))
  const rates = came === null ? queuedRates(samples, bounds) : countedRates(samples, came, bounds)
  const piecesOf = (errors: number) => joined(rates, { errors, least: 0.03, most: MAX_PIECES })
  return { pieces: piecesOf(counted ? COUNTED_ERRORS : ERRORS), smooth: piecesOf(DAY_ERRORS), came }
}

/**
 * Returns the jobs that arrived at a stage since the first sample: those that left and the growth of its queue, so it may err by the jobs in
 * service unless the log counts them. null if jobs were not counted.
 */
export function arrivalsCounted({ arrivals, completed, queue, busy }: StageSamples): Float64Array | null {
  if (arrivals !== null) return arrivals
  const inside = (k: number) => queue[k] + (busy?.[k] ?? 0)
  return completed === null ? null : completed.map((left, k) => left + inside(k) - inside(0))
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

function countedRates({ time }: Samples, came: Float64Array, bounds: readonly number[]): Stretch[] {
  return pairs(bounds).map(([from, to]): Stretch => {
    const span = (time[to] - time[from]) / SECOND
    const jobs = Math.max(0, came[to] - came[from])
    return { from, to, value: jobs / span, variance: (jobs + 1) / (span * span) }
  })
}

/**
 * Returns the rates that explain the queues between the bounds. Every stage up to the first busy one gives an estimate, weighted by its
 * variance.
 */
export function queuedRates({ time, stages }: Samples, bounds: readonly number[]): Stretch[] {
  return pairs(bounds).map(([from, to]): Stretch => {
    let weights = 0
    let sum = 0
    for (const stage of stages) {
      const { value, variance, busy } = rateAt(stage, from, to, (time[to] - time[from]) / SECOND)
      weights += 1 / variance
      sum += value / variance
      if (busy) break
    }
    return { from, to, value: sum / weights, variance: 1 / weights }
  })
}

/**
 * Estimates the arrival rate of a stage: the departure rate at this queue length plus the growth of the queue (the pointwise
 * stationary fluid flow approximation of Wang, Tipper and Banerjee 1996).
 */
function rateAt({ queue, service, workers }: StageSamples, from: number, to: number, seconds: number) {
  const [length, mean, crew] = [queue, service, workers].map((values) => meanOf(values, from, to))
  let queued = 0
  for (let k = from; k <= to; k++) if (queue[k] > 0) queued++
  const busy = queued >= ALWAYS * (to - from + 1)
  const most = (Math.max(0.01, crew) * SECOND) / mean
  const load = busy ? 1 : loadWith(Math.max(1, Math.round(crew)), Math.max(0.02, length))
  const value = Math.max(0.001 * most, (queue[to] - queue[from]) / seconds + load * most)
  // In heavy traffic the error of the load is sqrt(8 / services); with almost no queue it is much larger.
  const unknown = length < 0.3 ? 0.3 * most : 0.1 * most
  const variance = busy ? (2 * most) / seconds : (8 * most) / seconds + unknown * unknown
  return { value, variance, busy }
}

/** Returns the load at which these servers have a mean queue of this length (M/M/c, Erlang C), by bisection. */
function loadWith(servers: number, queue: number): number {
  let low = 0
  let high = 1
  for (let k = 0; k < 40; k++) {
    const load = (low + high) / 2
    if ((erlangC(servers, servers * load) * load) / (1 - load) < queue) low = load
    else high = load
  }
  return low
}
