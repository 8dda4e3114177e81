import { extent } from 'd3-array'
import { t } from '../../../language/translate.ts'
import { greatest, type Steps } from '../../../measures/series/steps.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import { type Palette, stageColour } from '../../../views/drawing/palette.ts'
import type { PlotSeries } from '../../../views/drawing/plot.ts'
import { linePath } from '../../../views/drawing/svg.ts'
import { meanPath, rangePath, samplePath, type TimeBand, valuePoints } from '../../../views/plots/timePlot.ts'

/** The same pool in another run: samples from time 0 on. */
export interface Reference extends Readonly<Record<'queue' | 'workers', readonly number[]>> {
  /** From a simulation: dashed. Published elsewhere: pale. */
  readonly kind: 'predicted' | 'published'
  readonly every: Micros
}

/** The outputs of the controllers. */
export interface Controlled {
  readonly title: string
  readonly times: readonly Micros[]
  /** By stage, then by tick. */
  readonly outputs: readonly (readonly number[])[]
  /** The outputs at which a worker is hired or dismissed. */
  readonly bounds: readonly number[]
}

interface PoolsDrawn {
  readonly palette: Palette
  readonly end: Micros
  /** By stage: the jobs waiting, and the workers of its pool. */
  readonly chart: Readonly<Record<'queues' | 'seats', readonly Steps[]>>
  readonly references: readonly Reference[]
  readonly controlled: Controlled | null
}

const HEIGHT = 78

/** Returns bands of the queues, the workers and the controller outputs over the same time, one line a stage. */
export function trajectoryBands({ palette, end, chart, references, controlled }: PoolsDrawn): readonly TimeBand[] {
  const styles: Readonly<Record<Reference['kind'], Omit<PlotSeries, 'd'>>> = {
    published: { stroke: palette.soft, opacity: 0.45, width: 2 },
    predicted: { stroke: palette.ink, opacity: 0.8, width: 1.2, dash: '2.5 2.5' },
  }
  const band = (title: string, steps: readonly Steps[], of: (reference: Reference) => readonly number[]): TimeBand => ({
    title,
    height: HEIGHT,
    values: [...steps.map(greatest), ...references.flatMap(of)],
    parts: 2,
    whole: true,
    write: count,
    series: (plot) => [
      ...references.map((reference) => ({
        ...styles[reference.kind],
        d: samplePath(of(reference), reference.every, plot),
        part: reference.kind,
      })),
      // The queue of a single pool swings within a pixel, so its range is shown too. Those of several would hide each other.
      ...(steps.length === 1
        ? [{ d: rangePath(steps[0], plot, end), fill: stageColour(palette, 0).fill, opacity: 0.28 }]
        : []),
      ...steps.map((each, s) => ({ d: meanPath(each, plot, end), stroke: stageColour(palette, s).fill, width: 1.4 })),
    ],
  })
  return [
    band(t('waiting'), chart.queues, ({ queue }) => queue),
    band(t('workers'), chart.seats, ({ workers }) => workers),
    ...(controlled === null || controlled.times.length === 0 ? [] : [controllerBand(palette, controlled)]),
  ]
}

function controllerBand(palette: Palette, { title, times, outputs, bounds }: Controlled): TimeBand {
  return {
    title,
    height: HEIGHT,
    values: [...outputs, bounds].flatMap((list) => extent(list)).filter((value) => value !== undefined),
    parts: 2,
    write: count,
    series: (plot) => [
      ...bounds.map((at): PlotSeries => {
        const [left, right] = plot.x.range()
        return { d: `M${left},${plot.y(at).toFixed(1)}H${right}`, stroke: palette.soft, width: 1, dash: '4 2' }
      }),
      ...outputs.map((each, s) => ({
        d: linePath(valuePoints(times, each, plot)),
        stroke: stageColour(palette, s).fill,
        width: 1.4,
        part: 'controller',
      })),
    ],
  }
}

/** Returns the end of the axis: that of the run, or of the longest reference. */
export function trajectoryEnd(end: Micros, references: readonly Reference[]): Micros {
  return Math.max(end, ...references.map(({ every, queue }) => every * (queue.length - 1)))
}
