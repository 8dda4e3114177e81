import { bisectLeft, bisectRight } from 'd3-array'
import { HIRED, NONE, STARTED } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { followTrace, type Trace, timeOf } from '../../trace/trace.ts'

/** When one worker changed its stage, in order. It takes in the new rows of a growing trace. */
export interface WorkerMoves {
  readonly trace: Trace
  readonly worker: number
  readonly times: Micros[]
  /** Where it stands after the rows taken in. */
  stage: number
  rows: number
}

export function createWorkerMoves(trace: Trace, worker: number): WorkerMoves {
  return { trace, worker, times: [], stage: NONE, rows: 0 }
}

/** Takes in at most `most` new rows. Returns whether it is up to date. */
export function extendWorkerMoves(moves: WorkerMoves, most = Infinity): boolean {
  const { trace, worker, times } = moves
  return followTrace(trace, moves, most, (rows, i, row) => {
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
