import { t } from '../../language/translate.ts'
import { fromUtf8 } from '../../scenario/link/bytes.ts'
import { countText, foundText, listed } from '../../scenario/model/words.ts'
import { Refusal } from './refusal.ts'

/** JSON that arrives in parts, as bytes. bytes[at] is read next; it is byte before + at of the file. */
export interface JsonBytes {
  /** `length` bytes and a 0 behind them, so that loops need not check for the end. */
  bytes: Uint8Array
  length: number
  at: number
  before: number
  /** No further part will arrive. */
  over: boolean
}

/** Work that yields where it needs another part. */
export type Reading<T> = Generator<void, T, void>

/** Bytes of the longest value that is read at once. */
const LONGEST = 32_000_000

export function createJsonBytes(): JsonBytes {
  return { bytes: new Uint8Array(1), length: 0, at: 0, before: 0, over: false }
}

/** Appends a part and drops what has been read. */
export function feed(json: JsonBytes, part: Uint8Array): void {
  const rest = json.bytes.subarray(json.at, json.length)
  const bytes = new Uint8Array(rest.length + part.length + 1)
  bytes.set(rest)
  bytes.set(part, rest.length)
  json.before += json.at
  json.bytes = bytes
  json.length = rest.length + part.length
  json.at = 0
}

/** Takes the brace that begins an object. Throws a Refusal where there is none. */
export function* takeObjectStart(json: JsonBytes, path: string): Reading<void> {
  if ((yield* peek(json, path)) !== OPEN_OBJECT)
    throw new Refusal(path, foundText(yield* takeValue(json, path), t('an object')))
  json.at++
}

/** Takes the bracket that begins a list. Returns whether the list is empty, and then takes its end too. Throws a Refusal where there is none. */
export function* takeListStart(json: JsonBytes, path: string): Reading<boolean> {
  if ((yield* peek(json, path)) !== OPEN_LIST)
    throw new Refusal(path, foundText(yield* takeValue(json, path), t('a list')))
  json.at++
  if ((yield* peek(json, path)) !== CLOSE_LIST) return false
  json.at++
  return true
}

/** Returns the code of the next character that is not a space, without taking it. `path`: what is being read. */
export function* peek(json: JsonBytes, path: string): Reading<number> {
  for (;;) {
    json.at = skipSpace(json.bytes, json.at)
    if (json.at < json.length) return json.bytes[json.at]
    yield* more(json, path)
  }
}

/** Takes one of these characters and returns it. Throws a Refusal for any other character. */
export function* takeOneOf(json: JsonBytes, allowed: string, path: string): Reading<string> {
  const found = String.fromCharCode(yield* peek(json, path))
  if (!allowed.includes(found)) throw refusalAt(json, path, JSON.stringify(found), listed([...allowed], 'or'))
  json.at++
  return found
}

/** Takes the next key of an object with its colon. Returns null where the object ends. */
export function* takeKey(json: JsonBytes, path: string, first: boolean): Reading<string | null> {
  if ((yield* peek(json, path)) === CLOSE_OBJECT || !first) {
    if ((yield* takeOneOf(json, first ? '}' : ',}', path)) === '}') return null
  }
  const key = yield* takeValue(json, path)
  if (typeof key !== 'string') throw new Refusal(path, foundText(key, t('a key in double quotes')))
  yield* takeOneOf(json, ':', path)
  return key
}

/** Takes a whole value of any kind. */
export function* takeValue(json: JsonBytes, path: string): Reading<unknown> {
  yield* peek(json, path)
  for (;;) {
    const end = endOfValue(json)
    if (end > json.at && (end < json.length || json.over)) {
      const value = parsed(json, end, path)
      json.at = end
      return value
    }
    if (end === json.at)
      throw refusalAt(json, path, JSON.stringify(String.fromCharCode(json.bytes[json.at])), t('a value'))
    if (json.length - json.at > LONGEST)
      throw new Refusal(path, t('is longer than {n} bytes', { n: countText(LONGEST) }))
    yield* more(json, path)
  }
}

function refusalAt(json: JsonBytes, path: string, found: string, allowed: string): Refusal {
  return new Refusal(
    path,
    t('found {found} at {place}; allowed: {allowed}', { found, place: readingPlace(json), allowed }),
  )
}

/** Waits for another part. Throws a Refusal if none will arrive. */
export function* more(json: JsonBytes, path: string): Reading<void> {
  if (json.over)
    throw new Refusal(path, t('the file is cut off at {x}', { x: readingPlace({ ...json, at: json.length }) }))
  yield
}

/** Returns the place of reading for people. */
export function readingPlace({ before, at }: JsonBytes): string {
  return t('byte {x}', { x: String(before + at + 1).replace(/\B(?=(\d{3})+$)/g, ',') })
}

/** Whether only space is left of the parts so far. */
export function isAtEnd(json: JsonBytes): boolean {
  json.at = skipSpace(json.bytes, json.at)
  return json.at === json.length
}

/** Returns the index behind the value that begins here; the same index where none can begin, -1 where it is not all there. */
function endOfValue({ bytes, at, length }: JsonBytes): number {
  if (isOpening(bytes[at])) {
    const end = indexOfClosing(bytes, at, length)
    return end < length ? end + 1 : -1
  }
  let i = at
  while (i < length && !endsWord(bytes[i])) i++
  return i
}

/** Whether a number, true, false or null ends before this byte. */
function endsWord(code: number): boolean {
  return code === COMMA || code === COLON || code === CLOSE_LIST || code === CLOSE_OBJECT || isSpace(code)
}

function parsed(json: JsonBytes, end: number, path: string): unknown {
  try {
    return JSON.parse(fromUtf8(json.bytes.subarray(json.at, end)))
  } catch {
    throw new Refusal(path, t('what begins at {json} is not JSON', { json: readingPlace(json) }))
  }
}

/** The marks of JSON, as bytes. */
export const QUOTE = 34
export const COMMA = 44
export const COLON = 58
export const OPEN_LIST = 91
export const CLOSE_LIST = 93
export const OPEN_OBJECT = 123
export const CLOSE_OBJECT = 125
const BACKSLASH = 92

export function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}

/** Returns the index of the first byte from `from` on that is not a space. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let i = from
  while (isSpace(bytes[i])) i++
  return i
}

/** Whether a text, a list or an object begins with this byte. */
export function isOpening(code: number): boolean {
  return code === QUOTE || code === OPEN_LIST || code === OPEN_OBJECT
}

/** Returns the index of the mark that closes the text, list or object which begins at `from`; `length` where there is none. */
export function indexOfClosing(bytes: Uint8Array, from: number, length: number): number {
  if (bytes[from] === QUOTE) return endOfText(bytes, from, length)
  let depth = 0
  for (let i = from; i < length; i++) {
    const code = bytes[i]
    if (code === QUOTE) i = endOfText(bytes, i, length)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++
    else if ((code === CLOSE_LIST || code === CLOSE_OBJECT) && --depth === 0) return i
  }
  return length
}

function endOfText(bytes: Uint8Array, from: number, length: number): number {
  let i = from + 1
  while (i < length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1
  return Math.min(i, length)
}

/** Whether a text between these indices has an escape. */
export function hasEscape(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] === BACKSLASH) return true
  return false
}
