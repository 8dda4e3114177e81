import { extent, median, tickStep } from 'd3-array'

/** Guesses that are shown as one column, and whether the right answer is among them. */
export interface GuessBin {
  /** The least value, and the next bin's; both whole. */
  readonly from: number
  readonly to: number
  /** Whether it also counts guesses beyond it. Only the first and the last do. */
  readonly beyond: boolean
  readonly count: number
  readonly right: boolean
}

/** About so many columns. */
const COLUMNS = 8
/** A guess is far off if it is farther from the median than the median itself, and than so many times the median distance from it. */
const FAR = 4

/**
 * Returns the columns of a histogram of whole numbers at round steps, `least` or more. The first and the last also count what lies beyond
 * them: one wild guess must not squeeze all others into one column. Every right value has its column.
 */
export function guessBins(guesses: readonly number[], right: readonly number[], least: number): GuessBin[] {
  const [from, to] = rangeOf(guesses, right, COLUMNS * least)
  if (from === undefined) return []
  const step = Math.max(least, Math.ceil(tickStep(from, to, COLUMNS)) || least)
  const first = Math.floor(from / step)
  const last = Math.floor(to / step)
  const place = (value: number) => Math.min(last, Math.max(first, Math.floor(value / step))) - first
  const counts = new Array<number>(last - first + 1).fill(0)
  for (const guess of guesses) counts[place(guess)]++
  const rights = new Set(right.map(place))
  const beyond = new Set(guesses.filter((guess) => guess < first * step || guess >= (last + 1) * step).map(place))
  return counts.map((count, k) => ({ from: (first + k) * step, to: (first + k + 1) * step, beyond: beyond.has(k), count, right: rights.has(k) }))
}

/** Values that are no farther than `near` from the median are never far off. */
function rangeOf(guesses: readonly number[], right: readonly number[], near: number): [from: number, to: number] | [undefined] {
  const middle = median(guesses) ?? 0
  const far = Math.max(near, middle, FAR * (median(guesses, (guess) => Math.abs(guess - middle)) ?? 0))
  const [from, to] = extent([...guesses.filter((guess) => Math.abs(guess - middle) <= far), ...right])
  return from === undefined ? [undefined] : [from, to]
}
