import { useEffect, useRef } from 'react'
import { NONE } from '../pipeline/rows.ts'
import { BUSY } from '../pipeline/tally.ts'
import { lineNumbers } from '../scenario/line.ts'
import { mountTimeline } from '../views/timeline.ts'
import { preferredHeight } from '../views/timelineLayout.ts'
import { fitRange, liveRange, type TimeRange } from '../views/timelineRange.ts'
import { seek } from './keys.ts'
import { onScene, repaint, type Scene } from './painter.ts'
import { currentPalette } from './theme.ts'

const SQUEEZE = 0.58

/** Queues, seats and workers over time, with the playhead. */
export function TimelinePanel() {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return
    const element = host.current
    let range: TimeRange | null = null
    let shown: Scene['run'] | null = null
    let stages: { name: string; colourIndex: number }[] = []
    let line: number[] = []
    const timeline = mountTimeline(element, {
      onSeek: seek,
      onRange: (next) => {
        range = next
        repaint()
      },
    })
    const keys = (event: KeyboardEvent) => {
      const act = {
        '+': () => timeline.zoom(0.5),
        '=': () => timeline.zoom(0.5),
        '-': () => timeline.zoom(2),
        f: () => timeline.fit(),
        ArrowLeft: () => timeline.pan(-0.25),
        ArrowRight: () => timeline.pan(0.25),
      }[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    const end = onScene((scene) => {
      if (scene === null) return
      const { run, frame, live } = scene
      if (shown !== run) {
        shown = run
        range = null
        stages = run.scenario.stages.map(({ name }, s) => ({ name, colourIndex: s }))
        line = lineNumbers(run.scenario)
      }
      const whole = live ? liveRange(scene.end) : fitRange(scene.end)
      if (range !== null && range[0] <= 0 && range[1] >= whole[1]) range = null
      const { scenario, chart } = run
      // Squeezing is better than a scroll bar, as long as lanes can be told apart.
      element.style.minHeight = `${SQUEEZE * preferredHeight(element.clientWidth, scenario.stages.length, frame.workers.length)}px`
      timeline.update({
        palette: currentPalette(),
        range: range ?? whole,
        end: scene.end,
        playhead: frame.time,
        stages,
        line,
        workers: frame.workers.length,
        queues: chart.queues,
        seats: chart.seats,
        lanes: chart.lanes,
        arrivals: chart.arrivals,
        departures: chart.departures,
        ...(live && { underway: underway(run) }),
        decisions: chart.decisions,
        version: chart.rows,
      })
    })
    const sized = new ResizeObserver(() => {
      timeline.resize()
      repaint()
    })
    sized.observe(element)
    element.addEventListener('keydown', keys)
    return () => {
      end()
      sized.disconnect()
      element.removeEventListener('keydown', keys)
      timeline.destroy()
    }
  }, [])
  return (
    <div className="timeline-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: zoomed and panned by keys */}
      <div className="timeline" ref={host} tabIndex={0} role="application" aria-label="Timeline. Plus and minus zoom, arrows pan, F fits." />
      <EmptyTimeline />
    </div>
  )
}

/** What each worker has had in its hands since when, at the end of a record that still grows. */
function underway({ chart: { tally } }: Scene['run']): { stage: number; since: number }[] {
  return Array.from(tally.status, (status, w) => ({ stage: status === BUSY ? tally.stage[w] : NONE, since: tally.since[w] }))
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
      <p>A pipeline with more work waiting than workers: who should work where, now?</p>
      <p>Press Run and watch a scheduler move the workers. Its record appears here: drag to any instant, and read why each went where it went.</p>
    </div>
  )
}
