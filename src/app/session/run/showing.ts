import { createStore } from 'zustand/vanilla'
import { part, type Session } from '../session.ts'

interface Showing {
  /** The name of the open dialog. */
  readonly dialog: string | null
  /** The front page stands above the page. */
  readonly front: boolean
}

/** Which dialog is open, and whether the front page is. */
export const showingStore = part(() => createStore<Showing>(() => ({ dialog: null, front: false })))

export function openDialog(session: Session, dialog: string | null): void {
  showingStore(session).setState({ dialog })
}

export function setFront(session: Session, front: boolean): void {
  showingStore(session).setState({ front })
}

/** Closes a dialog, unless another has taken its place meanwhile. */
export function closeDialog(session: Session, dialog: string | null): void {
  if (showingStore(session).getState().dialog === dialog) openDialog(session, null)
}
