import { bisectLeft, nice, range } from 'd3-array'
import { precisionFixed } from 'd3-format'
import type { Micros } from '../../scenario/model/scenario.ts'
import { fixed, hoursText, LONG, millisecondsText, minutesText, secondsText, two } from './format.ts'

const MS = 1_000
const SECOND = 1_000_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The round steps in time: 1, 2 or 5 times a power of ten up to 5 seconds, then those of a clock face. */
const steps: readonly Micros[] = [
  ...range(7).flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power)),
  ...[10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 6, 12].map((hours) => hours * HOUR),
]

export type TimeTick = { readonly time: Micros; readonly label: string }

/** Returns at most `most` round instants and one more from `t0` to `t1`, all in one unit. */
export function timeTicks(t0: Micros, t1: Micros, most: number): TimeTick[] {
  const step = timeStep((t1 - t0) / Math.max(1, most))
  return range(Math.ceil(t0 / step), Math.floor(t1 / step) + 1).map((k) => ({
    time: k * step,
    label: tickLabel(k * step, step, t1),
  }))
}

/** Returns the least round step that is `us` or more; from a day on a round number of days. */
export function timeStep(us: Micros): Micros {
  return steps[bisectLeft(steps, us)] ?? DAY * nice(0, Math.max(1, us / DAY), 1)[1]
}

function tickLabel(us: Micros, step: Micros, last: Micros): string {
  if (last >= HOUR) {
    const s = Math.round(us / SECOND)
    const hours = `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}`
    return step < MINUTE ? `${hours}:${two(s % 60)}` : hoursText(hours)
  }
  if (last >= LONG && step >= SECOND) {
    const s = Math.round(us / SECOND)
    return minutesText(`${Math.floor(s / 60)}:${two(s % 60)}`)
  }
  if (last < 10 * MS) return millisecondsText(fixed(us / MS, precisionFixed(step / MS)))
  return secondsText(fixed(us / SECOND, precisionFixed(step / SECOND)))
}
