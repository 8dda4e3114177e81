import { NONE } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type Frame, isPresent } from '../frame/frame.ts'
import { type Lanes, spanBegan, spansWithin } from '../series/lanes.ts'

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
      const stay = growing
        ? frame.stages[to].meanService * worker.jobsInHand || 0
        : stayOf(lanes, w, to, movedAt, STAYS * window)
      const length = Math.min(window, stay / STAYS)
      if (ago < length && length >= SHORTEST * window) ways.push({ worker: w, from, to, fraction: ago / length })
    }
  })
  return ways
}

/** Returns how long a worker that arrived at `since` stays at a stage, or a long part of that; at most `most`. */
function stayOf(lanes: Lanes, worker: number, stage: number, since: Micros, maxStay: Micros): Micros {
  const { first, count } = spansWithin(lanes, worker, since, since + maxStay)
  for (let i = first; i < first + Math.min(count, BATCHES); i++)
    if (lanes.lanes[worker].stage[i] !== stage) return Math.max(0, spanBegan(lanes, worker, i) - since)
  return count > BATCHES ? spanBegan(lanes, worker, first + BATCHES) - since : maxStay
}

/** Returns how many of the present workers have not been at any stage yet. */
export function unplacedIn({ workers }: Frame): number {
  return workers.filter((worker) => worker.stage === NONE && isPresent(worker)).length
}
