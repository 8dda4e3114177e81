import { type Frame, frameAt } from '../../../measures/frame/frame.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { ROWS_A_STEP, stepFor } from '../../../runs/remote/inSlices.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { catchUp, endOf } from '../../../trace/trace.ts'
import { watch } from '../../base/browser/onScreen.ts'
import { part, type Session } from '../session.ts'
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
const drawings = part(() => new Set<Drawing>())

/** Calls `draw` at every frame in which something has changed, as far as its pace allows, and once at first. */
export function onScene(session: Session, draw: Draw, { every = 0, seen }: Pace = {}): () => void {
  const drawing: Drawing = { draw, every, seen: true, due: true, at: -Infinity }
  const unwatch = seen === undefined ? undefined : watch(seen, (on) => (drawing.seen = on))
  drawings(session).add(drawing)
  return () => {
    unwatch?.()
    drawings(session).delete(drawing)
  }
}

interface Own {
  latest: Scene | null
  stale: boolean
  shown: { run: Run | null; time: Micros; rows: number; live: boolean }
}

const own = part(
  (): Own => ({
    latest: null,
    stale: true,
    shown: { run: null, time: -1, rows: -1, live: false },
  }),
)

/** Everything is to be drawn again: a theme, a size, the scenario has changed. */
export function repaint(session: Session): void {
  own(session).stale = true
}

/** One frame: takes in what has happened, moves the playhead, draws. */
export function paint(session: Session, elapsedMs: number): void {
  const { run } = runStore(session).getState()
  if (run === null) {
    if (own(session).stale || own(session).shown.run !== null) {
      own(session).shown = { run: null, time: -1, rows: -1, live: false }
      renew(session, null)
    }
    draw(session)
    return
  }
  stepFor(TAKE_IN_MS, () => extendChart(run.chart, run.trace, ROWS_A_STEP))
  stepFor(COUNT_MS, () => catchUp(run.trace, ROWS_A_STEP))
  const live = runStore(session).getState().phase === 'running'
  const end = live ? takenIn(run) : Math.max(takenIn(run), playback(session).reach)
  movePlayhead(session, run, end, live, elapsedMs)
  if (
    own(session).stale ||
    own(session).shown.run !== run ||
    own(session).shown.time !== playback(session).time ||
    own(session).shown.rows !== run.chart.rows ||
    own(session).shown.live !== live
  ) {
    // A run that begins or ends is told of at once, whatever the pace.
    if (own(session).shown.run !== run || own(session).shown.live !== live) for (const drawing of drawings(session)) drawing.at = -Infinity
    own(session).shown = { run, time: playback(session).time, rows: run.chart.rows, live }
    // What is under way lasts at least until now, though no row says so yet.
    renew(session, { run, frame: frameAt(run.trace, playback(session).time), end: live ? Math.max(end, playback(session).time) : end, live })
  }
  draw(session)
}

function renew(session: Session, scene: Scene | null): void {
  own(session).latest = scene
  own(session).stale = false
  for (const drawing of drawings(session)) drawing.due = true
}

function draw(session: Session): void {
  const now = performance.now()
  for (const drawing of drawings(session)) {
    if (!drawing.due || (playback(session).playing && (!drawing.seen || now - drawing.at < drawing.every))) continue
    drawing.due = false
    drawing.at = now
    drawing.draw(own(session).latest)
  }
}

/** How far the playhead may go on its way to `wanted`, for a feature that stops it on the way. */
type Limit = (session: Session, run: Run, wanted: Micros, live: boolean) => Micros

const limits = part(() => new Set<Limit>())

/** Lets a feature hold back the playhead while a run plays. Returns what ends it. */
export function limitPlayhead(session: Session, limit: Limit): () => void {
  limits(session).add(limit)
  return () => limits(session).delete(limit)
}

function limited(session: Session, run: Run, wanted: Micros, live: boolean): Micros {
  let time = wanted
  for (const limit of limits(session)) time = limit(session, run, time, live)
  return time
}

function takenIn({ trace, chart }: Run): Micros {
  return chart.rows === trace.length ? endOf(trace) : chart.counts.time
}

function movePlayhead(session: Session, run: Run, end: Micros, live: boolean, elapsedMs: number): void {
  if (live && run.trace.engine === 'threads' && playback(session).following) {
    const clock = (performance.now() - run.startedAt) * 1000 - BEHIND_US
    playback(session).time = limited(session, run, Number.isNaN(clock) ? 0 : Math.max(playback(session).time, Math.round(clock), 0), live)
    return
  }
  if (!playback(session).playing) return
  // A simulation of a branch that has not come to its beginning yet is waited for.
  if (playback(session).time > end && (live || run.chart.rows < run.trace.length)) return
  playback(session).time = limited(session, run, Math.min(end, playback(session).time + Math.round(elapsedMs * 1000 * playback(session).speed)), live)
  if (playback(session).playing && playback(session).time >= end && !live) move(session, { playing: false, time: end })
}
