import { ARRIVED, FINISHED, NONE, RELEASED, RETRIED, ROUTED } from '../../pipeline/rows.ts'
import { SINK, type Topology } from '../../pipeline/topology.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { rowsUntil, type Trace, traceRow } from '../../trace/trace.ts'

/** A job that enters the pipeline, moves from one stage to the next, or leaves. */
export interface Passage {
  readonly kind: 'arrived' | 'finished' | 'released'
  /** The stage that it leaves; -1 for an arrival and a release. */
  readonly stage: number
  /** The stage that it goes to; -1: the sink or a release. */
  readonly to: number
  readonly job: number
  readonly time: Micros
}

const MAX_PASSAGES = 400
/** How many rows are read for each passage, at most. Other rows are starts and the like. */
const ROWS_A_PASSAGE = 8

/** Returns at most `limit` jobs that passed in (t0, t1], newest first. */
export function passagesBetween(trace: Trace, t0: Micros, t1: Micros, limit = MAX_PASSAGES): Passage[] {
  const { topology } = trace
  const passages: Passage[] = []
  /** By job, the stage it is routed to. The row with the stage comes after its end. */
  const routed = new Map<number, number>()
  const end = rowsUntil(trace, t1)
  const firstRow = Math.max(0, end - limit * ROWS_A_PASSAGE)
  for (let i = end - 1; i >= firstRow && passages.length < limit; i--) {
    const { kind, stage, job, time } = traceRow(trace, i)
    if (time <= t0) break
    if (kind === ROUTED) routed.set(job, stage)
    else if (kind === FINISHED)
      for (const to of waysOf(topology, stage, routed.get(job)))
        passages.push({ kind: 'finished', stage, to, job, time })
    else if (kind === ARRIVED || kind === RETRIED)
      for (const to of topology.firsts) passages.push({ kind: 'arrived', stage: NONE, to, job, time })
    else if (kind === RELEASED) passages.push({ kind: 'released', stage: NONE, to: SINK, job, time })
  }
  return passages
}

/** Returns where a finished job goes; unknown for one that has failed meanwhile. */
function waysOf({ ways, routes }: Topology, stage: number, routed: number | undefined): Iterable<number> {
  if (routes[stage] === 1) return routed === undefined ? [] : [routed]
  return ways[stage].length === 0 ? [SINK] : ways[stage]
}
