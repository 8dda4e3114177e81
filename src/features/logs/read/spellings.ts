/** Remembers what spellings mean, so that repeated bytes are not decoded each time. */
export interface Spellings<T> {
  /** Returns the meaning of the bytes from `from` to `to`; undefined where they are unknown. */
  find(bytes: Uint8Array, from: number, to: number): T | undefined
  remember(bytes: Uint8Array, from: number, to: number, meaning: T): void
}

/** Remembers at most `most` spellings, and only the first of two with one hash. */
export function createSpellings<T>(most: number): Spellings<T> {
  const known = new Map<number, { readonly spelled: Uint8Array; readonly meaning: T }>()
  return {
    find(bytes, from, to) {
      const found = known.get(hashOf(bytes, from, to))
      return found !== undefined && spells(found.spelled, bytes, from, to) ? found.meaning : undefined
    },
    remember(bytes, from, to, meaning) {
      const hash = hashOf(bytes, from, to)
      if (known.size < most && !known.has(hash)) known.set(hash, { spelled: bytes.slice(from, to), meaning })
    },
  }
}

/** FNV-1a (Fowler, Noll and Vo 1991). */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193)
  return hash
}

function spells(spelled: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (spelled.length !== to - from) return false
  for (let k = 0; k < spelled.length; k++) if (spelled[k] !== bytes[from + k]) return false
  return true
}
