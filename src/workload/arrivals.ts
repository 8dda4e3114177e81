import type { Micros, PerSecond, Scenario, Source } from '../scenario/model/scenario.ts'
import { countJobs, type SourceKind } from '../scenario/model/sources.ts'
import { log, sin } from './elementary.ts'
import { createRandom, randomKey } from './random.ts'

export const NO_MORE = -1
/** The next job is not known yet, nor whether there is one. An engine that can be woken asks again. */
export const NOT_YET = Infinity

export interface Arrivals {
  /** Returns when the next job arrives, in whole microseconds and never before the last one; `NO_MORE` when none will. Of a scenario never `NOT_YET`. */
  next(): Micros
}

/**
 * Returns the arrivals of a scenario, one by one, rounded one by one. `batch`, `groups`, `lines`, `image` and `values` all come at time 0, `times` as listed; in
 * `regular`, `steps` and `curve` job k when the integral of the rate reaches k, in `poisson` and `bursts` the sum of k + 1 exponential gaps of mean 1;
 * `sine` at each whole `every` before `duration` round(sin(t) max/2 + max/2) jobs, the first at once, the others evenly after it.
 */
export function createArrivals({ source, seed }: Pick<Scenario, 'source' | 'seed'>): Arrivals {
  return (arrivalKinds[source.kind] as (source: Source, seed: number) => Arrivals)(source, seed)
}

const arrivalKinds: {
  readonly [K in SourceKind]: (source: Extract<Source, { readonly kind: K }>, seed: number) => Arrivals
} = {
  batch: allAtOnce,
  lines: allAtOnce,
  groups: allAtOnce,
  image: allAtOnce,
  values: allAtOnce,
  times: ({ at }) => listed(at),
  regular: ({ rate, jobs }) => evenly(steadyRate(rate), jobs),
  steps: ({ at, jobs }) => evenly(stepRate(at), jobs),
  curve: ({ points, jobs }) => evenly(curveRate(points), jobs),
  poisson: ({ rate, jobs }, seed) => atRandom(steadyRate(rate), jobs, seed),
  bursts: (source, seed) => atRandom(burstRate(source), source.jobs, seed),
  sine,
}

function allAtOnce(source: Source): Arrivals {
  const jobs = countJobs(source)
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
      // After the last window, or without any, the time is at or after the end.
      const time = window * every + (every * i) / inWindow
      if (!(time < duration) || k >= limit) return NO_MORE
      i++
      k++
      return Math.round(time)
    },
  }
}

/** The inverse of the integral of a rate: when (unrounded us) it reaches `level` jobs; 0: when it first leaves 0; Infinity: never. Ask in ascending order. */
type Integral = (level: number) => number

const SECOND = 1e6

function steadyRate(rate: PerSecond): Integral {
  return (level) => (rate > 0 ? (level * SECOND) / rate : Infinity)
}

/** Returns times for `burstRate` in the `on` part that ends each cycle of off + on, and `rate` else. Whole cycles are skipped by division. */
function burstRate({ rate, burstRate, on, off }: Extract<Source, { kind: 'bursts' }>): Integral {
  const calm = (off * rate) / SECOND
  const cycle = calm + (on * burstRate) / SECOND
  return (level) => {
    if (!(cycle > 0)) return Infinity
    const cycles = Math.floor(level / cycle)
    const rest = level - cycles * cycle
    const start = cycles * (off + on)
    // Rounding may give a rest just below 0 or above the cycle. Both bounds keep the times in ascending order.
    if (rate > 0 && rest < calm) return start + (Math.max(0, rest) * SECOND) / rate
    return start + off + (burstRate > 0 ? Math.min(on, ((rest - calm) * SECOND) / burstRate) : 0)
  }
}

/** Returns times for rates that hold until the next one. Before the first there is none; the last one stays. */
function stepRate(steps: readonly (readonly [Micros, PerSecond])[]): Integral {
  return pieces(
    steps.map(([time, rate], i) => ({
      time,
      rate,
      end: i + 1 < steps.length ? steps[i + 1][0] : Infinity,
      endRate: rate,
    })),
  )
}

/** Returns times for straight lines from point to point. Before the first and after the last the rate stays. Two points at one time: a jump. */
function curveRate(points: readonly (readonly [Micros, PerSecond])[]): Integral {
  if (points.length === 0) return () => Infinity
  const [firstTime, firstRate] = points[0]
  const [lastTime, lastRate] = points[points.length - 1]
  const between = points.slice(1).map(([end, endRate], i) => ({ time: points[i][0], rate: points[i][1], end, endRate }))
  return pieces([
    { time: 0, rate: firstRate, end: firstTime, endRate: firstRate },
    ...between,
    { time: lastTime, rate: lastRate, end: Infinity, endRate: lastRate },
  ])
}

/** A time span whose rate goes from `rate` to `endRate` in a straight line. */
interface Piece {
  readonly time: Micros
  readonly rate: PerSecond
  readonly end: Micros
  readonly endRate: PerSecond
}

function pieces(list: readonly Piece[]): Integral {
  const before = new Float64Array(list.length + 1)
  for (const [i, { time, rate, end, endRate }] of list.entries()) {
    const jobs = rate + endRate > 0 ? ((end - time) * (rate + endRate)) / 2 / SECOND : 0
    before[i + 1] = before[i] + jobs
  }
  let at = 0
  return (level) => {
    // A level at the very end of a piece belongs to it, but level 0 to the first piece with jobs.
    while (at < list.length && (level > before[at + 1] || before[at + 1] === 0)) at++
    if (at === list.length) return Infinity
    const { time, rate, end, endRate } = list[at]
    const need = Math.max(0, level - before[at]) * SECOND
    if (need === 0) return time
    const slope = end < Infinity ? (endRate - rate) / (end - time) : 0
    // need = rate t + slope t^2 / 2, solved in the form that neither cancels nor divides by a slope of 0.
    return Math.min(end, time + (2 * need) / (rate + Math.sqrt(Math.max(0, rate * rate + 2 * slope * need))))
  }
}
