import { bisectLeft, bisector, bisectRight } from 'd3-array'
import { HIRED, NONE, STARTED } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime, timeBefore } from '../../trace/follow.ts'
import { endOf, followTrace, stateAt, type Trace, timeOf } from '../../trace/trace.ts'

/** Returns when the latest decision until `t` moved a worker between stages; -1 where none has. */
function latestMove(trace: Trace, t: Micros): Micros {
  const { movedFrom, movedAt } = stateAt(trace, t).counts
  let latest = -1
  for (const [w, from] of movedFrom.entries()) if (from >= 0) latest = Math.max(latest, movedAt[w])
  return latest
}

/** Returns the last decision before `t` that moved a worker; -1 if there is none. Costs one fold from a checkpoint. */
export function moveBefore(trace: Trace, t: Micros): number {
  const at = t <= 0 ? -1 : latestMove(trace, t - 1)
  return at < 0 ? -1 : decisionIndexAt(trace, at)
}

/** Returns the first decision after `t` that moved a worker; -1 if there is none. Searched by halving: some twenty folds for a million decisions. */
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

/** When one worker changed its stage, in order. It reads the new rows of a growing trace. */
export interface WorkerMoves {
  readonly trace: Trace
  readonly worker: number
  readonly times: Micros[]
  /** Its stage after the rows read so far. */
  stage: number
  rows: number
}

export function createWorkerMoves(trace: Trace, worker: number): WorkerMoves {
  return { trace, worker, times: [], stage: NONE, rows: 0 }
}

/** Reads at most `maxRows` new rows. Returns whether it is up to date. */
export function extendWorkerMoves(moves: WorkerMoves, maxRows = Infinity): boolean {
  const { trace, worker, times } = moves
  return followTrace(trace, moves, maxRows, (rows, i, row) => {
    if (rows.worker[i] !== worker || (rows.kind[i] !== STARTED && rows.kind[i] !== HIRED)) return
    const stage = rows.stage[i]
    if (rows.kind[i] === STARTED && moves.stage !== NONE && moves.stage !== stage) times.push(timeOf(trace, row))
    moves.stage = stage
  })
}

/** Returns when the worker last changed its stage before `t`; null if it has not. */
export function workerMoveBefore({ times }: WorkerMoves, t: Micros): Micros | null {
  return times[bisectLeft(times, t) - 1] ?? null
}

/** Returns when the worker first changes its stage after `t`; null if it does not. */
export function workerMoveAfter({ times }: WorkerMoves, t: Micros): Micros | null {
  return times[bisectRight(times, t)] ?? null
}
