import { t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { count, duration } from '../drawing/format.ts'
import { roundUp } from '../drawing/round.ts'
import { linePath } from '../drawing/svg.ts'
import { type ColumnBand, type ColumnLayout, type Dot, evenColumns } from './columnPlotLayout.ts'

/** What the plot shows for one value. `run` is null while it is not known, or if it cannot run. */
export interface SweepColumn {
  readonly value: number
  readonly run: { readonly makespan: Micros; readonly utilisation: number; readonly seats: readonly number[] } | null
}

/** A band with a curve or stacked areas, and a baseline. */
export interface SweepBand extends ColumnBand {
  readonly dots: readonly Dot[]
  readonly path: string
  /** By stage, the lowest first. */
  readonly areas: readonly { readonly stage: number; readonly path: string }[]
  /** The y of the baseline; null: there is none, or it is not known. */
  readonly baseline: number | null
}

export interface SweepPlotLayout extends ColumnLayout {
  readonly bands: readonly SweepBand[]
}

const LEFT = 52
const RIGHT = 14
const TITLE = 24
const BAND = 66
const BOTTOM = 22
/** The width of a letter of a value, in pixels. */
const LETTER = 6.5

/** Returns three bands over the values: when all is done, with the baseline; how busy the workers are; and the seats of the stages, stacked in their order. */
export function sweepPlotLayout(
  columns: readonly SweepColumn[],
  stageOrder: readonly number[],
  baseline: Micros | null,
  write: (value: number) => string,
  width: number,
): SweepPlotLayout {
  const x = evenColumns(columns.length, LEFT, width - RIGHT)
  const known = columns.flatMap(({ run }, k) => (run === null ? [] : [{ run, x: x[k] }]))
  const bandY = (k: number) => TITLE + k * (BAND + TITLE)
  const curve = (band: number, most: number, of: (run: NonNullable<SweepColumn['run']>) => number) => {
    const dots = known.map((each) => [each.x, bandY(band) + BAND - (of(each.run) / most) * BAND] as const)
    return { dots, path: linePath(dots) }
  }
  const longest = roundUp(Math.max(1, baseline ?? 0, ...known.map(({ run }) => run.makespan)))
  // Rounded up to all workers: a sum of means may exceed a whole number by a rounding error.
  const seats = Math.max(1, ...known.map(({ run }) => Math.ceil(run.seats.reduce((sum, each) => sum + each, 0) - 1e-6)))
  const band = { height: BAND, areas: [], dots: [], path: '', baseline: null }
  return {
    width,
    height: bandY(3) - TITLE + BOTTOM,
    left: LEFT,
    right: width - RIGHT,
    x,
    named: namedColumns(
      x,
      columns.map(({ value }) => write(value).length * LETTER + 8),
    ),
    bands: [
      {
        ...band,
        title: t('All done after'),
        y: bandY(0),
        most: duration(longest),
        ...curve(0, longest, ({ makespan }) => makespan),
        baseline: baseline === null ? null : bandY(0) + BAND - (baseline / longest) * BAND,
      },
      { ...band, title: t('Workers busy'), y: bandY(1), most: '100%', ...curve(1, 1, ({ utilisation }) => utilisation) },
      { ...band, title: t('Seats of the stages, on average'), y: bandY(2), most: count(seats), areas: areasOf(known, stageOrder, bandY(2), seats) },
    ],
  }
}

type Known = { readonly run: NonNullable<SweepColumn['run']>; readonly x: number }

function areasOf(known: readonly Known[], stageOrder: readonly number[], y: number, most: number): SweepBand['areas'] {
  const base = known.map(() => 0)
  return stageOrder.map((stage) => {
    const low = known.map(({ x }, k) => [x, y + BAND - (base[k] / most) * BAND] as const)
    const high = known.map(({ run, x }, k) => {
      base[k] += run.seats[stage]
      return [x, y + BAND - (base[k] / most) * BAND] as const
    })
    // A single value would have no width.
    const [first] = high
    const path =
      known.length === 1 ? `M${first[0] - 4},${low[0][1]}V${first[1]}h8V${low[0][1]}Z` : known.length === 0 ? '' : `${linePath([...high, ...low.reverse()])}Z`
    return { stage, path }
  })
}

/** Returns as many columns as have room for their value, from the first one on. */
function namedColumns(x: readonly number[], wide: readonly number[]): readonly number[] {
  const named: number[] = []
  for (let k = 0; k < x.length; k++) {
    const last = named.at(-1)
    if (last === undefined || x[k] - x[last] >= (wide[k] + wide[last]) / 2) named.push(k)
  }
  return named
}
