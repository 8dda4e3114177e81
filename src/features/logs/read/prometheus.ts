import { t } from '../../../language/translate.ts'
import { grown } from '../../../pipeline/column.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { foundText, valueText } from '../../../scenario/model/words.ts'
import * as scan from '../../../trace/json/jsonBytes.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { type BadRows, createBadRows, noteBadRow, tooMany, unordered } from './log.ts'
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
  /** Its bad samples. */
  readonly bad: BadRows
  /** How numbers that are not in the file were derived. */
  readonly notes: string[]
}

/** The maximum number of series in one file. */
export const MAX_SERIES = 4096

/**
 * Reads the answer of Prometheus' HTTP API to a range query, `{status, data: {resultType: "matrix", result: [{metric: {label:
 * text}, values: [[seconds, "number"], ...]}, ...]}}`, in parts, its samples into columns. Throws a Refusal for anything else.
 */
export function* takeRangeQuery(json: scan.JsonBytes): scan.Reading<SeriesFile> {
  const file: SeriesFile & { readonly series: Series[] } = { series: [], bad: createBadRows(), notes: [] }
  let isFound = false
  yield* scan.takeObjectStart(json, '')
  for (let key = yield* scan.takeKey(json, '', true); key !== null; key = yield* scan.takeKey(json, '', false)) {
    if (key === 'data') {
      yield* takeData(json, file)
      isFound = true
    } else {
      const value = yield* scan.takeValue(json, key)
      if (key === 'error') throw new Refusal('', t('the query failed: {value}', { value: valueText(value) }))
    }
  }
  if (!isFound) throw new Refusal('data', t('is missing'))
  if (file.series.length === 0) throw new Refusal('data.result', t('the file has no rows'))
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
        throw new Refusal('data.resultType', foundText(value, '"matrix" (/api/v1/query_range)'))
      continue
    }
    if (yield* scan.takeListStart(json, 'data.result')) continue
    do {
      if (file.series.length === MAX_SERIES) throw new Refusal('data.result', tooMany(MAX_SERIES))
      file.series.push(yield* takeSeries(json, file, `data.result[${file.series.length}]`))
    } while ((yield* scan.takeOneOf(json, ',]', 'data.result')) === ',')
  }
}

function* takeSeries(json: scan.JsonBytes, file: SeriesFile, path: string): scan.Reading<Series> {
  const series = createSeries({})
  yield* scan.takeObjectStart(json, path)
  for (let key = yield* scan.takeKey(json, path, true); key !== null; key = yield* scan.takeKey(json, path, false)) {
    const place = `${path}.${key}`
    const isOther = key === 'values' ? series.count !== null : key === 'histograms' && series.length > 0
    if (isOther) throw new Refusal(place, t('has numbers and histograms; allowed: one of the two'))
    if (key === 'histograms') series.count = new Float64Array(series.time.length)
    if (key === 'values' || key === 'histograms') yield* takeSamples(json, file, series, place)
    else if (key === 'metric') Object.assign(series.labels, labelsOf(yield* scan.takeValue(json, place), place))
    else yield* scan.takeValue(json, place)
  }
  return series
}

function labelsOf(value: unknown, path: string): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(path, foundText(value, t('an object')))
  return Object.fromEntries(Object.entries(value).map(([label, text]) => [label, String(text)]))
}

/** Takes the samples of a series: numbers, or the sums and counts of a native histogram. */
function* takeSamples(json: scan.JsonBytes, file: SeriesFile, series: Series, path: string): scan.Reading<void> {
  if (yield* scan.takeListStart(json, path)) return
  const isPlain = series.count === null
  for (let k = 0; ; k++) {
    let next = isPlain ? scanSample(json, series) : 0
    if (next === 0) {
      // Incomplete, in an unusual notation, or not a sample.
      const place = `${path}[${k}]`
      const problem = (isPlain ? problemOf : histogramProblemOf)(series, yield* scan.takeValue(json, place))
      if (problem !== null) noteBadRow(file, () => place, problem)
      next = (yield* scan.takeOneOf(json, ',]', path)).charCodeAt(0)
    }
    if (next === scan.CLOSE_LIST) return
  }
}

/** Takes `[seconds, {"count": "number", "sum": "number", ...}]`. Returns its problem, or null. */
function histogramProblemOf(series: Series, sample: unknown): string | null {
  const [at, histogram] = Array.isArray(sample)
    ? (sample as [unknown, { readonly sum?: unknown; readonly count?: unknown } | null])
    : []
  const sum = Number(histogram?.sum ?? Number.NaN)
  const count = Number(histogram?.count ?? Number.NaN)
  if (typeof at !== 'number' || !Number.isFinite(sum) || !(count >= 0 && count < Infinity))
    return foundText(sample, sampleText('{"count": "number", "sum": "number"}'))
  return orderProblemOf(series, at, sum, count)
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
    return foundText(sample, sampleText('"number"'))
  const [at, value] = sample as [number, unknown]
  const number = value === 'NaN' ? Number.NaN : Number(value)
  const isNumber = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
  if (value !== 'NaN' && (!isNumber || !Number.isFinite(number))) return foundText(value, sampleText('"number"'))
  return orderProblemOf(series, at, number)
}

const sampleText = (value: string): string => t('a sample [seconds, {value}]', { value })

/** Takes a sample of numbers. Returns the problem of its time, or null. */
function orderProblemOf(series: Series, seconds: number, value: number, count?: number): string | null {
  const time = Math.round(seconds * 1_000_000)
  if (!isNextSample(series, time)) return unordered()
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
