import { createStore } from 'zustand/vanilla'
import { engineNames } from '../../../scenario/model/engines.ts'
import { checkedText, checkStored } from '../../../scenario/parse/checked.ts'
import { anything, type CheckedBy, checkOneOf, checkText } from '../../../scenario/parse/shape.ts'
import { readStored } from '../../base/browser/browserStorage.ts'
import { part, type Session } from '../session.ts'

/** The key of the open lesson. The rest of lessons is fetched when there is one. */
export const lessonStore = part(() => createStore<{ readonly key: string | null }>(() => ({ key: null })))

/** The storage key of the open lesson: of this tab for a reload, of the browser for the next visit. */
export const KEPT = 'apportion.lesson'

const lessonCheck = checkStored({
  key: checkText(),
  /** The canvas and the engine before the first of several lessons in a row. */
  own: checkStored({ engine: checkOneOf(engineNames), whole: anything, drawing: anything }),
})
export type KeptLesson = CheckedBy<typeof lessonCheck>

/** The storage key of the progress in all lessons. */
export const PROGRESS = 'apportion.lessons'

export function openLesson(session: Session, key: string): void {
  lessonStore(session).setState({ key })
}

/** Returns whether no lesson was ever begun in this browser. Then the first one is offered. */
export function seemsNew(session: Session): boolean {
  return lessonStore(session).getState().key === null && readStored(PROGRESS) === null
}

/**
 * Opens the lesson of `?lesson=`, else the one interrupted by a reload, or left open at the last visit unless the address has a scenario.
 * Returns what ends it.
 */
export function followLessons(session: Session): () => void {
  const key = session.address.read().searchParams.get('lesson') ?? keptLesson(session)?.key ?? null
  if (key !== null) openLesson(session, key)
  return () => lessonStore(session).setState({ key: null })
}

/** Returns the stored lesson of this tab, or that of the last visit unless the address has a scenario. */
export function keptLesson(session: Session): KeptLesson | null {
  return checkedText(lessonCheck, readStored(KEPT, 'sessionStorage') ?? (session.address.read().hash === '' ? readStored(KEPT) : null))
}
