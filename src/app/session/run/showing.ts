import { createStore } from 'zustand/vanilla'
import { part, type Session } from '../session.ts'
import type { Run } from './runStore.ts'

interface Showing {
  /** The run in the film dialog. */
  readonly openFilm: Run | null
  /** The page is in presenter mode. */
  readonly presenting: boolean
  /** A handout is being printed. */
  readonly printing: boolean
  /** The essay is open beside the pipeline. */
  readonly writing: boolean
  /** The open dialog. */
  readonly dialog: 'about' | 'keys' | 'palette' | 'lessons' | 'gallery' | null
  /** The front page stands above the page. */
  readonly front: boolean
}

/** Which film, handout, presentation or dialog is open, and whether the front page is. */
export const showingStore = part(() =>
  createStore<Showing>(() => ({ openFilm: null, presenting: false, printing: false, writing: false, dialog: null, front: false })),
)

export function film(session: Session, run: Run | null): void {
  showingStore(session).setState({ openFilm: run })
}

export function setPrinting(session: Session, printing: boolean): void {
  showingStore(session).setState({ printing })
}

export function setWriting(session: Session, writing: boolean): void {
  showingStore(session).setState({ writing })
}

export function setPresenting(session: Session, presenting: boolean): void {
  showingStore(session).setState({ presenting })
}

export function openDialog(session: Session, dialog: Showing['dialog']): void {
  showingStore(session).setState({ dialog })
}

export function setFront(session: Session, front: boolean): void {
  showingStore(session).setState({ front })
}

/** Closes a dialog, unless another has taken its place meanwhile. */
export function closeDialog(session: Session, dialog: Showing['dialog']): void {
  if (showingStore(session).getState().dialog === dialog) openDialog(session, null)
}
