import { ARRIVED, FINISHED, NONE, RELEASED, STARTED } from '../pipeline/rows.ts'
import type { Micros } from '../scenario/scenario.ts'
import { eachRow, rowsUntil, stateBefore, type Trace, traceRow } from '../trace/trace.ts'

/** A job on its way: into the pipeline, from a stage to what follows it, or out. */
export interface Passage {
  readonly kind: 'arrived' | 'finished' | 'released'
  /** The stage that it leaves; -1 for an arrival and a release. */
  readonly stage: number
  readonly job: number
  readonly time: Micros
}

/** A worker on its way from one stage to another. */
export interface Move {
  readonly worker: number
  /** -1 for its first post. */
  readonly from: number
  readonly to: number
  readonly time: Micros
}

const PASSAGES = 400
/** Rows looked at for one passage found, at most: others are starts and the like. */
const ROWS_A_PASSAGE = 8
/** Rows looked at for moves: at a thousand times real time a frame holds more, and nobody could see them all. */
const ROWS_FOR_MOVES = 8192

/** The jobs that passed in (t0, t1], newest first, at most `most` of them: for dots that run along the links. */
export function passagesBetween(trace: Trace, t0: Micros, t1: Micros, most = PASSAGES): Passage[] {
  const passages: Passage[] = []
  const end = rowsUntil(trace, t1)
  const least = Math.max(0, end - most * ROWS_A_PASSAGE)
  for (let i = end - 1; i >= least && passages.length < most; i--) {
    const { kind, stage, job, time } = traceRow(trace, i)
    if (time <= t0) break
    if (kind === FINISHED) passages.push({ kind: 'finished', stage, job, time })
    else if (kind === ARRIVED) passages.push({ kind: 'arrived', stage: NONE, job, time })
    else if (kind === RELEASED) passages.push({ kind: 'released', stage: NONE, job, time })
  }
  return passages
}

/** The workers that changed stage in (t0, t1], newest first; of a very long stretch only those near its end. */
export function movesBetween(trace: Trace, t0: Micros, t1: Micros): Move[] {
  const end = rowsUntil(trace, t1)
  const from = Math.max(rowsUntil(trace, t0), end - ROWS_FOR_MOVES)
  const moves: Move[] = []
  if (from >= end) return moves
  const { stage: at } = stateBefore(trace, from).tally
  eachRow(trace, from, end, (rows, i) => {
    const worker = rows.worker[i]
    const to = rows.stage[i]
    if (rows.kind[i] !== STARTED || at[worker] === to) return
    moves.push({ worker, from: at[worker], to, time: rows.time[i] })
    at[worker] = to
  })
  return moves.reverse()
}
