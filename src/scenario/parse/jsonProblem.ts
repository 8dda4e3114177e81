import { firstJsonProblem, visible } from './json.ts'

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
  return { line, column, excerpt: `${cut.before}${visible(text.slice(from, at))}→${visible(text.slice(at, end))}${cut.after}` }
}
