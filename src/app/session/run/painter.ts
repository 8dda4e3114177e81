import { type Frame, frameAt } from '../../../measures/frame/frame.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { ROWS_A_STEP, stepFor } from '../../../runs/remote/inSlices.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { catchUp, endOf } from '../../../trace/trace.ts'
import { watchOnScreen } from '../../base/browser/onScreen.ts'
import { part, type Session } from '../session.ts'
import { playback } from './playback.ts'
import { movePlayback, type Run, runStore } from './runStore.ts'

/** How long a frame may take rows into the drawings, and count them, so that a long simulation does not freeze the page. */
const TAKE_IN_MS = 6
const COUNT_MS = 3
/** A run in real time is watched this far behind its clock, so that what happened until then has arrived. */
const BEHIND_US = 40_000

/** What a frame shows. */
export interface Scene {
  readonly run: Run
  readonly frame: Frame
  /** How far the run has been taken in. */
  readonly end: Micros
  readonly live: boolean
}

/** How often texts are renewed while a run plays, in milliseconds: nobody reads faster, and each time costs a layout of the page. */
export const WORDS_MS = 100

/** How often something is drawn while a run plays. While it stands still every change is drawn at once. */
interface Pace {
  /** The least time between two draws, in milliseconds. */
  readonly every?: number
  /** Draws only while this element is on the screen. */
  readonly seen?: Element
}

type Draw = (scene: Scene | null) => void

interface Drawer {
  readonly draw: Draw
  readonly every: number
  seen: boolean
  /** Something has changed since it was drawn. */
  due: boolean
  drawnAt: number
}

/** Returns how far the playhead may go on its way to `wanted`. */
type Limit = (session: Session, run: Run, wanted: Micros, live: boolean) => Micros

interface Painting {
  readonly drawers: Set<Drawer>
  readonly limits: Set<Limit>
  scene: Scene | null
  /** Everything is to be drawn again. */
  stale: boolean
  /** What the scene was made of. */
  shown: { readonly run: Run | null; readonly time: Micros; readonly rows: number; readonly live: boolean }
}

const NOTHING: Painting['shown'] = { run: null, time: -1, rows: -1, live: false }

const painting = part((): Painting => ({ drawers: new Set(), limits: new Set(), scene: null, stale: true, shown: NOTHING }))

/** Calls `draw` once, and then in every frame in which something has changed, as often as its pace allows. Returns what ends it. */
export function onScene(session: Session, draw: Draw, { every = 0, seen }: Pace = {}): () => void {
  const { drawers } = painting(session)
  const drawer: Drawer = { draw, every, seen: true, due: true, drawnAt: -Infinity }
  const unwatch = seen === undefined ? undefined : watchOnScreen(seen, (on) => (drawer.seen = on))
  drawers.add(drawer)
  return () => {
    unwatch?.()
    drawers.delete(drawer)
  }
}

/** Lets a feature hold back the playhead while a run plays. Returns what ends it. */
export function limitPlayhead(session: Session, limit: Limit): () => void {
  const { limits } = painting(session)
  limits.add(limit)
  return () => limits.delete(limit)
}

/** Draws everything again in the next frame: a theme, a size or the scenario has changed. */
export function repaint(session: Session): void {
  painting(session).stale = true
}

/** Paints one frame: takes in what has happened, moves the playhead, draws. */
export function paint(session: Session, elapsedMs: number): void {
  const state = painting(session)
  const { run, phase } = runStore(session).getState()
  if (run === null) {
    if (state.stale || state.shown.run !== null) renew(state, NOTHING, null)
    draw(session, state)
    return
  }
  stepFor(TAKE_IN_MS, () => extendChart(run.chart, run.trace, ROWS_A_STEP))
  stepFor(COUNT_MS, () => catchUp(run.trace, ROWS_A_STEP))
  const live = phase === 'running'
  const end = live ? takenIn(run) : Math.max(takenIn(run), playback(session).reach)
  movePlayhead(session, run, end, live, elapsedMs)
  const { time } = playback(session)
  const { rows } = run.chart
  const { shown } = state
  if (state.stale || shown.run !== run || shown.time !== time || shown.rows !== rows || shown.live !== live) {
    // The begin and end of a run are shown at once, whatever the pace.
    if (shown.run !== run || shown.live !== live) for (const drawer of state.drawers) drawer.drawnAt = -Infinity
    // What is under way lasts at least until now, though no row says so yet.
    renew(state, { run, time, rows, live }, { run, frame: frameAt(run.trace, time), end: live ? Math.max(end, time) : end, live })
  }
  draw(session, state)
}

function renew(state: Painting, shown: Painting['shown'], scene: Scene | null): void {
  state.shown = shown
  state.scene = scene
  state.stale = false
  for (const drawer of state.drawers) drawer.due = true
}

function draw(session: Session, { drawers, scene }: Painting): void {
  const now = performance.now()
  for (const drawer of drawers) {
    if (!drawer.due || (playback(session).playing && (!drawer.seen || now - drawer.drawnAt < drawer.every))) continue
    drawer.due = false
    drawer.drawnAt = now
    drawer.draw(scene)
  }
}

function takenIn({ trace, chart }: Run): Micros {
  return chart.rows === trace.length ? endOf(trace) : chart.counts.time
}

function movePlayhead(session: Session, run: Run, end: Micros, live: boolean, elapsedMs: number): void {
  const head = playback(session)
  const goTowards = (wanted: Micros) => {
    for (const limit of painting(session).limits) wanted = limit(session, run, wanted, live)
    head.time = wanted
  }
  if (live && isRealTime(run.trace.engine) && head.following) {
    const clock = (performance.now() - run.startedAt) * 1000 - BEHIND_US
    goTowards(Number.isNaN(clock) ? 0 : Math.max(head.time, Math.round(clock), 0))
    return
  }
  if (!head.playing) return
  // The playhead waits until the simulation of a branch has come to the beginning of the branch.
  if (head.time > end && (live || run.chart.rows < run.trace.length)) return
  goTowards(Math.min(end, head.time + Math.round(elapsedMs * 1000 * head.speed)))
  if (head.playing && head.time >= end && !live) movePlayback(session, { playing: false, time: end })
}
