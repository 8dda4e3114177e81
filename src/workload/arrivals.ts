import { countJobs } from '../scenario/model/limits.ts'
import type { Micros, Scenario, Source } from '../scenario/model/scenario.ts'
import { log, sin } from './elementary.ts'
import { createLuck, luckKey } from './luck.ts'
import { burstRate, curveRate, type Integral, steadyRate, stepRate } from './rates.ts'

/** Stands where there is no further arrival. */
export const NO_MORE = -1

export interface Arrivals {
  /** When the next job arrives: whole microseconds, never less than the one before; `NO_MORE` when all have, or when no further one ever will. */
  next(): Micros
}

/**
 * The arrivals of a scenario, one by one. All clocks are added up unrounded and only what is handed out is rounded, so that
 * a million gaps of 0.4 us make 0.4 s.
 *
 *   batch, groups, lines,   all at time 0
 *   image
 *   times                   as listed, in ascending order
 *   regular, steps, curve   job k when the rate, summed over time, has reached k: the first as soon as the rate is not 0
 *   poisson, bursts         job k when it has reached the sum of k + 1 exponential gaps of mean 1: the first gap counts
 *   sine                    at each whole `every` before `duration`: round(sin(t) max/2 + max/2) jobs, the first at once,
 *                           the others evenly behind it; what would fall at or after `duration` does not come
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
      const time = timeOf(k)
      k = time < Infinity ? k + 1 : jobs
      return time < Infinity ? Math.round(time) : NO_MORE
    },
  }
}

/** A Poisson process of changing rate is one of rate 1 on a clock that runs at that rate (Cinlar, 1975). */
function atRandom(timeOf: Integral, jobs: number, seed: number): Arrivals {
  const luck = createLuck(seed, luckKey('source'))
  const level = new Float64Array(1)
  let k = 0
  return {
    next() {
      if (k >= jobs) return NO_MORE
      level[0] -= log(luck(k, 0))
      const time = timeOf(level[0])
      k = time < Infinity ? k + 1 : jobs
      return time < Infinity ? Math.round(time) : NO_MORE
    },
  }
}

function sine({ max, every, duration, jobs }: Extract<Source, { kind: 'sine' }>): Arrivals {
  // With a greatest number that rounds to 0, no window has a job; there might be 2^52 of them to look through.
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
        inWindow = window < windows ? Math.round((sin((window * every) / 1e6) * max) / 2 + max / 2) : 0
      }
      const time = window * every + (every * i) / inWindow
      if (!(time < duration) || k >= limit || i >= inWindow) return NO_MORE
      i++
      k++
      return Math.round(time)
    },
  }
}
