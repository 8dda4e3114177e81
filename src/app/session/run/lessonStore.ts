import { createStore } from 'zustand/vanilla'
import { read } from '../../base/browser/browserStorage.ts'
import { part, type Session } from '../session.ts'

/** The lesson that somebody is at, by its key. All else of lessons is fetched when there is one. */
export const lessonStore = part(() => createStore<{ readonly key: string | null }>(() => ({ key: null })))

/** What is kept while a lesson is open: for this tab, so that a reload goes on with it, and for a visit after this one. */
export const KEPT = 'apportion.lesson'
/** How far one has come in each. */
export const PROGRESS = 'apportion.lessons'

export function openLesson(session: Session, key: string): void {
  lessonStore(session).setState({ key })
}

/** Whether nobody has begun a lesson in this browser: then the first one is offered. */
export function seemsNew(session: Session): boolean {
  return lessonStore(session).getState().key === null && read(PROGRESS) === null
}

/**
 * Opens what `?lesson=` names; else the lesson that a reload has interrupted, or that was left open at the last visit unless the address
 * speaks of something else. Returns what ends it.
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

/** What was kept of a lesson that is still open: here, or at the last visit unless the address speaks of something else. */
export function keptLesson(): string | null {
  try {
    return sessionStorage.getItem(KEPT) ?? (location.hash === '' ? read(KEPT) : null)
  } catch {
    return null
  }
}
