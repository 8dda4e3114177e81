import { fromUtf8, toUtf8 } from '../../../scenario/link/bytes.ts'

/** What Windows-1252 has in 0x80 to 0x9f, where Latin-1 has control characters. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Returns the text of a cell: UTF-8, or Windows-1252, as spreadsheets write it, where the bytes are no UTF-8. */
export function cellText(bytes: Uint8Array): string {
  const text = fromUtf8(bytes)
  if (!text.includes('\ufffd') || isSame(toUtf8(text), bytes)) return text
  return Array.from(bytes, (code) => (code >= 0x80 && code < 0xa0 ? windows[code - 0x80] : String.fromCharCode(code))).join('')
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
