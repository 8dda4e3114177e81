import { noProgress, type Progress } from '../../../lessons/progress.ts'
import { compact } from '../../../scenario/model/compact.ts'
import type { EngineName } from '../../../scenario/model/engines.ts'
import { parse, parseDraft } from '../../../scenario/parse/parse.ts'
import { read, write } from '../../base/browser/browserStorage.ts'
import { KEPT, keptLesson, PROGRESS } from '../../session/run/lessonStore.ts'
import { leave, openScenario, runStore } from '../../session/run/runStore.ts'
import { type CanvasStep, editOrRefuse, presentStep, putStep, scenarioStore, scenarioToSave } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'

/** What stood on the canvas before the first of the lessons that follow each other, and for which engine. */
interface OwnScenario {
  readonly engine: EngineName
  readonly whole: unknown
  readonly drawing: unknown
}

interface Kept {
  readonly key: string
  readonly own: OwnScenario
}

/** The same as it was on this page, which knows more of it: whether it is in the library, say. Null after a reload. */
const ownStep = part((): { step: CanvasStep | null } => ({ step: null }))

/**
 * Keeps the person's own for the end; from lesson to lesson it is still what was there before the first. False if this is the lesson that
 * was open already, and what is on the canvas belongs to it.
 */
export function keepOwn(session: Session, key: string): boolean {
  const before = kept()
  if (before === null) ownStep(session).step = presentStep(session)
  const text = JSON.stringify({ key, own: before?.own ?? canvas(session) } satisfies Kept)
  write(KEPT, text)
  try {
    sessionStorage.setItem(KEPT, text)
  } catch {
    // Forbidden: a reload then shows the scenario without its lesson.
  }
  return before?.key !== key
}

/** Puts what was on the canvas before the lesson back there. */
export function bringOwnBack(session: Session): void {
  const own = kept()?.own
  try {
    localStorage.removeItem(KEPT)
    sessionStorage.removeItem(KEPT)
  } catch {
    // Forbidden: nothing was kept either.
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

/** How far somebody has come in each lesson, by its key. */
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
