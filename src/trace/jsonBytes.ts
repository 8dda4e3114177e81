import { fromUtf8 } from '../scenario/bytes.ts'

/** Why a file is refused: what, where. Thrown by its readers, to be handed out as a problem. */
export class Refusal extends Error {
  readonly path: string
  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** JSON that comes in parts, as bytes: bytes[at] is what is read next, and of the file the byte before + at. */
export interface JsonBytes {
  /** `length` bytes, and behind them a 0, so that no loop has to ask whether it is at the end. */
  bytes: Uint8Array
  length: number
  at: number
  before: number
  /** No further part will come. */
  over: boolean
}

/** A piece of work that stops (yields) where it needs another part. */
export type Reading<T> = Generator<void, T, void>

/** Numbers read so far, in the leanest array that holds them all. More than `room`, or one outside of [least, most], is refused by name. */
export interface Column {
  readonly name: string
  readonly room: number
  readonly least: number
  readonly most: number
  length: number
  values: Float64Array | Int32Array | Int16Array | Uint32Array
}

const COMMA = 44
const COLON = 58
const END_OF_LIST = 93
const LIST = 91
const OPEN = 123
const CLOSE = 125
const MINUS = 45
const QUOTE = 34
const BACKSLASH = 92
/** Numbers put into a column at a time. */
const BLOCK = 1 << 13
/** Bytes of a value that is read in one go. */
const LONGEST = 32_000_000

export function createJsonBytes(): JsonBytes {
  return { bytes: new Uint8Array(1), length: 0, at: 0, before: 0, over: false }
}

/** Appends a part; what has been read is let go. */
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

/** Takes the brace at the beginning of an object. What is none is refused. */
export function* takeObjectStart(json: JsonBytes, path: string): Reading<void> {
  if ((yield* peek(json, path)) !== OPEN) throw new Refusal(path, `found ${shown(yield* takeValue(json, path))}; allowed: an object`)
  json.at++
}

/** The next character that is no space, as its code, which stays unread; needs to be there. `path`: what is being read. */
export function* peek(json: JsonBytes, path: string): Reading<number> {
  for (;;) {
    while (isSpace(json.bytes[json.at])) json.at++
    if (json.at < json.length) return json.bytes[json.at]
    yield* more(json, path)
  }
}

/** Takes one of these characters, and says which. */
export function* take(json: JsonBytes, allowed: string, path: string): Reading<string> {
  const found = String.fromCharCode(yield* peek(json, path))
  if (!allowed.includes(found)) throw new Refusal(path, `found ${JSON.stringify(found)} at ${place(json)}; allowed: ${[...allowed].join(' or ')}`)
  json.at++
  return found
}

/** The next key of an object, with its colon; null where the object ends. */
export function* takeKey(json: JsonBytes, path: string, first: boolean): Reading<string | null> {
  if ((yield* peek(json, path)) === CLOSE || !first) {
    if ((yield* take(json, first ? '}' : ',}', path)) === '}') return null
  }
  const key = yield* takeValue(json, path)
  if (typeof key !== 'string') throw new Refusal(path, `found ${shown(key)} before ${place(json)}; allowed: a key in quotes`)
  yield* take(json, ':', path)
  return key
}

/** Any value, whole. */
export function* takeValue(json: JsonBytes, path: string): Reading<unknown> {
  yield* peek(json, path)
  for (;;) {
    const end = endOfValue(json)
    if (end > json.at && (end < json.length || json.over)) {
      const value = parsed(json, end, path)
      json.at = end
      return value
    }
    if (end === json.at) throw new Refusal(path, `found ${JSON.stringify(String.fromCharCode(json.bytes[json.at]))} at ${place(json)}; allowed: a value`)
    if (json.length - json.at > LONGEST) throw new Refusal(path, `is longer than ${LONGEST} bytes`)
    yield* more(json, path)
  }
}

/** A list of numbers, millions of them. What is no list is refused. */
export function* takeNumbers(json: JsonBytes, column: Column): Reading<void> {
  yield* takeListStart(json, column.name)
  if ((yield* peek(json, column.name)) === END_OF_LIST) {
    json.at++
    return
  }
  const block = new Float64Array(BLOCK)
  for (;;) {
    const stop = scanNumbers(json, column, block)
    if (stop === 'end') return
    if (stop === 'more') yield* more(json, `${column.name}[${column.length}]`)
    else if (yield* takeOdd(json, column)) return
  }
}

/** A list of short lists of numbers: all of them one after the other in `entries`, and where each ends in `ends`. */
export function* takeLists(json: JsonBytes, entries: Column, ends: Column, longest: number): Reading<void> {
  const { name } = entries
  yield* takeListStart(json, name)
  if ((yield* peek(json, name)) === END_OF_LIST) {
    json.at++
    return
  }
  const block = new Float64Array(longest + 1)
  for (;;) {
    const stop = scanList(json, entries, ends, block)
    if (stop === 'end') return
    const path = `${name}[${ends.length}]`
    if (stop === 'next') continue
    if (stop === 'more') yield* more(json, path)
    else {
      const value = yield* takeValue(json, path)
      if (!Array.isArray(value)) throw new Refusal(path, `found ${shown(value)}; allowed: a list`)
      if (value.length > longest) throw new Refusal(path, `has ${value.length} numbers; allowed: ${longest}`)
      for (const [i, entry] of value.entries()) append(entries, [checked(entry, entries, `${path}[${i}]`)], 1)
      append(ends, [entries.length], 1)
      if ((yield* take(json, ',]', path)) === ']') return
    }
  }
}

/** Where reading stands, for people. */
export function place({ before, at }: JsonBytes): string {
  return `byte ${String(before + at + 1).replace(/\B(?=(\d{3})+$)/g, ',')}`
}

/** Whether nothing but space is left of the parts so far. */
export function isSpent(json: JsonBytes): boolean {
  while (isSpace(json.bytes[json.at])) json.at++
  return json.at === json.length
}

/** A value as it is named in a problem. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)
  return typeof value === 'object' && value !== null ? (Array.isArray(value) ? 'a list' : 'an object') : String(value)
}

/** A whole number within bounds; anything else is refused. */
export function whole(value: unknown, least: number, most: number, path: string): number {
  if (typeof value === 'number' && value >= least && value <= most && Math.floor(value) === value) return value
  throw new Refusal(path, `found ${shown(value)}; allowed: ${least === most ? least : `a whole number from ${least} to ${most}`}`)
}

function* more(json: JsonBytes, path: string): Reading<void> {
  if (json.over) throw new Refusal(path, `the file ends here, at ${place({ ...json, at: json.length })}: it is cut off`)
  yield
}

function* takeListStart(json: JsonBytes, path: string): Reading<void> {
  if ((yield* peek(json, path)) !== LIST) throw new Refusal(path, `found ${shown(yield* takeValue(json, path))}; allowed: a list`)
  json.at++
}

/**
 * Reads plain whole numbers as fast as they come, up to the end of the list, or to something odd, or as far as there are
 * bytes. Stops in front of a number that it has not read.
 */
function scanNumbers(json: JsonBytes, column: Column, block: Float64Array): 'end' | 'odd' | 'more' {
  const { bytes, length } = json
  let filled = 0
  let at = json.at
  for (;;) {
    let i = at
    let code = bytes[i]
    while (isSpace(code)) code = bytes[++i]
    const negative = code === MINUS
    if (negative) code = bytes[++i]
    const first = i
    let value = 0
    while (code >= 48 && code <= 57) {
      value = value * 10 + (code - 48)
      code = bytes[++i]
    }
    const digits = i - first
    while (isSpace(code)) code = bytes[++i]
    const plain = digits > 0 && digits < 16 && (code === COMMA || code === END_OF_LIST)
    if (plain) {
      block[filled++] = negative ? -value : value
      at = i + 1
      if (filled < BLOCK && code === COMMA) continue
    }
    append(column, block, filled)
    filled = 0
    json.at = at
    if (plain && code === END_OF_LIST) return 'end'
    if (!plain) return i >= length ? 'more' : 'odd'
  }
}

/** As scanNumbers, of one list in a list, with the comma or the bracket behind it. */
function scanList(json: JsonBytes, entries: Column, ends: Column, block: Float64Array): 'end' | 'next' | 'odd' | 'more' {
  const { bytes, length } = json
  let i = json.at
  let code = bytes[i]
  while (isSpace(code)) code = bytes[++i]
  json.at = i
  if (i >= length) return 'more'
  if (code !== LIST) return 'odd'
  let filled = 0
  do {
    code = bytes[++i]
    while (isSpace(code)) code = bytes[++i]
    const first = i
    let value = 0
    while (code >= 48 && code <= 57) {
      value = value * 10 + (code - 48)
      code = bytes[++i]
    }
    if (i >= length) return 'more'
    if (i === first || i - first > 15 || filled === block.length) return 'odd'
    while (isSpace(code)) code = bytes[++i]
    block[filled++] = value
  } while (code === COMMA)
  if (i >= length) return 'more'
  if (code !== END_OF_LIST || filled === block.length) return 'odd'
  code = bytes[++i]
  while (isSpace(code)) code = bytes[++i]
  if (i >= length) return 'more'
  if (code !== COMMA && code !== END_OF_LIST) return 'odd'
  append(entries, block, filled)
  block[0] = entries.length
  append(ends, block, 1)
  json.at = i + 1
  return code === COMMA ? 'next' : 'end'
}

/** A number that is written in an unusual way, such as 1e3, or something that is no number and refused. Whether it was the last. */
function* takeOdd(json: JsonBytes, column: Column): Reading<boolean> {
  const path = `${column.name}[${column.length}]`
  append(column, [checked(yield* takeValue(json, path), column, path)], 1)
  return (yield* take(json, ',]', path)) === ']'
}

function checked(value: unknown, { least, most }: Column, path: string): number {
  return whole(value, least, most, path)
}

function append(column: Column, from: ArrayLike<number>, count: number): void {
  const { least, most, name, length, room } = column
  if (length + count > room) throw new Refusal(name, `has more than ${room} numbers; allowed: ${room}`)
  if (length + count > column.values.length) column.values = enlarged(column.values, length + count)
  const { values } = column
  for (let k = 0; k < count; k++) {
    const value = from[k]
    if (!(value >= least && value <= most)) whole(value, least, most, `${name}[${length + k}]`)
    values[length + k] = value
  }
  column.length = length + count
}

function enlarged(values: Column['values'], needed: number): Column['values'] {
  const make = values.constructor as new (length: number) => Column['values']
  const bigger = new make(Math.max(1024, needed, values.length * 2))
  bigger.set(values)
  return bigger
}

/** The index behind the value that begins here; the same index where none can begin, -1 where it is not all there. */
function endOfValue({ bytes, at, length }: JsonBytes): number {
  let depth = 0
  let inText = false
  for (let i = at; i < length; i++) {
    const code = bytes[i]
    if (inText) {
      if (code === BACKSLASH) i++
      else if (code === QUOTE) {
        inText = false
        if (depth === 0) return i + 1
      }
    } else if (code === QUOTE) inText = true
    else if (code === LIST || code === OPEN) depth++
    else if (code === END_OF_LIST || code === CLOSE) {
      if (depth === 0) return i
      if (--depth === 0) return i + 1
    } else if (depth === 0 && (code === COMMA || code === COLON || isSpace(code))) return i
  }
  return depth === 0 && !inText ? length : -1
}

function parsed(json: JsonBytes, end: number, path: string): unknown {
  try {
    return JSON.parse(fromUtf8(json.bytes.subarray(json.at, end)))
  } catch {
    throw new Refusal(path, `what begins at ${place(json)} is not JSON`)
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
