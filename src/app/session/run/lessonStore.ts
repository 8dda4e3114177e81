import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { part, type Session } from '../session.ts'
import { useSession } from '../useSession.ts'

/** The key of the open lesson; null without one. */
export const lessonStore = part(() => createStore<{ readonly key: string | null }>(() => ({ key: null })))

export function openLesson(session: Session, key: string): void {
  lessonStore(session).setState({ key })
}

/** Returns whether a lesson is open. Then the parts of the side panel that it may be about are open too. */
export function useInLesson(): boolean {
  return useStore(lessonStore(useSession()), ({ key }) => key !== null)
}
