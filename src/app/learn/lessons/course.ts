import { createStore } from 'zustand/vanilla'
import type { Evidence } from '../../../lessons/evidence.ts'
import type { Lesson } from '../../../lessons/lesson.ts'
import { noProgress, type Progress, scenarioOfStep, stepResult } from '../../../lessons/progress.ts'
import { onFrame } from '../../base/browser/frameLoop.ts'
import { goTo } from '../../session/run/keys.ts'
import { lessonStore } from '../../session/run/lessonStore.ts'
import { playback } from '../../session/run/playback.ts'
import { openScenario, runStore, start } from '../../session/run/runStore.ts'
import { edit, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { bringOwnBack, keepOwn, keepProgress, progressOf } from './keeping.ts'

/** Somebody at a lesson. */
interface Course {
  readonly lesson: Lesson
  readonly progress: Progress
  /** The step that is read; as many as there are steps: the end. It may be reached already: then one reads what there was to see. */
  readonly step: number
}

export const courseStore = createStore<{ readonly course: Course | null }>(() => ({ course: null }))

/** Begins a lesson, or takes it up where it was left; from then on it is judged by what happens. Returns what ends that. */
export function attendLesson(lesson: Lesson): () => void {
  let progress = progressOf(lesson.key)
  // Whoever comes back to a lesson that is done goes through it once more.
  if (progress.was.length >= lesson.steps.length) progress = noProgress
  courseStore.setState({ course: { lesson, progress, step: progress.was.length } })
  if (keepOwn(lesson.key)) beginStep()
  judge()
  let time = playback.time
  const ends = [
    runStore.subscribe(judge),
    scenarioStore.subscribe(judge),
    onFrame(() => {
      if (playback.time === time || playback.playing) return
      time = playback.time
      judge()
    }),
  ]
  return () => {
    for (const end of ends) end()
    courseStore.setState({ course: null })
  }
}

/** Puts the step's scenario on the canvas, as it is when all before it was done as told. */
export function beginStep(): void {
  const { course } = courseStore.getState()
  if (course !== null) openScenario(scenarioOfStep(course.lesson, course.step), 'simulation')
}

export function answer(said: number): void {
  const { course } = courseStore.getState()
  if (course === null) return
  const all = course.lesson.steps.map((_, k) => course.progress.said[k] ?? null)
  all[course.step] = said
  take(course, { ...course.progress, said: all })
  judge()
}

export function nextStep(): void {
  const { course } = courseStore.getState()
  if (course === null) return
  courseStore.setState({ course: { ...course, step: course.step + 1 } })
  judge()
}

/** Does what the step asks for: from its beginning, whatever has become of the canvas. */
export async function showHow(): Promise<void> {
  const { course } = courseStore.getState()
  const way = course?.lesson.steps[course.step]?.solution
  if (way === undefined) return
  beginStep()
  edit((scenario) => way.edit?.(scenario) ?? scenario)
  await start()
  const run = await new Promise<Evidence['run']>((resolve) => {
    const ended = ({ phase, run }: { readonly phase: string; readonly run: Evidence['run'] }) => {
      if (phase === 'running') return
      end()
      resolve(run)
    }
    const end = runStore.subscribe(ended)
  })
  // The timeline is drawn over the whole run first.
  await nextFrame()
  await nextFrame()
  if (run !== null && way.at !== undefined) goTo(way.at(run))
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve))
}

/** The person's own comes back. */
export function leaveLesson(): void {
  lessonStore.setState({ key: null })
  bringOwnBack()
  const address = new URL(location.href)
  address.searchParams.delete('lesson')
  history.replaceState(history.state, '', address)
}

function judge(): void {
  const { course } = courseStore.getState()
  const step = course?.lesson.steps[course.step]
  if (course === null || step === undefined || course.progress.was.length > course.step) return
  const was = stepResult(step, course.step, course.progress, evidence())
  if (was !== null) take(course, { ...course.progress, was: [...course.progress.was, was] })
}

/** Only a simulation is the same for everybody. */
function evidence(): Evidence {
  const { scenario } = scenarioStore.getState()
  const { run, phase, playing } = runStore.getState()
  return { scenario, run: phase === 'ended' && run?.trace.engine === 'simulation' ? run : null, time: playing ? null : playback.time }
}

function take(course: Course, progress: Progress): void {
  courseStore.setState({ course: { ...course, progress } })
  keepProgress(course.lesson.key, progress)
}
