import { t } from '../../language/translate.ts'
import { greatest, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { count } from '../drawing/format.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import type { PlotSeries } from '../drawing/plot.ts'
import { meanPath, rangePath, samplePath } from './timePaths.ts'
import type { TimeBand } from './timePlot.ts'

/** The same pool in another run: samples from time 0 on. */
export interface Reference {
  /** From a simulation: dashed. Published elsewhere: pale. */
  readonly kind: 'foretold' | 'published'
  readonly every: Micros
  readonly queue: readonly number[]
  readonly workers: readonly number[]
}

interface Trajectory {
  readonly palette: Palette
  readonly end: Micros
  /** By stage: the jobs waiting, and the workers of its pool. */
  readonly queues: readonly Steps[]
  readonly pools: readonly Steps[]
  /** Drawn behind. */
  readonly references: readonly Reference[]
}

const HEIGHT = 78

/** Returns the queues above and the workers below over the same time, one line a stage. */
export function trajectoryBands({ palette, end, queues, pools, references }: Trajectory): readonly TimeBand[] {
  const styles: Readonly<Record<Reference['kind'], Omit<PlotSeries, 'd'>>> = {
    published: { stroke: palette.soft, opacity: 0.45, width: 2 },
    foretold: { stroke: palette.ink, opacity: 0.8, width: 1.2, dash: '2.5 2.5' },
  }
  const band = (title: string, steps: readonly Steps[], of: (reference: Reference) => readonly number[]): TimeBand => ({
    title,
    height: HEIGHT,
    values: [...steps.map(greatest), ...references.flatMap(of)],
    parts: 2,
    whole: true,
    write: count,
    series: (plot) => [
      ...references.map((each) => ({ ...styles[each.kind], d: samplePath(of(each), each.every, plot), part: each.kind })),
      // The queue of a single pool swings within a pixel, so its range is shown too. Those of several would hide each other.
      ...(steps.length === 1 ? [{ d: rangePath(steps[0], plot, end), fill: stageColour(palette, 0).fill, opacity: 0.28 }] : []),
      ...steps.map((each, s) => ({ d: meanPath(each, plot, end), stroke: stageColour(palette, s).fill, width: 1.4 })),
    ],
  })
  return [band(t('waiting'), queues, ({ queue }) => queue), band(t('workers'), pools, ({ workers }) => workers)]
}

/** Returns the end of the axis: that of the run, or of the longest reference. */
export function trajectoryEnd(end: Micros, references: readonly Reference[]): Micros {
  return Math.max(end, ...references.map(({ every, queue }) => every * (queue.length - 1)))
}
