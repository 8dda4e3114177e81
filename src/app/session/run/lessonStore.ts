import { createStore } from 'zustand/vanilla'
import { read } from '../../base/browser/browserStorage.ts'
import { part, type Session } from '../session.ts'

/** The key of the open lesson. The rest of lessons is fetched when there is one. */
export const lessonStore = part(() => createStore<{ readonly key: string | null }>(() => ({ key: null })))

/** The storage key of the open lesson: of this tab for a reload, of the browser for the next visit. */
export const KEPT = 'apportion.lesson'
/** The storage key of the progress in all lessons. */
export const PROGRESS = 'apportion.lessons'

export function openLesson(session: Session, key: string): void {
  lessonStore(session).setState({ key })
}

/** Returns whether no lesson was ever begun in this browser. Then the first one is offered. */
export function seemsNew(session: Session): boolean {
  return lessonStore(session).getState().key === null && read(PROGRESS) === null
}

/**
 * Opens the lesson of `?lesson=`, else the one interrupted by a reload, or left open at the last visit unless the address has a scenario.
 * Returns what ends it.
 */
export function followLessons(session: Session): () => void {
  const key = new URLSearchParams(location.search).get('lesson') ?? interrupted()
  if (key !== null) openLesson(session, key)
  return () => lessonStore(session).setState({ key: null })
}

function interrupted(): string | null {
  try {
    const { key } = JSON.parse(keptLesson() ?? '{}')
    return typeof key === 'string' ? key : null
  } catch {
    return null
  }
}

/** Returns the stored lesson of this tab, or that of the last visit unless the address has a scenario. */
export function keptLesson(): string | null {
  try {
    return sessionStorage.getItem(KEPT) ?? (location.hash === '' ? read(KEPT) : null)
  } catch {
    return null
  }
}
