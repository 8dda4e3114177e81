import { t } from '../../language/translate.ts'
import { listed } from '../model/words.ts'

/** The maximum nesting of brackets. No scenario nests a tenth as deep, and parsers take very long for a million levels. */
const MAX_DEPTH = 200

/** Returns the value of a JSON text (RFC 8259). Throws SyntaxError where it is not JSON, RangeError with a translated message if it nests too deep. */
export function parseJson(text: string): unknown {
  if (firstJsonProblem(text, MAX_DEPTH)?.isDeep)
    throw new RangeError(t('brackets are nested more than {n} deep', { n: MAX_DEPTH }))
  return JSON.parse(text)
}

interface Fault {
  readonly at: number
  readonly message: string
  /** The text is JSON but nests too deep. */
  readonly isDeep?: boolean
}

/** What may come next: `first` items may also be the end of their list or object. */
const allowed = {
  value: () => t('a value'),
  'first value': () => listed([t('a value'), ']'], 'or'),
  key: () => t('a key in double quotes'),
  'first key': () => listed([t('a key in double quotes'), '}'], 'or'),
  colon: () => ':',
  'end of value': () => '',
} as const
type Next = keyof typeof allowed

const comma = (end: string) => listed([',', end], 'or')

const space = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
const SPACE = ' '.charCodeAt(0)

/** Returns the first problem of a text, or null. Reads it once, with its own stack, so that deep nesting cannot overflow. */
export function firstJsonProblem(text: string, most = Infinity): Fault | null {
  const open: ('{' | '[')[] = []
  let next: Next = 'value'
  let at = 0
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) return false
    at += found[0].length
    return true
  }
  for (;;) {
    skip(space)
    const inside = open.at(-1)
    if (at >= text.length) {
      if (next === 'end of value' && inside === undefined) return null
      const missing =
        inside === undefined || next !== 'end of value' ? allowed[next]() : comma(inside === '{' ? '}' : ']')
      return { at, message: t('the text ends too early; allowed: {missing}', { missing }) }
    }
    const c = text[at]
    const wrong = (what: string) => faultAt(at, what)
    if (next === 'end of value') {
      if (inside === undefined) return wrong(t('nothing'))
      const end = inside === '{' ? '}' : ']'
      if (c !== ',' && c !== end) return wrong(comma(end))
      if (c === ',') next = inside === '{' ? 'key' : 'value'
      else open.pop()
      at++
    } else if (next === 'colon') {
      if (c !== ':') return wrong(allowed.colon())
      next = 'value'
      at++
    } else if (next === 'key' || next === 'first key') {
      if (c === '}' && next === 'first key') {
        open.pop()
        at++
        next = 'end of value'
        continue
      }
      if (c !== '"') return wrong(allowed[next]())
      const fault = readText()
      if (fault !== null) return fault
      next = 'colon'
    } else {
      if (c === ']' && next === 'first value') {
        open.pop()
        at++
      } else if (c === '{' || c === '[') {
        if (open.push(c) > most) return { at, message: '', isDeep: true }
        at++
        next = c === '{' ? 'first key' : 'first value'
        continue
      } else if (c === '"') {
        const fault = readText()
        if (fault !== null) return fault
      } else if (!skip(number) && !skip(word)) return wrong(allowed[next]())
      next = 'end of value'
    }
  }

  function faultAt(at: number, allowed: string): Fault {
    return { at, message: t('found {value}; allowed: {allowed}', { value: shown(text, at), allowed }) }
  }

  function readText(): Fault | null {
    const begin = at++
    // A loop, since a pattern may exceed the stack for a text of a million characters. Control characters are all below the space.
    while (at < text.length && text[at] !== '"' && text.charCodeAt(at) >= SPACE) {
      const length = text[at] === '\\' ? escapeAt(text, at) : 1
      if (length === 0) break
      at += length
    }
    const c = text[at]
    if (c === '"') {
      at++
      return null
    }
    if (c === '\\') return faultAt(at, t('\\ before " \\ / b f n r t, or u and four hexadecimal digits'))
    if (c === undefined || c === '\n' || c === '\r')
      return { at: c === undefined ? begin : at, message: t('this text has no closing quote') }
    return { at, message: t('a text holds a control character') }
  }
}

function escapeAt(text: string, at: number): number {
  if (text[at + 1] === 'u') return /^[0-9a-f]{4}$/i.test(text.slice(at + 2, at + 6)) ? 6 : 0
  return at + 1 < text.length && '"\\/bfnrt'.includes(text[at + 1]) ? 2 : 0
}

function shown(text: string, at: number): string {
  const [found] = /^(?:\\.|\/[/*]|[A-Za-z]+|.)/su.exec(text.slice(at, at + 12)) ?? ['']
  return found === '"' ? `'"'` : `"${visible(found)}"`
}

/** The text with a space for each character that cannot be seen, or would disturb the text around it. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029]/gu, ' ')
}

/** Where a text stops being JSON. Browsers describe this differently, and some not at all; these words are the same everywhere. */
export interface JsonProblem {
  /** From 1; columns in characters as a person counts them. */
  readonly line: number
  readonly column: number
  readonly message: string
  /** The text around the place, with an arrow at it. */
  readonly excerpt: string
}

/** Returns the first problem of a text, or null. */
export function findJsonProblem(text: string): JsonProblem | null {
  const fault = firstJsonProblem(text)
  return fault === null ? null : { ...placeOf(text, fault.at), message: fault.message }
}

const BEFORE = 28
const AFTER = 16

function placeOf(text: string, at: number): Omit<JsonProblem, 'message'> {
  let line = 1
  let begin = 0
  for (let i = 0; i < at; i++) {
    if (text[i] !== '\n' && !(text[i] === '\r' && text[i + 1] !== '\n')) continue
    line++
    begin = i + 1
  }
  const rest = /[\r\n]/.exec(text.slice(at, at + AFTER + 1))
  const end = rest === null ? Math.min(text.length, at + AFTER) : at + rest.index
  const from = Math.max(begin, at - BEFORE)
  const cut = { before: from > begin ? '…' : '', after: rest === null && end < text.length ? '…' : '' }
  const column = Array.from(text.slice(begin, at)).length + 1
  return {
    line,
    column,
    excerpt: `${cut.before}${visible(text.slice(from, at))}→${visible(text.slice(at, end))}${cut.after}`,
  }
}
