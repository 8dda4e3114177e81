import { greatest } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type Drawing, fitCanvas, pixelRatio } from '../drawing/drawing.ts'
import { paintAxis } from './paintAxis.ts'
import { paintHighlight } from './paintHighlight.ts'
import { paintLabels } from './paintLabels.ts'
import { lanePainter } from './paintLanes.ts'
import { decisionPainter, queuePainter, seatPainter } from './paintSteps.ts'
import { trafficPainter } from './paintTraffic.ts'
import { createBand } from './timelineBand.ts'
import type { TimelineData } from './timelineData.ts'
import { listen } from './timelineGestures.ts'
import { type TimelineLayout, timelineLayout } from './timelineLayout.ts'
import { createPlayhead } from './timelinePlayhead.ts'
import { plotOf, timeAtX } from './timelinePlot.ts'
import { fitRange, panRange, revealRange, stretchRange, type TimeRange, zoomRange } from './timelineRange.ts'

export interface TimelineOptions {
  /** Somebody points at an instant. */
  onSeek(time: Micros): void
  /** Somebody wants to see another stretch; it is shown once `update` says so. */
  onRange(range: TimeRange): void
  /** Somebody has marked a stretch, or unmarked it. */
  onSelect?(selection: TimeRange | null): void
  /** Somebody asks at the axis what may be done at an instant. */
  onMenu?(at: { readonly time: Micros; readonly x: number; readonly y: number }): void
}

export interface Timeline extends Drawing<TimelineData> {
  /** Proposes to show `factor` times as much around an instant, by default the one under the pointer, else the playhead where it is to be seen. */
  zoom(factor: number, at?: Micros): void
  /** Proposes to move by a share of what is shown: 0.5 is half a screen later. */
  pan(share: number): void
  /** Proposes to show the whole run. */
  fit(): void
  /** Proposes to show a stretch, with a little room beside it. */
  show(stretch: TimeRange): void
  /** Proposes to move so far that an instant is to be seen. */
  reveal(time: Micros): void
}

/**
 * The timeline of a run: queues, decisions, seats and workers over time, in one canvas that is painted again only when
 * something other than the playhead has changed, and the playhead above it. The words stand on a canvas of their own, since they
 * cost much and hardly ever change, and the axis on another, so that it stays in sight where the host is higher than what
 * scrolls it.
 */
export function mountTimeline(host: HTMLElement, { onSeek, onRange, onSelect, onMenu }: TimelineOptions): Timeline {
  const canvas = document.createElement('canvas')
  canvas.style.display = 'block'
  canvas.style.position = 'absolute'
  canvas.setAttribute('aria-hidden', 'true')
  const context = canvas.getContext('2d')
  const words = document.createElement('canvas')
  Object.assign(words.style, { display: 'block', position: 'absolute', pointerEvents: 'none' })
  words.setAttribute('aria-hidden', 'true')
  const wordsContext = words.getContext('2d')
  const axis = document.createElement('canvas')
  Object.assign(axis.style, { display: 'block', position: 'sticky', bottom: '0' })
  axis.setAttribute('aria-hidden', 'true')
  const axisContext = axis.getContext('2d')
  const aboveAxis = document.createElement('div')
  const head = createPlayhead()
  const band = createBand()
  if (getComputedStyle(host).position === 'static') host.style.position = 'relative'
  // Not hidden, which would make the host what the axis sticks to.
  host.style.overflow = 'clip'
  // Up and down still scrolls the page; sideways and two fingers are ours.
  host.style.touchAction = 'pan-y'
  host.append(canvas, words, band.element, head.element, aboveAxis, axis)
  const paintLanes = lanePainter()
  const paintQueues = queuePainter()
  const paintSeats = seatPainter()
  const paintDecisions = decisionPainter()
  const paintTraffic = trafficPainter()
  /** What the words were painted for. */
  let written = ''
  let size: { width: number; height: number } | null = null
  let layout: TimelineLayout | null = null
  let last: TimelineData | null = null
  /** The stretch proposed since the last update: of two fingers that move within one frame, the second goes on from where the first got. */
  let proposed: TimeRange | null = null
  /** Where the pointer is. */
  let hovered: number | null = null

  function update(data: TimelineData): void {
    size ??= { width: host.clientWidth, height: host.clientHeight }
    const ratio = pixelRatio()
    const fresh = layout === null || data.stages.length !== last?.stages.length || data.workers !== last.workers
    if (fresh || layout === null) layout = timelineLayout(size.width, size.height, data.stages.length, data.workers)
    const emptied = fitCanvas(canvas, size.width, size.height, ratio)
    const unmarked = fitCanvas(axis, size.width, Math.min(layout.axis, size.height), ratio) || fresh
    if (unmarked) aboveAxis.style.height = `${Math.min(layout.foot, size.height - layout.axis)}px`
    if (axisContext !== null && (unmarked || last === null || data.palette !== last.palette || moved(data.range, last.range)))
      paintAxis(axisContext, ratio, layout, data)
    if (fitCanvas(words, size.width, size.height, ratio) || fresh || data.palette !== last?.palette || data.stages !== last.stages) written = ''
    if (fresh || emptied || last === null || differs(data, last)) paint(data, layout, ratio)
    band.place(data, layout)
    head.place(data, layout)
    last = data
    proposed = null
  }

  function paint(data: TimelineData, at: TimelineLayout, ratio: number): void {
    if (context === null) return
    const plot = plotOf(at, data.range, data.end, ratio)
    context.clearRect(0, 0, canvas.width, canvas.height)
    paintQueues(context, plot, at.queues, data)
    paintDecisions(context, plot, at, data)
    paintTraffic(context, plot, at, data)
    paintSeats(context, plot, at, data)
    paintLanes(context, plot, at.workers, data)
    paintHighlight(context, plot, at, data)
    const wanted = wordsOf(data)
    if (wordsContext !== null && wanted !== written) {
      wordsContext.reset()
      paintLabels(wordsContext, ratio, at, data)
      written = wanted
    }
  }

  const propose = (change: (data: TimelineData) => TimeRange): void => {
    if (last === null) return
    proposed = change(proposed === null ? last : { ...last, range: proposed })
    onRange(proposed)
  }
  /** As far as one may look: the run, or what is shown beyond it while it grows. */
  const reach = (data: TimelineData): Micros => Math.max(data.end, data.range[1])
  const handle = {
    zoom: (factor: number, at?: Micros) => propose((data) => zoomRange(data.range, factor, at ?? centre(data), reach(data))),
    pan: (share: number) => propose((data) => panRange(data.range, share * (data.range[1] - data.range[0]), reach(data))),
    fit: () => propose((data) => fitRange(data.end)),
    show: (stretch: TimeRange) => propose((data) => stretchRange(stretch, reach(data))),
    reveal: (time: Micros) => {
      if (last !== null && (time < last.range[0] || time > last.range[1])) propose((data) => revealRange(data.range, time, reach(data)))
    },
  }
  const timeUnder = (x: number): Micros => (last === null || layout === null ? 0 : timeAtX(layout, proposed ?? last.range, x))
  function centre({ range: [from, to], playhead }: TimelineData): Micros {
    if (hovered !== null) return timeUnder(hovered)
    return playhead >= from && playhead <= to ? playhead : (from + to) / 2
  }
  axis.addEventListener('contextmenu', (event) => {
    event.preventDefault()
    const { clientX: x, clientY: y } = event
    onMenu?.({ time: Math.round(timeUnder(x - host.getBoundingClientRect().left)), x, y })
  })
  const stopListening = listen(host, {
    seek: (x) => last !== null && onSeek(Math.min(last.end, Math.round(timeUnder(x)))),
    select: (a, b) => {
      if (last === null) return
      const [from, to] = [Math.min(a, b), Math.max(a, b)].map((x) => Math.min(last?.end ?? 0, Math.round(timeUnder(x))))
      onSelect?.(to > from && a !== b ? [from, to] : null)
    },
    zoom: (factor, x) => handle.zoom(factor, timeUnder(x)),
    pan: (pixels) => layout !== null && handle.pan(pixels / layout.plot.width),
    fit: handle.fit,
    hover: (x) => {
      hovered = x
    },
    grip: ({ target, clientX }) => (target === axis ? 0 : head.grip(target, clientX - host.getBoundingClientRect().left)),
  })

  return {
    ...handle,
    update,
    resize() {
      const data = last
      size = null
      layout = null
      last = null
      if (data !== null) update(data)
    },
    destroy() {
      stopListening()
      for (const each of [canvas, words, aboveAxis, axis, band.element]) each.remove()
      head.element.remove()
    },
  }
}

/** What may change of the words while a run goes on. */
function wordsOf({ line, queues }: TimelineData): string {
  return `${line} ${queues.map(greatest)}`
}

function differs(a: TimelineData, b: TimelineData): boolean {
  return (
    a.version !== b.version ||
    a.end !== b.end ||
    moved(a.range, b.range) ||
    a.palette !== b.palette ||
    a.stages !== b.stages ||
    a.lanes !== b.lanes ||
    a.highlight !== b.highlight
  )
}

function moved(a: TimeRange, b: TimeRange): boolean {
  return a[0] !== b[0] || a[1] !== b[1]
}
