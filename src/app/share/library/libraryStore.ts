import { createStore } from 'zustand/vanilla'
import { checkedText, checkStored } from '../../../scenario/parse/checked.ts'
import { type CheckedBy, checkText, wholeNumber } from '../../../scenario/parse/shape.ts'
import { areas, readStored, writeStored } from '../../base/browser/browserStorage.ts'
import { part, type Session } from '../../session/session.ts'
import type { Kept } from './database.ts'

/** Whether the scenario on the canvas is saved, if it is in the library. */
export type Keeping =
  | { readonly state: 'saved' | 'saving' }
  | { readonly state: 'failed'; readonly message: string }
  /** Another page has changed or deleted (null) it, so the canvas is not saved over that. */
  | { readonly state: 'elsewhere'; readonly id: string; readonly other: Kept | null }

/** The key under which the scenario on the canvas is remembered for the next visit. */
export const REMEMBERED = 'apportion.entry'

export const libraryStore = part(() =>
  createStore(() => ({
    /** Whether the library has to be fetched. */
    wanted: areas.some((area) => readStored(REMEMBERED, area) !== null),
    open: false,
    /** Null if the scenario on the canvas is not in the library. */
    keeping: null as Keeping | null,
  })),
)

export const openLibrary = (session: Session): void => libraryStore(session).setState({ wanted: true, open: true })

/** The scenario of the library that was on the canvas, its revision, and a checksum of the canvas. */
const remembered = checkStored({ id: checkText(), revision: wholeNumber, sum: checkText() })
type Remembered = CheckedBy<typeof remembered>

/** If storage is forbidden or full, the user opens it from the library at the next visit. */
export function remember(entry: Remembered | null): void {
  for (const area of areas) writeStored(REMEMBERED, entry && JSON.stringify(entry), area)
}

/** Returns what was remembered of a canvas with that checksum; null if it was another. */
export function recall(sum: string): Remembered | null {
  for (const area of areas) {
    const entry = checkedText(remembered, readStored(REMEMBERED, area))
    if (entry?.sum === sum) return entry
  }
  return null
}
