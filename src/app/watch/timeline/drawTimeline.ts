import { isolated, t } from '../../../language/translate.ts'
import { startUpsIn } from '../../../measures/frame/startUps.ts'
import type { Journey } from '../../../measures/jobs/journey.ts'
import { teamShares } from '../../../measures/series/lanes.ts'
import { firstMark, markAt } from '../../../measures/series/marks.ts'
import { BUSY } from '../../../pipeline/counts.ts'
import { NONE } from '../../../pipeline/rows.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import type { Drawing } from '../../../views/drawing/drawing.ts'
import { clock, count, percent } from '../../../views/drawing/format.ts'
import type { MinimapData } from '../../../views/timeline/minimap.ts'
import { type LanePlace, openedFor } from '../../../views/timeline/teams.ts'
import type { Timeline } from '../../../views/timeline/timeline.ts'
import type { Highlight } from '../../../views/timeline/timelineData.ts'
import { fitRange, liveRange, panRange, type TimeRange } from '../../../views/timeline/timelineRange.ts'
import { endAll, type Pace, TEXT_PACE } from '../../base/browser/frames.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { hintOver } from '../../base/ui/hint.ts'
import { answerStore, ONE_CHANGE_MS } from '../../session/answer/keepAnswer.ts'
import { journeyIn } from '../../session/page/follow.ts'
import { onScene, type Scene } from '../../session/page/painter.ts'
import { type Focus, shownTimeline, type TimelineNotes, timelineStore } from '../../session/page/timelineStore.ts'
import { workerHint } from '../../session/page/workerHint.ts'
import { playback } from '../../session/run/playback.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'

/** How often new rows are drawn during a run; the playhead moves at every frame. While work keeps all cores busy, both are slower. */
const GROWTH: Pace = { every: 50, crowded: 200 }
const MOVEMENT: Pace = { crowded: 200 }
/** A live run that has grown by less than this share of what is shown, some eight pixels, is not drawn again, unless `MAX_WAIT` has passed. */
const MIN_GROWTH = 1 / 120
const MAX_WAIT: Micros = 200_000
/** While rows come in, painting them takes a fifth of the time at most, however many workers there are. */
const PAUSE_RATIO = 4
/** A run grows by a pixel of the overview in this time, or in a longer one. */
const OVERVIEW: Pace = { every: 200 }

interface Parts {
  readonly timeline: Timeline
  readonly minimap: Drawing<MinimapData>
  /** The cards over the timeline: they move to the left if they would hide what they are about. */
  readonly cards: HTMLElement
}

/** Draws the run on the page at every frame, in the timeline and in the minimap. Returns an unsubscribe function. */
export function drawTimeline(session: Session, { timeline, minimap, cards }: Parts): () => void {
  const shown = shownTimeline(session)
  const store = timelineStore(session)
  shown.timeline = timeline
  let drawnRun: Run | null = null
  let stages: { name: string; colourIndex: number }[] = []
  let stageOrder: number[] = []
  /** How many rows are in the picture, and how far they reach. */
  let reached = { version: 0, end: 0 }
  let overview = 0
  /** When new rows were painted last, and how long that took, in milliseconds. */
  let [paintedAt, cost, painted] = [0, 0, 0]
  const take = (scene: Scene | null) => {
    if (scene === null) return
    const { run, end, live } = scene
    const [from, to] = shown.range ?? liveRange(end)
    const tooLittle = live && run === drawnRun && end - reached.end < Math.min(MAX_WAIT, (to - from) * MIN_GROWTH)
    const tooSoon =
      run === drawnRun && run.chart.rows < run.trace.length && performance.now() < paintedAt + PAUSE_RATIO * cost
    if (!tooLittle && !tooSoon) reached = { version: run.chart.rows, end }
  }
  const readOverview = (scene: Scene | null) => {
    overview = scene?.run.chart.rows ?? 0
  }
  /** The instant in the label of the playhead. */
  let labelTime: Micros = 0
  const tell = (scene: Scene | null) => {
    labelTime = scene?.frame.time ?? 0
  }
  const draw = (scene: Scene | null) => {
    if (scene === null) return
    const { run, frame, live } = scene
    const { chart } = run
    if (drawnRun !== run) {
      take(scene)
      readOverview(scene)
      tell(scene)
      drawnRun = run
      stages = run.scenario.stages.map(({ name }, s) => ({ name, colourIndex: s }))
      stageOrder = stageNumbers(run.scenario)
    }
    // A timeline that is mounted again for the same run keeps what is chosen in it.
    if (shown.run !== run) {
      shown.run = run
      shown.range = null
      store.setState({ selection: null, focus: null, opened: null })
    }
    const whole = live ? liveRange(scene.end) : fitRange(scene.end)
    if (shown.range !== null && shown.range[0] <= 0 && shown.range[1] >= whole[1]) shown.range = null
    if (shown.range !== null && playback(session).playing) shown.range = nextPage(shown.range, frame.time, whole[1])
    const range = shown.range ?? whole
    const { selection, focus, opened, notesOf } = store.getState()
    const workers = frame.workers.length
    const journey = focus?.kind === 'job' ? journeyIn(session, run, focus.job) : null
    const startUps = startUpsIn(run.trace)
    const palette = currentPalette()
    const began = performance.now()
    timeline.update({
      palette,
      range,
      ...reached,
      playhead: frame.time,
      labelTime,
      stages,
      stageOrder,
      workers,
      // A worker that is looked for has a lane of its own.
      opened: focus?.kind === 'worker' ? openedFor(workers, focus.worker) : opened,
      queues: chart.queues,
      ghost: ghostOf(session, run),
      seats: chart.seats,
      lanes: chart.lanes,
      // Also in the record of a game, which ends at the next turn, and of a run that was stopped.
      ...(run.trace.ending !== 'drained' && { underway: underway(run) }),
      ...(startUps !== null && { startUps }),
      decisions: chart.decisions,
      notes: notesOf(run),
      selection,
      highlight: highlightOf(focus, journey),
    })
    if (painted !== reached.version) {
      paintedAt = performance.now()
      cost = paintedAt - began
      painted = reached.version
    }
    const subject = selection ?? (journey === null ? null : spanOf(journey))
    cards.classList.toggle('zoomed', shown.range !== null)
    cards.classList.toggle('left', subject !== null && subject[0] + subject[1] > range[0] + range[1])
    // The marks of the band below are in the minimap too.
    shown.below?.(range)
    const { marks } = shown
    minimap.update({
      palette,
      range,
      end: whole[1],
      playhead: frame.time,
      selection,
      marks,
      stages,
      queues: chart.queues,
      version: overview,
    })
  }
  const forget = () => {
    shown.timeline = null
  }
  return endAll([
    onScene(session, take, GROWTH),
    onScene(session, readOverview, OVERVIEW),
    onScene(session, tell, TEXT_PACE),
    onScene(session, draw, MOVEMENT),
    forget,
  ])
}

/** Returns the queues before the last edit, for a moment; null: there are none, or of other stages. */
function ghostOf(session: Session, { chart }: Run) {
  const { previousRun, replacedAt } = answerStore(session).getState()
  if (previousRun === null || performance.now() - replacedAt >= ONE_CHANGE_MS) return null
  return previousRun.chart.queues.length === chart.queues.length ? previousRun.chart.queues : null
}

/** Returns the next range, as one turns a page, if the playhead has left this one. */
function nextPage(range: TimeRange, time: Micros, end: Micros): TimeRange {
  const [from, to] = range
  return time > to && time < end && to < end ? panRange(range, Math.max(to - from, time - to) * 0.95, end) : range
}

function spanOf({ arrivedAt, leftAt }: Journey): TimeRange {
  return [arrivedAt, leftAt < 0 ? arrivedAt : leftAt]
}

const highlights = new WeakMap<Journey, Highlight>()

/** Returns what stands out: one object for each journey, since a drawing compares it by identity. */
function highlightOf(focus: Focus | null, journey: Journey | null): Highlight | null {
  if (focus === null || focus.kind !== 'job') return focus
  if (journey === null) return null
  const highlight = highlights.get(journey) ?? { kind: 'job', legs: journey.legs }
  highlights.set(journey, highlight)
  return highlight
}

/** Returns the stage that each worker serves, and since when, at the end of a record that is not the whole run. */
function underway({ chart: { counts } }: Run): { stage: number; since: number }[] {
  return Array.from(counts.status, (status, w) => ({
    stage: status === BUSY ? counts.stage[w] : NONE,
    since: counts.since[w],
  }))
}

/** Shows what the worker does in whose lane the pointer is, at that instant, and what is noted where it is. Returns an unsubscribe function. */
export function hintOnTimeline(session: Session, host: HTMLElement, timeline: Timeline): () => void {
  const hint = hintOver(host, ({ clientX, clientY }) => {
    const { run } = runStore(session).getState()
    if (run === null) return null
    const at = timeline.laneUnder(clientX, clientY)
    const noted = timeline.notesUnder(clientX, clientY)
    if (at === null)
      return noted === null ? null : (timelineStore(session).getState().notesOf(run)?.tell(noted) ?? null)
    return at.team > 1 ? teamHint(run, at) : workerHint(run, at.worker, at.time)
  })
  return endAll([onScene(session, hint.renew, TEXT_PACE), hint.end])
}

/** Returns when the first note in a range is; null: nothing is noted there. */
export function noteWithin({ marks }: TimelineNotes, [from, to]: TimeRange): Micros | null {
  const k = firstMark(marks, from)
  return k < marks.length && markAt(marks, k) <= to ? markAt(marks, k) : null
}

/** Returns the lines of a tooltip about a team: its workers, and the share of them that worked at each stage at that instant. */
function teamHint(
  { scenario, chart: { lanes } }: Pick<Run, 'scenario' | 'chart'>,
  { worker, team, time }: LanePlace,
): string[] {
  const columns = scenario.stages.map(() => new Float64Array(3))
  teamShares(lanes, [worker, worker + team], time, time + 1, 1, columns)
  const busy = columns.reduce((sum, [share]) => sum + share, 0)
  const there = stageNumbers(scenario).filter((s) => columns[s][0] > 0)
  return [
    t('Workers {from} to {to}', { from: count(worker + 1), to: count(worker + team) }),
    t('{share} busy at {time}', { share: percent(busy / team), time: clock(time) }),
    ...there.map((s) => `${isolated(scenario.stages[s].name)}: ${percent(columns[s][0] / team)}`),
    t('Press to see them one by one.'),
  ]
}
