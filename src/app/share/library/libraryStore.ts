import { createStore } from 'zustand/vanilla'
import { part, type Session } from '../../session/session.ts'
import type { Kept } from './database.ts'

/** How it stands with the scenario on the canvas, if it is one of the library. */
export type Keeping =
  | { readonly state: 'saved' | 'saving' }
  | { readonly state: 'failed'; readonly message: string }
  /** Another page has changed it, or deleted it (null): what is on the canvas is not saved over that. */
  | { readonly state: 'elsewhere'; readonly id: string; readonly other: Kept | null }

interface LibraryState {
  /** Whether anything of the library is to be fetched. */
  readonly wanted: boolean
  readonly open: boolean
  /** Null: what is on the canvas is not in the library. */
  readonly keeping: Keeping | null
}

/** Which scenario of the library was on the canvas, for the next visit. */
export const REMEMBERED = 'apportion.entry'

export const libraryStore = part(() => createStore<LibraryState>(() => ({ wanted: remembers(), open: false, keeping: null })))

export function openLibrary(session: Session): void {
  libraryStore(session).setState({ wanted: true, open: true })
}

function remembers(): boolean {
  try {
    return localStorage.getItem(REMEMBERED) !== null || sessionStorage.getItem(REMEMBERED) !== null
  } catch {
    return false
  }
}
