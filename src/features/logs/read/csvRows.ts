import { t } from '../../../language/translate.ts'
import { countText, listed, quoted } from '../../../scenario/model/words.ts'
import type { JsonBytes } from '../../../trace/json/jsonBytes.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { noteBadRow, tooMany } from './log.ts'
import { cellsOf, cellText, type Heading, headingOf, needed, SERVICE, separatorLine, WORKERS } from './logColumns.ts'
import { type Decimal, maybeThousands } from './logNumber.ts'
import { createFields, type LogRows, missingColumns, takeRow } from './logRows.ts'

/** The first line of a CSV, and the meaning of each cell; null: none. */
export type Headings = {
  /** Between cells. */
  readonly mark: string
  readonly cells: readonly string[]
  readonly headings: readonly (Heading | null)[]
}

export const LF = 10
const [CR, SPACE, QUOTE] = [13, 32, 34]
/** How many bytes after the headings are read to find the decimal mark. */
export const DECIMAL_SNIFF_BYTES = 4096
/** The possible separators of cells. */
export const cellMarks = [',', ';', '\t'] as const
/** The longest row in bytes. An unclosed quote would continue to the end of the file. */
export const MAX_ROW = 1_000_000
const MAX_CELLS = 1000

/** A CSV being read (RFC 4180): a line of headings, then rows. Cells may be in quotes. */
type Csv = ReturnType<typeof createCsv>

/** `line`: the one-based number of the next line. `given`: the headings that the user chose; null: the names decide. */
export function createCsv(line: number, given: Headings | null) {
  return {
    /** The byte between cells. With semicolons or tabs numbers may have decimal commas. */
    mark: 0,
    given,
    /** By cell of a row: the column of the log, or -1. Empty until the headings are read. */
    targets: new Int8Array(0),
    line,
    fields: createFields(),
  }
}

/** Reads all complete rows, and the rest after the last part. Throws a Refusal if a required heading is missing. */
export function takeCsv(json: JsonBytes, csv: Csv, rows: LogRows): void {
  if (csv.targets.length === 0 && !takeHeadings(json, csv)) return
  while (json.at < json.length && takeLine(json, csv, rows));
  if (json.length - json.at > MAX_ROW) throw rowTooLong(csv.line)
}

/** Returns the headings of the first line, and the mark that gives the most known ones. */
export function headingsIn(line: string): Headings {
  const read = cellMarks.map((mark) => {
    const cells = cellsOf(line, mark)
    return { mark, cells, headings: cells.map(headingOf) }
  })
  const known = ({ headings }: (typeof read)[number]) => headings.filter((heading) => heading !== null).length
  return read.reduce((best, each) => (known(each) > known(best) ? each : best))
}

function takeHeadings(json: JsonBytes, csv: Csv): boolean {
  const { bytes, at, length } = json
  let end = at
  while (end < length && bytes[end] !== LF) end++
  if (length < end + DECIMAL_SNIFF_BYTES && !json.over && length - at <= MAX_ROW) return false
  const line = cellText(bytes.subarray(at, Math.min(end, at + MAX_ROW)))
  if (csv.line === 1 && separatorLine.test(line)) {
    json.at = Math.min(end + 1, length)
    csv.line++
    return takeHeadings(json, csv)
  }
  const { mark, cells, headings } = csv.given ?? headingsIn(line)
  if (cells.length > MAX_CELLS) throw new Refusal('columns', tooMany(MAX_CELLS))
  for (const column of [...needed, WORKERS]) {
    const named = cells.filter((_, k) => headings[k]?.column === column)
    if (named.length > 1) throw new Refusal(lineOf(csv.line), sameMeaning(named))
  }
  const lacking = needed.filter((column) => !headings.some((heading) => heading?.column === column))
  if (lacking.length > 0) throw new Refusal(lineOf(csv.line), missingColumns(lacking))
  csv.mark = mark.charCodeAt(0)
  csv.fields.decimal =
    mark === ',' ? 'point' : decimalIn(cellText(bytes.subarray(end, Math.min(length, end + DECIMAL_SNIFF_BYTES))), mark)
  csv.targets = Int8Array.from(headings, (heading) => heading?.column ?? -1)
  for (const heading of headings) if (heading !== null) csv.fields.scale[heading.column] = heading.scale
  if (csv.fields.scale[SERVICE] === 0) throw new Refusal(lineOf(csv.line), serviceWithoutUnit())
  json.at = Math.min(end + 1, length)
  csv.line++
  return true
}

/** Takes the next row. Returns false if it is not complete yet. */
function takeLine(json: JsonBytes, csv: Csv, rows: LogRows): boolean {
  const { bytes, length, at: first } = json
  const { fields, targets, mark } = csv
  const { from, to, text } = fields
  let [i, cell, breaks] = [first, 0, 0]
  /** A quote is not closed, or there is text after it. */
  let torn = false
  for (; ; cell++) {
    while (bytes[i] === SPACE) i++
    let begin = i
    let end: number
    let decoded: string | null = null
    if (bytes[i] === QUOTE) {
      begin++
      let doubled = false
      for (i++; i < length; i++) {
        const code = bytes[i]
        if (code === LF) breaks++
        else if (code === QUOTE) {
          if (bytes[i + 1] !== QUOTE) break
          doubled = true
          i++
        }
      }
      // The byte after a quote decides whether it was the last.
      if (i + 1 >= length && !json.over) return false
      end = Math.min(i, length)
      if (i >= length) torn = true
      else i++
      if (doubled) decoded = cellText(bytes.subarray(begin, end)).replaceAll('""', '"')
      for (; i < length && bytes[i] !== mark && bytes[i] !== LF; i++)
        if (bytes[i] !== SPACE && bytes[i] !== CR) torn = true
    } else {
      let code = bytes[i]
      while (code !== mark && code !== LF && i < length) code = bytes[++i]
      end = i
      while (end > begin && (bytes[end - 1] === SPACE || bytes[end - 1] === CR)) end--
    }
    if (i >= length && !json.over) return false
    // A surplus cell has no target.
    const target = targets[cell]
    if (target >= 0) {
      from[target] = begin
      to[target] = end
      text[target] = decoded
    }
    if (i >= length || bytes[i] === LF) {
      if (cell === 0 && end === begin && decoded === null && !torn) cell = -1
      break
    }
    i++
  }
  json.at = Math.min(i + 1, length)
  const { line } = csv
  csv.line += 1 + breaks
  // An empty line is not a row.
  if (cell < 0) return true
  fields.bytes = bytes
  const place = () => lineOf(line)
  if (torn) noteBadRow(rows, place, t('a quote is not closed, or there is text after it'))
  else if (cell + 1 !== targets.length) noteBadRow(rows, place, ragged(cell + 1, targets.length))
  else takeRow(rows, fields, place)
  return true
}

/** Returns the decimal mark of the numbers in some rows. */
export function decimalIn(rows: string, mark: string): Decimal {
  const cells = rows.split('\n').flatMap((row) => cellsOf(row, mark))
  if (cells.some((cell) => /^[+-]?\d*,\d+$/.test(cell))) return 'comma'
  return cells.some((cell) => /^[+-]?\d*\.\d+$/.test(cell) && !maybeThousands.test(cell)) ? 'point' : 'unknown'
}

export function ragged(cells: number, headings: number): string {
  return t('has {cells} {cells, plural, one {cell} other {cells}}; allowed: {headings}, as the headings have', {
    cells,
    headings,
  })
}

export const sameMeaning = (columns: readonly string[]): string =>
  t('{x} have the same meaning; allowed: one column for each', { x: listed(columns.map(quoted)) })

export const serviceWithoutUnit = (): string =>
  t('the service has no unit; allowed: service_us, service_ms or service_s')

/** Returns the error for a row that does not end. */
export const rowTooLong = (line: number): Refusal =>
  new Refusal(lineOf(line), t('is longer than {n} bytes', { n: countText(MAX_ROW) }))

export const lineOf = (line: number): string => t('line {line}', { line: countText(line) })
