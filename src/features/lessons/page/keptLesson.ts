import { readStored } from '../../../app/base/browser/browserStorage.ts'
import { lessonStore, openLesson } from '../../../app/session/page/showing.ts'
import type { Session } from '../../../app/session/session.ts'
import { engineNames } from '../../../scenario/model/engines.ts'
import { checkedText, checkStored } from '../../../scenario/parse/checked.ts'
import { boolean } from '../../../scenario/parse/schemaParts.ts'
import { anything, type CheckedBy, checkOneOf, checkText, defaulted } from '../../../scenario/parse/shape.ts'

/** The storage key of the open lesson: of this tab for a reload, of the browser for the next visit. */
export const KEPT = 'apportion.lesson'

export const PROGRESS = 'apportion.lessons'

const lessonCheck = checkStored({
  key: checkText(),
  /** The canvas and the engine before the first of several lessons in a row. */
  own: checkStored({ engine: checkOneOf(engineNames), whole: anything, drawing: anything }),
  /** Whether something else than the lesson is on the canvas. */
  suspended: defaulted(boolean, false),
})
export type KeptLesson = CheckedBy<typeof lessonCheck>

/** Returns how to begin the first lesson if none was ever begun in this browser; else null. */
export function firstLesson(session: Session): (() => void) | null {
  const isNew = lessonStore(session).getState().key === null && readStored(PROGRESS) === null
  return isNew ? () => openLesson(session, 'why-a-pipeline') : null
}

/**
 * Opens the lesson of `?lesson=`, else the one interrupted by a reload, or left open at the last visit unless the address has a scenario.
 * Returns a function that closes the lesson.
 */
export function followLessons(session: Session): () => void {
  const key = session.address.read().searchParams.get('lesson') ?? keptLesson(session)?.key ?? null
  if (key !== null) openLesson(session, key)
  return () => lessonStore(session).setState({ key: null })
}

/** Returns the stored lesson of this tab, or that of the last visit unless the address has a scenario. */
export function keptLesson(session: Session): KeptLesson | null {
  return checkedText(
    lessonCheck,
    readStored(KEPT, 'sessionStorage') ?? (session.address.read().hash === '' ? readStored(KEPT) : null),
  )
}
