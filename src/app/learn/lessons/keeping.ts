import { noProgress, type Progress } from '../../../lessons/progress.ts'
import { compact } from '../../../scenario/model/compact.ts'
import { parse, parseDraft } from '../../../scenario/parse/parse.ts'
import type { EngineName } from '../../../trace/trace.ts'
import { read, write } from '../../base/browser/browserStorage.ts'
import { KEPT, keptText, PROGRESS } from '../../session/run/lessonStore.ts'
import { leave, openScenario, runStore } from '../../session/run/runStore.ts'
import { type CanvasStep, edit, presentStep, putStep, scenarioStore, scenarioToSave } from '../../session/scenario/scenarioStore.ts'

/** What stood on the canvas before the first of the lessons that follow each other, and for which engine. */
interface Own {
  readonly engine: EngineName
  readonly whole: unknown
  readonly drawing: unknown
}

interface Kept {
  readonly key: string
  readonly own: Own
}

/** The same as it was on this page, which knows more of it: whether it is in the library, say. Null after a reload. */
let ownStep: CanvasStep | null = null

/**
 * Keeps the person's own for the end; from lesson to lesson it is still what was there before the first. False if this is the lesson that
 * was open already, and what is on the canvas belongs to it.
 */
export function keepOwn(key: string): boolean {
  const before = kept()
  if (before === null) ownStep = presentStep()
  const text = JSON.stringify({ key, own: before?.own ?? canvas() } satisfies Kept)
  write(KEPT, text)
  try {
    sessionStorage.setItem(KEPT, text)
  } catch {
    // Forbidden: a reload then shows the scenario without its lesson.
  }
  return before?.key !== key
}

/** Puts what was on the canvas before the lesson back there. */
export function bringOwnBack(): void {
  const own = kept()?.own
  try {
    localStorage.removeItem(KEPT)
    sessionStorage.removeItem(KEPT)
  } catch {
    // Forbidden: nothing was kept either.
  }
  if (own === undefined) return
  if (ownStep !== null) {
    leave()
    putStep(ownStep)
    runStore.setState({ engine: own.engine })
    ownStep = null
    return
  }
  const whole = parse(own.whole)
  if ('problems' in whole) return
  openScenario(whole.scenario, own.engine)
  const drawing = parseDraft(own.drawing)
  if ('scenario' in drawing) edit(() => drawing.scenario)
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

function canvas(): Own {
  const state = scenarioStore.getState()
  return { engine: runStore.getState().engine, whole: compact(state.whole), drawing: compact(scenarioToSave(state)) }
}

function kept(): Kept | null {
  try {
    return JSON.parse(keptText() ?? 'null')
  } catch {
    return null
  }
}
