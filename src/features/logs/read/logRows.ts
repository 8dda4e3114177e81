import { t } from '../../../language/translate.ts'
import { CLOCK_END, MAX_NAME, MAX_STAGES, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { countText, foundText, listed, listedTwice, quoted } from '../../../scenario/model/words.ts'
import { hidden } from '../../../scenario/parse/schemaParts.ts'
import { wholeText } from '../../../scenario/parse/shape.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import {
  createBadRows,
  createLog,
  MAX_LOG_QUEUE,
  MAX_LOG_ROWS,
  noteBadRow,
  noteCounts,
  pushLogRow,
  tooMany,
  unordered,
} from './log.ts'
import {
  ARRIVALS,
  allowedNames,
  BUSY,
  COLUMNS,
  COMPLETED,
  cellText,
  createSpellings,
  DAY,
  P95,
  P99,
  QUEUE,
  SERVICE,
  STAGE,
  TIME,
  WORKERS,
} from './logColumns.ts'
import { type Decimal, instantIn, maybeThousands, numberIn } from './logNumber.ts'

/** Days from 30 December 1899, where spreadsheets start, to 1970. */
const DAYS_BEFORE_1970 = 25_569
/** Bare numbers from this one up are milliseconds since 1970. As seconds they would be after the year 5138. */
const MILLISECONDS = 100_000_000_000

/** Where the values of a row are in the bytes. */
export type Fields = ReturnType<typeof createFields>

export function createFields(bytes: Uint8Array = new Uint8Array(0), decimal: Decimal = 'point') {
  return {
    bytes,
    /** By column, from and to; from is -1 if there is no value. */
    from: new Int32Array(COLUMNS).fill(-1),
    to: new Int32Array(COLUMNS),
    /** Microseconds in one of the column's unit; 0: no unit is named. */
    scale: new Float64Array(COLUMNS),
    /** The value as a text, if it differs from the bytes because of quotes within quotes. */
    text: new Array<string | null>(COLUMNS).fill(null),
    decimal,
  }
}

/** A log that grows row by row. Every row is checked; a bad one is reported and left out. */
export type LogRows = ReturnType<typeof createLogRows>

export function createLogRows() {
  return {
    log: createLog(),
    bad: createBadRows(),
    /** How numbers that are not in the file were derived. */
    notes: [] as string[],
    /** By stage: its last values, and the time of that row. */
    service: new Float64Array(MAX_STAGES).fill(-1),
    workers: new Int16Array(MAX_STAGES).fill(-1),
    since: new Float64Array(MAX_STAGES).fill(-1),
    names: new Map<string, number>(),
    spellings: createSpellings<number>(4 * MAX_STAGES),
    /** Microseconds in one unit of a bare time; 0 until one is read. */
    scale: 0,
  }
}

/** Takes a row of a file, or notes that it is bad. */
export function takeRow(rows: LogRows, fields: Fields, place: () => string): void {
  const problem = problemOf(rows, fields)
  if (problem !== null) noteBadRow(rows, place, problem)
}

/** Says what is allowed as a value of a log. */
export const allowed = {
  time: () => t('seconds, milliseconds since 1970, or a date such as 2026-03-01T12:00:00Z'),
  queue: () => wholeText(0, MAX_LOG_QUEUE),
  service: () => t('a time above 0'),
  workers: () => wholeText(0, MAX_WORKERS),
}

/** Adds the row, or returns its problem. The name is read last, so that a bad row adds no stage. */
function problemOf(rows: LogRows, fields: Fields): string | null {
  const time = timeOfRow(rows, fields)
  if (typeof time === 'string') return time
  const [queue, isServed, isStaffed] = [valueIn(fields, QUEUE), !isEmpty(fields, SERVICE), !isEmpty(fields, WORKERS)]
  const service = isServed ? valueIn(fields, SERVICE) * fields.scale[SERVICE] : 1
  const workers = isStaffed ? valueIn(fields, WORKERS) : 0
  if (!(queue >= 0 && queue <= MAX_LOG_QUEUE && Math.floor(queue) === queue))
    return `queue ${foundText(shownIn(fields, QUEUE), allowed.queue())}`
  if (!(service > 0 && service < CLOCK_END)) {
    const shown = shownIn(fields, SERVICE)
    const isUnclear = fields.decimal === 'unknown' && maybeThousands.test(String(shown))
    return `service ${foundText(
      shown,
      isUnclear ? t('1115 or 1,115, since a point before three digits may mean either') : allowed.service(),
    )}`
  }
  if (!(workers >= 0 && workers <= MAX_WORKERS && Math.floor(workers) === workers))
    return `workers ${foundText(shownIn(fields, WORKERS), allowed.workers())}`
  const stage = stageIn(rows, fields)
  if (typeof stage === 'string') return stage
  if (!isServed && rows.service[stage] < 0) return `service ${foundText(undefined, allowed.service())}`
  const problem = addLogRow(
    rows,
    time,
    stage,
    queue,
    isServed ? service : rows.service[stage],
    isStaffed ? workers : rows.workers[stage],
  )
  if (problem === null)
    noteCounts(
      rows.log,
      valueIn(fields, COMPLETED),
      valueIn(fields, ARRIVALS),
      valueIn(fields, BUSY),
      quantileIn(fields, P95),
      quantileIn(fields, P99),
    )
  return problem
}

/** Adds a row of checked values, or returns the problem of its time. */
export function addLogRow(
  rows: LogRows,
  time: Micros,
  stage: number,
  queue: number,
  service: Micros,
  workers: number,
): string | null {
  const { log, since } = rows
  if (log.length === 0) log.origin = time
  const at = time - log.origin
  const last = log.length === 0 ? 0 : log.time[log.length - 1]
  if (at < last) return unordered()
  if (since[stage] === at) return listedTwice(log.stages[stage])
  if (log.length === MAX_LOG_ROWS) throw new Refusal('rows', tooMany(MAX_LOG_ROWS))
  if (at > last) checkWorkers(rows)
  since[stage] = at
  rows.service[stage] = service
  rows.workers[stage] = workers
  pushLogRow(log, at, stage, queue, service, workers)
  return null
}

/** Throws a Refusal if the workers of all stages at one time are too many. Call it when all rows of that time are added. */
export function checkWorkers({ log, workers }: LogRows): void {
  let sum = 0
  for (let s = 0; s < log.stages.length; s++) if (workers[s] > 0) sum += workers[s]
  if (sum > MAX_WORKERS)
    throw new Refusal(
      '',
      t('the workers of all stages add up to {sum} at {time} µs; allowed: {MAX_WORKERS}', {
        sum: countText(sum),
        time: countText(log.time[log.length - 1]),
        MAX_WORKERS: countText(MAX_WORKERS),
      }),
    )
}

/** Returns the number of the stage with this name, adding it if needed, or the problem of the name. */
export function stageNamed({ names, log }: LogRows, text: string): number | string {
  const name = text.trim()
  const known = names.get(name)
  if (known !== undefined) return known
  if (name === '' || Array.from(name.slice(0, 4 * MAX_NAME)).length > MAX_NAME || hidden.test(name))
    return `stage ${foundText(
      name === '' ? undefined : name,
      t('a name of 1 to {MAX_NAME} characters that can be seen', { MAX_NAME }),
    )}`
  if (log.stages.length === MAX_STAGES)
    return `${quoted(name)}: ${t('a pipeline has at most {MAX_STAGES} stages', { MAX_STAGES })}`
  names.set(name, log.stages.length)
  return log.stages.push(name) - 1
}

function stageIn(rows: LogRows, fields: Fields): number | string {
  const { bytes, from, to, text } = fields
  const decoded = text[STAGE]
  if (decoded !== null || from[STAGE] < 0) return stageNamed(rows, decoded ?? '')
  const [first, end] = [from[STAGE], to[STAGE]]
  const known = rows.spellings.find(bytes, first, end)
  if (known !== undefined) return known
  const stage = stageNamed(rows, cellText(bytes.subarray(first, end)))
  return typeof stage === 'number' ? rows.spellings.remember(bytes, first, end, stage) : stage
}

/** Returns the time of a row in microseconds, or what is wrong with it. The first bare number decides the unit of all. */
export function timeOfRow(rows: Pick<LogRows, 'scale'>, fields: Fields): Micros | string {
  const { bytes, from, to, scale, decimal, text } = fields
  if (from[TIME] >= 0 && text[TIME] === null) {
    const value = numberIn(bytes, from[TIME], to[TIME], decimal)
    let time = value
    if (Number.isNaN(value)) time = instantIn(bytes, from[TIME], to[TIME])
    else {
      if (scale[TIME] === 0 && rows.scale === 0) rows.scale = Math.abs(value) >= MILLISECONDS ? 1000 : 1_000_000
      // From 2000 to 2099 with a time of day, as a spreadsheet counts days, and not whole milliseconds.
      if (
        scale[TIME] === 0 &&
        value >= 36_526 &&
        value < 73_051 &&
        Math.abs(value * 1000 - Math.round(value * 1000)) > 1e-4
      )
        throw new Refusal(
          '',
          t('the time {value} may be in days or seconds; allowed: a date, or a heading time_days or time_s', {
            value: String(value),
          }),
        )
      time = scale[TIME] === DAY ? (value - DAYS_BEFORE_1970) * DAY : value * (scale[TIME] || rows.scale)
    }
    if (time > -CLOCK_END && time < CLOCK_END) return Math.round(time)
  }
  return `time ${foundText(shownIn(fields, TIME), allowed.time())}`
}

function isEmpty({ from, to, text }: Fields, column: number): boolean {
  return from[column] < 0 || (text[column] === null && from[column] === to[column])
}

/** Returns a time in microseconds; without a unit it is in that of the service times. */
function quantileIn(fields: Fields, column: number): number {
  return valueIn(fields, column) * (fields.scale[column] || fields.scale[SERVICE])
}

function valueIn({ bytes, from, to, decimal, text }: Fields, column: number): number {
  return text[column] !== null || from[column] < 0 ? Number.NaN : numberIn(bytes, from[column], to[column], decimal)
}

/** Returns the value for a message. */
function shownIn(fields: Fields, column: number): unknown {
  const { bytes, from, to, text } = fields
  return isEmpty(fields, column)
    ? undefined
    : (text[column] ?? cellText(bytes.subarray(from[column], Math.min(to[column], from[column] + 400))))
}

/** Returns the message for a file that lacks some of the columns. */
export function missingColumns(columns: readonly number[]): string {
  return t('found no {x}; allowed: columns named {x2}', {
    x: listed(
      columns.map((column) => ['time', 'stage', 'queue', 'service'][column]),
      'or',
    ),
    x2: allowedNames().join('; '),
  })
}
