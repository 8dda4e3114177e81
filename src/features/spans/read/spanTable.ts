import { NONE } from '../../../pipeline/rows.ts'
import { isObject } from '../../../scenario/model/optionChecks.ts'

/** The most attributes that are kept, in the order in which they come. */
const MAX_KEYS = 64
/** Longer values are not kept: they name no job, stage or worker. */
const MAX_VALUE = 200

/** Spans in columns. Times are in microseconds of the file's clock; texts are numbers in `texts`. */
export interface SpanTable {
  readonly start: number[]
  readonly end: number[]
  readonly name: number[]
  /** The trace that a span belongs to, and by number the span around or before it. */
  readonly trace: number[]
  readonly parent: number[]
  /** What went wrong. */
  readonly error: number[]
  /** By name; a column may be shorter than the others. */
  readonly attributes: Map<string, number[]>
  readonly texts: string[]
  /** How many records of the file were no spans with a beginning and an end. */
  left: number
}

/** A span as a format has it. */
export interface SpanRecord {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly trace?: string | undefined
  readonly id?: string | undefined
  readonly parent?: string | undefined
  /** By number, where a format knows it. */
  readonly parentSpan?: number
  readonly error?: string | null
  readonly attributes: Iterable<readonly [key: string, value: unknown]>
}

export type SpanWriter = ReturnType<typeof createSpanWriter>

/** Returns a function that gives each text a number: its place in `texts`, to which a new text is added. */
export function numberTexts(texts: string[], numbers = new Map<string, number>()): (text: string) => number {
  return (text) => {
    let number = numbers.get(text)
    if (number === undefined) {
      number = texts.length
      numbers.set(text, number)
      texts.push(text)
    }
    return number
  }
}

/** Returns a table and what fills it. */
export function createSpanWriter() {
  const table: SpanTable = {
    start: [],
    end: [],
    name: [],
    trace: [],
    parent: [],
    error: [],
    attributes: new Map(),
    texts: [],
    left: 0,
  }
  const numbers = new Map<string, number>()
  const textOf = numberTexts(table.texts, numbers)
  const spans = new Map<string, number>()
  /** The parents by id, which may come after their children. */
  const wanted: [span: number, id: string][] = []

  function setAttribute(span: number, key: string, value: unknown): void {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
    const text = String(value)
    if (text === '' || text.length > MAX_VALUE) return
    let column = table.attributes.get(key)
    if (column === undefined) {
      if (table.attributes.size >= MAX_KEYS) return
      column = []
      table.attributes.set(key, column)
    }
    while (column.length < span) column.push(NONE)
    // What the span itself says comes before what its group says.
    if ((column[span] ?? NONE) === NONE) column[span] = textOf(text)
  }

  return {
    table,
    setAttribute,
    /** Adds a span. Returns its number; NONE if its times are none. */
    add({ name, start, end, trace, id, parent, parentSpan = NONE, error, attributes }: SpanRecord): number {
      if (!(Number.isFinite(start) && end >= start)) {
        table.left++
        return NONE
      }
      const span = table.start.length
      table.start.push(start)
      table.end.push(end)
      table.name.push(textOf(name))
      table.trace.push(trace === undefined ? NONE : textOf(trace))
      table.parent.push(parentSpan)
      table.error.push(error === undefined || error === null ? NONE : textOf(error))
      for (const [key, value] of attributes) setAttribute(span, key, value)
      if (id !== undefined && !spans.has(id)) spans.set(id, span)
      if (parent !== undefined && parent !== '') wanted.push([span, parent])
      return span
    },
    /** Finds the parents. */
    close(): SpanTable {
      for (const [span, id] of wanted.splice(0)) {
        const parent = spans.get(id) ?? NONE
        if (parent !== span) table.parent[span] = parent
      }
      spans.clear()
      numbers.clear()
      return table
    },
  }
}

/** Returns the text of an attribute of a span, as a number; NONE where it has none. */
export function attributeAt(column: readonly number[] | undefined, span: number): number {
  return column?.[span] ?? NONE
}

/** A JSON object whose keys are not known. */
export type Described = Readonly<Record<string, unknown>>

/** Returns the objects of a list; none if it is no list. */
export function listIn(value: unknown): Described[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Returns a text or a number as text. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
}

/** Returns what went wrong, as an attribute for errors says it: a text, an error with its message, or true; null: nothing. */
export function errorIn(value: unknown): string | null {
  if (value === undefined || value === null || value === false || value === '') return null
  return isObject(value) ? (textIn(value.message) ?? '') : value === true ? '' : String(value)
}

/** Returns a number, which some exporters write as text; NaN if it is none. */
export function asNumber(value: unknown): number {
  return typeof value === 'number'
    ? value
    : typeof value === 'string' && value.trim() !== ''
      ? Number(value)
      : Number.NaN
}

/** Returns nanoseconds since 1970, mostly a text, as microseconds. A double holds them to a quarter of one. */
export function microsOfNanos(value: unknown): number {
  if (typeof value !== 'string') return asNumber(value) / 1000
  if (!/^\d+$/.test(value)) return Number.NaN
  return value.length <= 3 ? Number(value) / 1000 : Number(value.slice(0, -3)) + Number(value.slice(-3)) / 1000
}

/** Returns a time that an attribute states, in microseconds since 1970 or of the file's clock; NaN if it is none. `near` is a time of the file. */
export function instantOf(text: string, near: number): number {
  const number = asNumber(text)
  if (Number.isNaN(number)) return dateIn(text)
  for (const unit of [1, 1000, 0.001, 1_000_000])
    if (Math.abs(number * unit - near) < 86_400_000_000) return number * unit
  return Number.NaN
}

/** Returns a date such as 2026-03-02T09:05:05.25Z in microseconds since 1970; NaN if it is none. Without a zone it is UTC. */
function dateIn(text: string): number {
  const found = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?(?:Z|([+-])(\d\d):?(\d\d))?$/.exec(text)
  if (found === null) return Number.NaN
  const [, year, month, day, hour, minute, second = '0', sign, zoneHours = '0', zoneMinutes = '0'] = found
  // March is the first month, so that a leap day is the last day of a year.
  const shifted = Number(month) > 2 ? Number(year) : Number(year) - 1
  const months = (Number(month) + 9) % 12
  const days =
    365 * shifted +
    Math.floor(shifted / 4) -
    Math.floor(shifted / 100) +
    Math.floor(shifted / 400) +
    Math.floor((153 * months + 2) / 5) +
    Number(day) -
    719_469
  const zone = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes))
  return Math.round(((days * 24 + Number(hour)) * 60 + Number(minute) - zone) * 60_000_000 + Number(second) * 1_000_000)
}
