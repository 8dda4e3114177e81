import { type Frame, frameAt, isPresent } from '../../../measures/frame/frame.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { ROWS_A_STEP, stepFor } from '../../../runs/remote/inSlices.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { catchUp, endOf } from '../../../trace/trace.ts'
import { CROWDED_MS, createPacedDrawers, drawSoon, type Pace } from '../../base/browser/frames.ts'
import { hidesEnd, revealedStore } from '../run/hiddenEnd.ts'
import { playback } from '../run/playback.ts'
import { movePlayback, type Run, runStore } from '../run/runStore.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'

/** How long a frame may read rows, and count them, so that a long simulation does not freeze the page. */
const READ_MS = 6
const COUNT_MS = 3
/** A run in real time is watched this far behind its clock, so that what happened until then has arrived. */
const BEHIND_US = 40_000

/** What a frame shows. */
export interface Scene {
  readonly run: Run
  readonly frame: Frame
  /** Up to which instant the run has been read. */
  readonly end: Micros
  readonly live: boolean
}

/** Returns how far the playhead may go on its way to `wanted`. */
type Limit = (session: Session, run: Run, wanted: Micros, live: boolean) => Micros

interface Painting {
  readonly drawers: ReturnType<typeof createPacedDrawers<Scene | null>>
  readonly limits: Set<Limit>
  scene: Scene | null
  /** Whether everything must be drawn again. */
  stale: boolean
  /** The inputs of the scene. */
  shown: {
    readonly run: Run | null
    readonly time: Micros
    readonly rows: number
    readonly live: boolean
    readonly playing: boolean
  }
}

const NOTHING: Painting['shown'] = { run: null, time: -1, rows: -1, live: false, playing: false }

const painting = part(
  (): Painting => ({ drawers: createPacedDrawers(), limits: new Set(), scene: null, stale: true, shown: NOTHING }),
)

/** Calls `draw` once, and then in every frame in which something has changed, as often as its pace allows. Returns an unsubscribe function. */
export function onScene(session: Session, draw: (scene: Scene | null) => void, pace: Pace = {}): () => void {
  return painting(session).drawers.add(draw, pace)
}

/** Lets a feature hold back the playhead while a run plays. Returns a function that releases it. */
export function limitPlayhead(session: Session, limit: Limit): () => void {
  const { limits } = painting(session)
  limits.add(limit)
  return () => limits.delete(limit)
}

/** Draws everything again in the next frame: a theme, a size or the scenario has changed. */
export function repaint(session: Session): void {
  painting(session).stale = true
  drawSoon()
}

/** Paints one frame: reads new rows, moves the playhead, draws. Returns how many milliseconds may pass before the next. */
export function paint(session: Session, elapsedMs: number, now = performance.now()): number {
  const state = painting(session)
  const { run, phase } = runStore(session).getState()
  if (run === null) {
    if (state.stale || state.shown.run !== null) renew(state, NOTHING, null)
    state.drawers.draw(state.scene, now, 'still')
    return 0
  }
  stepFor(READ_MS, () => extendChart(run.chart, ROWS_A_STEP))
  stepFor(COUNT_MS, () => catchUp(run.trace, ROWS_A_STEP))
  const live = phase === 'running'
  const end = live ? readUntil(run) : Math.max(readUntil(run), playback(session).reach)
  movePlayhead(session, run, end, live, elapsedMs, now)
  const { time, playing } = playback(session)
  if (phase === 'ended' && time >= end && hidesEnd(session)) reveal(session, run)
  const hidden = hidesEnd(session)
  const { rows } = run.chart
  const { shown, stale } = state
  if (
    stale ||
    shown.run !== run ||
    shown.time !== time ||
    shown.rows !== rows ||
    shown.live !== live ||
    shown.playing !== playing
  ) {
    // Unfinished work lasts at least until now, although no row shows it yet.
    renew(
      state,
      { run, time, rows, live, playing },
      {
        run,
        frame: frameAt(run.trace, time),
        end: hidden ? time : live ? Math.max(end, time) : end,
        live: live || hidden,
      },
    )
  }
  // The begin and end of a run, and what a person does while it is paused, are shown at once.
  const begins = shown.run !== run || shown.live !== live
  const isAsked = !playing && (!live || stale || shown.playing || shown.time !== time)
  const crowded = live && isCrowded(run, state.scene)
  state.drawers.draw(state.scene, now, begins || isAsked ? 'still' : crowded && !stale ? 'crowded' : 'moving')
  return crowded && !isAsked && !stale ? CROWDED_MS - (now % CROWDED_MS) : 0
}

function renew(state: Painting, shown: Painting['shown'], scene: Scene | null): void {
  state.shown = shown
  state.scene = scene
  state.stale = false
  state.drawers.renew()
}

/** Returns whether workers keep all cores busy: each frame then takes time from their work. */
function isCrowded({ trace, scenario }: Run, scene: Scene | null): boolean {
  if (scene === null || !isRealTime(trace.engine) || scenario.stages.every(({ work }) => work === 'wait')) return false
  return scene.frame.workers.filter(isPresent).length >= (navigator.hardwareConcurrency || 1)
}

function reveal(session: Session, { scenario }: Run): void {
  revealedStore(session).setState({ opened: scenarioStore(session).getState().opened, scenario })
  runStore(session).setState({ played: true })
  repaint(session)
}

const readUntil = ({ trace, chart }: Run): Micros => (chart.rows === trace.length ? endOf(trace) : chart.counts.time)

function movePlayhead(session: Session, run: Run, end: Micros, live: boolean, elapsedMs: number, now: number): void {
  const head = playback(session)
  const goTowards = (wanted: Micros) => {
    for (const limit of painting(session).limits) wanted = limit(session, run, wanted, live)
    head.time = wanted
  }
  if (live && isRealTime(run.trace.engine) && head.following) {
    const clock = (now - run.startedAt) * 1000 - BEHIND_US
    goTowards(Number.isNaN(clock) ? 0 : Math.max(head.time, Math.round(clock), 0))
    return
  }
  if (!head.playing) return
  // The playhead waits until the simulation of a branch has come to the beginning of the branch.
  if (head.time > end && (live || run.chart.rows < run.trace.length)) return
  goTowards(Math.min(end, head.time + Math.round(elapsedMs * 1000 * head.speed)))
  if (head.playing && head.time >= end && !live) movePlayback(session, { playing: false, time: end })
}
