import { bisector } from 'd3-array'
import type { Micros } from '../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime, timeBefore } from '../../trace/decisionTime.ts'
import { endOf, stateAt, type Trace } from '../../trace/trace.ts'

/** Returns when the latest decision until `t` moved a worker between stages; -1 where none has. */
function latestMove(trace: Trace, t: Micros): Micros {
  const { movedFrom, movedAt } = stateAt(trace, t).counts
  let latest = -1
  for (const [w, from] of movedFrom.entries()) if (from >= 0) latest = Math.max(latest, movedAt[w])
  return latest
}

/** Returns the last decision before `t` that moved a worker; -1 where there is none. Costs one fold from a checkpoint. */
export function moveBefore(trace: Trace, t: Micros): number {
  const at = t <= 0 ? -1 : latestMove(trace, t - 1)
  return at < 0 ? -1 : decisionIndexAt(trace, at)
}

/**
 * Returns the first decision after `t` that moved a worker; -1 where there is none. Searched by halving: some twenty folds for
 * a million decisions.
 */
export function moveAfter(trace: Trace, t: Micros): number {
  const { row, length } = trace.decisions
  const byLatestMove = bisector((before: number) => latestMove(trace, timeBefore(trace, before)))
  const first = byLatestMove.right(row, t, decisionIndexAt(trace, t) + 1, length)
  return first < length ? first : -1
}

/** Returns when a worker first and last moved; null where none ever does. Costs some twenty folds. */
export function movesWithin(trace: Trace): readonly [first: Micros, last: Micros] | null {
  const first = moveAfter(trace, -1)
  return first < 0 ? null : [decisionTime(trace, first), latestMove(trace, endOf(trace))]
}
