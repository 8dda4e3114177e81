import { bisectLeft, bisector, bisectRight } from 'd3-array'
import { HIRED, NONE, STARTED } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime, timeBefore } from '../../trace/follow.ts'
import { endOf, followTrace, stateAt, type Trace, timeOf } from '../../trace/trace.ts'
import { type Frame, isPresent } from '../frame/frame.ts'
import { type Lanes, spanBegan, spansWithin } from '../series/lanes.ts'

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

/** Reads at most `most` new rows. Returns whether it is up to date. */
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

/** A worker on its way to the stage where it works next: it is drawn there, and not at the stage. */
export interface Way {
  readonly worker: number
  readonly from: number
  readonly to: number
  /** How much of the way is behind it, 0 to 1. */
  readonly fraction: number
}

/** A way that would be shorter than this part of the window is not drawn: the worker would only flash there. */
const SHORTEST = 0.25
/** A worker stays at least this many times as long as its way there takes: most of the time it sits where it works. */
const STAYS = 4
/** How many batches are looked through for the end of a stay. */
const BATCHES = 64

/**
 * Returns the workers that are on their way at the time of a frame. A move takes no time in a run, so a picture in motion lets it take the
 * `window`, but at most a quarter of the worker's stay. A picture that stands still (`window` 0) has those that move at this instant half way.
 * `growing`: the record does not tell yet how long they stay.
 */
export function waysIn(lanes: Lanes, frame: Frame, window: Micros, growing = false): Way[] {
  const ways: Way[] = []
  frame.workers.forEach((worker, w) => {
    const { movedFrom: from, movedAt, stage: to } = worker
    const ago = frame.time - movedAt
    if (from < 0 || from === to || ago < 0 || ago > window || !isPresent(worker)) return
    if (window === 0) ways.push({ worker: w, from, to, fraction: 0.5 })
    else {
      const stay = growing ? frame.stages[to].meanService * worker.jobsInHand || 0 : stayOf(lanes, w, to, movedAt, STAYS * window)
      const length = Math.min(window, stay / STAYS)
      if (ago < length && length >= SHORTEST * window) ways.push({ worker: w, from, to, fraction: ago / length })
    }
  })
  return ways
}

/** Returns how long a worker that arrived at `since` stays at a stage, or a long part of that; at most `most`. */
function stayOf(lanes: Lanes, worker: number, stage: number, since: Micros, most: Micros): Micros {
  const { first, count } = spansWithin(lanes, worker, since, since + most)
  for (let i = first; i < first + Math.min(count, BATCHES); i++)
    if (lanes.lanes[worker].stage[i] !== stage) return Math.max(0, spanBegan(lanes, worker, i) - since)
  return count > BATCHES ? spanBegan(lanes, worker, first + BATCHES) - since : most
}

/** Returns the present workers that have not been at any stage yet. */
export function unplacedIn({ workers }: Frame): number[] {
  return workers.flatMap((worker, w) => (worker.stage === NONE && isPresent(worker) ? [w] : []))
}
