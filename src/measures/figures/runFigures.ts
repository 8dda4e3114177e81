import type { Trace } from '../../trace/trace.ts'
import { runToEnd } from '../series/inOneGo.ts'
import { type LowerBound, lowerBoundOfRun } from './lowerBound.ts'
import { figuresInSteps, type Metrics } from './metrics.ts'

/** A run in numbers. */
export interface RunFigures {
  readonly metrics: Metrics
  /** No schedule of these jobs can finish earlier. */
  readonly bound: LowerBound
}

/** Returns the figures of a run that was just played here, from one pass over its rows. */
export function figuresOf(trace: Trace): RunFigures {
  const { metrics, jobs } = runToEnd(figuresInSteps(trace))
  return { metrics, bound: lowerBoundOfRun(trace, jobs) }
}
