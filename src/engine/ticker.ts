import { type Rows, rowTime, TICK } from '../pipeline/rows.ts'
import { isElastic } from '../scenario/model/defaults.ts'
import { MAX_TICKS } from '../scenario/model/limits.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'

/** When the controllers of an elastic policy are asked: every `every` from time 0. */
export interface Ticker {
  every: Micros
  /** The next tick; Infinity after the last that a run may have. */
  next: Micros
  ticks: number
  /** When anything else than a tick has happened last. */
  stirred: Micros
}

/** A run in which only ticks could follow is stuck when so much of its clock has passed without another row. */
const REST: Micros = 10_000_000

/** Null where nobody asks for ticks. */
export function createTicker({ policy }: Scenario): Ticker | null {
  return isElastic(policy) ? { every: policy.every, next: 0, ticks: 0, stirred: 0 } : null
}

/** A tick has been told at `now`. Ticks that would be due by now as well are one with it: a late engine does not stutter. */
export function advanceTicker(ticker: Ticker, now: Micros): void {
  ticker.ticks++
  ticker.next = ticker.ticks < MAX_TICKS ? (Math.floor(now / ticker.every) + 1) * ticker.every : Infinity
}

/** From now on another period holds, from time 0 as well. A tick that is due by now is still told. */
export function retime(ticker: Ticker, every: Micros, now: Micros): void {
  ticker.every = every
  if (ticker.next > now && ticker.next < Infinity) ticker.next = (Math.floor(now / every) + 1) * every
}

/** Looks at the rows of an instant, from `from` on. */
export function noteRows(ticker: Ticker, rows: Rows, from: number): void {
  if (rows.length - from > 1 || rows.kind[from] !== TICK) ticker.stirred = rowTime(rows, from)
}

/** To be asked where only ticks could follow: whether they have followed in vain for long enough. */
export function isAtRest(ticker: Ticker, now: Micros): boolean {
  return ticker.next === Infinity || now - ticker.stirred >= REST
}
