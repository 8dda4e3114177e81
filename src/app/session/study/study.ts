import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { watchOnScreen } from '../../base/browser/frames.ts'
import { runStore } from '../run/runStore.ts'
import { type Part, part, type Session } from '../session.ts'
import { useSession } from '../useSession.ts'
import { coresAreTaken, createJob, type JobControl } from './backgroundJob.ts'

/** Identifies a question. For a scenario it is a text of all that the answer depends on, for a run or a log the object itself. */
export type StudyKey = string | object

/** How far a study is, and what it has found. */
export interface StudyState<Found> {
  /** The question that `found` answers; null before the first start. */
  readonly key: StudyKey | null
  /** `idle`: not started, or left before the end. `stopped`: cancelled, so it does not start again by itself. */
  readonly phase: 'idle' | 'running' | 'stopped' | 'done' | 'failed'
  /** The share that is done, 0 to 1. */
  readonly progress: number
  /** The result, or the part of it that is known; null: nothing yet. */
  readonly found: Found | null
  readonly sentence: string
}

/** The options of the work of a study. `runJob` and `runJobs` take them too. */
export interface StudyControl<Found> extends JobControl {
  readonly session: Session
  /** What was found last, for this question or another one. */
  readonly before: Found | null
  /** Shows a part of the result. Throws once the study is stopped. */
  show(found: Found): void
}

interface StudyPlan<Question, Found> {
  /** Returns the key of a question. Questions with one key have the same answer. */
  key(question: Question): StudyKey
  work(question: Question, control: StudyControl<Found>): Promise<Found>
  /** The keys are runs. The study is forgotten when another run is on the page, because it keeps the record of its run in memory. */
  readonly ofRun?: boolean
}

export interface Study<Question, Found> {
  readonly store: StoreApi<StudyState<Found>>
  key(question: Question): StudyKey
  /** Starts the study, and ends what was running. Resolves when it has ended; never rejects. */
  start(question: Question): Promise<void>
  /** Cancels what is running. What was found so far stays. */
  stop(): void
  /** Registers a viewer of a question. Returns a function that removes it. */
  watch(key: StudyKey): () => void
  /** Cancels what is running and drops what was found. */
  forget(): void
}

export const notStudied: StudyState<never> = { key: null, phase: 'idle', progress: 0, found: null, sentence: '' }

/**
 * Returns a study: work in the background whose progress and result a panel shows. All studies behave alike:
 * - it runs while a component shows its question: it ends when the panel closes, and when an edit changes the question
 * - what it found stays, so that a panel that opens again shows it at once, and an undone edit brings it back
 * - it stops when workers of a real run need the cores, and ends with the session
 *
 * To add one, call `study` with a key and the work, and `useStudy` in the panel, which gives `JobProgress` its bar and its button.
 */
export function study<Question, Found>({
  key,
  work,
  ofRun = false,
}: StudyPlan<Question, Found>): Part<Study<Question, Found>> {
  return part((session) => {
    const store = createStore<StudyState<Found>>(() => notStudied)
    const job = createJob<Found>()
    const viewed: StudyKey[] = []

    job.store.subscribe((now) => {
      if (now.phase === 'running') store.setState({ progress: now.progress })
      else if (now.phase === 'done') store.setState({ phase: 'done', progress: 1, found: now.result })
      else if (now.phase === 'failed') store.setState({ phase: 'failed', sentence: now.sentence })
    })

    function end(phase: 'idle' | 'stopped'): void {
      if (store.getState().phase !== 'running') return
      job.cancel()
      store.setState({ phase })
    }

    function forget(): void {
      job.cancel()
      store.setState(notStudied)
    }

    session.onEnd(() => end('idle'))
    session.onEnd(
      runStore(session).subscribe((state) => {
        const { key: shown } = store.getState()
        if (ofRun && shown !== null && shown !== state.run) forget()
        else if (coresAreTaken(state)) end('stopped')
      }),
    )

    return {
      store,
      key,
      start(question) {
        const asked = key(question)
        const { key: last, found: before } = store.getState()
        store.setState({
          key: asked,
          phase: 'running',
          progress: 0,
          found: last === asked ? before : null,
          sentence: '',
        })
        return job.run((control) => {
          const show = (found: Found) => {
            control.signal.throwIfAborted()
            store.setState({ found })
          }
          return work(question, { ...control, session, before, show })
        })
      },
      stop: () => end('stopped'),
      watch(asked) {
        viewed.push(asked)
        return () => {
          viewed.splice(viewed.indexOf(asked), 1)
          // A component that is drawn again for the same question comes back at once.
          queueMicrotask(() => viewed.some((key) => key === store.getState().key) || end('idle'))
        }
      },
      forget,
    }
  })
}

/** A study that starts by itself waits this long after an edit, for the next one. */
const SETTLE_MS = 400

/**
 * Returns a study for a component that shows `question` (null: none), how far it is, what was found for another question, and a function that starts it.
 * `begins`: the study starts by itself, unless it was stopped or has failed before.
 */
export function useStudy<Question, Found>(
  part: Part<Study<Question, Found>>,
  question: Question | null,
  begins = false,
) {
  const session = useSession()
  const study = part(session)
  const last = useStore(study.store)
  const key = question === null ? null : study.key(question)
  const state = last.key === key ? last : notStudied
  useEffect(() => (key === null ? undefined : study.watch(key)), [study, key])
  const start = () => {
    if (question !== null) void study.start(question)
  }
  const due = begins && key !== null && state.phase === 'idle'
  // biome-ignore lint/correctness/useExhaustiveDependencies: starts once for each question
  useEffect(() => {
    if (!due || coresAreTaken(runStore(session).getState())) return
    const timer = setTimeout(start, study.store.getState().key === null ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [key, due])
  return { study, state, stale: last.key === null || last.key === key ? null : last, start }
}

/**
 * Returns a study, as `useStudy`, that starts by itself once the element of `section` is on the screen if it is `small`. `waits`: it needs
 * a click to start.
 */
export function useStudyInSight<Question, Found>(
  part: Part<Study<Question, Found>>,
  question: Question,
  small: boolean,
) {
  const section = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(
    () => (section.current === null ? undefined : watchOnScreen(section.current, (on) => on && setSeen(true))),
    [],
  )
  const shown = useStudy(part, question, small && seen)
  const { phase } = shown.state
  return { ...shown, section, waits: phase === 'stopped' || phase === 'failed' || (phase === 'idle' && !small) }
}
