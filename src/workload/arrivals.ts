import { countJobs } from '../scenario/model/limits.ts'
import type { Micros, Scenario, Source } from '../scenario/model/scenario.ts'
import { log, sin } from './elementary.ts'
import { createRandom, randomKey } from './random.ts'
import { burstRate, curveRate, type Integral, steadyRate, stepRate } from './rates.ts'

/** Means that no job arrives any more. */
export const NO_MORE = -1

export interface Arrivals {
  /** Returns when the next job arrives, in whole microseconds and never before the last one; `NO_MORE` when none will. */
  next(): Micros
}

/**
 * Returns the arrivals of a scenario, one by one. Clocks are added up unrounded and only results are rounded: a million gaps of 0.4 us make
 * 0.4 s.
 *
 *   batch, groups, lines,   all at time 0
 *   image
 *   times                   as listed, in ascending order
 *   regular, steps, curve   job k when the integral of the rate reaches k: the first as soon as the rate is not 0
 *   poisson, bursts         job k when it reaches the sum of k + 1 exponential gaps of mean 1: the first gap counts
 *   sine                    at each whole `every` before `duration`: round(sin(t) max/2 + max/2) jobs, the first at once,
 *                           the others evenly after it; none at or after `duration`
 */
export function createArrivals({ source, seed }: Pick<Scenario, 'source' | 'seed'>): Arrivals {
  switch (source.kind) {
    case 'batch':
    case 'lines':
    case 'groups':
    case 'image':
      return allAtOnce(countJobs(source))
    case 'times':
      return listed(source.at)
    case 'regular':
      return evenly(steadyRate(source.rate), source.jobs)
    case 'steps':
      return evenly(stepRate(source.at), source.jobs)
    case 'curve':
      return evenly(curveRate(source.points), source.jobs)
    case 'poisson':
      return atRandom(steadyRate(source.rate), source.jobs, seed)
    case 'bursts':
      return atRandom(burstRate(source), source.jobs, seed)
    case 'sine':
      return sine(source)
  }
}

function allAtOnce(jobs: number): Arrivals {
  let k = 0
  return { next: () => (k++ < jobs ? 0 : NO_MORE) }
}

function listed(at: readonly Micros[]): Arrivals {
  const times = Float64Array.from(at).sort()
  let k = 0
  return { next: () => (k < times.length ? times[k++] : NO_MORE) }
}

function evenly(timeOf: Integral, jobs: number): Arrivals {
  let k = 0
  return {
    next() {
      if (k >= jobs) return NO_MORE
      const time = timeOf(k++)
      return time < Infinity ? Math.round(time) : NO_MORE
    },
  }
}

/** A Poisson process of changing rate is one of rate 1 on a clock that runs at that rate (Cinlar 1975). */
function atRandom(timeOf: Integral, jobs: number, seed: number): Arrivals {
  const random = createRandom(seed, randomKey('source'))
  const level = new Float64Array(1)
  let k = 0
  return {
    next() {
      if (k >= jobs) return NO_MORE
      level[0] -= log(random(k, 0))
      const time = timeOf(level[0])
      k++
      return time < Infinity ? Math.round(time) : NO_MORE
    },
  }
}

function sine({ max, every, duration, jobs }: Extract<Source, { kind: 'sine' }>): Arrivals {
  // If the greatest number rounds to 0, no window has a job, and there may be 2^52 of them.
  const windows = Math.round(max) >= 1 ? Math.ceil(duration / every) : 0
  const limit = jobs ?? Infinity
  let window = -1
  let inWindow = 0
  let i = 0
  let k = 0
  return {
    next() {
      while (i >= inWindow && window < windows) {
        window++
        i = 0
        inWindow = Math.round((sin((window * every) / 1e6) * max) / 2 + max / 2)
      }
      // Beyond the last window, or without any, the time is not before the end.
      const time = window * every + (every * i) / inWindow
      if (!(time < duration) || k >= limit) return NO_MORE
      i++
      k++
      return Math.round(time)
    },
  }
}
