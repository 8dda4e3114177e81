import type { Progress } from '../../lessons/judge.ts'
import { noProgress } from '../../lessons/judge.ts'
import { compact } from '../../scenario/compact.ts'
import { parse, parseDrawing } from '../../scenario/parse.ts'
import type { EngineName } from '../../trace/trace.ts'
import { openScenario, runStore } from '../runStore.ts'
import { drawn, edit, scenarioStore } from '../scenarioStore.ts'
import { read, write } from '../storage.ts'
import { KEPT, PROGRESS } from './lessonStore.ts'

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

/** Whether this tab was at the lesson already, and is only back from a reload. */
export function wasAt(key: string): boolean {
  return inTab() === key || (location.hash === '' && kept()?.key === key)
}

/** Keeps the person's own for the end; from lesson to lesson it is still what was there before the first. */
export function keepOwn(key: string): void {
  const own = (inTab() === null ? null : kept()?.own) ?? present()
  write(KEPT, JSON.stringify({ key, own } satisfies Kept))
  try {
    sessionStorage.setItem(KEPT, key)
  } catch {
    // Forbidden: a reload then shows the scenario without its lesson.
  }
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
  const whole = parse(own.whole)
  if ('problems' in whole) return
  openScenario(whole.scenario, own.engine)
  const drawing = parseDrawing(own.drawing)
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

function present(): Own {
  const state = scenarioStore.getState()
  return { engine: runStore.getState().engine, whole: compact(state.whole), drawing: compact(drawn(state)) }
}

function kept(): Kept | null {
  try {
    return JSON.parse(read(KEPT) ?? 'null')
  } catch {
    return null
  }
}

function inTab(): string | null {
  try {
    return sessionStorage.getItem(KEPT)
  } catch {
    return null
  }
}
