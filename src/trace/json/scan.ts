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

/** Returns the index of the first byte from `from` on that is no space. */
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
