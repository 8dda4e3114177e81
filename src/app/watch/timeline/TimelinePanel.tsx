import { type RefObject, Suspense, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Journey } from '../../../measures/jobs/journey.ts'
import { BUSY } from '../../../pipeline/counts.ts'
import { NONE } from '../../../pipeline/rows.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { mountMinimap } from '../../../views/timeline/minimap.ts'
import { mountTimeline } from '../../../views/timeline/timeline.ts'
import type { Highlight } from '../../../views/timeline/timelineData.ts'
import { leastHeight } from '../../../views/timeline/timelineLayout.ts'
import { fitRange, liveRange, panRange, type TimeRange } from '../../../views/timeline/timelineRange.ts'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { currentPalette } from '../../base/page/theme.ts'
import { journeyIn } from '../../session/run/follow.ts'
import { onScene, repaint, type Scene } from '../../session/run/painter.ts'
import { playback } from '../../session/run/playback.ts'
import { goTo, seek, stepInstant } from '../../session/run/playhead.ts'
import { runStore } from '../../session/run/runStore.ts'
import { openDialog, showingStore } from '../../session/run/showing.ts'
import { askFault, type Focus, selectRange, shownTimeline, showRange, timelineStore } from '../../session/run/timelineStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import './timeline.css'

// What the first screen does without is fetched when it is wanted.
const FocusCard = lazyPart(async () => (await import('./FocusCard.tsx')).FocusCard)
const KeysDialog = lazyPart(async () => (await import('../shortcuts/KeysDialog.tsx')).KeysDialog)
const SabotageBand = lazyPart(async () => (await import('../../draw/faults/FaultBand.tsx')).FaultBand)
const StretchCard = lazyPart(async () => (await import('./StretchCard.tsx')).StretchCard)
const TimelineSearch = lazyPart(async () => (await import('./TimelineSearch.tsx')).TimelineSearch)

/** What a run that goes on adds to the picture is painted so often, in milliseconds, while the playhead moves at every frame. */
const GROWTH_MS = 50

/** Queues, seats and workers over time, with the playhead; above it where to find things in it, and the whole run in small. */
export function TimelinePanel() {
  const session = useSession()
  const host = useRef<HTMLDivElement>(null)
  const small = useRef<HTMLDivElement>(null)
  const cards = useRef<HTMLDivElement>(null)
  const marked = useStore(timelineStore(session), ({ selection }) => selection !== null)
  const followed = useStore(timelineStore(session), ({ focus }) => focus !== null)
  const empty = useStore(runStore(session), ({ run }) => run === null)
  useEffect(() => {
    // A drawing is there as long as there is a run: when that leaves, nothing of it stays.
    if (empty || host.current === null || small.current === null) return
    const element = host.current
    let drawn: Scene['run'] | null = null
    let stages: { name: string; colourIndex: number }[] = []
    let line: number[] = []
    /** Asked for once: asking in the middle of a frame has the page laid out twice. */
    let width = 0
    const timeline = mountTimeline(element, {
      seek: (time) => seek(session, time),
      showRange: (range) => showRange(session, range),
      select: (selection) => selectRange(session, selection),
      openMenu: (asked) => askFault(session, asked),
    })
    const minimap = mountMinimap(small.current, { showRange: (range) => showRange(session, range) })
    shownTimeline(session).timeline = timeline
    /** How much of the record is in the picture, and how far that reaches. */
    let taken = { version: 0, end: 0 }
    const take = (scene: Scene | null) => {
      if (scene !== null) taken = { version: scene.run.chart.rows, end: scene.end }
    }
    const draw = (scene: Scene | null) => {
      if (scene === null) return
      const { run, frame, live } = scene
      if (drawn !== run) {
        drawn = run
        take(scene)
        shownTimeline(session).range = null
        timelineStore(session).setState({ selection: null, focus: null })
        stages = run.scenario.stages.map(({ name }, s) => ({ name, colourIndex: s }))
        line = stageNumbers(run.scenario)
      }
      const whole = live ? liveRange(scene.end) : fitRange(scene.end)
      const shown = shownTimeline(session)
      if (shown.range !== null && shown.range[0] <= 0 && shown.range[1] >= whole[1]) shown.range = null
      if (shown.range !== null && playback(session).playing) shown.range = turnedTo(shown.range, frame.time, whole[1])
      const { scenario, chart } = run
      const { selection, focus } = timelineStore(session).getState()
      const range = shownTimeline(session).range ?? whole
      const palette = currentPalette()
      if (width === 0) width = element.clientWidth
      const least = `${leastHeight(width, scenario.stages.length, frame.workers.length)}px`
      if (element.style.minHeight !== least) element.style.minHeight = least
      timeline.update({
        palette,
        range,
        ...taken,
        playhead: frame.time,
        stages,
        stageOrder: line,
        workers: frame.workers.length,
        queues: chart.queues,
        seats: chart.seats,
        lanes: chart.lanes,
        arrivals: chart.arrivals,
        departures: chart.departures,
        ...(live && { underway: underway(run) }),
        decisions: chart.decisions,
        selection,
        highlight: highlightOf(session, run, focus),
      })
      const spoken = selection ?? spanOf(session, run, focus)
      cards.current?.classList.toggle('left', spoken !== null && spoken[0] + spoken[1] > range[0] + range[1])
      minimap.update({
        palette,
        range,
        end: whole[1],
        playhead: frame.time,
        selection,
        marks: shownTimeline(session).marks,
        stages,
        queues: chart.queues,
        version: taken.version,
      })
      shownTimeline(session).below?.(range)
    }
    const ends = [onScene(session, take, { every: GROWTH_MS }), onScene(session, draw)]
    const sized = new ResizeObserver(() => {
      width = 0
      timeline.resize()
      minimap.resize()
      repaint(session)
    })
    sized.observe(element)
    sized.observe(small.current)
    const heard = (event: KeyboardEvent) => keyOnTimeline(session, event)
    element.addEventListener('keydown', heard)
    return () => {
      for (const end of ends) end()
      sized.disconnect()
      element.removeEventListener('keydown', heard)
      shownTimeline(session).timeline = null
      timeline.destroy()
      minimap.destroy()
      element.style.minHeight = ''
    }
  }, [empty, session])
  return (
    <div className="timeline-desk" data-control="timeline">
      <TimelineBar minimap={small} />
      <div className="timeline-frame">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: zoomed and panned by keys */}
        <div className="timeline" ref={host} tabIndex={0} role="application" aria-label={t('Timeline. W and S zoom, A and D move, arrows step, F fits.')} />
        <EmptyTimeline />
      </div>
      <div className="timeline-cards" ref={cards}>
        <Suspense>{marked && <StretchCard />}</Suspense>
        <Suspense>{followed && <FocusCard />}</Suspense>
      </div>
      <SabotageBar />
    </div>
  )
}

/** What befalls the run midway, below the axis, once there is something; and how to add to it. */
function SabotageBar() {
  const session = useSession()
  const any = useStore(
    scenarioStore(session),
    ({ draft: { workerEvents, later, stages } }) => workerEvents.length + later.length > 0 || stages.some(({ changes }) => changes.length > 0),
  )
  const asked = useStore(timelineStore(session), (state) => state.asked !== null)
  return (
    <div className="sabotage" data-control="sabotage editing">
      <button
        type="button"
        className="button small"
        aria-haspopup="menu"
        title={t('Slow a stage from a job on, or let a worker join, leave, crash or hang')}
        onClick={({ currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect()
          askFault(session, { time: null, x: left, y: top })
        }}
      >
        {t('Sabotage')}
      </button>
      <Suspense>{(any || asked) && <SabotageBand />}</Suspense>
    </div>
  )
}

/** The field, the whole run in small, and the keys. */
function TimelineBar({ minimap }: { readonly minimap: RefObject<HTMLDivElement | null> }) {
  const session = useSession()
  const keys = useStore(showingStore(session), (state) => state.dialog === 'keys')
  const empty = useStore(runStore(session), (state) => state.run === null)
  return (
    <>
      <div className="timeline-bar" hidden={empty}>
        <Suspense fallback={<i />}>{empty ? <i /> : <TimelineSearch />}</Suspense>
        <div className="minimap" data-control="minimap" ref={minimap} />
        <button type="button" className="icon" data-control="keys" aria-label={t('Keys')} title={t('Keys (?)')} onClick={() => openDialog(session, 'keys')}>
          ?
        </button>
      </div>
      <Suspense>{keys && <KeysDialog onClose={() => openDialog(session, null)} />}</Suspense>
    </>
  )
}

/** Keys that mean something only where the timeline has the focus. */
function keyOnTimeline(session: Session, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { timeline } = shownTimeline(session)
  const act = {
    '+': () => timeline?.zoom(0.5),
    '=': () => timeline?.zoom(0.5),
    '-': () => timeline?.zoom(2),
    ArrowLeft: () => (event.shiftKey ? timeline?.pan(-0.25) : stepInstant(session, -1)),
    ArrowRight: () => (event.shiftKey ? timeline?.pan(0.25) : stepInstant(session, 1)),
    Home: () => goTo(session, 0),
    End: () => goTo(session, Infinity),
  }[event.key]
  if (act === undefined) return
  event.preventDefault()
  act()
}

/** As a page is turned: where the playhead has run out of what is shown, the next stretch. */
function turnedTo(range: TimeRange, time: Micros, most: Micros): TimeRange {
  const [from, to] = range
  return time > to && time < most && to < most ? panRange(range, Math.max(to - from, time - to) * 0.95, most) : range
}

/** From when to when a job that is followed was in the pipeline. */
function spanOf(session: Session, run: Scene['run'], focus: Focus | null): TimeRange | null {
  if (focus?.kind !== 'job') return null
  const { arrivedAt, leftAt } = journeyIn(session, run, focus.job)
  return [arrivedAt, leftAt < 0 ? arrivedAt : leftAt]
}

let highlighted: { readonly journey: Journey; readonly highlight: Highlight } | null = null

/** The same object as long as it says the same: a drawing compares it by identity. */
function highlightOf(session: Session, run: Scene['run'], focus: Focus | null): Highlight | null {
  if (focus === null || focus.kind !== 'job') return focus
  const journey = journeyIn(session, run, focus.job)
  if (highlighted?.journey !== journey) highlighted = { journey, highlight: { kind: 'job', legs: journey.legs } }
  return highlighted.highlight
}

/** What each worker has had in its hands since when, at the end of a record that still grows. */
function underway({ chart: { counts } }: Scene['run']): { stage: number; since: number }[] {
  return Array.from(counts.status, (status, w) => ({ stage: status === BUSY ? counts.stage[w] : NONE, since: counts.since[w] }))
}

/** What stands there before the first run. */
function EmptyTimeline() {
  const session = useSession()
  const note = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      onScene(session, (scene) => {
        if (note.current !== null) note.current.hidden = scene !== null
      }),
    [session],
  )
  return (
    <div className="empty" ref={note}>
      <p>{t('A pipeline with more work waiting than workers: who should work where, now?')}</p>
      <p>{t('Press Run and watch a scheduler move the workers. Its record appears here: point at any instant, and read why each went where it went.')}</p>
    </div>
  )
}
