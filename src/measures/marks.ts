import type { Micros } from '../scenario/scenario.ts'
import { firstAfter, firstAtLeast } from './search.ts'

/** Instants in order of time, kept to be counted: how many lie in any stretch is the difference of two places in the column. */
export interface Marks {
  length: number
  time: Float64Array
}

export function createMarks(): Marks {
  return { length: 0, time: new Float64Array(16) }
}

/** Times never run back. */
export function appendMark(marks: Marks, time: Micros): void {
  const i = marks.length
  if (i === marks.time.length) {
    const longer = new Float64Array(Math.ceil(i * 1.5))
    longer.set(marks.time)
    marks.time = longer
  }
  marks.time[i] = time
  marks.length = i + 1
}

/** How many lie before `t`. */
export function marksBefore({ time, length }: Marks, t: Micros): number {
  return firstAtLeast(time, length, t)
}

/** How many lie in each of `parts` equal parts of [t0, t1), which are half open. Returns the most in one. */
export function countMarks({ time, length }: Marks, t0: Micros, t1: Micros, parts: number, counts: Int32Array): number {
  const width = (t1 - t0) / parts
  let i = firstAtLeast(time, length, t0)
  let most = 0
  let stride = 0
  for (let p = 0; p < parts; p++) {
    const from = i
    if (from < length) i = firstAfter(time, length, p === parts - 1 ? t1 : t0 + (p + 1) * width, from, from + stride)
    stride = i - from
    counts[p] = stride
    if (counts[p] > most) most = counts[p]
  }
  return most
}
