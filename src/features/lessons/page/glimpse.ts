import { max, range, sum } from 'd3-array'
import { scaleLinear } from 'd3-scale'
import { curveStepAfter } from 'd3-shape'
import { stackedPaths } from '../../../views/drawing/curves.ts'

/** One area of a small picture of a whole run: the stacked queues above, the stacked seats below. */
export interface GlimpseShape {
  readonly stage: number
  readonly part: 'queue' | 'seats'
  /** The outline as an SVG path. */
  readonly d: string
}

/** The queues' share of the height, and the gap between queues and seats. */
const QUEUES = 0.6
const GAP = 4

/** Returns the areas for samples by stage over equal parts of the run. The greatest sum reaches the top; stages that are always 0 are left out. */
export function glimpseShapes(queues: readonly (readonly number[])[], seats: readonly (readonly number[])[], width: number, height: number): GlimpseShape[] {
  const middle = Math.round(height * QUEUES)
  return [...stacked('queue', queues, width, 0, middle), ...stacked('seats', seats, width, middle + GAP, height)]
}

function stacked(part: GlimpseShape['part'], rows: readonly (readonly number[])[], width: number, top: number, bottom: number): GlimpseShape[] {
  const samples = rows[0]?.length ?? 0
  const most = max(range(samples), (k) => sum(rows, (row) => row[k])) ?? 0
  if (most <= 0) return []
  // Each sample is a level line, the last one too.
  const lasting = rows.map((row) => [...row, row[samples - 1]])
  const paths = stackedPaths(lasting, scaleLinear([0, samples], [0, width]), scaleLinear([0, most], [bottom, top]), curveStepAfter)
  return paths.flatMap((d, stage) => (rows[stage].every((value) => value === 0) ? [] : [{ stage, part, d }]))
}
