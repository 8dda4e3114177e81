import { extendChart } from '../measures/chart.ts'
import { type Frame, frameAt } from '../measures/frame.ts'
import type { Micros } from '../scenario/scenario.ts'
import { catchUp, endOf } from '../trace/trace.ts'
import { withinBreakpoints } from './breaking.ts'
import { playback } from './playback.ts'
import { move, type Run, runStore } from './runStore.ts'

/** Rows taken into the drawings a frame: a few milliseconds' worth, so that a long simulation does not freeze the page. */
const ROWS_A_FRAME = 100_000
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

type Draw = (scene: Scene | null) => void
const drawings = new Set<Draw>()

/** Calls `draw` at every frame in which something has changed, and once at first. */
export function onScene(draw: Draw): () => void {
  drawings.add(draw)
  stale = true
  return () => {
    drawings.delete(draw)
  }
}

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
      stale = false
      for (const draw of drawings) draw(null)
    }
    return
  }
  extendChart(run.chart, run.trace, ROWS_A_FRAME)
  catchUp(run.trace, ROWS_A_FRAME)
  const live = runStore.getState().phase === 'running'
  const end = live ? takenIn(run) : Math.max(takenIn(run), playback.reach)
  movePlayhead(run, end, live, elapsedMs)
  if (!stale && shown.run === run && shown.time === playback.time && shown.rows === run.chart.rows && shown.live === live) return
  shown = { run, time: playback.time, rows: run.chart.rows, live }
  stale = false
  // What is under way lasts at least until now, though no row says so yet.
  const scene: Scene = { run, frame: frameAt(run.trace, playback.time), end: live ? Math.max(end, playback.time) : end, live }
  for (const draw of drawings) draw(scene)
}

function takenIn({ trace, chart }: Run): Micros {
  return chart.rows === trace.length ? endOf(trace) : chart.tally.time
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
