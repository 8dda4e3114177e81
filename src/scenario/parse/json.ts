import { t } from '../../language/translate.ts'

/** Brackets within brackets: no scenario has a tenth of them, and a parser that is given a million takes so long that one feels it. */
const MAX_DEPTH = 200

/** The value that a JSON text (RFC 8259) writes down. Throws a SyntaxError where it is none, a RangeError with words for a reader where it nests too deep. */
export function parseJson(text: string): unknown {
  if (isDeep(text)) throw new RangeError(t('brackets stand more than {n} deep within each other; no scenario needs that', { n: MAX_DEPTH }))
  return JSON.parse(text)
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\[]{}'].map((mark) => mark.charCodeAt(0))

function isDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
  }
  return false
}
