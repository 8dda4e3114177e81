import { fromUtf8, toUtf8 } from '../../../scenario/link/bytes.ts'

/** The characters of Windows-1252 from 0x80 to 0x9f. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Returns the text of a cell: UTF-8, or else Windows-1252, as spreadsheets write it. */
export function cellText(bytes: Uint8Array): string {
  const text = fromUtf8(bytes)
  if (!text.includes('\ufffd') || equalBytes(toUtf8(text), bytes, 0, bytes.length)) return text
  return Array.from(bytes, (code) => (code >= 0x80 && code < 0xa0 ? windows[code - 0x80] : String.fromCharCode(code))).join('')
}

/** Matches the first line in which a spreadsheet names the separator of cells. */
export const separatorLine = /^"?sep=.?"?\r?(\n|$)/i

/** Returns the cells of a line. A cell in quotes may contain the separator, and "" for a quote. */
export function cellsOf(line: string, mark: string): string[] {
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let i = 0; i < line.length; i++) {
    const character = line[i]
    if (quoted && character === '"' && line[i + 1] === '"') cell += line[++i]
    else if (character === '"' && (quoted || cell === '')) quoted = !quoted
    else if (character === mark && !quoted) {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  return [...cells, cell]
}

/** Caches the meanings of up to `max` spellings, so that repeated bytes are decoded once. Of two with the same hash the first is kept. */
export function createSpellings<T>(max: number) {
  const known = new Map<number, { readonly spelled: Uint8Array; readonly meaning: T }>()
  return {
    /** Returns the meaning of the bytes from `from` to `to`; undefined where they are unknown. */
    find(bytes: Uint8Array, from: number, to: number): T | undefined {
      const found = known.get(hashOf(bytes, from, to))
      return found !== undefined && equalBytes(found.spelled, bytes, from, to) ? found.meaning : undefined
    },
    /** Returns `meaning`. */
    remember(bytes: Uint8Array, from: number, to: number, meaning: T): T {
      const hash = hashOf(bytes, from, to)
      if (known.size < max && !known.has(hash)) known.set(hash, { spelled: bytes.slice(from, to), meaning })
      return meaning
    },
  }
}

/** FNV-1a (Fowler, Noll and Vo 1991). */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  return hash
}

function equalBytes(spelled: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  return spelled.length === to - from && spelled.every((byte, k) => byte === bytes[from + k])
}
