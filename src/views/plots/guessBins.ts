import { extent, quantileSorted, tickStep } from 'd3-array'

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
const COLUMNS = 10
/** A guess that lies farther from the middle half than so many times its width does not make the others narrow. */
const FAR = 2

/**
 * Returns the columns of a histogram of whole numbers at round steps, `least` or more. The first and the last also count what lies beyond
 * them: one wild guess must not squeeze all others into one column. Every right value has its column.
 */
export function guessBins(guesses: readonly number[], right: readonly number[], least: number): GuessBin[] {
  const [from, to] = rangeOf(guesses, right)
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

function rangeOf(guesses: readonly number[], right: readonly number[]): [from: number, to: number] | [undefined] {
  const sorted = [...guesses].sort((a, b) => a - b)
  const [low, high] = [quantileSorted(sorted, 0.25), quantileSorted(sorted, 0.75)]
  const near = low === undefined || high === undefined ? [] : sorted.filter((x) => x >= low - FAR * (high - low) && x <= high + FAR * (high - low))
  const [from, to] = extent([...near, ...right])
  return from === undefined ? [undefined] : [from, to]
}
