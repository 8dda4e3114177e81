import { extent, median, pairs, range, tickStep } from 'd3-array'

/** Guesses that are shown as one column, and whether the right answer is among them. */
export interface GuessBin {
  /** The least value, and the next bin's; both whole. */
  readonly from: number
  readonly to: number
  /** Holds all guesses that are far below the others, or far above: only the first and the last column may. */
  readonly far: boolean
  readonly count: number
  readonly right: boolean
}

/** About so many columns. */
const COLUMNS = 8
/** A guess is far off if it is farther from the median than the median itself, and than so many times the median distance from it. */
const FAR = 4

/**
 * Returns the columns of a histogram of whole numbers at round steps, `least` or more. Guesses that are far off have a column at the edge:
 * one wild guess must not squeeze all others into one column. Every right value has its column.
 */
export function guessBins(guesses: readonly number[], right: readonly number[], least: number): GuessBin[] {
  const [from, to] = rangeOf(guesses, right, COLUMNS * least)
  if (from === undefined) return []
  const step = Math.max(least, Math.ceil(tickStep(from, to, COLUMNS)) || least)
  const edges = range(Math.floor(from / step), Math.floor(to / step) + 2).map((k) => k * step)
  const [low, high] = [edges[0], edges[edges.length - 1]]
  const [lowest = from, highest = to] = extent(guesses)
  return [
    ...(lowest < low ? [binOf(lowest, low, true)] : []),
    ...pairs(edges).map(([from, to]) => binOf(from, to, false)),
    ...(highest >= high ? [binOf(high, highest + 1, true)] : []),
  ]

  function binOf(from: number, to: number, far: boolean): GuessBin {
    const isInside = (value: number) => value >= from && value < to
    return { from, to, far, count: guesses.filter(isInside).length, right: right.some(isInside) }
  }
}

/** Values that are no farther than `near` from the median are never far off. */
function rangeOf(guesses: readonly number[], right: readonly number[], near: number): [from: number, to: number] | [undefined] {
  const middle = median(guesses) ?? 0
  const far = Math.max(near, middle, FAR * (median(guesses, (guess) => Math.abs(guess - middle)) ?? 0))
  const [from, to] = extent([...guesses.filter((guess) => Math.abs(guess - middle) <= far), ...right])
  return from === undefined ? [undefined] : [from, to]
}
