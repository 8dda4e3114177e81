import { areas, readStored, writeStored } from '../../../app/base/browser/browserStorage.ts'
import { lessonStore, openLesson } from '../../../app/session/page/showing.ts'
import { closeRun, openScenario } from '../../../app/session/run/opening.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { type CanvasStep, editOrShowProblems, presentStep, putStep, scenarioStore, scenarioToSave } from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { compact } from '../../../scenario/model/compact.ts'
import { engineNames } from '../../../scenario/model/engines.ts'
import { checked, checkedText, checkStored } from '../../../scenario/parse/checked.ts'
import { parse, parseDraft } from '../../../scenario/parse/parse.ts'
import { boolean } from '../../../scenario/parse/schemaParts.ts'
import { anything, type CheckedBy, checkList, checkOneOf, checkText, defaulted, orNull, real } from '../../../scenario/parse/shape.ts'
import { noProgress, type Progress } from '../content/lesson.ts'

/** The storage key of the open lesson: of this tab for a reload, of the browser for the next visit. */
const KEPT = 'apportion.lesson'

const PROGRESS = 'apportion.lessons'

const lessonCheck = checkStored({
  key: checkText(),
  /** The canvas and the engine before the first of several lessons in a row. */
  own: checkStored({ engine: checkOneOf(engineNames), whole: anything, drawing: anything }),
  /** Whether something else than the lesson is on the canvas. */
  suspended: defaulted(boolean, false),
})
type KeptLesson = CheckedBy<typeof lessonCheck>

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
function keptLesson(session: Session): KeptLesson | null {
  return checkedText(lessonCheck, readStored(KEPT, 'sessionStorage') ?? (session.address.read().hash === '' ? readStored(KEPT) : null))
}

/** The canvas before the lesson, with its place in the library; null after a reload. */
const ownStep = part((): { step: CanvasStep | null } => ({ step: null }))

/**
 * Keeps the user's own canvas until the lesson is left; from lesson to lesson it stays the one before the first. Returns whether the lesson begins
 * now, or was open before a reload: then the canvas is still its own, or something else was opened.
 */
export function keepOwnScenario(session: Session, key: string): 'begun' | 'open' | 'suspended' {
  const before = keptLesson(session)
  if (before === null) ownStep(session).step = presentStep(session)
  const known = before?.key === key
  keep({ key, own: before?.own ?? canvas(session), suspended: known && before.suspended })
  return !known ? 'begun' : before.suspended ? 'suspended' : 'open'
}

/** Keeps whether something else than the open lesson is on the canvas. */
export function keepSuspended(session: Session, suspended: boolean): void {
  const before = keptLesson(session)
  if (before !== null) keep({ ...before, suspended })
}

/** If storage is forbidden, the scenario is shown without its lesson after a reload. */
function keep(lesson: KeptLesson | null): void {
  for (const area of areas) writeStored(KEPT, lesson && JSON.stringify(lesson), area)
}

export function restoreOwnScenario(session: Session): void {
  const own = keptLesson(session)?.own
  const { step } = ownStep(session)
  forgetOwnScenario(session)
  if (own === undefined) return
  if (step !== null) {
    closeRun(session)
    putStep(session, step)
    runStore(session).setState({ engine: own.engine })
    return
  }
  const whole = parse(own.whole)
  if ('problems' in whole) return
  openScenario(session, whole.scenario, own.engine)
  const drawing = parseDraft(own.drawing)
  if ('scenario' in drawing) editOrShowProblems(session, () => drawing.scenario)
}

export function forgetOwnScenario(session: Session): void {
  keep(null)
  ownStep(session).step = null
}

export function progressOf(key: string): Progress {
  return all()[key] ?? noProgress
}

export function keepProgress(key: string, progress: Progress): void {
  writeStored(PROGRESS, JSON.stringify({ ...all(), [key]: progress }))
}

const number = real(-Number.MAX_VALUE, Number.MAX_VALUE)
const progressCheck = checkStored({ said: checkList(orNull(number)), was: checkList(number) })

/** Returns the progress in each lesson. A lesson with unreadable progress starts again. */
function all(): Readonly<Record<string, Progress>> {
  const lessons = Object.entries(checkedText(anything, readStored(PROGRESS)) ?? {})
  return Object.fromEntries(lessons.filter((lesson): lesson is [string, Progress] => 'value' in checked(progressCheck, lesson[1])))
}

function canvas(session: Session): KeptLesson['own'] {
  const state = scenarioStore(session).getState()
  return { engine: runStore(session).getState().engine, whole: compact(state.whole), drawing: compact(scenarioToSave(state)) }
}
