import { createStore } from 'zustand/vanilla'
import { part, type Session } from '../session.ts'
import type { Run } from './runStore.ts'

interface Showing {
  /** The run that a film is to be made of. */
  readonly film: Run | null
  /** The page is shown to a room. */
  readonly presenting: boolean
  /** The run is put on paper. */
  readonly printing: boolean
  /** Which dialog of the page's own is open: what this is, or the list of keys. */
  readonly dialog: 'about' | 'keys' | 'lessons' | 'gallery' | null
}

/** Ways to show a run to others than who sits before it. */
export const showingStore = part(() => createStore<Showing>(() => ({ film: null, presenting: false, printing: false, dialog: null })))

export function film(session: Session, run: Run | null): void {
  showingStore(session).setState({ film: run })
}

export function print(session: Session, printing: boolean): void {
  showingStore(session).setState({ printing })
}

export function setPresenting(session: Session, presenting: boolean): void {
  showingStore(session).setState({ presenting })
}

export function openDialog(session: Session, dialog: Showing['dialog']): void {
  showingStore(session).setState({ dialog })
}
