import { useStore } from 'zustand'
import { useSession } from '../useSession.ts'
import { lessonStore } from './lessonStore.ts'

/** Returns whether a lesson is open. Then the parts of the side panel that it may be about are open too. */
export function useInLesson(): boolean {
  return useStore(lessonStore(useSession()), ({ key }) => key !== null)
}
