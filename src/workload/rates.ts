import type { Micros, PerSecond, Source } from '../scenario/model/scenario.ts'

/**
 * The inverse of the integral of an arrival rate: when (unrounded microseconds) does it reach `level` jobs? Level 0 is reached when the
 * rate first leaves 0; Infinity means never. Ask in ascending order.
 */
export type Integral = (level: number) => number

const SECOND = 1e6

export function steadyRate(rate: PerSecond): Integral {
  return (level) => (rate > 0 ? (level * SECOND) / rate : Infinity)
}

/** Returns times for `burstRate` in the `on` part that ends each cycle of off + on, and `rate` else. Whole cycles are skipped by division. */
export function burstRate({ rate, burstRate, on, off }: Extract<Source, { kind: 'bursts' }>): Integral {
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
export function stepRate(steps: readonly (readonly [Micros, PerSecond])[]): Integral {
  return pieces(steps.map(([time, rate], i) => ({ time, rate, end: i + 1 < steps.length ? steps[i + 1][0] : Infinity, endRate: rate })))
}

/** Returns times for straight lines from point to point. Before the first and after the last the rate stays. Two points at one time: a jump. */
export function curveRate(points: readonly (readonly [Micros, PerSecond])[]): Integral {
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
