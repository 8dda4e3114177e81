import type { Micros } from '../scenario/scenario.ts'
import { BLOCK, firstAtLeast, firstByBlocks } from './search.ts'

/** Instants in order of time, kept to be counted: how many lie in any stretch is the difference of two places in the column. */
export interface Marks {
  length: number
  time: Float64Array
  /** The first of every block of them. */
  heads: Float64Array
}

export function createMarks(): Marks {
  return { length: 0, time: new Float64Array(BLOCK), heads: new Float64Array(1) }
}

/** Times never run back. */
export function appendMark(marks: Marks, time: Micros): void {
  const i = marks.length
  if (i === marks.time.length) {
    // Whole blocks, so that both columns grow at once.
    const blocks = Math.ceil((i / BLOCK) * 1.25)
    marks.time = longer(marks.time, blocks * BLOCK)
    marks.heads = longer(marks.heads, blocks)
  }
  if (i % BLOCK === 0) marks.heads[i / BLOCK] = time
  marks.time[i] = time
  marks.length = i + 1
}

function longer(column: Float64Array, length: number): Float64Array {
  const copy = new Float64Array(length)
  copy.set(column)
  return copy
}

/** How many lie before `t`. */
export function marksBefore({ time, length }: Marks, t: Micros): number {
  return firstAtLeast(time, length, t)
}

/** How many lie in each of `parts` equal parts of [t0, t1), which are half open. Returns the most in one. */
export function countMarks({ time, heads, length }: Marks, t0: Micros, t1: Micros, parts: number, counts: Int32Array): number {
  const width = (t1 - t0) / parts
  let i = firstAtLeast(time, length, t0)
  let most = 0
  let stride = 0
  for (let p = 0; p < parts; p++) {
    const from = i
    if (from < length) i = firstByBlocks(time, heads, length, p === parts - 1 ? t1 : t0 + (p + 1) * width, from, stride)
    stride = i - from
    counts[p] = stride
    if (counts[p] > most) most = counts[p]
  }
  return most
}
