import { t } from '../../../language/translate.ts'
import { fromUtf8 } from '../../../scenario/link/bytes.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { createJsonBytes, feed, isAtEnd, type JsonBytes, skipSpace } from '../../../trace/json/jsonBytes.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { formatNames, spanFormatOf } from '../../spans/read/spanFormats.ts'
import { createCsv, type Headings, headingsIn, takeCsv } from './csvRows.ts'
import { isAnswer, isSeriesTable } from './csvTable.ts'
import { decisionColumns, decisionFormOf, isSchedulerEvents } from './decisions.ts'
import { createJsonRows, moreAtEnd, takeJsonRows } from './jsonRows.ts'
import { type SystemLog, toldProblems, trimLog } from './log.ts'
import { cellText, headingOf, STAGE, separatorLine, TIME } from './logColumns.ts'
import { checkWorkers, createLogRows, type LogRows } from './logRows.ts'
import { addSeries } from './logSeries.ts'
import { type SeriesFile, takeRangeQuery } from './prometheus.ts'
import type { Mapping } from './seriesRoles.ts'
import { createSeriesTable, finishedSeries, type SeriesTable, takeSeriesRows } from './seriesTable.ts'

/** What is told of a log: its bad rows, which are left out, with their problems (`untold`: how many no problem names), and notes on derived numbers. */
export interface LogNotes {
  readonly bad: number
  readonly problems: readonly Problem[]
  readonly untold: number
  readonly notes: readonly string[]
}

/** A log, or the problems of a file. */
export type LogRead = ({ readonly log: SystemLog } & LogNotes) | { readonly problems: readonly Problem[] }

/** Takes the bytes of a log, UTF-8, in parts. */
interface LogReader {
  /** Returns false if there is a problem already, so nothing more is needed. */
  push(part: Uint8Array): boolean
  /** Returns the log or its problems, or series, which `logOf` turns into a log. */
  end(): LogRead | SeriesFile
}

type LogFormat = 'csv' | 'series' | 'scraped' | 'list' | 'lines' | 'prometheus'

/** How many bytes are read to recognise the format of a file. */
export const HEAD = 4096
/** How many of them distinguish an answer of Prometheus from lines of JSON. */
const MIN_HEAD = 200
/** The longest line of headings. */
const MAX_HEAD = 1_000_000

/**
 * Returns a reader of logs, which recognises the format: CSV, CSV of series as Grafana exports it, a list or lines of JSON objects, the
 * answer to a range query of Prometheus, or the text that Prometheus scrapes. Never throws. `headings`: the meaning of the first line of a CSV, or of the keys of objects, if their names do not say it.
 */
export function createLogReader(headings: Headings | null = null): LogReader {
  const json = createJsonBytes()
  const rows = createLogRows()
  let step: (() => void) | null = null
  let series: SeriesFile | null = null
  let table: SeriesTable | null = null
  let problems: readonly Problem[] | null = null

  function begin(): void {
    const format = formatOf(json)
    // Empty lines at the beginning count.
    const line = 1 + json.bytes.subarray(0, json.at).filter((code) => code === 10).length
    if (format === 'scraped' || (format === 'series' && headings === null)) {
      const read = createSeriesTable(line, format === 'scraped')
      table = read
      step = () => takeSeriesRows(json, read)
    } else if (format === 'csv' || format === 'series') {
      const csv = createCsv(line, headings)
      step = () => takeCsv(json, csv, rows)
    } else if (format === 'prometheus') {
      const reading = takeRangeQuery(json)
      step = () => {
        if (series === null) {
          const { done, value } = reading.next()
          if (done) series = value
        }
        if (series !== null && !isAtEnd(json)) throw new Refusal('', moreAtEnd(json))
      }
    } else {
      const state = createJsonRows(format === 'list', line, headings)
      step = () => takeJsonRows(json, state, rows)
    }
  }

  function go(): void {
    try {
      if (step === null) {
        const { bytes, length, over } = json
        const isEnough = length >= HEAD && (length - skipSpace(bytes, 0) >= MIN_HEAD || length > MAX_HEAD)
        if (!over && !isEnough) return
        begin()
      }
      step?.()
    } catch (error) {
      problems = problemsOf(error)
    }
  }

  return {
    push(part) {
      if (problems !== null) return false
      feed(json, part)
      go()
      return problems === null
    },
    end() {
      json.over = true
      if (problems === null) go()
      if (problems !== null) return { problems }
      try {
        return table === null ? (series ?? finished(rows)) : finishedSeries(table)
      } catch (error) {
        return { problems: problemsOf(error) }
      }
    },
  }
}

/** Returns the log of some series. */
export function logOf(file: SeriesFile, mapping: Mapping): LogRead {
  const rows = createLogRows()
  rows.bad = { count: file.bad.count, kinds: new Map(file.bad.kinds) }
  rows.notes.push(...file.notes)
  try {
    addSeries(rows, file, mapping)
  } catch (error) {
    return { problems: [...problemsOf(error), ...toldProblems(rows.bad).problems] }
  }
  return finished(rows)
}

/** Returns whether a file that begins like this seems to be a log: by its headings or keys, or as the answer to a range query, even a failed one. */
export function looksLikeLog(head: Uint8Array): boolean {
  const text = fromUtf8(head)
    .replace(/^\ufeff/, '')
    .replace(separatorLine, '')
  const first = text.trimStart()
  if (isSeriesTable(first.split('\n', 1)[0]) || isScraped(first) || isAnswer(first)) return true
  const named = /^[[{]/.test(first)
    ? Array.from(first.matchAll(/"([^"\\]{1,40})"\s*:/g), ([, key]) => headingOf(key))
    : headingsIn(first.split('\n', 1)[0].slice(0, HEAD)).headings
  return [TIME, STAGE].every((column) => named.some((heading) => heading?.column === column))
}

/** Returns whether a text begins as Prometheus scrapes it: with comments on its series, or a series with labels. */
const isScraped = (text: string): boolean =>
  /^\s*(# (HELP|TYPE|UNIT) [A-Za-z_:]|[A-Za-z_:][\w:]*\{\w+="[^\n]*\} [-+\d.INin])/.test(text)

function finished(rows: LogRows): LogRead {
  const { log, bad, notes } = rows
  try {
    checkWorkers(rows)
  } catch (error) {
    return { problems: problemsOf(error) }
  }
  const badRows = toldProblems(bad)
  if (log.length === 0)
    return { problems: bad.count > 0 ? badRows.problems : [{ path: '', message: t('the file has no rows') }] }
  trimLog(log)
  return { log, bad: bad.count, ...badRows, notes }
}

/** Returns the format of the first bytes. Skips a byte order mark. Throws a Refusal for bytes that are not UTF-8 text. */
function formatOf(json: JsonBytes): LogFormat {
  const { bytes, length } = json
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw new Refusal('', t('the file is {format}; allowed: CSV or JSON, in UTF-8', { format: 'gzip' }))
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new Refusal('', t('the file is {format}; allowed: CSV or JSON, in UTF-8', { format: 'UTF-16' }))
  if (bytes.subarray(0, Math.min(length, HEAD)).includes(0))
    throw new Refusal('', t('the file cannot be read; allowed: CSV or JSON, in UTF-8'))
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) json.at = 3
  if (isAtEnd(json)) throw new Refusal('', t('the file is empty'))
  const first = bytes[json.at]
  const start = fromUtf8(bytes.subarray(json.at, Math.min(length, HEAD)))
  const spans = spanFormatOf(start)
  if (spans !== null) throw new Refusal('', spansRefusal(formatNames[spans]))
  const other = otherIn(start)
  if (other !== null) throw new Refusal('', other)
  if (first === 91) return 'list'
  if (first !== 123) {
    const head = cellText(bytes.subarray(json.at, Math.min(length, json.at + MAX_HEAD))).replace(separatorLine, '')
    return isScraped(head) ? 'scraped' : isSeriesTable(head.split('\n', 1)[0]) ? 'series' : 'csv'
  }
  return /^\{\s*"(status|data)"/.test(fromUtf8(bytes.subarray(json.at, Math.min(length, json.at + MIN_HEAD))))
    ? 'prometheus'
    : 'lines'
}

/** Returns what a text that begins like this holds instead of a log: a trace, or decisions of a scheduler; null: neither. */
export function otherIn(start: string): string | null {
  if (start.includes('"apportion-trace"')) return t('is a trace; open it as a trace')
  if (decisionFormOf(start) !== null) return t('has decisions of a scheduler; first open its log or its spans')
  return isSchedulerEvents(start)
    ? t('has events of a scheduler; allowed: its decisions as {columns}', { columns: decisionColumns() })
    : null
}

/** Says what spans are, which the import reads. */
const spansRefusal = (format: string): string =>
  t('has spans ({format}), not a log; open it as a trace, or use the command import', {
    format,
  })

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof Refusal) return [{ path: error.path, message: error.message }]
  return [{ path: '', message: t('the file cannot be read; allowed: CSV or JSON, in UTF-8') }]
}
