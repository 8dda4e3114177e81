/** The first index in [from, length) whose `column` value is at least `x` (`above`: is greater than `x`); `length` if there is none. The column ascends; what is near `from` is found soonest. */
export function firstAtLeast(column: Float64Array, length: number, x: number, from = 0, above = false): number {
  let low = from
  let step = 1
  while (low + step <= length && before(column[low + step - 1], x, above)) {
    low += step
    step *= 2
  }
  let high = low + step - 1 < length ? low + step - 1 : length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (before(column[middle], x, above)) low = middle + 1
    else high = middle
  }
  return low
}

const NEAR = 8

/**
 * The same where the place is thought to be near `guess`. One who walks along a column in even strides finds every place
 * within a few lines of memory.
 */
export function firstAfter(column: Float64Array, length: number, x: number, from: number, guess: number, above = false): number {
  let low = from
  let high = length
  let at = guess < length ? guess : length - 1
  if (at < low) return firstAtLeast(column, length, x, from, above)
  let step = 1
  if (before(column[at], x, above)) {
    // A good guess is but a few steps off: one by one they cost less than strides that overshoot.
    for (let k = 0; k < NEAR && at + 1 < length; k++) if (!before(column[++at], x, above)) return at
    do {
      low = at + 1
      at += step
      step *= 2
    } while (at < length && before(column[at], x, above))
    if (at < length) high = at
  } else {
    for (let k = 0; k < NEAR; k++, at--) if (at === from || before(column[at - 1], x, above)) return at
    do {
      high = at
      at -= step
      step *= 2
    } while (at >= from && !before(column[at], x, above))
    if (at >= from) low = at + 1
  }
  while (low < high) {
    const middle = (low + high) >>> 1
    if (before(column[middle], x, above)) low = middle + 1
    else high = middle
  }
  return low
}

/** Values of a column to one in its heads, a small copy in which one looks first. */
export const BLOCK = 16

function before(value: number, x: number, above: boolean): boolean {
  return above ? value <= x : value < x
}
