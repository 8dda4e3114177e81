import { t } from '../../../language/translate.ts'
import { type Marks, markTimes } from '../../../measures/series/marks.ts'
import { greatest, type Steps } from '../../../measures/series/steps.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import type { Palette } from '../../../views/drawing/palette.ts'
import { areaPath, linePath } from '../../../views/drawing/svg.ts'
import { meanPath, type TimeBand, valuePoints } from '../../../views/plots/timePlot.ts'

interface Overlay {
  readonly palette: Palette
  /** Of both lines. */
  readonly colour: string
  /** The real run (solid) and the simulation (dashed). */
  readonly real: Steps
  readonly simulated: Steps
  /** The ends of both. */
  readonly ends: readonly [real: Micros, simulated: Micros]
  /** When jobs left the real run, and how much later than in the simulation. */
  readonly departures: Marks
  readonly lag: Float64Array
}

/** Returns a real run over its simulation: the jobs in both, and below how much later each job left. */
export function overlayBands({ palette, colour, real, simulated, ends, departures, lag }: Overlay): readonly TimeBand[] {
  return [
    {
      title: '',
      height: 112,
      values: [greatest(real), greatest(simulated)],
      parts: 4,
      whole: true,
      write: count,
      series: (plot) => [
        { d: meanPath(simulated, plot, ends[1]), stroke: colour, width: 1.5, dash: '4 3', part: 'simulated' },
        { d: meanPath(real, plot, ends[0]), stroke: colour, width: 1.75, part: 'real' },
      ],
    },
    {
      title: t('later than predicted, job by job as they leave'),
      height: 72,
      values: lag,
      parts: 3,
      write: (time) => (time === 0 ? '0' : duration(time)),
      series: (plot) => {
        const points = valuePoints(markTimes(departures), lag, plot)
        return [
          { d: areaPath(points, plot.y(0)), fill: palette.bed, part: 'area' },
          { d: linePath(points), stroke: palette.ink, width: 1.5, part: 'lag' },
        ]
      },
    },
  ]
}
