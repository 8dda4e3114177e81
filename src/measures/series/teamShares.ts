import type { Micros } from '../../scenario/model/scenario.ts'
import { type Lanes, spansWithin } from './lanes.ts'
import { markAt } from './marks.ts'

/**
 * Fills in how many of the workers from `from` to `to - 1` worked at each stage, on average, in each of `pixels` equal parts of [t0, t1). `into` has a
 * column for each stage, with room for two numbers more. A span changes four of them, however many parts it covers: they hold differences
 * first, which are then added up. `underway`: by worker, the stage of work that has not ended (-1: none) and when it began.
 */
export function teamShares(
  lanes: Lanes,
  [from, to]: readonly [from: number, to: number],
  t0: Micros,
  t1: Micros,
  pixels: number,
  into: readonly Float64Array[],
  underway?: readonly { readonly stage: number; readonly since: Micros }[],
): void {
  for (const column of into) column.fill(0, 0, pixels + 2)
  const perMicro = pixels / (t1 - t0)
  for (let worker = from; worker < to; worker++) {
    const now = underway?.[worker]
    if (now !== undefined && now.stage >= 0) addSpan(into[now.stage], (now.since - t0) * perMicro, pixels, pixels)
    const { first, count } = spansWithin(lanes, worker, t0, t1)
    if (count === 0) continue
    const { rims, stage } = lanes.lanes[worker]
    for (let i = first; i < first + count; i++)
      addSpan(into[stage[i]], (markAt(rims, 2 * i) - t0) * perMicro, (markAt(rims, 2 * i + 1) - t0) * perMicro, pixels)
  }
  for (const column of into) for (let p = 1; p < pixels; p++) column[p] += column[p - 1]
}

/** Adds a span between two points, in parts, to the differences of a column. */
function addSpan(column: Float64Array, a: number, b: number, pixels: number): void {
  const from = a > 0 ? a : 0
  const until = b < pixels ? b : pixels
  if (!(until > from)) return
  const i = Math.floor(from)
  const j = Math.floor(until)
  column[i] += i + 1 - from
  column[i + 1] += from - i
  column[j] += until - j - 1
  column[j + 1] -= until - j
}
