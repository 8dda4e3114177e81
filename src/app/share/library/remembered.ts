import { REMEMBERED } from './libraryStore.ts'

/** Which scenario of the library was on the canvas, in which revision, and a checksum of the text there. */
export interface Remembered {
  readonly id: string
  readonly revision: number
  readonly sum: string
}

/** For a reload of this page, and for the next visit of any: the one that was left last. */
const stores = [() => sessionStorage, () => localStorage]

export function remember(entry: Remembered | null): void {
  for (const store of stores) {
    try {
      if (entry === null) store().removeItem(REMEMBERED)
      else store().setItem(REMEMBERED, JSON.stringify(entry))
    } catch {
      // Forbidden or full: the next visit opens it from the library.
    }
  }
}

/** What was remembered of a canvas with that checksum; null: it shows something else. */
export function recall(sum: string): Remembered | null {
  for (const store of stores) {
    try {
      const entry: unknown = JSON.parse(store().getItem(REMEMBERED) ?? 'null')
      if (isRemembered(entry) && entry.sum === sum) return entry
    } catch {
      // Forbidden, or not ours.
    }
  }
  return null
}

function isRemembered(entry: unknown): entry is Remembered {
  if (typeof entry !== 'object' || entry === null) return false
  const { id, revision, sum } = entry as Readonly<Record<string, unknown>>
  return typeof id === 'string' && typeof revision === 'number' && typeof sum === 'string'
}
