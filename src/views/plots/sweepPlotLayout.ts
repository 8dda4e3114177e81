import { t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { count, duration } from '../drawing/format.ts'
import { type ColumnBand, type ColumnLayout, type Dot, evenly, pathThrough } from './columnPlotLayout.ts'
import { roundUp } from './trajectoryLayout.ts'

/** What the plot shows of one value; null while it is not known, or cannot be played. */
export interface SweepColumn {
  readonly value: number
  readonly run: { readonly makespan: Micros; readonly utilisation: number; readonly seats: readonly number[] } | null
}

/** A band with a curve, or areas on top of each other, and a line that is to be reached. */
export interface SweepBand extends ColumnBand {
  readonly dots: readonly Dot[]
  readonly path: string
  /** By stage, the lowest first. */
  readonly areas: readonly { readonly stage: number; readonly path: string }[]
  /** Where the baseline lies; null: there is none, or it is not known. */
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
/** A letter of a value takes so much room below. */
const LETTER = 6.5

/**
 * Three bands over the values at even distances: when all is done, with the baseline; how busy the workers are; and the
 * seats of the stages on top of each other, in the order of the line.
 */
export function sweepPlotLayout(
  columns: readonly SweepColumn[],
  line: readonly number[],
  baseline: Micros | null,
  write: (value: number) => string,
  width: number,
): SweepPlotLayout {
  const x = evenly(columns.length, LEFT, width - RIGHT)
  const known = columns.flatMap(({ run }, k) => (run === null ? [] : [{ run, x: x[k] }]))
  const place = (k: number) => TITLE + k * (BAND + TITLE)
  const curve = (band: number, most: number, of: (run: NonNullable<SweepColumn['run']>) => number) => {
    const dots = known.map((each) => [each.x, place(band) + BAND - (of(each.run) / most) * BAND] as const)
    return { dots, path: pathThrough(dots) }
  }
  const longest = roundUp(Math.max(1, baseline ?? 0, ...known.map(({ run }) => run.makespan)))
  // The workers there are, and no more: means of seats may miss a whole number by their last bits.
  const seats = Math.max(1, ...known.map(({ run }) => Math.ceil(run.seats.reduce((sum, each) => sum + each, 0) - 1e-6)))
  const band = { height: BAND, areas: [], dots: [], path: '', baseline: null }
  return {
    width,
    height: place(3) - TITLE + BOTTOM,
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
        y: place(0),
        most: duration(longest),
        ...curve(0, longest, ({ makespan }) => makespan),
        baseline: baseline === null ? null : place(0) + BAND - (baseline / longest) * BAND,
      },
      { ...band, title: t('Workers busy'), y: place(1), most: '100%', ...curve(1, 1, ({ utilisation }) => utilisation) },
      { ...band, title: t('Seats of the stages, on average'), y: place(2), most: count(seats), areas: areasOf(known, line, place(2), seats) },
    ],
  }
}

type Known = { readonly run: NonNullable<SweepColumn['run']>; readonly x: number }

function areasOf(known: readonly Known[], line: readonly number[], y: number, most: number): SweepBand['areas'] {
  const base = known.map(() => 0)
  return line.map((stage) => {
    const low = known.map(({ x }, k) => [x, y + BAND - (base[k] / most) * BAND] as const)
    const high = known.map(({ run, x }, k) => {
      base[k] += run.seats[stage]
      return [x, y + BAND - (base[k] / most) * BAND] as const
    })
    // One value alone would have no width.
    const [first] = high
    const path =
      known.length === 1
        ? `M${first[0] - 4},${low[0][1]}V${first[1]}h8V${low[0][1]}Z`
        : known.length === 0
          ? ''
          : `${pathThrough([...high, ...low.reverse()])}Z`
    return { stage, path }
  })
}

/** From the first one on, as many as have room. */
function namedColumns(x: readonly number[], wide: readonly number[]): readonly number[] {
  const named: number[] = []
  for (let k = 0; k < x.length; k++) {
    const last = named.at(-1)
    if (last === undefined || x[k] - x[last] >= (wide[k] + wide[last]) / 2) named.push(k)
  }
  return named
}
