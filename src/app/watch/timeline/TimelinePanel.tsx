import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
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
import { goTo, isField, seek, stepInstant } from '../../session/run/keys.ts'
import { onScene, repaint, type Scene } from '../../session/run/painter.ts'
import { playback } from '../../session/run/playback.ts'
import { runStore } from '../../session/run/runStore.ts'
import { askSabotage, type Focus, selectRange, shownTimeline, showRange, timelineStore } from '../../session/run/timelineStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
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
  const host = useRef<HTMLDivElement>(null)
  const small = useRef<HTMLDivElement>(null)
  const cards = useRef<HTMLDivElement>(null)
  const marked = useStore(timelineStore, ({ selection }) => selection !== null)
  const followed = useStore(timelineStore, ({ focus }) => focus !== null)
  const empty = useStore(runStore, ({ run }) => run === null)
  useEffect(() => {
    // A drawing is there as long as there is a run: when that leaves, nothing of it stays.
    if (empty || host.current === null || small.current === null) return
    const element = host.current
    let drawn: Scene['run'] | null = null
    let stages: { name: string; colourIndex: number }[] = []
    let line: number[] = []
    /** Asked for once: asking in the middle of a frame has the page laid out twice. */
    let width = 0
    const timeline = mountTimeline(element, { seek, showRange, select: selectRange, openMenu: askSabotage })
    const minimap = mountMinimap(small.current, { showRange })
    shownTimeline.timeline = timeline
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
        shownTimeline.range = null
        timelineStore.setState({ selection: null, focus: null })
        stages = run.scenario.stages.map(({ name }, s) => ({ name, colourIndex: s }))
        line = stageNumbers(run.scenario)
      }
      const whole = live ? liveRange(scene.end) : fitRange(scene.end)
      if (shownTimeline.range !== null && shownTimeline.range[0] <= 0 && shownTimeline.range[1] >= whole[1]) shownTimeline.range = null
      if (shownTimeline.range !== null && playback.playing) shownTimeline.range = turnedTo(shownTimeline.range, frame.time, whole[1])
      const { scenario, chart } = run
      const { selection, focus } = timelineStore.getState()
      const range = shownTimeline.range ?? whole
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
        highlight: highlightOf(run, focus),
      })
      const spoken = selection ?? spanOf(run, focus)
      cards.current?.classList.toggle('left', spoken !== null && spoken[0] + spoken[1] > range[0] + range[1])
      minimap.update({
        palette,
        range,
        end: whole[1],
        playhead: frame.time,
        selection,
        marks: shownTimeline.marks,
        stages,
        queues: chart.queues,
        version: taken.version,
      })
      shownTimeline.below?.(range)
    }
    const ends = [onScene(take, { every: GROWTH_MS }), onScene(draw)]
    const sized = new ResizeObserver(() => {
      width = 0
      timeline.resize()
      minimap.resize()
      repaint()
    })
    sized.observe(element)
    sized.observe(small.current)
    element.addEventListener('keydown', keyOnTimeline)
    return () => {
      for (const end of ends) end()
      sized.disconnect()
      element.removeEventListener('keydown', keyOnTimeline)
      shownTimeline.timeline = null
      timeline.destroy()
      minimap.destroy()
      element.style.minHeight = ''
    }
  }, [empty])
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
  const any = useStore(
    scenarioStore,
    ({ drawing: { workerEvents, later, stages } }) => workerEvents.length + later.length > 0 || stages.some(({ changes }) => changes.length > 0),
  )
  const asked = useStore(timelineStore, (state) => state.asked !== null)
  return (
    <div className="sabotage" data-control="sabotage editing">
      <button
        type="button"
        className="button small"
        aria-haspopup="menu"
        title={t('Slow a stage from a job on, or let a worker join, leave, crash or hang')}
        onClick={({ currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect()
          askSabotage({ time: null, x: left, y: top })
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
  const [keys, setKeys] = useState(false)
  const empty = useStore(runStore, (state) => state.run === null)
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      if (event.key !== '?' || isField(event.target)) return
      event.preventDefault()
      setKeys(true)
    }
    addEventListener('keydown', heard)
    return () => removeEventListener('keydown', heard)
  }, [])
  return (
    <>
      <div className="timeline-bar" hidden={empty}>
        <Suspense fallback={<i />}>{empty ? <i /> : <TimelineSearch />}</Suspense>
        <div className="minimap" data-control="minimap" ref={minimap} />
        <button type="button" className="icon" data-control="keys" aria-label={t('Keys')} title={t('Keys (?)')} onClick={() => setKeys(true)}>
          ?
        </button>
      </div>
      <Suspense>{keys && <KeysDialog onClose={() => setKeys(false)} />}</Suspense>
    </>
  )
}

/** Keys that mean something only where the timeline has the focus. */
function keyOnTimeline(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { timeline } = shownTimeline
  const act = {
    '+': () => timeline?.zoom(0.5),
    '=': () => timeline?.zoom(0.5),
    '-': () => timeline?.zoom(2),
    ArrowLeft: () => (event.shiftKey ? timeline?.pan(-0.25) : stepInstant(-1)),
    ArrowRight: () => (event.shiftKey ? timeline?.pan(0.25) : stepInstant(1)),
    Home: () => goTo(0),
    End: () => goTo(Infinity),
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
function spanOf(run: Scene['run'], focus: Focus | null): TimeRange | null {
  if (focus?.kind !== 'job') return null
  const { arrivedAt, leftAt } = journeyIn(run, focus.job)
  return [arrivedAt, leftAt < 0 ? arrivedAt : leftAt]
}

let highlighted: { readonly journey: Journey; readonly highlight: Highlight } | null = null

/** The same object as long as it says the same: a drawing compares it by identity. */
function highlightOf(run: Scene['run'], focus: Focus | null): Highlight | null {
  if (focus === null || focus.kind !== 'job') return focus
  const journey = journeyIn(run, focus.job)
  if (highlighted?.journey !== journey) highlighted = { journey, highlight: { kind: 'job', legs: journey.legs } }
  return highlighted.highlight
}

/** What each worker has had in its hands since when, at the end of a record that still grows. */
function underway({ chart: { counts } }: Scene['run']): { stage: number; since: number }[] {
  return Array.from(counts.status, (status, w) => ({ stage: status === BUSY ? counts.stage[w] : NONE, since: counts.since[w] }))
}

/** What stands there before the first run. */
function EmptyTimeline() {
  const note = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      onScene((scene) => {
        if (note.current !== null) note.current.hidden = scene !== null
      }),
    [],
  )
  return (
    <div className="empty" ref={note}>
      <p>{t('A pipeline with more work waiting than workers: who should work where, now?')}</p>
      <p>{t('Press Run and watch a scheduler move the workers. Its record appears here: point at any instant, and read why each went where it went.')}</p>
    </div>
  )
}
