import { type RefObject, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { watchOnScreen } from '../../base/browser/frames.ts'
import { runStore } from '../run/runStore.ts'
import { coresAreTaken } from '../run/sessionJobs.ts'
import type { Part } from '../session.ts'
import { useSession } from '../useSession.ts'
import { notStudied, type Study, type StudyState } from './study.ts'

/** A study that starts by itself waits this long after an edit, for the next one. */
const SETTLE_MS = 400

interface Studied<Question, Found> {
  readonly study: Study<Question, Found>
  /** How far the study of this question is. */
  readonly state: StudyState<Found>
  /** What was found for another question; null if there is nothing. */
  readonly stale: StudyState<Found> | null
  /** Starts the study of this question. */
  start(): void
}

/**
 * Returns a study for a component that shows `question` (null: none). `begins`: the study starts
 * by itself, unless it was stopped or has failed before.
 */
export function useStudy<Question, Found>(part: Part<Study<Question, Found>>, question: Question | null, begins = false): Studied<Question, Found> {
  const session = useSession()
  const study = part(session)
  const last = useStore(study.store)
  const key = question === null ? null : study.key(question)
  const state = last.key === key ? last : notStudied
  useEffect(() => (key === null ? undefined : study.watch(key)), [study, key])
  const start = () => question !== null && void study.start(question)
  const due = begins && key !== null && state.phase === 'idle'
  // biome-ignore lint/correctness/useExhaustiveDependencies: starts once for each question
  useEffect(() => {
    if (!due || coresAreTaken(runStore(session).getState())) return
    const timer = setTimeout(start, study.store.getState().key === null ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [key, due])
  return { study, state, stale: last.key === null || last.key === key ? null : last, start }
}

/** Returns whether an element has been on the screen since the component is there. */
export function useSeen(host: RefObject<Element | null>): boolean {
  const [seen, set] = useState(false)
  useEffect(() => (host.current === null ? undefined : watchOnScreen(host.current, (on) => on && set(true))), [host])
  return seen
}
