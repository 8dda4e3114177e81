import { bisector } from 'd3-array'
import type { Micros } from '../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime, timeBefore } from '../../trace/decisionTime.ts'
import { endOf, stateAt, type Trace } from '../../trace/trace.ts'

/** When the latest decision at or before `t` that sent a worker from one stage to another was taken; -1 where none has. */
function latestMove(trace: Trace, t: Micros): Micros {
  const { movedFrom, movedAt } = stateAt(trace, t).counts
  let latest = -1
  for (let w = 0; w < movedFrom.length; w++) if (movedFrom[w] >= 0 && movedAt[w] > latest) latest = movedAt[w]
  return latest
}

/** The last decision before time `t` that moved somebody; -1 where there is none. Costs one fold from a checkpoint. */
export function moveBefore(trace: Trace, t: Micros): number {
  const at = t <= 0 ? -1 : latestMove(trace, t - 1)
  return at < 0 ? -1 : decisionIndexAt(trace, at)
}

/**
 * The first decision after time `t` that moved somebody; -1 where there is none. The latest move never goes back in time, so
 * it is found by halving: some twenty folds for a million decisions.
 */
export function moveAfter(trace: Trace, t: Micros): number {
  const { row, length } = trace.decisions
  const byLatestMove = bisector((before: number) => latestMove(trace, timeBefore(trace, before)))
  const first = byLatestMove.right(row, t, decisionIndexAt(trace, t) + 1, length)
  return first < length ? first : -1
}

/** When somebody moved for the first time, and for the last: before and after nobody does. Null where nobody ever does. Costs some twenty folds. */
export function movesWithin(trace: Trace): readonly [first: Micros, last: Micros] | null {
  const first = moveAfter(trace, -1)
  return first < 0 ? null : [decisionTime(trace, first), latestMove(trace, endOf(trace))]
}
