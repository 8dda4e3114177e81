import { t } from '../../../language/translate.ts'
import { fromUtf8 } from '../../../scenario/link/bytes.ts'
import { countText, quoted } from '../../../scenario/model/words.ts'
import * as scan from '../../../trace/json/jsonBytes.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { type Headings, LF, lineOf, MAX_ROW, rowTooLong, serviceWithoutUnit } from './csvRows.ts'
import { noteBadRow } from './log.ts'
import { createSpellings, type Heading, headingOf, SERVICE } from './logColumns.ts'
import { createFields, type LogRows, takeRow } from './logRows.ts'

const SPACE = 32
const MAX_KEYS = 1000

/** Rows as JSON objects, in one list or one a line. */
type JsonRows = ReturnType<typeof createJsonRows>

/**
 * `inList`: a syntax error ends the file; of lines the next may be valid. `line`: the one-based number of the next line. `given`: what the
 * keys mean; null: their names say it.
 */
export function createJsonRows(inList: boolean, line: number, given: Headings | null) {
  // `rows`: objects so far, good and bad; the opening bracket of the list is read if `opened`, the closing one if `ended`.
  const meaning = given === null ? headingOf : (key: string) => given.headings[given.cells.indexOf(key)] ?? null
  return {
    inList,
    line,
    meaning,
    rows: 0,
    opened: false,
    ended: false,
    fields: createFields(),
    keys: createSpellings<Heading | null>(MAX_KEYS),
  }
}

/** Reads all complete rows, and the rest after the last part. */
export function takeJsonRows(json: scan.JsonBytes, state: JsonRows, rows: LogRows): void {
  for (;;) {
    for (; scan.isSpace(json.bytes[json.at]); json.at++) if (json.bytes[json.at] === LF) state.line++
    if (json.at === json.length) break
    const code = json.bytes[json.at]
    if (state.ended) throw new Refusal(lineOf(state.line), moreAtEnd(json))
    if (state.inList && !state.opened && code === scan.OPEN_LIST) state.opened = true
    else if (state.inList && code === scan.CLOSE_LIST) state.ended = true
    // A missing or surplus comma between rows does no harm.
    else if (state.inList && code === scan.COMMA) void 0
    else {
      const end = code === scan.OPEN_OBJECT ? scanRow(json, state) : INVALID - json.at
      if (end === UNFINISHED && !json.over) break
      if (end < 0) takeInvalid(json, state, rows, end)
      else finish(json, state, rows, end)
      continue
    }
    json.at++
  }
  if (json.length - json.at > MAX_ROW) throw rowTooLong(state.line)
  if (json.over && state.inList && !state.ended)
    throw new Refusal(lineOf(state.line), t('the file is cut off at {x}', { x: scan.readingPlace(json) }))
}

function finish(json: scan.JsonBytes, state: JsonRows, rows: LogRows, end: number): void {
  const { fields, line, inList } = state
  const row = ++state.rows
  const place = () => (inList ? t('row {rows}, {line}', { rows: countText(row), line: lineOf(line) }) : lineOf(line))
  fields.bytes = json.bytes
  if (fields.from[SERVICE] >= 0 && fields.scale[SERVICE] === 0) noteBadRow(rows, place, serviceWithoutUnit())
  else takeRow(rows, fields, place)
  for (; json.at < end; json.at++) if (json.bytes[json.at] === LF) state.line++
}

/** Handles bytes that are not an object. */
function takeInvalid(json: scan.JsonBytes, state: JsonRows, rows: LogRows, end: number): void {
  const { bytes, length } = json
  const fault = end === UNFINISHED ? length : INVALID - end
  const message =
    fault >= length
      ? incompleteObject()
      : notAnObject(
          fromUtf8(bytes.subarray(fault, Math.min(length, fault + 12))),
          '{"time": 0, "stage": "A", "queue": 3, "service_ms": 1.5}',
        )
  if (state.inList) throw new Refusal(lineOf(state.line), message)
  noteBadRow(rows, () => lineOf(state.line), message)
  while (json.at < length && bytes[json.at] !== LF) json.at++
}

export const incompleteObject = (): string => t('this is not JSON, or it is cut off')

export const notAnObject = (found: string, form: string): string =>
  t('found {fault} in it; allowed: an object such as {form}', { fault: quoted(found), form })

export const moreAtEnd = (json: scan.JsonBytes): string =>
  t('there is more after the end, at {json}', { json: scan.readingPlace(json) })

/** Instead of an index: the object is incomplete, or wrong at byte `INVALID - result`. */
const UNFINISHED = -1
const INVALID = -2

/** Finds the values of the next object. Returns the index after it, or UNFINISHED or INVALID. */
function scanRow({ bytes, at, length }: scan.JsonBytes, state: JsonRows): number {
  const { from, to, text, scale } = state.fields
  from.fill(-1)
  text.fill(null)
  let i = scan.skipSpace(bytes, at + 1)
  if (bytes[i] === scan.CLOSE_OBJECT) return i + 1
  for (;;) {
    if (i >= length) return UNFINISHED
    if (bytes[i] !== scan.QUOTE) return INVALID - i
    const keyEnd = scan.indexOfClosing(bytes, i, length)
    if (keyEnd >= length) return UNFINISHED
    const heading = headingAt(state, bytes, i + 1, keyEnd)
    i = scan.skipSpace(bytes, keyEnd + 1)
    if (i >= length) return UNFINISHED
    if (bytes[i] !== scan.COLON) return INVALID - i
    i = scan.skipSpace(bytes, i + 1)
    if (i >= length) return UNFINISHED
    const begin = i
    const isText = bytes[i] === scan.QUOTE
    let end = endOfValue(bytes, i, length)
    if (end < 0) return end
    i = end
    if (heading !== null) {
      const { column } = heading
      // null means the same as a missing value.
      const isNull = end - begin === 4 && bytes[begin] === 110
      if (isText) end--
      from[column] = isNull ? -1 : isText ? begin + 1 : begin
      to[column] = end
      text[column] = isText && scan.hasEscape(bytes, begin + 1, end) ? decoded(bytes, begin, end + 1) : null
      scale[column] = heading.scale
    }
    i = scan.skipSpace(bytes, i)
    if (i >= length) return UNFINISHED
    if (bytes[i] === scan.CLOSE_OBJECT) return i + 1
    if (bytes[i] !== scan.COMMA) return INVALID - i
    i = scan.skipSpace(bytes, i + 1)
  }
}

/** Returns the index after a value, or UNFINISHED or INVALID. */
function endOfValue(bytes: Uint8Array, from: number, length: number): number {
  let i = from
  if (scan.isOpening(bytes[from])) {
    i = scan.indexOfClosing(bytes, from, length)
    return i < length ? i + 1 : UNFINISHED
  }
  while (i < length && bytes[i] !== scan.COMMA && bytes[i] !== scan.CLOSE_OBJECT && bytes[i] > SPACE) i++
  return i >= length ? UNFINISHED : i === from ? INVALID - i : i
}

/**
 * Yields the objects of a text, in a list, one a line, or one below the other, each with the line in which it begins. A text instead says what is
 * wrong there. `form`: an example of an object.
 */
export function* objectsIn(text: string, form: string) {
  let [depth, from, line, begin, quotes] = [0, 0, 1, 1, false]
  const found = (at: number, value: Readonly<Record<string, unknown>> | string) => ({ line: at, value })
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '\n') line++
    if (quotes && character === '\\') i++
    else if (character === '"' && depth > 0) quotes = !quotes
    else if (!quotes && character === '{' && depth++ === 0) [from, begin] = [i, line]
    else if (!quotes && character === '}' && depth > 0 && --depth === 0) {
      let value = null
      try {
        value = JSON.parse(text.slice(from, i + 1))
      } catch {}
      yield found(begin, value ?? incompleteObject())
    } else if (depth === 0 && !/[\s,[\]]/.test(character)) {
      yield found(line, notAnObject(text.slice(i, i + 12).split('\n', 1)[0], form))
      while (i + 1 < text.length && text[i + 1] !== '\n') i++
    }
  }
  if (depth > 0) yield found(begin, incompleteObject())
}

function headingAt({ keys, meaning }: JsonRows, bytes: Uint8Array, from: number, to: number): Heading | null {
  const known = keys.find(bytes, from, to)
  if (known !== undefined) return known
  return keys.remember(bytes, from, to, meaning(fromUtf8(bytes.subarray(from, Math.min(to, from + 200)))))
}

/** Returns a text without its escapes, or unchanged if they are not valid JSON. */
function decoded(bytes: Uint8Array, from: number, to: number): string {
  const spelled = fromUtf8(bytes.subarray(from, to))
  try {
    return String(JSON.parse(spelled))
  } catch {
    return spelled
  }
}
