/** A band over all columns, its title, and the value of its upper edge. The lower edge is zero. */
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
  /** The columns stand between these. */
  readonly left: number
  readonly right: number
  readonly bands: readonly ColumnBand[]
  /** The x of each column. */
  readonly x: readonly number[]
  /** The columns whose value is written below. */
  readonly named: readonly number[]
}

export type Dot = readonly [x: number, y: number]

/** Returns the x of so many columns at even distances; one alone stands in the middle. */
export function evenColumns(columns: number, left: number, right: number): readonly number[] {
  return Array.from({ length: columns }, (_, k) => left + (columns > 1 ? (k / (columns - 1)) * (right - left) : (right - left) / 2))
}

/** Returns the column nearest to `at`. */
export function columnAt(x: readonly number[], at: number): number {
  return x.reduce((best, each, k) => (Math.abs(each - at) < Math.abs(x[best] - at) ? k : best), 0)
}
