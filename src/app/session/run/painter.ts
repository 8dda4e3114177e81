import { type Frame, frameAt } from '../../../measures/frame/frame.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { ROWS_A_STEP, stepFor } from '../../../runs/remote/inSlices.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { catchUp, endOf } from '../../../trace/trace.ts'
import { watch } from '../../base/browser/onScreen.ts'
import { withinBreakpoints } from '../../watch/transport/breaking.ts'
import { playback } from './playback.ts'
import { move, type Run, runStore } from './runStore.ts'

/** So long rows are taken into the drawings in a frame, and into what stands at its instant: a long simulation does not freeze the page. */
const TAKE_IN_MS = 6
const COUNT_MS = 3
/** A run on threads is watched this far behind its clock, so that what happened until then has been heard of. */
const BEHIND_US = 40_000

/** What is painted in a frame, for whoever draws. */
export interface Scene {
  readonly run: Run
  readonly frame: Frame
  /** How far the run has been taken in. */
  readonly end: Micros
  readonly live: boolean
}

/** While a run plays, words are renewed so often, in milliseconds: faster nobody can read, and each time costs a layout of the page. */
export const WORDS_MS = 100

/** How often something is drawn while a run plays; what stands still is drawn at once. */
interface Pace {
  /** At most once in so many milliseconds. */
  readonly every?: number
  /** Only while this is on the screen, and as soon as it is again. */
  readonly seen?: Element
}

type Draw = (scene: Scene | null) => void
interface Drawing {
  readonly draw: Draw
  readonly every: number
  seen: boolean
  /** Something has changed since it was drawn. */
  due: boolean
  at: number
}
const drawings = new Set<Drawing>()

/** Calls `draw` at every frame in which something has changed, as far as its pace allows, and once at first. */
export function onScene(draw: Draw, { every = 0, seen }: Pace = {}): () => void {
  const drawing: Drawing = { draw, every, seen: true, due: true, at: -Infinity }
  const unwatch = seen === undefined ? undefined : watch(seen, (on) => (drawing.seen = on))
  drawings.add(drawing)
  return () => {
    unwatch?.()
    drawings.delete(drawing)
  }
}

let latest: Scene | null = null
let stale = true
let shown: { run: Run | null; time: Micros; rows: number; live: boolean } = { run: null, time: -1, rows: -1, live: false }

/** Everything is to be drawn again: a theme, a size, the scenario has changed. */
export function repaint(): void {
  stale = true
}

/** One frame: takes in what has happened, moves the playhead, draws. */
export function paint(elapsedMs: number): void {
  const { run } = runStore.getState()
  if (run === null) {
    if (stale || shown.run !== null) {
      shown = { run: null, time: -1, rows: -1, live: false }
      renew(null)
    }
    draw()
    return
  }
  stepFor(TAKE_IN_MS, () => extendChart(run.chart, run.trace, ROWS_A_STEP))
  stepFor(COUNT_MS, () => catchUp(run.trace, ROWS_A_STEP))
  const live = runStore.getState().phase === 'running'
  const end = live ? takenIn(run) : Math.max(takenIn(run), playback.reach)
  movePlayhead(run, end, live, elapsedMs)
  if (stale || shown.run !== run || shown.time !== playback.time || shown.rows !== run.chart.rows || shown.live !== live) {
    // A run that begins or ends is told of at once, whatever the pace.
    if (shown.run !== run || shown.live !== live) for (const drawing of drawings) drawing.at = -Infinity
    shown = { run, time: playback.time, rows: run.chart.rows, live }
    // What is under way lasts at least until now, though no row says so yet.
    renew({ run, frame: frameAt(run.trace, playback.time), end: live ? Math.max(end, playback.time) : end, live })
  }
  draw()
}

function renew(scene: Scene | null): void {
  latest = scene
  stale = false
  for (const drawing of drawings) drawing.due = true
}

function draw(): void {
  const now = performance.now()
  for (const drawing of drawings) {
    if (!drawing.due || (playback.playing && (!drawing.seen || now - drawing.at < drawing.every))) continue
    drawing.due = false
    drawing.at = now
    drawing.draw(latest)
  }
}

function takenIn({ trace, chart }: Run): Micros {
  return chart.rows === trace.length ? endOf(trace) : chart.counts.time
}

function movePlayhead(run: Run, end: Micros, live: boolean, elapsedMs: number): void {
  if (live && run.trace.engine === 'threads' && playback.following) {
    const clock = (performance.now() - run.startedAt) * 1000 - BEHIND_US
    playback.time = withinBreakpoints(run, Number.isNaN(clock) ? 0 : Math.max(playback.time, Math.round(clock), 0), live)
    return
  }
  if (!playback.playing) return
  // A simulation of a branch that has not come to its beginning yet is waited for.
  if (playback.time > end && (live || run.chart.rows < run.trace.length)) return
  playback.time = withinBreakpoints(run, Math.min(end, playback.time + Math.round(elapsedMs * 1000 * playback.speed)), live)
  if (playback.playing && playback.time >= end && !live) move({ playing: false, time: end })
}
