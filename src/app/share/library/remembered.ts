import { REMEMBERED } from './libraryStore.ts'

/** The scenario of the library that was on the canvas, its revision, and a checksum of the canvas. */
export interface Remembered {
  readonly id: string
  readonly revision: number
  readonly sum: string
}

/** For a reload of this page, and for the next visit of any page. */
const stores = [() => sessionStorage, () => localStorage]

export function remember(entry: Remembered | null): void {
  for (const store of stores) {
    try {
      if (entry === null) store().removeItem(REMEMBERED)
      else store().setItem(REMEMBERED, JSON.stringify(entry))
    } catch {
      // Storage is forbidden or full: at the next visit the user opens it from the library.
    }
  }
}

/** Returns what was remembered of a canvas with that checksum; null if it was another. */
export function recall(sum: string): Remembered | null {
  for (const store of stores) {
    try {
      const entry: unknown = JSON.parse(store().getItem(REMEMBERED) ?? 'null')
      if (isRemembered(entry) && entry.sum === sum) return entry
    } catch {
      // Storage is forbidden, or the value is not ours.
    }
  }
  return null
}

function isRemembered(entry: unknown): entry is Remembered {
  if (typeof entry !== 'object' || entry === null) return false
  const { id, revision, sum } = entry as Readonly<Record<string, unknown>>
  return typeof id === 'string' && typeof revision === 'number' && typeof sum === 'string'
}
