import { t } from '../../language/translate.ts'
import { grown } from '../../pipeline/column.ts'
import { foundText } from '../../scenario/model/words.ts'
import { checkWhole } from '../../scenario/parse/shape.ts'
import {
  CLOSE_LIST,
  COMMA,
  isSpace,
  type JsonBytes,
  more,
  OPEN_LIST,
  type Reading,
  takeListStart,
  takeOneOf,
  takeValue,
} from './jsonBytes.ts'
import { Refusal, required } from './refusal.ts'

/** Numbers in a typed array. More than `room`, or one outside [least, most], is refused by name. */
export interface NumberColumn {
  readonly name: string
  readonly room: number
  readonly least: number
  readonly most: number
  length: number
  values: Float64Array | Int32Array | Int16Array | Uint32Array
}

const MINUS = 45
/** Numbers put into a column at a time. */
const BLOCK = 1 << 13

/** Reads a list of millions of numbers. Throws a Refusal if there is no list. */
export function* takeNumbers(json: JsonBytes, column: NumberColumn): Reading<void> {
  if (yield* takeListStart(json, column.name)) return
  const block = new Float64Array(BLOCK)
  for (;;) {
    const stop = scanNumbers(json, column, block)
    if (stop === 'end') return
    if (stop === 'more') yield* more(json, `${column.name}[${column.length}]`)
    else if (yield* takeOdd(json, column)) return
  }
}

/** Reads a list of short lists of numbers: all numbers into `entries`, and where each list ends into `ends`. */
export function* takeLists(json: JsonBytes, entries: NumberColumn, ends: NumberColumn, longest: number): Reading<void> {
  const { name } = entries
  if (yield* takeListStart(json, name)) return
  const block = new Float64Array(longest + 1)
  for (;;) {
    const stop = scanList(json, entries, ends, block)
    if (stop === 'end') return
    const path = `${name}[${ends.length}]`
    if (stop === 'next') continue
    if (stop === 'more') yield* more(json, path)
    else {
      const value = yield* takeValue(json, path)
      if (!Array.isArray(value)) throw new Refusal(path, foundText(value, t('a list')))
      if (value.length > longest) throw new Refusal(path, t('more than {max}', { max: longest }))
      for (const [i, entry] of value.entries()) append(entries, [checked(entry, entries, `${path}[${i}]`)], 1)
      append(ends, [entries.length], 1)
      if ((yield* takeOneOf(json, ',]', path)) === ']') return
    }
  }
}

/** Reads plain whole numbers up to the end of the list, to something unusual, or as far as there are bytes. Stops before the number that it has not read. */
function scanNumbers(json: JsonBytes, column: NumberColumn, block: Float64Array): 'end' | 'odd' | 'more' {
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
    const plain = digits > 0 && digits < 16 && (code === COMMA || code === CLOSE_LIST)
    if (plain) {
      block[filled++] = negative ? -value : value
      at = i + 1
      if (filled < BLOCK && code === COMMA) continue
    }
    append(column, block, filled)
    filled = 0
    json.at = at
    if (plain && code === CLOSE_LIST) return 'end'
    if (!plain) return i >= length ? 'more' : 'odd'
  }
}

/** Like scanNumbers, for one list in a list with the comma or bracket behind it. */
function scanList(
  json: JsonBytes,
  entries: NumberColumn,
  ends: NumberColumn,
  block: Float64Array,
): 'end' | 'next' | 'odd' | 'more' {
  const { bytes, length } = json
  let i = json.at
  let code = bytes[i]
  while (isSpace(code)) code = bytes[++i]
  json.at = i
  if (i >= length) return 'more'
  if (code !== OPEN_LIST) return 'odd'
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
  if (code !== CLOSE_LIST || filled === block.length) return 'odd'
  code = bytes[++i]
  while (isSpace(code)) code = bytes[++i]
  if (i >= length) return 'more'
  if (code !== COMMA && code !== CLOSE_LIST) return 'odd'
  append(entries, block, filled)
  block[0] = entries.length
  append(ends, block, 1)
  json.at = i + 1
  return code === COMMA ? 'next' : 'end'
}

/** Takes a number in an unusual notation such as 1e3, or throws a Refusal. Returns whether it was the last. */
function* takeOdd(json: JsonBytes, column: NumberColumn): Reading<boolean> {
  const path = `${column.name}[${column.length}]`
  append(column, [checked(yield* takeValue(json, path), column, path)], 1)
  return (yield* takeOneOf(json, ',]', path)) === ']'
}

function checked(value: unknown, { least, most }: NumberColumn, path: string): number {
  return required(checkWhole(least, most), value, path)
}

function append(column: NumberColumn, from: ArrayLike<number>, count: number): void {
  const { least, most, name, length, room } = column
  if (length + count > room) throw new Refusal(name, t('more than {max}', { max: room }))
  if (length + count > column.values.length) column.values = grown(column.values, length + count)
  const { values } = column
  for (let k = 0; k < count; k++) {
    const value = from[k]
    if (!(value >= least && value <= most)) required(checkWhole(least, most), value, `${name}[${length + k}]`)
    values[length + k] = value
  }
  column.length = length + count
}
