import { t } from '../../../language/translate.ts'
import { toUtf8 } from '../../../scenario/link/bytes.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { foundText, listed, quoted } from '../../../scenario/model/words.ts'
import type { JsonBytes } from '../../../trace/json/jsonBytes.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { DECIMAL_SNIFF_BYTES, decimalIn, LF, lineOf, MAX_ROW, ragged, sameMeaning } from './csvRows.ts'
import { gridLabels, type Labels, labelsIn, type SeriesLayout, seriesLayoutOf } from './csvTable.ts'
import { createBadRows, noteBadRow, tooMany, unordered } from './log.ts'
import { cellsOf, cellText, DAY, separatorLine } from './logColumns.ts'
import { instantIn, numberIn } from './logNumber.ts'
import { allowed } from './logRows.ts'
import { createSeries, isNextSample, MAX_SERIES, pushSample, type Series, type SeriesFile } from './prometheus.ts'

/** Lines of series being read: a CSV, as Grafana exports panels, or the text that Prometheus scrapes. */
export interface SeriesTable {
  readonly isScraped: boolean
  layout: SeriesLayout | null
  line: number
  comma: boolean
  /** By name, and by column of the present headings. */
  readonly byName: Map<string, Named>
  columns: readonly (Named | null)[]
  readonly file: SeriesFile
}

interface Named {
  series: Series
  /** Whether its values are times with a unit; null: there is none yet. */
  isTime: boolean | null
}

const SCRAPED = /^([A-Za-z_:][\w:]*\s*(?:\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?)\s*\s(\S+)(?:\s+([+-]?[\d.]+))?(?:\s+#.*)?$/

/** Bare numbers from this one up are milliseconds since 1970; from a hundredth of it up, seconds. */
const MILLISECONDS = 100_000_000_000

export function createSeriesTable(line: number, isScraped: boolean): SeriesTable {
  return {
    isScraped,
    layout: null,
    line,
    comma: false,
    byName: new Map(),
    columns: [],
    file: { series: [], bad: createBadRows(), notes: [] },
  }
}

/** Reads all complete rows, and the rest after the last part. Throws a Refusal if the headings do not identify the columns. */
export function takeSeriesRows(json: JsonBytes, table: SeriesTable): void {
  while (json.at < json.length) {
    let end = json.at
    while (end < json.length && json.bytes[end] !== LF) end++
    const wanted = table.layout === null && !table.isScraped ? DECIMAL_SNIFF_BYTES : 1
    if (json.length < end + wanted && !json.over && end - json.at <= MAX_ROW) return
    const text = cellText(json.bytes.subarray(json.at, end)).replace(/\r$/, '')
    const first = table.layout === null
    if (table.isScraped) takeScraped(table, text)
    else if (text.trim() !== '' && !(table.line === 1 && separatorLine.test(text))) takeLine(table, text)
    if (first && table.layout !== null && table.layout.mark !== ',')
      table.comma =
        decimalIn(
          cellText(json.bytes.subarray(end, Math.min(json.length, end + DECIMAL_SNIFF_BYTES))),
          table.layout.mark,
        ) === 'comma'
    json.at = Math.min(end + 1, json.length)
    table.line++
  }
}

/** Returns the series. Throws a Refusal if their names do not contain stage and measure. */
export function finishedSeries({ layout, byName, file }: SeriesTable): SeriesFile {
  const all = Array.from(byName.values())
  if (layout?.long) {
    const names = Array.from(byName.keys())
    const labels = names.some((name) => labelsIn(name) === null)
      ? gridLabels(names)
      : names.map((name) => labelsIn(name) ?? {})
    if (labels === null) throw unclearNames(names)
    for (const [k, each] of all.entries()) each.series = { ...each.series, labels: labels[k] }
  }
  return {
    ...file,
    series: all
      .filter(({ series }) => series.length > 0)
      .map(({ series, isTime }) => (isTime === true ? inSeconds(series) : series)),
  }
}

/** Takes `name{label="text"} number time`: comments and exemplars say nothing, and without times all are of one instant. */
function takeScraped(table: SeriesTable, text: string): void {
  const line = text.trim()
  if (line === '' || line.startsWith('#')) return
  const [, name, value, at = '0'] = SCRAPED.exec(line) ?? []
  const labels = name === undefined ? null : labelsIn(name.includes('{') ? name : `${name}{}`)
  // Infinity is a bound, and nothing that is counted.
  const number = /^[+-]?(inf|nan)/i.test(value ?? '') ? Number.NaN : Number(value)
  const time = Math.abs(Number(at)) >= MILLISECONDS ? Number(at) * 1000 : Number(at) * 1_000_000
  const isNumber = !Number.isNaN(number) || /^[+-]?(inf|nan)/i.test(value ?? '')
  const series = labels === null || !isNumber ? null : named(table, name, labels).series
  if (series === null)
    noteBad(table, foundText(line.slice(0, 80), t('{form} and a number', { form: 'queue_length{stage="encode"}' })))
  else if (!isNextSample(series, time)) noteBad(table, unordered())
  else pushSample(series, Math.round(time), number)
}

function takeLine(table: SeriesTable, text: string): void {
  const { layout } = table
  const cells = layout === null ? [] : cellsOf(text, layout.mark)
  // A file may hold several results, each with its own headings.
  if (layout === null || (layout.long === null && cells[0] === layout.cells[0])) takeHeadings(table, text)
  else if (cells.length !== layout.cells.length) noteBad(table, ragged(cells.length, layout.cells.length))
  else takeSamples(table, layout, cells)
}

function takeSamples(table: SeriesTable, { time, scale, long }: SeriesLayout, cells: readonly string[]): void {
  const at = timeIn(cells[time], scale)
  if (Number.isNaN(at)) noteBad(table, `time ${foundText(cells[time], allowed.time())}`)
  else if (long !== null) takeCell(table, named(table, cells[long.name], {}), at, cells[long.value])
  else for (let k = 1; k < cells.length; k++) takeCell(table, table.columns[k], at, cells[k])
}

function noteBad({ file, line }: SeriesTable, message: string): void {
  noteBadRow(file, () => lineOf(line), message)
}

function takeHeadings(table: SeriesTable, text: string): void {
  const layout = seriesLayoutOf(text)
  if (layout === null) throw unclearNames(cellsOf(text, table.layout?.mark ?? ',').slice(1), lineOf(table.line))
  table.layout = layout
  if (layout.long !== null) return
  const others = layout.cells.slice(1)
  const labels = others.every((cell) => labelsIn(cell) === null) ? gridLabels(others) : others.map(labelsIn)
  const unnamed = others.filter((_, k) => labels === null || labels[k] === null)
  if (labels === null || unnamed.length > 0) throw unclearNames(unnamed)
  const twice = others.filter((cell, k) => others.indexOf(cell) < k)
  if (twice.length > 0) throw new Refusal(lineOf(table.line), sameMeaning([twice[0], twice[0]]))
  table.columns = [null, ...others.map((cell, k) => named(table, cell, labels[k] ?? {}))]
}

function unclearNames(unclear: readonly string[], path = ''): Refusal {
  return new Refusal(
    path,
    t('found the names {x}; allowed: names such as {form} (in Grafana the legend Verbose)', {
      x: listed(unclear.slice(0, 4).map(quoted)),
      form: 'queue_length{stage="encode"}',
    }),
  )
}

function named({ byName }: SeriesTable, name: string, labels: Labels): Named {
  const known = byName.get(name)
  if (known !== undefined) return known
  if (byName.size === MAX_SERIES) throw new Refusal('series', tooMany(MAX_SERIES))
  const created = { series: createSeries(labels), isTime: null }
  byName.set(name, created)
  return created
}

/** Takes a sample, unless the cell is empty. */
function takeCell(table: SeriesTable, of: Named | null, time: Micros, cell: string): void {
  if (of === null || cell === '') return
  const read = formattedValue(cell, table.comma)
  const isMeasured = read !== null && !Number.isNaN(read.value)
  if (read === null) noteBad(table, foundText(cell, t('a number, or one with a unit such as 1.2 K or 35 ms')))
  else if (!isNextSample(of.series, time)) noteBad(table, unordered())
  else if (isMeasured && of.isTime === !read.isTime)
    noteBad(table, foundText(cell, t('a unit for all numbers of a series, or for none')))
  else {
    if (isMeasured) of.isTime = read.isTime
    pushSample(of.series, time, read.value)
  }
}

/** Renames a series to one of seconds, whatever unit its name had. */
function inSeconds(series: Series): Series {
  const name = (series.labels.__name__ ?? 'time').replace(/_(ns|us|ms|s|min|milliseconds|microseconds|seconds)$/, '')
  return { ...series, labels: { ...series.labels, __name__: `${name}_seconds` } }
}

function timeIn(cell: string, scale: number): Micros {
  const bytes = toUtf8(cell)
  const number = numberIn(bytes, 0, bytes.length)
  if (Number.isNaN(number)) return Math.round(instantIn(bytes, 0, bytes.length))
  if (scale > 0 && scale !== DAY) return Math.round(number * scale)
  return number >= MILLISECONDS
    ? Math.round(number * 1000)
    : number >= MILLISECONDS / 100
      ? Math.round(number * 1_000_000)
      : Number.NaN
}

/** A number with its unit. */
interface FormattedValue {
  /** In seconds if it is a time. NaN: nothing was measured. */
  readonly value: number
  readonly isTime: boolean
}

const counts: Readonly<Record<string, number>> = { K: 1e3, k: 1e3, Mil: 1e6, Bil: 1e9 }
/** In microseconds, so that 36 ms are 0.036 s to the last bit. */
const [SECOND, MINUTE, HOUR] = [1_000_000, 60_000_000, 3_600_000_000]
const times: Readonly<Record<string, number>> = {
  ...{ ns: 0.001, µs: 1, μs: 1, us: 1, ms: 1000 },
  ...{ s: SECOND, sec: SECOND, secs: SECOND, second: SECOND, seconds: SECOND },
  ...{ min: MINUTE, mins: MINUTE, minute: MINUTE, minutes: MINUTE, hour: HOUR, hours: HOUR },
}
const NUMBER = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?)\s*([A-Za-zµμ]*)$/i

/**
 * Returns the value of a cell such as `12`, `1.2 K`, `35 ms` or `1.5 mins`, as Grafana formats values; null if the unit is unknown or the
 * decimal mark is not the one of the file: a comma if `comma`, else a point.
 */
export function formattedValue(cell: string, comma: boolean): FormattedValue | null {
  const text = cell.trim()
  if (/^(nan|null|undefined|-)$/i.test(text)) return { value: Number.NaN, isTime: false }
  const [, digits, unit] = NUMBER.exec(text) ?? []
  if (digits === undefined || digits.includes(comma ? '.' : ',')) return null
  const number = Number(digits.replace(',', '.'))
  if (unit === '') return { value: number, isTime: false }
  if (Object.hasOwn(times, unit)) return { value: (number * times[unit]) / 1_000_000, isTime: true }
  return Object.hasOwn(counts, unit) ? { value: number * counts[unit], isTime: false } : null
}
