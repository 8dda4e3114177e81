import { bisectLeft, bisectRight } from 'd3-array'

/** Values of a column to one in its heads: a small copy that is searched first. */
export const BLOCK = 16

/** Steps that are taken one by one before they double: a good guess is only a few steps off. */
const NEAR = 8

/**
 * Returns the first index in [from, length) whose value is at least `x` (`above`: greater than `x`); `length` if there is none.
 * The column must ascend. Unlike a bisector it begins at `guess`, so even strides along a column touch few lines of memory.
 */
export function firstAfter(column: Float64Array, length: number, x: number, from: number, guess: number, above = false): number {
  const bisect = above ? bisectRight : bisectLeft
  let at = guess < length ? guess : length - 1
  if (at < from) return bisect(column, x, from, length)
  let low = from
  let high = length
  let step = 1
  // Stryker disable next-line BlockStatement: without its steps the whole column is searched
  if (isBefore(column[at], x, above)) {
    for (let k = 0; k < NEAR && at + 1 < length; k++) if (!isBefore(column[++at], x, above)) return at
    do {
      low = at + 1
      at += step
      step *= 2
    } while (at < length && isBefore(column[at], x, above))
    if (at < length) high = at
    // Stryker disable next-line BlockStatement: without its steps the whole column is searched
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
