import { t } from '../../../language/translate.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import type { FormatReader } from '../read/spanFormats.ts'
import { type Described, isObject } from '../read/spanTable.ts'

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN = 123
const CLOSE = 125

/** The longest record, in bytes. */
const LONGEST = 32_000_000

/**
 * Splits JSON that comes in parts into records, which the platform's own parser reads: a file of a gigabyte never becomes one tree. Everything
 * around the records is only counted through.
 */
export function createRecordSplitter(reader: FormatReader) {
  const decoder = new TextDecoder()
  let bytes = new Uint8Array(0)
  let before = 0
  let at = 0
  /** Where the object begins that is being taken, how deep it is, and what takes it. */
  let from = -1
  let fromDepth = 0
  let take: ((value: Described) => void) | null = null
  /** The keys of the lists and objects that are open, and the key that was read last. */
  const keys: string[] = []
  const lists: boolean[] = []
  let key = ''
  let text = ''
  let taken = 0

  function parsed(to: number): Described {
    const part = decoder.decode(bytes.subarray(from, to))
    try {
      const value: unknown = JSON.parse(part)
      if (isObject(value)) return value
    } catch {
      // Its place says more than the words of the platform.
    }
    throw new Refusal('', t('the record at byte {at} cannot be read; allowed: JSON', { at: before + from }))
  }

  /** Returns the place behind the text that begins here; -1 if its end is missing yet. */
  function behindText(): number {
    for (let end = bytes.indexOf(QUOTE, at + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
      let slashes = 0
      while (bytes[end - 1 - slashes] === BACKSLASH) slashes++
      if (slashes % 2 === 0) return end + 1
    }
    return -1
  }

  function open(isList: boolean): void {
    const own = lists.at(-1) ? (keys.at(-1) ?? '') : key
    if (!isList && from < 0) {
      take = reader.isRecord(own, keys.length) ? reader.record : reader.isContext(own, keys.length) ? reader.context : null
      if (take !== null) {
        from = at
        fromDepth = keys.length
      }
    }
    keys.push(own)
    lists.push(isList)
    key = ''
  }

  function close(): void {
    const own = keys.pop() ?? ''
    const isList = lists.pop() ?? false
    if (from >= 0 && keys.length === fromDepth) {
      take?.(parsed(at + 1))
      taken++
      from = -1
    }
    // An object in the list of groups, or a group that stands alone.
    if (from < 0 && !isList && (reader.isGroup(own, keys.length) || keys.length === 0)) reader.groupEnd()
  }

  function scan(): void {
    const { length } = bytes
    while (at < length) {
      const code = bytes[at]
      if (code === QUOTE) {
        const end = behindText()
        if (end < 0) return
        if (from < 0) text = end - at < 100 ? decoder.decode(bytes.subarray(at + 1, end - 1)) : ''
        at = end
        continue
      }
      if (code === OPEN || code === OPEN_LIST) open(code === OPEN_LIST)
      else if (code === CLOSE || code === CLOSE_LIST) close()
      else if (code === COLON && from < 0) key = text
      else if (code === COMMA && from < 0) key = ''
      at++
    }
  }

  return {
    push(part: Uint8Array): void {
      const keep = from >= 0 ? from : at
      const rest = bytes.subarray(Math.min(keep, bytes.length))
      if (rest.length > LONGEST) throw new Refusal('', t('the record at byte {at} is too long', { at: before + keep }))
      const joined = new Uint8Array(rest.length + part.length)
      joined.set(rest)
      joined.set(part, rest.length)
      before += keep
      at -= keep
      if (from >= 0) from = 0
      bytes = joined
      scan()
    },
    /** Ends the file. Returns how many records it had, and whether it broke off. */
    end(): { readonly records: number; readonly cut: boolean } {
      // Some programs never close their list.
      const cut = from >= 0 || at < bytes.length || keys.length > (lists[0] ? 1 : 0)
      reader.groupEnd()
      return { records: taken, cut }
    },
  }
}
