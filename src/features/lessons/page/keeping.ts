import { areas, readStored, writeStored } from '../../../app/base/browser/browserStorage.ts'
import { closeRun, openScenario } from '../../../app/session/run/opening.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import {
  type CanvasStep,
  editOrShowProblems,
  presentStep,
  putStep,
  scenarioStore,
  scenarioToSave,
} from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { compact } from '../../../scenario/model/compact.ts'
import { checked, checkedText, checkStored } from '../../../scenario/parse/checked.ts'
import { parse, parseDraft } from '../../../scenario/parse/parse.ts'
import { anything, checkList, orNull, real } from '../../../scenario/parse/shape.ts'
import { noProgress, type Progress } from '../content/lesson.ts'
import { KEPT, type KeptLesson, keptLesson, PROGRESS } from './keptLesson.ts'

/** The canvas before the lesson, with its place in the library; null after a reload. */
const ownStep = part((): { step: CanvasStep | null } => ({ step: null }))

/**
 * Keeps the user's own canvas until the lesson is left; from lesson to lesson it stays the one before the first. Returns whether the lesson begins
 * now, or was open before a reload: then the canvas is still its own, or something else was opened.
 */
export function keepOwnScenario(session: Session, key: string): 'started' | 'open' | 'suspended' {
  const before = keptLesson(session)
  if (before === null) ownStep(session).step = presentStep(session)
  const known = before?.key === key
  keep({ key, own: before?.own ?? canvas(session), suspended: known && before.suspended })
  return !known ? 'started' : before.suspended ? 'suspended' : 'open'
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
  return Object.fromEntries(
    lessons.filter((lesson): lesson is [string, Progress] => 'value' in checked(progressCheck, lesson[1])),
  )
}

function canvas(session: Session): KeptLesson['own'] {
  const state = scenarioStore(session).getState()
  return {
    engine: runStore(session).getState().engine,
    whole: compact(state.whole),
    drawing: compact(scenarioToSave(state)),
  }
}
