import { ARRIVED, FINISHED, NONE, RELEASED } from '../pipeline/rows.ts'
import type { Micros } from '../scenario/scenario.ts'
import { rowsUntil, type Trace, traceRow } from '../trace/trace.ts'

/** A job on its way: into the pipeline, from a stage to what follows it, or out. */
export interface Passage {
  readonly kind: 'arrived' | 'finished' | 'released'
  /** The stage that it leaves; -1 for an arrival and a release. */
  readonly stage: number
  readonly job: number
  readonly time: Micros
}

const PASSAGES = 400
/** Rows looked at for one passage found, at most: others are starts and the like. */
const ROWS_A_PASSAGE = 8
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
