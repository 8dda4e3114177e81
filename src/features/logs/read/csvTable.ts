import { cellMarks, type Headings } from './csvRows.ts'
import { objectsIn } from './jsonRows.ts'
import {
  ARRIVALS,
  allowedNames,
  BUSY,
  COLUMNS,
  COMPLETED,
  cellsOf,
  cellText,
  type Heading,
  headingOf,
  needed,
  P95,
  P99,
  plainName,
  QUEUE,
  SERVICE,
  STAGE,
  separatorLine,
  TIME,
  timed,
  unitIn,
  WORKERS,
} from './logColumns.ts'
import { guessMapping } from './seriesRoles.ts'

/** A CSV, or objects of JSON, that may be a log under other headings or keys. */
export interface CsvTable extends Headings {
  /** The cells of the first row, as an example of each column. */
  readonly example: readonly string[]
}

/** A number and a day, with a point or a comma for decimals. */
const NUMBER = /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i
const DAY = /^(\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{4})/
/** How many rows, and how many keys of objects, are read. */
const [ROWS, MAX_KEYS] = [20, 200]
/** The unit of a service time whose name has none. */
const SECONDS = 1_000_000

/** Other words for a stage, where there is none of those below. */
const maybeStage = /stage|step|task|topic|pool|name|service|component|node/

/** By column of a log: words in the headings of other programs. */
const likely: Readonly<Record<number, RegExp>> = {
  [TIME]: /time|date|^ts$|^t$|when|clock/,
  [STAGE]: /(^|_)(stage|step|task|topic|pool)/,
  [QUEUE]: /queue|wait|backlog|depth|pending|lag|len/,
  [SERVICE]: /service|duration|latency|took|elapsed|cost|mean|avg|_ms|_us|seconds/,
  [WORKERS]: /worker|replica|thread|seat|concurrency|pod|instance/,
  [COMPLETED]: /^completed/,
  [ARRIVALS]: /^arriv/,
  [BUSY]: /^busy|in_service|active_worker/,
  [P95]: /p_?95/,
  [P99]: /p_?99/,
}

/**
 * Returns the table at the beginning of a CSV: headings, and rows of as many cells, with a column of numbers; null for other texts, and if the
 * headings are known or name series. `whole`: nothing follows these bytes.
 */
export function tableIn(head: Uint8Array, whole: boolean): CsvTable | null {
  const table = columnsIn(head, whole)
  if (table === null || table.named) return null
  // Keys of any objects are no question, unless they may be those of a log.
  return table.mark !== KEYS || isComplete(table.headings) ? table : null
}

/** Returns the names of what objects of JSON with a time and a stage lack to be a log; none for other texts. */
export function lackingIn(head: Uint8Array, whole: boolean): readonly string[] {
  const table = columnsIn(head, whole)
  if (table === null || table.mark !== KEYS) return []
  const has = (headings: readonly (Heading | null)[], column: number) =>
    headings.some((heading) => heading?.column === column)
  const named = table.cells.map(headingOf)
  if (!has(named, TIME) || !has(named, STAGE)) return []
  return needed.filter((column) => !has(table.headings, column)).map((column) => allowedNames()[column])
}

/** Returns the table, whether its headings are known (`named`) or not; null for other texts. */
export function columnsIn(head: Uint8Array, whole: boolean): (CsvTable & { readonly named: boolean }) | null {
  // A character may be cut at the end.
  const text = cellText(whole ? head : head.subarray(0, head.lastIndexOf(10) + 1))
    .replace(/^\ufeff/, '')
    .replace(separatorLine, '')
  if (isAnswer(cellText(head))) return null
  const table = /^\s*[[{]/.test(text)
    ? keysIn(cellText(head))
    : isSeriesTable(text.split('\n', 1)[0])
      ? null
      : csvIn(text)
  return table === null ? null : { ...table, named: isComplete(table.cells.map(headingOf)) }
}

function csvIn(text: string): CsvTable | null {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, ROWS + 1)
  const tables = cellMarks.map((mark) => tableOf(lines, mark)).filter((table) => table !== null)
  const [best] = tables.sort((a, b) => b.cells.length - a.cells.length)
  return best ?? null
}

/** Returns whether a text begins as Prometheus' answer to a query, even a failed one. */
export const isAnswer = (text: string): boolean =>
  /^\s*\{\s*"(status|data)"/.test(text) && /"(resultType|errorType)"\s*:/.test(text)

/** The mark of a table whose columns are keys of objects. */
const KEYS = ''

/** Returns the keys of the first objects, in a list or one a line, with what they seem to mean; null for other texts. */
function keysIn(text: string): CsvTable | null {
  const rows = firstObjects(text)
  const cells = [...new Set(rows.flatMap(Object.keys))]
    .filter((key) => rows.some((row) => typeof row[key] !== 'object'))
    .slice(0, MAX_KEYS)
  if (cells.length < 2 || cells.some((key) => key === '' || key.length > 80)) return null
  const columns = cells.map((key) => rows.flatMap((row) => (row[key] == null ? [] : [String(row[key])])))
  return { mark: KEYS, cells, headings: guess(cells, columns), example: columns.map(([first]) => first) }
}

/** Returns the complete objects at the beginning of a text, up to `ROWS`. */
function firstObjects(text: string): Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = []
  for (const { value } of objectsIn(text, '')) {
    if (typeof value === 'string' || found.length === ROWS) break
    found.push(value)
  }
  return found
}

/** Returns whether headings name every required column. */
export function isComplete(headings: readonly (Heading | null)[]): boolean {
  return needed.every((column) => headings.some((heading) => heading?.column === column))
}

function tableOf(lines: readonly string[], mark: string): CsvTable | null {
  const [cells, ...rows] = lines.map((line) => cellsOf(line, mark))
  if (cells === undefined || cells.length < 2 || rows.length === 0 || new Set(cells).size < cells.length) return null
  if (cells.some((cell) => cell === '' || cell.length > 80 || NUMBER.test(cell) || DAY.test(cell))) return null
  if (rows.some((row) => row.length !== cells.length)) return null
  const columns = cells.map((_, k) => rows.map((row) => row[k]))
  return columns.some(isNumeric) ? { mark, cells, headings: guess(cells, columns), example: rows[0] } : null
}

const isNumeric = (values: readonly string[]): boolean =>
  values.some((value) => value !== '') && values.every((value) => value === '' || NUMBER.test(value))

/** Assigns to each column of a log the first cell whose name fits, or else whose content fits. `values`: of each cell, in the first rows. */
function guess(cells: readonly string[], values: readonly (readonly string[])[]): (Heading | null)[] {
  const numeric = values.map(isNumeric)
  const dated = values.map((column) => column.every((value) => DAY.test(value)))
  const headings: (Heading | null)[] = cells.map(() => null)
  const fits = (k: number, column: number) =>
    column === STAGE ? !numeric[k] && !dated[k] : numeric[k] || (column === TIME && dated[k])
  const give = (column: number, is: (k: number) => boolean) => {
    if (headings.some((heading) => heading?.column === column)) return
    const k = cells.findIndex((_, k) => headings[k] === null && fits(k, column) && is(k))
    if (k >= 0) headings[k] = { column, scale: scaleOf(cells[k], column) }
  }
  const columns = Array.from({ length: COLUMNS }, (_, column) => column)
  for (const column of columns) give(column, (k) => headingOf(cells[k])?.column === column)
  // A 95th percentile of the service time is no service time.
  for (const column of [P95, P99, ...columns]) give(column, (k) => likely[column].test(plainName(cells[k])))
  give(TIME, (k) => dated[k])
  give(STAGE, (k) => maybeStage.test(plainName(cells[k])))
  give(STAGE, () => true)
  return headings
}

function scaleOf(name: string, column: number): number {
  if (!timed.includes(column)) return 1
  return unitIn(name) || (column === SERVICE ? SECONDS : 0)
}

/** The layout of a CSV of series: one column for each series, or one row for each sample. */
export interface SeriesLayout {
  readonly mark: string
  readonly cells: readonly string[]
  readonly time: number
  /** Microseconds in one unit of a bare time; 0: it is a date. */
  readonly scale: number
  /** If a row is one sample: the columns of its series and its value. */
  readonly long: { readonly name: number; readonly value: number } | null
}

const seriesNames = ['metric', 'series', 'name', 'field']

/** Returns whether these headings are of series: `"Time","queue_length{stage=""a""}"`, or `"Time","Metric","Value"`. */
export const isSeriesTable = (line: string): boolean => seriesLayoutOf(line) !== null

/** Returns the layout of a CSV of series by its headings; null for other headings. */
export function seriesLayoutOf(line: string): SeriesLayout | null {
  for (const mark of cellMarks) {
    const cells = cellsOf(line, mark)
    const plain = cells.map((cell) => cell.toLowerCase())
    const time = cells.findIndex((cell) => headingOf(cell)?.column === TIME)
    const { scale = 0 } = headingOf(cells[time] ?? '') ?? {}
    const [name, value] = [plain.findIndex((cell) => seriesNames.includes(cell)), plain.indexOf('value')]
    if (time >= 0 && cells.length === 3 && name >= 0 && value >= 0)
      return { mark, cells, time, scale, long: { name, value } }
    const others = cells.slice(1)
    if (
      time === 0 &&
      others.length > 0 &&
      (others.some((cell) => labelsIn(cell) !== null) || gridLabels(others) !== null)
    )
      return { mark, cells, time, scale, long: null }
  }
  return null
}

/** The labels of a series, with its name under `__name__`. */
export type Labels = Readonly<Record<string, string>>

const NAMED = /^([A-Za-z_:][\w:]*)?\s*\{(.*)\}(?: (\d+))?$/
const LABEL = /^\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/
/** Marks between a stage and its measure. */
const between = [' - ', ': ', ' / ', ' ', '/', ':', '.', '-', '_'] as const

/**
 * Returns the labels of a PromQL name such as `queue_length{stage="encode"}`; null if it has no braces. Grafana appends a number to equal
 * names (`{stage="encode"} 2`), which then becomes their name.
 */
export function labelsIn(name: string): Labels | null {
  const [, plain, inside = '', number] = NAMED.exec(name.trim()) ?? []
  if (!NAMED.test(name.trim())) return null
  const labels: Record<string, string> = {}
  for (let rest = inside; rest.trim() !== ''; ) {
    const [whole, label, value] = LABEL.exec(rest) ?? []
    if (whole === undefined) return null
    labels[label] = value.replace(/\\(.)/g, '$1')
    rest = rest.slice(whole.length)
  }
  if (plain !== undefined) labels.__name__ = plain
  else if (number !== undefined && labels.__name__ === undefined) labels.__name__ = `series ${number}`
  return labels
}

/** Returns labels for plain names such as "encode queue" and "encode latency ms" if they form a full grid of stages and measures in exactly one way. */
export function gridLabels(names: readonly string[]): readonly Labels[] | null {
  const grids = new Map<string, readonly Labels[]>()
  for (const mark of between) {
    for (const cut of [names.map((name) => name.indexOf(mark)), names.map((name) => name.lastIndexOf(mark))]) {
      if (cut.some((at) => at <= 0)) continue
      const pairs = names.map(
        (name, k) => [bare(name.slice(0, cut[k])), bare(name.slice(cut[k] + mark.length))] as const,
      )
      for (const stageFirst of [true, false]) {
        const labels = pairs.map(
          ([a, b]): Labels =>
            stageFirst ? { stage: a, __name__: plainName(b) } : { stage: b, __name__: plainName(a) },
        )
        if (isGrid(labels)) grids.set(JSON.stringify(labels), labels)
      }
    }
  }
  const [only, another] = grids.values()
  return another === undefined ? (only ?? null) : null
}

/** Returns a text without marks at its ends, so that `a - b` may be cut at a space or at the dash. */
const bare = (text: string): string => text.replace(/^[\s:/.\-_]+|[\s:/.\-_]+$/g, '')

/** Returns whether every stage has every measure, and the roles of the measures are clear. */
function isGrid(labels: readonly Labels[]): boolean {
  const [stages, measures] = ['stage', '__name__'].map((label) => new Set(labels.map((each) => each[label])))
  const all = new Set(labels.map((each) => JSON.stringify(each)))
  const full =
    all.size === labels.length && stages.size * measures.size === labels.length && !stages.has('') && !measures.has('')
  return full && guessMapping({ series: labels.map((each) => ({ labels: each })) }, 'stage').certain
}
