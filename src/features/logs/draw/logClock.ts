import type { Micros } from '../../../scenario/model/scenario.ts'
import { clock, two } from '../../../views/drawing/format.ts'
import { timeStep, timeTicks } from '../../../views/drawing/timeTicks.ts'

/** Times from this one up are dates, in microseconds since 1970. Smaller numbers count from the start of the log. */
const DATES_FROM = 100_000_000_000_000
const SECOND = 1_000_000
const DAY = 86_400 * SECOND

/** Returns whether the times of a log that begins at `origin` are dates. */
export const hasDates = (origin: Micros): boolean => origin >= DATES_FROM

/** Returns the date and time of an instant since 1970: '2026-03-02 09:04:00'. */
export function dateText(instant: Micros): string {
  return new Date(instant / 1000)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '')
}

/** Returns an instant of a log for people, in UTC: '09:04', '09:04:10', or a number of seconds if the log has no dates. */
export function logTime(origin: Micros, time: Micros): string {
  if (!hasDates(origin)) return clock(time)
  const seconds = Math.floor((origin + time) / SECOND) % 86_400
  const minutes = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`
  return seconds % 60 === 0 ? minutes : `${minutes}:${two(seconds % 60)}`
}

/** Returns the labels of an axis: round clock times where the log has dates. */
export function logTicks(origin: Micros): typeof timeTicks {
  if (!hasDates(origin)) return timeTicks
  return (t0, t1, most) => roundTimes(origin, t0, t1, most).map((time) => ({ time, label: logTime(origin, time) }))
}

/** Returns up to `most` + 1 instants from `t0` to `t1` that are round on the clock. */
export function roundTimes(origin: Micros, t0: Micros, t1: Micros, most: number): Micros[] {
  const step = Math.max(SECOND, timeStep((t1 - t0) / Math.max(1, most)))
  const shift = hasDates(origin) ? origin % Math.max(step, DAY) : 0
  const first = Math.ceil((t0 + shift) / step)
  const last = Math.floor((t1 + shift) / step)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => (first + k) * step - shift)
}
