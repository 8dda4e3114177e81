import { createStore } from 'zustand/vanilla'
import type { Evidence } from '../../../lessons/evidence.ts'
import type { Lesson } from '../../../lessons/lesson.ts'
import { noProgress, type Progress, scenarioOfStep, stepResult } from '../../../lessons/progress.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { onFrame } from '../../base/browser/frameLoop.ts'
import { lessonStore } from '../../session/run/lessonStore.ts'
import { playback } from '../../session/run/playback.ts'
import { goTo } from '../../session/run/playhead.ts'
import { openScenario, runStore, start } from '../../session/run/runStore.ts'
import { editOrRefuse, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'
import { bringOwnBack, keepOwn, keepProgress, progressOf } from './keeping.ts'

/** The lesson that is open. */
interface Course {
  readonly lesson: Lesson
  readonly progress: Progress
  /** The step that is shown; the number of steps at the end. If it is reached already, it shows what there was to see. */
  readonly step: number
}

export const courseStore = part(() => createStore<{ readonly course: Course | null }>(() => ({ course: null })))

/** Begins a lesson, or goes on where it was left, and judges it by what happens. Returns what ends it. */
export function attendLesson(session: Session, lesson: Lesson): () => void {
  let progress = progressOf(lesson.key)
  // A lesson that is done begins again.
  if (progress.was.length >= lesson.steps.length) progress = noProgress
  courseStore(session).setState({ course: { lesson, progress, step: progress.was.length } })
  if (keepOwn(session, lesson.key)) beginStep(session)
  judge(session)
  const playhead = playback(session)
  let { time } = playhead
  const ends = [
    runStore(session).subscribe(() => judge(session)),
    scenarioStore(session).subscribe(() => judge(session)),
    onFrame(() => {
      if (playhead.time === time || playhead.playing) return
      time = playhead.time
      judge(session)
    }),
  ]
  return () => {
    for (const end of ends) end()
    courseStore(session).setState({ course: null })
  }
}

/** Puts the scenario of the step on the canvas, as if all steps before were done as told. */
export function beginStep(session: Session): void {
  const { course } = courseStore(session).getState()
  if (course !== null) openScenario(session, scenarioOfStep(course.lesson, course.step), 'simulation')
}

export function answer(session: Session, said: number): void {
  const { course } = courseStore(session).getState()
  if (course === null) return
  const all = course.lesson.steps.map((_, k) => course.progress.said[k] ?? null)
  all[course.step] = said
  take(session, course, { ...course.progress, said: all })
  judge(session)
}

export function nextStep(session: Session): void {
  const { course } = courseStore(session).getState()
  if (course === null) return
  courseStore(session).setState({ course: { ...course, step: course.step + 1 } })
  judge(session)
}

/** Plays the solution of the step, from its beginning. */
export async function showHow(session: Session): Promise<void> {
  const { course } = courseStore(session).getState()
  const way = course?.lesson.steps[course.step]?.solution
  if (way === undefined) return
  beginStep(session)
  editOrRefuse(session, (scenario) => way.edit?.(scenario) ?? scenario)
  await start(session)
  const run = await new Promise<Evidence['run']>((resolve) => {
    const ended = ({ phase, run }: { readonly phase: string; readonly run: Evidence['run'] }) => {
      if (phase === 'running') return
      end()
      resolve(run)
    }
    const end = runStore(session).subscribe(ended)
  })
  // The timeline first shows the whole run.
  await nextFrame()
  await nextFrame()
  if (run !== null && way.at !== undefined) goTo(session, way.at(run))
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve))
}

/** Leaves the lesson: what the user had comes back. */
export function leaveLesson(session: Session): void {
  lessonStore(session).setState({ key: null })
  bringOwnBack(session)
  const address = new URL(location.href)
  address.searchParams.delete('lesson')
  history.replaceState(history.state, '', address)
}

function judge(session: Session): void {
  const { course } = courseStore(session).getState()
  const step = course?.lesson.steps[course.step]
  if (course === null || step === undefined || course.progress.was.length > course.step) return
  const was = stepResult(step, course.step, course.progress, evidence(session))
  if (was !== null) take(session, course, { ...course.progress, was: [...course.progress.was, was] })
}

/** Returns what the lesson is judged by. Only a simulation counts, since it is the same for everybody. */
function evidence(session: Session): Evidence {
  const { scenario } = scenarioStore(session).getState()
  const { run, phase, playing } = runStore(session).getState()
  return { scenario, run: phase === 'ended' && run !== null && !isRealTime(run.trace.engine) ? run : null, time: playing ? null : playback(session).time }
}

function take(session: Session, course: Course, progress: Progress): void {
  courseStore(session).setState({ course: { ...course, progress } })
  keepProgress(course.lesson.key, progress)
}
