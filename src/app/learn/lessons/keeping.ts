import { noProgress, type Progress } from '../../../lessons/progress.ts'
import { compact } from '../../../scenario/model/compact.ts'
import type { EngineName } from '../../../scenario/model/engines.ts'
import { parse, parseDraft } from '../../../scenario/parse/parse.ts'
import { read, write } from '../../base/browser/browserStorage.ts'
import { KEPT, keptLesson, PROGRESS } from '../../session/run/lessonStore.ts'
import { leave, openScenario, runStore } from '../../session/run/runStore.ts'
import { type CanvasStep, editOrRefuse, presentStep, putStep, scenarioStore, scenarioToSave } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'

/** The canvas and the engine before the first of several lessons in a row. */
interface OwnScenario {
  readonly engine: EngineName
  readonly whole: unknown
  readonly drawing: unknown
}

interface Kept {
  readonly key: string
  readonly own: OwnScenario
}

/** The canvas before, as this page knows it: with its place in the library, say. Null after a reload. */
const ownStep = part((): { step: CanvasStep | null } => ({ step: null }))

/**
 * Keeps the user's own canvas until the lesson is left. From lesson to lesson it stays the one before the first. Returns false if this
 * lesson was open already, so that the canvas belongs to it.
 */
export function keepOwn(session: Session, key: string): boolean {
  const before = kept()
  if (before === null) ownStep(session).step = presentStep(session)
  const text = JSON.stringify({ key, own: before?.own ?? canvas(session) } satisfies Kept)
  write(KEPT, text)
  try {
    sessionStorage.setItem(KEPT, text)
  } catch {
    // Storage is forbidden: after a reload the scenario is shown without its lesson.
  }
  return before?.key !== key
}

/** Puts the canvas back as it was before the lesson. */
export function bringOwnBack(session: Session): void {
  const own = kept()?.own
  try {
    localStorage.removeItem(KEPT)
    sessionStorage.removeItem(KEPT)
  } catch {
    // Storage is forbidden: nothing was kept either.
  }
  if (own === undefined) return
  const held = ownStep(session)
  if (held.step !== null) {
    leave(session)
    putStep(session, held.step)
    runStore(session).setState({ engine: own.engine })
    held.step = null
    return
  }
  const whole = parse(own.whole)
  if ('problems' in whole) return
  openScenario(session, whole.scenario, own.engine)
  const drawing = parseDraft(own.drawing)
  if ('scenario' in drawing) editOrRefuse(session, () => drawing.scenario)
}

/** Returns the progress in a lesson. */
export function progressOf(key: string): Progress {
  return all()[key] ?? noProgress
}

export function keepProgress(key: string, progress: Progress): void {
  write(PROGRESS, JSON.stringify({ ...all(), [key]: progress }))
}

function all(): Readonly<Record<string, Progress>> {
  try {
    const found: unknown = JSON.parse(read(PROGRESS) ?? '{}')
    return typeof found === 'object' && found !== null ? Object.fromEntries(Object.entries(found).filter(([, each]) => isProgress(each))) : {}
  } catch {
    return {}
  }
}

function isProgress(each: unknown): each is Progress {
  if (typeof each !== 'object' || each === null || !('said' in each) || !('was' in each)) return false
  const { said, was } = each
  return (
    Array.isArray(said) && said.every((one) => one === null || typeof one === 'number') && Array.isArray(was) && was.every((one) => typeof one === 'number')
  )
}

function canvas(session: Session): OwnScenario {
  const state = scenarioStore(session).getState()
  return { engine: runStore(session).getState().engine, whole: compact(state.whole), drawing: compact(scenarioToSave(state)) }
}

function kept(): Kept | null {
  try {
    return JSON.parse(keptLesson() ?? 'null')
  } catch {
    return null
  }
}
