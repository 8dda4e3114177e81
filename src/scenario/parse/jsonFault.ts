import { t } from '../../language/translate.ts'

/**
 * Where a text stops being JSON (RFC 8259). Every browser says this in other words and some not at all; this says it alike
 * everywhere. Walks the text once with a stack of its own, so that no depth of brackets is too deep.
 */
export interface JsonFault {
  /** From 1; columns in characters as a person counts them. */
  readonly line: number
  readonly column: number
  /** What is wrong there, what is allowed. */
  readonly message: string
  /** The line about the place, with an arrow before it. */
  readonly excerpt: string
}

/** The first fault of a text, or null where there is none. */
export function jsonFault(text: string): JsonFault | null {
  const fault = scan(text)
  return fault === null ? null : { ...placeOf(text, fault.at), message: fault.message }
}

interface Fault {
  readonly at: number
  readonly message: string
}

/** What may come next: `first` items may also be the end of their list or object. */
type Next = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'end of value'

function allowed(next: Next): string {
  switch (next) {
    case 'value':
      return t('a value: a text in double quotes, a number, true, false, null, [ or {brace}', { brace: '{' })
    case 'first value':
      return t('a value, or ] to end the list')
    case 'key':
      return t('a key in double quotes')
    case 'first key':
      return t('a key in double quotes, or {brace} to end the object', { brace: '}' })
    case 'colon':
      return t('a colon between key and value')
    case 'end of value':
      return ''
  }
}

const comma = (end: string) => t('a comma, or {end}', { end })

const space = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
const SPACE = ' '.charCodeAt(0)

function scan(text: string): Fault | null {
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
      const missing = inside === undefined || next !== 'end of value' ? allowed(next) : comma(inside === '{' ? '}' : ']')
      return { at, message: t('the text ends too early; allowed here: {missing}', { missing }) }
    }
    const c = text[at]
    const wrong = (what: string): Fault => ({ at, message: t('found {found}; allowed here: {what}', { found: shown(text, at), what }) })
    if (next === 'end of value') {
      if (inside === undefined) return wrong(t('nothing more, since the value has ended'))
      const end = inside === '{' ? '}' : ']'
      if (c !== ',' && c !== end) return wrong(comma(end))
      if (c === ',') next = inside === '{' ? 'key' : 'value'
      else open.pop()
      at++
    } else if (next === 'colon') {
      if (c !== ':') return wrong(allowed('colon'))
      next = 'value'
      at++
    } else if (next === 'key' || next === 'first key') {
      if (c === '}' && next === 'first key') {
        open.pop()
        at++
        next = 'end of value'
        continue
      }
      if (c !== '"') return wrong(allowed(next))
      const fault = readText()
      if (fault !== null) return fault
      next = 'colon'
    } else {
      if (c === ']' && next === 'first value') {
        open.pop()
        at++
      } else if (c === '{' || c === '[') {
        open.push(c)
        at++
        next = c === '{' ? 'first key' : 'first value'
        continue
      } else if (c === '"') {
        const fault = readText()
        if (fault !== null) return fault
      } else if (!skip(number) && !skip(word)) return wrong(allowed(next))
      next = 'end of value'
    }
  }

  function readText(): Fault | null {
    const begin = at++
    // A loop, since a pattern might go too deep for a text of a million characters. Everything below a space is a control character.
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
    if (c === undefined) return { at: begin, message: t('the text that begins here has no closing quote') }
    if (c === '\\')
      return {
        at,
        message: t('found {found}; allowed after a backslash: one of " \\ / b f n r t, or u and four hexadecimal digits', { found: shown(text, at) }),
      }
    return {
      at,
      message:
        c === '\n' || c === '\r'
          ? t('a text goes over the end of its line; allowed: \\n for a new line, and a closing quote')
          : t('a text holds a control character'),
    }
  }
}

/** How many characters the escape takes that begins here; 0 for none that JSON knows. */
function escapeAt(text: string, at: number): number {
  if (text[at + 1] === 'u') return /^[0-9a-f]{4}$/i.test(text.slice(at + 2, at + 6)) ? 6 : 0
  return at + 1 < text.length && '"\\/bfnrt'.includes(text[at + 1]) ? 2 : 0
}

/** A character or two, in quotes that it does not close itself. */
function shown(text: string, at: number): string {
  if (text[at] === "'") return t('a single quote, where texts stand in double quotes,')
  if (text.startsWith('//', at) || text.startsWith('/*', at)) return t('a comment, which JSON does not know')
  const found =
    text[at] === '\\' ? text.slice(at, at + 2) : (/^[A-Za-z]+/.exec(text.slice(at, at + 12))?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0))
  return found === '"' ? t('a double quote') : `"${visible(found)}"`
}

const BEFORE = 28
const AFTER = 16

function placeOf(text: string, at: number): Omit<JsonFault, 'message'> {
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
  return { line, column, excerpt: `${cut.before}${visible(text.slice(from, at))}→${visible(text.slice(at, end))}${cut.after}` }
}

/** What cannot be seen, or would disturb the text around it, is a space. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029]/gu, ' ')
}
