import { t } from '../language/translate.ts'
import { fromUtf8 } from '../scenario/link/bytes.ts'
import { countText, quoted } from '../scenario/model/words.ts'
import { lineOf } from './csvRows.ts'
import type { JsonBytes } from './jsonBytes.ts'
import { type Heading, headingOf, SERVICE } from './logColumns.ts'
import { createFields, type Fields, type LogRows, noteBad, takeRow } from './logRows.ts'
import { Refusal } from './refusal.ts'

/** Rows as JSON objects: in one list, or one a line. */
export interface JsonRows {
  /** In a list a fault of its spelling is the end of it; of lines the next may be sound. */
  readonly inList: boolean
  /** The line that is read next, from 1. */
  line: number
  /** Whether the bracket that begins a list, and the one that ends it, are read. */
  begun: boolean
  ended: boolean
  readonly fields: Fields
  /** What keys stand for, by a hash of their bytes. */
  readonly keys: Map<number, { readonly bytes: Uint8Array; readonly heading: Heading | null }>
}

const LF = 10
const QUOTE = 34
const COMMA = 44
const COLON = 58
const LIST = 91
const BACKSLASH = 92
const END_OF_LIST = 93
const OPEN = 123
const CLOSE = 125
const LONGEST_ROW = 1_000_000
const MOST_KEYS = 1000

export function createJsonRows(inList: boolean, line: number): JsonRows {
  return { inList, line, begun: false, ended: false, fields: createFields(), keys: new Map() }
}

/** Reads all rows that are there in whole; with the last part all that is left. */
export function takeJsonRows(json: JsonBytes, state: JsonRows, rows: LogRows): void {
  for (;;) {
    skip(json, state)
    if (json.at === json.length) break
    const code = json.bytes[json.at]
    if (state.ended) throw new Refusal(lineOf(state.line), t('more stands behind the end of the list'))
    if (state.inList && !state.begun && code === LIST) state.begun = true
    else if (state.inList && code === END_OF_LIST) state.ended = true
    // A comma too many or too few between rows does no harm to any of them.
    else if (state.inList && code === COMMA) void 0
    else {
      const end = code === OPEN ? scanRow(json, state) : SPOILT - json.at
      if (end === UNFINISHED && !json.over) break
      if (end < 0) spoilt(json, state, rows, end)
      else finish(json, state, rows, end)
      continue
    }
    json.at++
  }
  if (json.length - json.at > LONGEST_ROW)
    throw new Refusal(lineOf(state.line), t('is a row of more than {LONGEST_ROW} bytes', { LONGEST_ROW: countText(LONGEST_ROW) }))
  if (json.over && state.inList && !state.ended) throw new Refusal(lineOf(state.line), t('the file ends here, within its list: it is cut off'))
}

function finish(json: JsonBytes, state: JsonRows, rows: LogRows, end: number): void {
  const { fields } = state
  const { line, inList } = state
  const named = () => (inList ? t('row {rows}, {line}', { rows: countText(rows.rows), line: lineOf(line) }) : lineOf(line))
  fields.bytes = json.bytes
  if (fields.from[SERVICE] >= 0 && fields.scale[SERVICE] === 0) {
    rows.rows++
    noteBad(rows, named(), t('the service has no unit; allowed: service_us, service_ms or service_s'))
  } else takeRow(rows, fields, named)
  for (; json.at < end; json.at++) if (json.bytes[json.at] === LF) state.line++
}

/** What begins here is no object. */
function spoilt(json: JsonBytes, state: JsonRows, rows: LogRows, end: number): void {
  const { bytes, at, length } = json
  const fault = end === UNFINISHED ? length : SPOILT - end
  const message =
    fault >= length
      ? t('the object that begins here is cut off')
      : t('found {fault} in it; allowed: an object such as {form}', {
          form: '{"time": 0, "stage": "A", "queue": 3, "service_ms": 1.5}',
          fault: quoted(fromUtf8(bytes.subarray(fault, Math.min(length, fault + 12)))),
        })
  if (state.inList) throw new Refusal(lineOf(state.line), message)
  rows.rows++
  noteBad(rows, lineOf(state.line), message)
  let next = at
  while (next < length && bytes[next] !== LF) next++
  json.at = next
}

function skip(json: JsonBytes, state: JsonRows): void {
  const { bytes } = json
  let code = bytes[json.at]
  while (code === 32 || code === 10 || code === 13 || code === 9) {
    if (code === LF) state.line++
    code = bytes[++json.at]
  }
}

/** In place of an index: not all of it is there; and what is below says at which byte it is no JSON. */
const UNFINISHED = -1
const SPOILT = -2

/** Finds the values of the object that begins here. The index behind it, or why there is none. */
function scanRow({ bytes, at, length }: JsonBytes, state: JsonRows): number {
  const { from, to, text, scale } = state.fields
  from.fill(-1)
  text.fill(null)
  let i = behindSpace(bytes, at + 1)
  if (bytes[i] === CLOSE) return i + 1
  for (;;) {
    if (i >= length) return UNFINISHED
    if (bytes[i] !== QUOTE) return SPOILT - i
    const keyEnd = endOfText(bytes, i, length)
    if (keyEnd >= length) return UNFINISHED
    const heading = headingAt(state, bytes, i + 1, keyEnd)
    i = behindSpace(bytes, keyEnd + 1)
    if (i >= length) return UNFINISHED
    if (bytes[i] !== COLON) return SPOILT - i
    i = behindSpace(bytes, i + 1)
    if (i >= length) return UNFINISHED
    const begin = i
    const isText = bytes[i] === QUOTE
    let end = endOfValue(bytes, i, length)
    if (end < 0) return end
    i = end
    if (heading !== null) {
      const { column } = heading
      // null says as much as nothing.
      const isNull = !isText && end - begin === 4 && bytes[begin] === 110
      if (isText) end--
      from[column] = isNull ? -1 : isText ? begin + 1 : begin
      to[column] = end
      text[column] = isText && hasEscape(bytes, begin + 1, end) ? decoded(bytes, begin, end + 1) : null
      scale[column] = heading.scale
    }
    i = behindSpace(bytes, i)
    if (i >= length) return UNFINISHED
    if (bytes[i] === CLOSE) return i + 1
    if (bytes[i] !== COMMA) return SPOILT - i
    i = behindSpace(bytes, i + 1)
  }
}

function behindSpace(bytes: Uint8Array, from: number): number {
  let i = from
  let code = bytes[i]
  while (code === 32 || code === 10 || code === 13 || code === 9) code = bytes[++i]
  return i
}

/** The index of the quote that ends the text which begins here; `length` where there is none. */
function endOfText(bytes: Uint8Array, from: number, length: number): number {
  let i = from + 1
  while (i < length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1
  return i < length ? i : length
}

/** The index behind a value; UNFINISHED where it is not all there, SPOILT where none can begin. */
function endOfValue(bytes: Uint8Array, from: number, length: number): number {
  const code = bytes[from]
  let i = from
  if (code === QUOTE) {
    i = endOfText(bytes, from, length)
    return i < length ? i + 1 : UNFINISHED
  }
  if (code === OPEN || code === LIST) {
    let depth = 0
    for (; i < length; i++) {
      if (bytes[i] === QUOTE) i = endOfText(bytes, i, length)
      else if (bytes[i] === OPEN || bytes[i] === LIST) depth++
      else if ((bytes[i] === CLOSE || bytes[i] === END_OF_LIST) && --depth === 0) return i + 1
    }
    return UNFINISHED
  }
  while (i < length && bytes[i] !== COMMA && bytes[i] !== CLOSE && bytes[i] > 32) i++
  return i >= length ? UNFINISHED : i === from ? SPOILT - i : i
}

function headingAt({ keys }: JsonRows, bytes: Uint8Array, from: number, to: number): Heading | null {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  const kept = keys.get(hash)
  if (kept !== undefined && same(kept.bytes, bytes, from, to)) return kept.heading
  const heading = headingOf(fromUtf8(bytes.subarray(from, Math.min(to, from + 200))))
  if (keys.size < MOST_KEYS && kept === undefined) keys.set(hash, { bytes: bytes.slice(from, to), heading })
  return heading
}

function same(key: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (key.length !== to - from) return false
  for (let k = 0; k < key.length; k++) if (key[k] !== bytes[from + k]) return false
  return true
}

function hasEscape(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] === BACKSLASH) return true
  return false
}

/** A text with escapes; as it stands where JSON does not know them. */
function decoded(bytes: Uint8Array, from: number, to: number): string {
  const spelled = fromUtf8(bytes.subarray(from, to))
  try {
    return String(JSON.parse(spelled))
  } catch {
    return spelled
  }
}
