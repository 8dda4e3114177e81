import { cellsOf } from './csvCells.ts'
import { cellMarks } from './csvRows.ts'
import { headingOf, TIME } from './logColumns.ts'
import { gridLabels, labelsIn } from './seriesNames.ts'

/** How a CSV of series is laid out: a column a series, or a row a sample. */
export interface SeriesLayout {
  readonly mark: string
  readonly cells: readonly string[]
  readonly time: number
  /** Microseconds in one unit of a bare time; 0: it is a date. */
  readonly scale: number
  /** Of a row that is one sample: where its series and its value stand. */
  readonly long: { readonly name: number; readonly value: number } | null
}

const names = ['metric', 'series', 'name', 'field']

/** Whether a CSV that begins with this line holds series: `"Time","queue_length{stage=""a""}"`, or `"Time","Metric","Value"`. */
export function isSeriesTable(line: string): boolean {
  return seriesLayoutOf(line) !== null
}

/** Returns the layout that the headings of a CSV of series tell; null: they are those of something else. */
export function seriesLayoutOf(line: string): SeriesLayout | null {
  for (const mark of cellMarks.map((code) => String.fromCharCode(code))) {
    const cells = cellsOf(line.trimEnd(), mark).map((cell) => cell.trim())
    const plain = cells.map((cell) => cell.toLowerCase())
    const time = cells.findIndex((cell) => headingOf(cell)?.column === TIME)
    const { scale = 0 } = headingOf(cells[time] ?? '') ?? {}
    const [name, value] = [plain.findIndex((cell) => names.includes(cell)), plain.indexOf('value')]
    if (time >= 0 && cells.length === 3 && name >= 0 && value >= 0) return { mark, cells, time, scale, long: { name, value } }
    const others = cells.slice(1)
    if (time === 0 && others.length > 0 && (others.some((cell) => labelsIn(cell) !== null) || gridLabels(others) !== null))
      return { mark, cells, time, scale, long: null }
  }
  return null
}
