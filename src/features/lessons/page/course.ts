import { createStore } from 'zustand/vanilla'
import { dropOption } from '../../../app/session/address.ts'
import { goTo } from '../../../app/session/page/playhead.ts'
import { lessonStore, openPanel } from '../../../app/session/page/showing.ts'
import { closeRun, openScenario } from '../../../app/session/run/opening.ts'
import { playback } from '../../../app/session/run/playback.ts'
import { type Run, runStore, runWhen } from '../../../app/session/run/runStore.ts'
import { start } from '../../../app/session/run/startStop.ts'
import { allowCode } from '../../../app/session/scenario/allowedCode.ts'
import {
  editOrShowProblems,
  type OpenedStep,
  presentStep,
  putStep,
  scenarioStore,
} from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import type { EngineName } from '../../../scenario/model/engines.ts'
import { codeOf } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { type Lesson, noProgress, type Progress, scenarioOfStep, stepResult } from '../content/lesson.ts'
import {
  forgetOwnScenario,
  keepOwnScenario,
  keepProgress,
  keepSuspended,
  progressOf,
  restoreOwnScenario,
} from './keeping.ts'

export interface Course {
  readonly lesson: Lesson
  readonly progress: Progress
  /** The step that is shown; the number of steps at the end. A reached step shows its result. */
  readonly step: number
  /** The latest run whose end the playhead has reached. Only such a run counts. */
  readonly watched: Run | null
  /** The canvas of the lesson as it was last; null until its scenario is opened. */
  readonly canvas: OpenedStep | null
  /** Whether something else was opened since. The lesson then waits. */
  readonly suspended: boolean
}

export const courseStore = part(() => createStore<{ readonly course: Course | null }>(() => ({ course: null })))

/** Begins a lesson, or resumes it, and checks its goals against each run. Returns an unsubscribe function. */
export function attendLesson(session: Session, lesson: Lesson): () => void {
  let progress = progressOf(lesson.key)
  // A lesson that is done begins again.
  if (progress.was.length >= lesson.steps.length) progress = noProgress
  courseStore(session).setState({
    course: { lesson, progress, step: progress.was.length, watched: null, canvas: null, suspended: false },
  })
  // The menu of policies begins with these.
  const needed = lesson.steps.map((_, k) => scenarioOfStep(lesson, k + 1).policy.kind)
  lessonStore(session).setState({ policies: [...new Set([scenarioOfStep(lesson, 0).policy.kind, ...needed])] })
  const kept = keepOwnScenario(session, lesson.key)
  // After a reload in this tab the address may be another link.
  const foreign = scenarioStore(session).getState().draft.title !== scenarioOfStep(lesson, progress.was.length).title
  if (kept === 'started') beginStep(session)
  else change(session, kept === 'suspended' || foreign ? { suspended: true } : { canvas: presentStep(session) })
  checkGoal(session)
  // The run store also changes with each pause and each jump of the playhead.
  const ends = [
    runStore(session).subscribe(() => checkGoal(session)),
    scenarioStore(session).subscribe(() => checkGoal(session)),
  ]
  return () => {
    for (const end of ends) end()
    courseStore(session).setState({ course: null })
    lessonStore(session).setState({ policies: [] })
  }
}

/** Puts the scenario of the step on the canvas, as if the user had solved all steps before. */
export function beginStep(session: Session): void {
  const course = courseOf(session)
  if (course === null) return
  const { lesson, step } = course
  change(session, { canvas: null, suspended: false })
  const scenario = scenarioOfStep(lesson, step)
  allowCode(session, ...scenario.stages.flatMap((stage) => codeOf(stage) ?? []))
  openScenario(session, scenario, engineOf(lesson))
  change(session, { canvas: presentStep(session) })
  if (lesson.inRoom) openPanel(session, 'room')
}

/** Puts the canvas of the lesson back, as it was before something else was opened. Undo brings that back. */
export function backToLesson(session: Session): void {
  const canvas = courseOf(session)?.canvas ?? null
  if (canvas === null) beginStep(session)
  else {
    closeRun(session)
    putStep(session, canvas)
  }
}

export function answerQuestion(session: Session, answer: number): void {
  const course = courseOf(session)
  if (course === null) return
  const said = course.lesson.steps.map((_, k) => (k === course.step ? answer : (course.progress.said[k] ?? null)))
  setProgress(session, course, { ...course.progress, said })
  checkGoal(session)
}

export function nextStep(session: Session): void {
  change(session, { step: (courseOf(session)?.step ?? 0) + 1 })
  checkGoal(session)
}

/** Plays the solution of the step, from its beginning, and shows the instant that it is about. */
export async function showSolution(session: Session): Promise<void> {
  const course = courseOf(session)
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

/** Leaves the lesson. Restores the user's scenario, unless another one was opened since. */
export function leaveLesson(session: Session): void {
  const suspended = courseOf(session)?.suspended ?? false
  lessonStore(session).setState({ key: null })
  if (suspended) forgetOwnScenario(session)
  else restoreOwnScenario(session)
  dropOption(session.address, 'lesson')
}

/** Notes whether something else was opened. An edit keeps the number of the opening, and undo may bring the canvas of the lesson back. */
function followCanvas(session: Session): boolean {
  const course = courseOf(session)
  if (course === null || (course.canvas === null && !course.suspended)) return false
  const canvas = presentStep(session)
  const suspended = canvas.opened !== course.canvas?.opened
  if (suspended !== course.suspended) keepSuspended(session, suspended)
  if (suspended !== course.suspended || !suspended) change(session, suspended ? { suspended } : { suspended, canvas })
  return suspended
}

/** Notes whether the run was watched to its end, and whether the goal of the step is reached. */
function checkGoal(session: Session): void {
  if (followCanvas(session)) return
  const { run, phase, playing, room } = runStore(session).getState()
  const { time } = playback(session)
  if (run !== null && phase === 'ended' && time >= endOf(run.trace) && courseOf(session)?.watched !== run)
    change(session, { watched: run })
  const course = courseOf(session)
  const step = course?.lesson.steps[course.step]
  if (course === null || step === undefined || course.progress.was.length > course.step) return
  const counts = run !== null && phase === 'ended' && run.trace.engine === engineOf(course.lesson)
  const { scenario } = scenarioStore(session).getState()
  const evidence = {
    scenario,
    run: counts ? run : null,
    watched: course.watched === run,
    time: playing ? null : time,
    room,
  }
  const was = stepResult(step, course.step, course.progress, evidence)
  if (was !== null) setProgress(session, course, { ...course.progress, was: [...course.progress.was, was] })
}

const engineOf = ({ inRoom, onThreads }: Lesson): EngineName => (inRoom ? 'room' : onThreads ? 'threads' : 'simulation')

function setProgress(session: Session, { lesson }: Course, progress: Progress): void {
  change(session, { progress })
  keepProgress(lesson.key, progress)
}

const courseOf = (session: Session) => courseStore(session).getState().course

function change(session: Session, patch: Partial<Course>): void {
  courseStore(session).setState(({ course }) => ({ course: course && { ...course, ...patch } }))
}
