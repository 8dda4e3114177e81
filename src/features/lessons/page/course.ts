import { createStore } from 'zustand/vanilla'
import { dropOption } from '../../../app/session/address.ts'
import { goTo } from '../../../app/session/page/playhead.ts'
import { lessonStore, openPanel } from '../../../app/session/page/showing.ts'
import { openScenario } from '../../../app/session/run/opening.ts'
import { playback } from '../../../app/session/run/playback.ts'
import { type Run, runStore, runWhen } from '../../../app/session/run/runStore.ts'
import { start } from '../../../app/session/run/startStop.ts'
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
  /** The step that is shown; the number of steps at the end. A reached step shows its result. */
  readonly step: number
  /** The latest run whose end the playhead has reached. Only such a run counts. */
  readonly watched: Run | null
}

export const courseStore = part(() => createStore<{ readonly course: Course | null }>(() => ({ course: null })))

/** Begins a lesson, or resumes it, and checks its goals against each run. Returns an unsubscribe function. */
export function attendLesson(session: Session, lesson: Lesson): () => void {
  let progress = progressOf(lesson.key)
  // A lesson that is done begins again.
  if (progress.was.length >= lesson.steps.length) progress = noProgress
  courseStore(session).setState({ course: { lesson, progress, step: progress.was.length, watched: null } })
  if (keepOwnScenario(session, lesson.key)) beginStep(session)
  checkGoal(session)
  // The run store also changes with each pause and each jump of the playhead.
  const ends = [runStore(session).subscribe(() => checkGoal(session)), scenarioStore(session).subscribe(() => checkGoal(session))]
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

export function answerQuestion(session: Session, answer: number): void {
  const { course } = courseStore(session).getState()
  if (course === null) return
  const all = course.lesson.steps.map((_, k) => course.progress.said[k] ?? null)
  all[course.step] = answer
  setProgress(session, course, { ...course.progress, said: all })
  checkGoal(session)
}

export function nextStep(session: Session): void {
  const { course } = courseStore(session).getState()
  if (course === null) return
  courseStore(session).setState({ course: { ...course, step: course.step + 1 } })
  checkGoal(session)
}

/** Plays the solution of the step, from its beginning, and shows the instant that it is about. */
export async function showSolution(session: Session): Promise<void> {
  const { course } = courseStore(session).getState()
  const step = course?.lesson.steps[course.step]
  if (step === undefined) return
  beginStep(session)
  editOrShowProblems(session, (scenario) => step.solution?.edit?.(scenario) ?? scenario)
  await start(session)
  const { run } = await runWhen(session, ({ phase }) => phase !== 'running')
  // The timeline first shows the whole run.
  await nextFrame()
  await nextFrame()
  if (run !== null) goTo(session, step.solution?.at?.(run) ?? endOf(run.trace))
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

/** Notes whether the run was watched to its end, and whether the goal of the step is reached. */
function checkGoal(session: Session): void {
  watch(session)
  const { course } = courseStore(session).getState()
  const step = course?.lesson.steps[course.step]
  if (course === null || step === undefined || course.progress.was.length > course.step) return
  const was = stepResult(step, course.step, course.progress, evidence(session, course))
  if (was !== null) setProgress(session, course, { ...course.progress, was: [...course.progress.was, was] })
}

function watch(session: Session): void {
  const { course } = courseStore(session).getState()
  const { run, phase } = runStore(session).getState()
  if (course === null || run === null || phase !== 'ended' || course.watched === run || playback(session).time < endOf(run.trace)) return
  courseStore(session).setState({ course: { ...course, watched: run } })
}

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

function setProgress(session: Session, course: Course, progress: Progress): void {
  courseStore(session).setState({ course: { ...course, progress } })
  keepProgress(course.lesson.key, progress)
}
