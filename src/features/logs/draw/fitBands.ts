import { max } from 'd3-array'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import { type Palette, stageColour } from '../../../views/drawing/palette.ts'
import { linePath } from '../../../views/drawing/svg.ts'
import { type TimeBand, type TimePlot, valuePoints } from '../../../views/plots/timePlot.ts'

interface FitOverLog {
  readonly palette: Palette
  /** The times of the log. */
  readonly time: Float64Array
  /** In the order of the pipeline, with the queues of the log and of the run at these times. */
  readonly stages: readonly { readonly name: string; readonly colourIndex: number; readonly logged: Float64Array; readonly run: Float64Array }[]
  /** What the run does not explain. */
  readonly gaps: readonly { readonly name: string; readonly from: Micros; readonly to: Micros }[]
}

/** Returns each stage's queue of the run over the logged one. Stretches that the run does not explain have a ground of their own. */
export function fitBands({ palette, time, stages, gaps }: FitOverLog): readonly TimeBand[] {
  const height = stages.length <= 4 ? 84 : 56
  return stages.map(({ name, colourIndex, logged, run }) => ({
    title: name,
    height,
    values: [max(logged) ?? 0, max(run) ?? 0],
    parts: 3,
    whole: true,
    write: count,
    series: (plot) => [
      ...gaps.filter((gap) => gap.name === name).map((gap) => ({ d: ground(gap, plot), fill: palette.accent, opacity: 0.16, part: 'gap' })),
      { d: linePath(valuePoints(time, logged, plot)), stroke: palette.soft, width: 3, opacity: 0.55, part: 'logged' },
      { d: linePath(valuePoints(time, run, plot)), stroke: stageColour(palette, colourIndex).text, width: 1.5, part: 'run' },
    ],
  }))
}

function ground({ from, to }: FitOverLog['gaps'][number], { x, y }: TimePlot): string {
  const [foot, top] = y.range()
  return `M${x(from).toFixed(1)},${foot}V${top}H${x(to).toFixed(1)}V${foot}Z`
}
