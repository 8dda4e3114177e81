import { bisectLeft, bisectRight } from 'd3-array'
import { type Column, fitsIn32Bits, resized, widened } from '../../pipeline/column.ts'
import type { Micros } from '../../scenario/model/scenario.ts'

/**
 * Instants in order of time, 4.5 bytes each. The number within a stretch of time is the difference of two places.
 *
 *   instants   70 000, 70 250, ...  |  95 000, 95 100, ...      blocks of 16
 *   heads      70 000               |  95 000
 *   after      0, 250, ...          |  0, 100, ...
 */
export interface Marks {
  length: number
  /** The first instant of every block. Searching here first touches far less memory. */
  heads: Float64Array
  /** The distance of each instant from the first of its block. */
  after: Column
}

export function createMarks(): Marks {
  return { length: 0, heads: new Float64Array(1), after: new Uint32Array(BLOCK) }
}

/** Appends an instant. Times never run back. */
export function appendMark(marks: Marks, time: Micros): void {
  const i = marks.length
  if (i === marks.after.length) {
    // Whole blocks, so that both columns grow at once, and by little, since memory is scarce here.
    const blocks = Math.ceil((i / BLOCK) * 1.125)
    marks.after = resized(marks.after, blocks * BLOCK)
    marks.heads = resized(marks.heads, blocks)
  }
  if (i % BLOCK === 0) marks.heads[i / BLOCK] = time
  const after = time - marks.heads[i >>> 4]
  if (!fitsIn32Bits(after)) marks.after = widened(marks.after)
  marks.after[i] = after
  marks.length = i + 1
}

export function markAt({ heads, after }: Marks, i: number): Micros {
  return heads[i >>> 4] + after[i]
}

/** Returns all instants, for a few that are read one by one. */
export function markTimes(marks: Marks): Float64Array {
  return Float64Array.from({ length: marks.length }, (_, i) => markAt(marks, i))
}

/** Returns the first instant from `from` on that is at least `t` (`above`: greater), or their number. `stride`: the expected distance from `from`. */
export function firstMark({ heads, after, length }: Marks, t: Micros, from = 0, stride = 0, above = false): number {
  const start = from >>> 4
  const block = firstAfter(heads, (length + BLOCK - 1) >>> 4, t, start, start + (stride >>> 4), above)
  const low = Math.max(from, (block - 1) * BLOCK)
  const high = Math.min(block * BLOCK, length)
  if (low >= high) return low
  // Exact: the head is whole, so a multiple of the last bit of `t`.
  const rest = t - heads[block - 1]
  return above ? bisectRight(after, rest, low, high) : bisectLeft(after, rest, low, high)
}

/** Returns how many instants lie before `t`. */
export function marksBefore(marks: Marks, t: Micros): number {
  return firstMark(marks, t)
}

/** Counts the instants in each of `parts` equal, half-open parts of [t0, t1). */
export function countMarks(marks: Marks, t0: Micros, t1: Micros, parts: number, counts: Int32Array): void {
  const width = (t1 - t0) / parts
  let i = firstMark(marks, t0)
  let stride = 0
  for (let p = 0; p < parts; p++) {
    const from = i
    if (from < marks.length) i = firstMark(marks, p === parts - 1 ? t1 : t0 + (p + 1) * width, from, stride)
    stride = i - from
    counts[p] = stride
  }
}

/** Values of a column to one in its heads: a small copy that is searched first. */
export const BLOCK = 16

/** Steps that are taken one by one before they double: a good guess is only a few steps off. */
const NEAR = 8

/** Returns the first index in [from, length) whose value is at least `x` (`above`: greater), else `length`. It begins at `guess`, to touch little memory. */
export function firstAfter(
  column: Float64Array,
  length: number,
  x: number,
  from: number,
  guess: number,
  above = false,
): number {
  const bisect = above ? bisectRight : bisectLeft
  let at = guess < length ? guess : length - 1
  if (at < from) return bisect(column, x, from, length)
  let low = from
  let high = length
  let step = 1
  if (isBefore(column[at], x, above)) {
    for (let k = 0; k < NEAR && at + 1 < length; k++) if (!isBefore(column[++at], x, above)) return at
    do {
      low = at + 1
      at += step
      step *= 2
    } while (at < length && isBefore(column[at], x, above))
    if (at < length) high = at
  } else {
    for (let k = 0; k < NEAR; k++, at--) if (at === from || isBefore(column[at - 1], x, above)) return at
    do {
      high = at
      at -= step
      step *= 2
    } while (at >= from && !isBefore(column[at], x, above))
    if (at >= from) low = at + 1
  }
  return bisect(column, x, low, high)
}

function isBefore(value: number, x: number, above: boolean): boolean {
  return above ? value <= x : value < x
}
