/** A band over all columns: its rims, its title, and what its upper rim stands for. The lower one is zero. */
export interface ColumnBand {
  readonly title: string
  readonly y: number
  readonly height: number
  readonly most: string
}

/** Bands one below the other over columns at even distances. */
export interface ColumnLayout {
  readonly width: number
  readonly height: number
  /** Between which the columns stand. */
  readonly left: number
  readonly right: number
  readonly bands: readonly ColumnBand[]
  /** By column. */
  readonly x: readonly number[]
  /** The columns whose value stands below. */
  readonly named: readonly number[]
}

export type Dot = readonly [x: number, y: number]

/** So many columns at even distances; one alone stands in the middle. */
export function evenly(columns: number, left: number, right: number): readonly number[] {
  return Array.from({ length: columns }, (_, k) => left + (columns > 1 ? (k / (columns - 1)) * (right - left) : (right - left) / 2))
}

/** The column nearest to a place. */
export function columnAt(x: readonly number[], place: number): number {
  return x.reduce((best, each, k) => (Math.abs(each - place) < Math.abs(x[best] - place) ? k : best), 0)
}

/** A line from dot to dot, as an SVG path. */
export function pathThrough(dots: readonly Dot[]): string {
  return dots.length === 0 ? '' : `M${dots.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}`
}
