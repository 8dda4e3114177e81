import { createStore } from 'zustand/vanilla'
import { part, type Session } from '../session.ts'
import type { Run } from './runStore.ts'

interface Showing {
  /** The run in the film dialog. */
  readonly film: Run | null
  /** The page is in presenter mode. */
  readonly presenting: boolean
  /** A handout is being printed. */
  readonly printing: boolean
  /** The open dialog. */
  readonly dialog: 'about' | 'keys' | 'lessons' | 'gallery' | null
}

/** Which film, handout, presentation or dialog is open. */
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
