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

function before(value: number, x: number, above: boolean): boolean {
  return above ? value <= x : value < x
}
