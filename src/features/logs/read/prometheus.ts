import { t } from '../../../language/translate.ts'
import { grown } from '../../../pipeline/column.ts'
import type { Micros, Problem } from '../../../scenario/model/scenario.ts'
import { foundText, pathOf, valueText } from '../../../scenario/model/words.ts'
import * as scan from '../../../trace/json/jsonBytes.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { noteProblem } from './log.ts'
import { numberIn } from './logNumber.ts'

/** One series of a range query: labels, and samples in order of time. NaN: nothing was measured. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>
  length: number
  /** In microseconds since 1970. */
  time: Float64Array
  value: Float64Array
  /** Of a histogram: the number of values, of which `value` is the sum; null for plain samples. */
  count: Float64Array | null
}

/** The content of an answer to a range query. */
export interface SeriesFile {
  readonly series: readonly Series[]
  /** The first few bad samples, and the number of all. */
  readonly problems: Problem[]
  bad: number
  /** How numbers that are not in the file were derived. */
  readonly notes: string[]
}

/** The maximum number of series in one file. */
export const MAX_SERIES = 4096
const SHOWN = 20

/**
 * Reads the answer of Prometheus' HTTP API to a range query, `{status, data: {resultType: "matrix", result: [{metric: {label:
 * text}, values: [[seconds, "number"], ...]}, ...]}}`, in parts, its samples into columns. Throws a Refusal for anything else.
 */
export function* takeRangeQuery(json: scan.JsonBytes): scan.Reading<SeriesFile> {
  const file: SeriesFile & { readonly series: Series[] } = { series: [], problems: [], bad: 0, notes: [] }
  let seen = false
  yield* scan.takeObjectStart(json, '')
  for (let key = yield* scan.takeKey(json, '', true); key !== null; key = yield* scan.takeKey(json, '', false)) {
    if (key === 'data') {
      yield* takeData(json, file)
      seen = true
    } else {
      const value = yield* scan.takeValue(json, key)
      if (key === 'error') throw new Refusal('', t('the query failed: {value}', { value: valueText(value) }))
    }
  }
  if (!seen) throw new Refusal('data', t('is missing; allowed: the answer to a range query'))
  if (file.series.length === 0) throw new Refusal('data.result', t('the answer has no series'))
  return file
}

function* takeData(json: scan.JsonBytes, file: SeriesFile & { readonly series: Series[] }): scan.Reading<void> {
  yield* scan.takeObjectStart(json, 'data')
  for (
    let key = yield* scan.takeKey(json, 'data', true);
    key !== null;
    key = yield* scan.takeKey(json, 'data', false)
  ) {
    if (key !== 'result') {
      const value = yield* scan.takeValue(json, `data.${key}`)
      if (key === 'resultType' && value !== 'matrix')
        throw new Refusal(
          'data.resultType',
          t('found {value}; allowed: "matrix" (of /api/v1/query_range)', {
            value: valueText(value),
          }),
        )
      continue
    }
    if (!(yield* takeListStart(json, 'data.result'))) continue
    do {
      if (file.series.length === MAX_SERIES)
        throw new Refusal('data.result', t('has more than {MAX_SERIES} series', { MAX_SERIES }))
      file.series.push(yield* takeSeries(json, file, pathOf(['data', 'result', file.series.length])))
    } while ((yield* scan.takeOneOf(json, ',]', 'data.result')) === ',')
  }
}

function* takeSeries(json: scan.JsonBytes, file: SeriesFile, path: string): scan.Reading<Series> {
  const series = createSeries({})
  yield* scan.takeObjectStart(json, path)
  for (let key = yield* scan.takeKey(json, path, true); key !== null; key = yield* scan.takeKey(json, path, false)) {
    if (key === 'values' && series.count !== null)
      throw new Refusal(`${path}.values`, t('come with histograms; allowed: one of the two'))
    if (key === 'values') yield* takeSamples(json, file, series, `${path}.values`)
    else if (key === 'metric')
      Object.assign(series.labels, labelsOf(yield* scan.takeValue(json, `${path}.metric`), `${path}.metric`))
    else if (key === 'histograms') yield* takeHistograms(json, file, series, `${path}.histograms`)
    else yield* scan.takeValue(json, `${path}.${key}`)
  }
  return series
}

function labelsOf(value: unknown, path: string): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(path, foundText(value, t('an object of labels')))
  return Object.fromEntries(Object.entries(value).map(([label, text]) => [label, String(text)]))
}

function* takeSamples(json: scan.JsonBytes, file: SeriesFile, series: Series, path: string): scan.Reading<void> {
  if (!(yield* takeListStart(json, path))) return
  let count = 0
  for (;;) {
    const next = scanSample(json, series)
    if (next === scan.COMMA) {
      count++
      continue
    }
    if (next === scan.CLOSE_LIST) return
    // Incomplete, in an unusual notation, or not a sample.
    const place = `${path}[${count}]`
    noteBadSample(file, place, problemOf(series, yield* scan.takeValue(json, place)))
    count++
    if ((yield* scan.takeOneOf(json, ',]', path)) === ']') return
  }
}

/** Takes the samples of a native histogram, `[seconds, {"count": "number", "sum": "number", ...}]`, by their sums and counts. */
function* takeHistograms(json: scan.JsonBytes, file: SeriesFile, series: Series, path: string): scan.Reading<void> {
  const isFilled = yield* takeListStart(json, path)
  if (series.length > 0) throw new Refusal(path, t('come with numbers; allowed: one of the two'))
  series.count = new Float64Array(series.time.length)
  for (let k = 0; isFilled; k++) {
    const place = `${path}[${k}]`
    noteBadSample(file, place, histogramProblemOf(series, yield* scan.takeValue(json, place)))
    if ((yield* scan.takeOneOf(json, ',]', path)) === ']') return
  }
}

/** Takes a sample of a histogram. Returns its problem, or null. */
function histogramProblemOf(series: Series, sample: unknown): string | null {
  const [at, histogram] = Array.isArray(sample)
    ? (sample as [unknown, { readonly sum?: unknown; readonly count?: unknown } | null])
    : []
  const sum = Number(histogram?.sum ?? Number.NaN)
  const count = Number(histogram?.count ?? Number.NaN)
  if (typeof at !== 'number' || !Number.isFinite(sum) || !(count >= 0 && count < Infinity))
    return foundText(sample, t('a sample of a histogram, with its time, its sum and its count'))
  return orderProblemOf(series, at, sum, count)
}

/** Takes the opening bracket of a list. Returns false for an empty list, whose end is taken too. */
function* takeListStart(json: scan.JsonBytes, path: string): scan.Reading<boolean> {
  yield* scan.takeOneOf(json, '[', path)
  if ((yield* scan.peek(json, path)) !== scan.CLOSE_LIST) return true
  json.at++
  return false
}

/** Notes a bad sample, which is left out. */
export function noteBadSample(file: SeriesFile, path: string, message: string | null): void {
  if (message === null) return
  file.bad++
  noteProblem(file.problems, SHOWN, () => path, message)
}

/** Takes `[seconds, "number"]` and the comma or bracket after it, which is returned; 0 for anything else. */
function scanSample(json: scan.JsonBytes, series: Series): number {
  const { bytes, length } = json
  let i = scan.skipSpace(bytes, json.at)
  if (bytes[i] !== scan.OPEN_LIST) return 0
  i = scan.skipSpace(bytes, i + 1)
  let from = i
  while (bytes[i] > scan.COMMA) i++
  const time = Math.round(numberIn(bytes, from, i) * 1_000_000)
  i = scan.skipSpace(bytes, i)
  if (bytes[i] !== scan.COMMA) return 0
  i = scan.skipSpace(bytes, i + 1)
  if (bytes[i] !== scan.QUOTE) return 0
  from = ++i
  while (bytes[i] !== scan.QUOTE && i < length) i++
  const value = numberIn(bytes, from, i)
  i = scan.skipSpace(bytes, i + 1)
  if (bytes[i] !== scan.CLOSE_LIST) return 0
  i = scan.skipSpace(bytes, i + 1)
  if (
    i >= length ||
    (bytes[i] !== scan.COMMA && bytes[i] !== scan.CLOSE_LIST) ||
    !isNextSample(series, time) ||
    Number.isNaN(value)
  )
    return 0
  pushSample(series, time, value)
  json.at = i + 1
  return bytes[i]
}

/** Takes a sample that was read as JSON. Returns its problem, or null. */
function problemOf(series: Series, sample: unknown): string | null {
  if (!Array.isArray(sample) || sample.length !== 2 || typeof sample[0] !== 'number')
    return foundText(sample, t('a sample [seconds, "number"]'))
  const [at, value] = sample as [number, unknown]
  const number = value === 'NaN' ? Number.NaN : Number(value)
  const isNumber = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
  if (value !== 'NaN' && (!isNumber || !Number.isFinite(number)))
    return foundText(value, t('a number in quotes, or "NaN" where nothing was measured'))
  return orderProblemOf(series, at, number)
}

/** Takes a sample of numbers. Returns the problem of its time, or null. */
function orderProblemOf(series: Series, seconds: number, value: number, count?: number): string | null {
  const time = Math.round(seconds * 1_000_000)
  if (!isNextSample(series, time))
    return t('time runs back, or stands still, at {at}; allowed: samples in order of time', { at: valueText(seconds) })
  pushSample(series, time, value, count)
  return null
}

/** Returns whether a sample at this time may follow. */
export function isNextSample({ length, time }: Series, at: Micros): boolean {
  return length === 0 ? !Number.isNaN(at) : at > time[length - 1]
}

/** Returns a series without samples. */
export function createSeries(labels: Readonly<Record<string, string>>): Series {
  return { labels, length: 0, time: new Float64Array(64), value: new Float64Array(64), count: null }
}

/**
 * Returns a counter that begins at 0: with a sample at the last time before its first at which `beside`, a series of the same target, was scraped. A client
 * may export a counter only once it has counted something.
 */
export function fromZero(counter: Series, beside: Series): Series {
  let k = -1
  while (k + 1 < beside.length && beside.time[k + 1] < counter.time[0]) k++
  if (counter.length === 0 || k < 0) return counter
  const led = (first: number, values: Float64Array) => {
    const all = new Float64Array(counter.length + 1)
    all[0] = first
    all.set(values.subarray(0, counter.length), 1)
    return all
  }
  const count = counter.count === null ? null : led(0, counter.count)
  return {
    ...counter,
    length: counter.length + 1,
    time: led(beside.time[k], counter.time),
    value: led(0, counter.value),
    count,
  }
}

export function pushSample(series: Series, time: Micros, value: number, count = 0): void {
  const i = series.length
  if (i === series.time.length) {
    series.time = grown(series.time, i)
    series.value = grown(series.value, i)
    if (series.count !== null) series.count = grown(series.count, i)
  }
  if (series.count !== null) series.count[i] = count
  series.time[i] = time
  series.value[i] = value
  series.length = i + 1
}
