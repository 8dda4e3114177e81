import { createStore } from 'zustand/vanilla'
import { dropOption } from '../../../app/session/address.ts'
import { lessonStore } from '../../../app/session/run/lessonStore.ts'
import { openPanel } from '../../../app/session/run/panelStore.ts'
import { playback } from '../../../app/session/run/playback.ts'
import { goTo } from '../../../app/session/run/playhead.ts'
import { openScenario, type Run, runStore, runWhen, start } from '../../../app/session/run/runStore.ts'
import { editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { endOf } from '../../../trace/trace.ts'
import type { Evidence } from '../content/evidence.ts'
import { type Lesson, noProgress, type Progress, scenarioOfStep, stepResult } from '../content/lesson.ts'
import { keepOwnScenario, keepProgress, progressOf, restoreOwnScenario } from './keeping.ts'

/** The lesson that is open. */
export interface Course {
  readonly lesson: Lesson
  readonly progress: Progress
  /** The step that is shown; the number of steps at the end. If it is reached already, it shows what there was to see. */
  readonly step: number
  /** The latest run that the playhead has followed to its end, or skipped through to it. Only such a run tells its outcome. */
  readonly watched: Run | null
}

export const courseStore = part(() => createStore<{ readonly course: Course | null }>(() => ({ course: null })))

/** Begins a lesson, or resumes it, and checks its goals against each run. Returns what ends it. */
export function attendLesson(session: Session, lesson: Lesson): () => void {
  let progress = progressOf(lesson.key)
  // A lesson that is done begins again.
  if (progress.was.length >= lesson.steps.length) progress = noProgress
  courseStore(session).setState({ course: { lesson, progress, step: progress.was.length, watched: null } })
  if (keepOwnScenario(session, lesson.key)) beginStep(session)
  judge(session)
  // The run store also tells of every pause and every jump of the playhead.
  const ends = [runStore(session).subscribe(() => judge(session)), scenarioStore(session).subscribe(() => judge(session))]
  return () => {
    for (const end of ends) end()
    courseStore(session).setState({ course: null })
  }
}

/** Puts the scenario of the step on the canvas, as if the user had solved all steps before. */
export function beginStep(session: Session): void {
  const { course } = courseStore(session).getState()
  if (course === null) return
  const { lesson, step } = course
  openScenario(session, scenarioOfStep(lesson, step), lesson.inRoom ? 'room' : 'simulation')
  if (lesson.inRoom) openPanel(session, 'room')
}

export function answerQuestion(session: Session, said: number): void {
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

/** Plays the solution of the step, from its beginning, and shows the instant that it is about. */
export async function showSolution(session: Session): Promise<void> {
  const { course } = courseStore(session).getState()
  const step = course?.lesson.steps[course.step]
  if (step === undefined) return
  const { solution: way } = step
  beginStep(session)
  editOrShowProblems(session, (scenario) => way?.edit?.(scenario) ?? scenario)
  await start(session)
  const { run } = await runWhen(session, ({ phase }) => phase !== 'running')
  // The timeline first shows the whole run.
  await nextFrame()
  await nextFrame()
  if (run !== null) goTo(session, way?.at?.(run) ?? endOf(run.trace))
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve))
}

/** Leaves the lesson: what the user had comes back. */
export function leaveLesson(session: Session): void {
  lessonStore(session).setState({ key: null })
  restoreOwnScenario(session)
  dropOption(session.address, 'lesson')
}

/** Notes how far the run was watched, and whether the goal of the step is reached. */
function judge(session: Session): void {
  watch(session)
  const { course } = courseStore(session).getState()
  const step = course?.lesson.steps[course.step]
  if (course === null || step === undefined || course.progress.was.length > course.step) return
  const was = stepResult(step, course.step, course.progress, evidence(session, course))
  if (was !== null) take(session, course, { ...course.progress, was: [...course.progress.was, was] })
}

function watch(session: Session): void {
  const { course } = courseStore(session).getState()
  const { run, phase } = runStore(session).getState()
  if (course === null || run === null || phase !== 'ended' || course.watched === run || playback(session).time < endOf(run.trace)) return
  courseStore(session).setState({ course: { ...course, watched: run } })
}

/** Returns what the lesson is judged by. */
function evidence(session: Session, { lesson, watched }: Course): Evidence {
  const { scenario } = scenarioStore(session).getState()
  const { run, phase, playing, room } = runStore(session).getState()
  const counts = run !== null && (lesson.inRoom ? run.trace.engine === 'room' : !isRealTime(run.trace.engine))
  return {
    scenario,
    run: phase === 'ended' && counts ? run : null,
    watched: watched === run,
    time: playing ? null : playback(session).time,
    room,
  }
}

function take(session: Session, course: Course, progress: Progress): void {
  courseStore(session).setState({ course: { ...course, progress } })
  keepProgress(course.lesson.key, progress)
}
