import type { Micros } from '../scenario/scenario.ts'
import { type Drawing, fitCanvas, pixelRatio } from './drawing.ts'
import { clock } from './format.ts'
import { paintAxis } from './paintAxis.ts'
import { paintLabels } from './paintLabels.ts'
import { lanePainter } from './paintLanes.ts'
import { decisionPainter, queuePainter, seatPainter } from './paintSteps.ts'
import type { TimelineData } from './timelineData.ts'
import { listen } from './timelineGestures.ts'
import { type TimelineLayout, timelineLayout } from './timelineLayout.ts'
import { plotOf, timeAt, xOf } from './timelinePlot.ts'
import { fitRange, panRange, type TimeRange, zoomRange } from './timelineRange.ts'

export interface TimelineOptions {
  /** Somebody points at an instant. */
  onSeek(time: Micros): void
  /** Somebody wants to see another stretch; it is shown once `update` says so. */
  onRange(range: TimeRange): void
}

export interface Timeline extends Drawing<TimelineData> {
  /** Proposes to show `factor` times as much around an instant, by default the playhead. */
  zoom(factor: number, at?: Micros): void
  /** Proposes to move by a share of what is shown: 0.5 is half a screen later. */
  pan(share: number): void
  /** Proposes to show the whole run. */
  fit(): void
}

/**
 * The timeline of a run: queues, decisions, seats and workers over time, in one canvas that is painted again only when
 * something other than the playhead has changed, and the playhead above it. The axis is a canvas of its own, so that it stays
 * in sight where the host is higher than what scrolls it.
 */
export function mountTimeline(host: HTMLElement, { onSeek, onRange }: TimelineOptions): Timeline {
  const canvas = document.createElement('canvas')
  canvas.style.display = 'block'
  canvas.style.position = 'absolute'
  canvas.setAttribute('aria-hidden', 'true')
  const context = canvas.getContext('2d')
  const axis = document.createElement('canvas')
  Object.assign(axis.style, { display: 'block', position: 'sticky', bottom: '0' })
  axis.setAttribute('aria-hidden', 'true')
  const axisContext = axis.getContext('2d')
  const aboveAxis = document.createElement('div')
  const head = createPlayhead()
  if (getComputedStyle(host).position === 'static') host.style.position = 'relative'
  // Not hidden, which would make the host what the axis sticks to.
  host.style.overflow = 'clip'
  // Up and down still scrolls the page; sideways and two fingers are ours.
  host.style.touchAction = 'pan-y'
  host.append(canvas, head.element, aboveAxis, axis)
  const paintLanes = lanePainter()
  const paintQueues = queuePainter()
  const paintSeats = seatPainter()
  const paintDecisions = decisionPainter()
  let size: { width: number; height: number } | null = null
  let layout: TimelineLayout | null = null
  let last: TimelineData | null = null

  function update(data: TimelineData): void {
    size ??= { width: host.clientWidth, height: host.clientHeight }
    const ratio = pixelRatio()
    const fresh = layout === null || data.stages.length !== last?.stages.length || data.workers !== last.workers
    if (fresh || layout === null) layout = timelineLayout(size.width, size.height, data.stages.length, data.workers)
    const emptied = fitCanvas(canvas, size.width, size.height, ratio)
    if (fitCanvas(axis, size.width, Math.min(layout.axis, size.height), ratio) || fresh)
      aboveAxis.style.height = `${Math.min(layout.foot, size.height - layout.axis)}px`
    if (fresh || emptied || last === null || differs(data, last)) paint(data, layout, ratio)
    head.place(data, layout)
    last = data
  }

  function paint(data: TimelineData, at: TimelineLayout, ratio: number): void {
    if (context === null) return
    const plot = plotOf(at, data.range, data.end, ratio)
    context.clearRect(0, 0, canvas.width, canvas.height)
    paintQueues(context, plot, at.queues, data)
    paintDecisions(context, plot, at, data)
    paintSeats(context, plot, at, data)
    paintLanes(context, plot, at.workers, data)
    paintLabels(context, ratio, at, data)
    if (axisContext !== null) paintAxis(axisContext, ratio, at, data)
  }

  const propose = (change: (data: TimelineData) => TimeRange): void => {
    if (last !== null) onRange(change(last))
  }
  /** As far as one may look: the run, or what is shown beyond it while it grows. */
  const reach = (data: TimelineData): Micros => Math.max(data.end, data.range[1])
  const handle = {
    zoom: (factor: number, at?: Micros) => propose((data) => zoomRange(data.range, factor, at ?? data.playhead, reach(data))),
    pan: (share: number) => propose((data) => panRange(data.range, share * (data.range[1] - data.range[0]), reach(data))),
    fit: () => propose((data) => fitRange(data.end)),
  }
  const timeUnder = (x: number): Micros => (last === null || layout === null ? 0 : timeAt(layout, last.range, x))
  const stopListening = listen(host, {
    seek: (x) => last !== null && onSeek(Math.min(last.end, Math.round(timeUnder(x)))),
    zoom: (factor, x) => handle.zoom(factor, timeUnder(x)),
    pan: (pixels) => layout !== null && handle.pan(pixels / layout.plot.width),
    fit: handle.fit,
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
      for (const each of [canvas, aboveAxis, axis]) each.remove()
      head.element.remove()
    },
  }
}

function differs(a: TimelineData, b: TimelineData): boolean {
  return (
    a.version !== b.version ||
    a.end !== b.end ||
    a.range[0] !== b.range[0] ||
    a.range[1] !== b.range[1] ||
    a.palette !== b.palette ||
    a.stages !== b.stages ||
    a.lanes !== b.lanes
  )
}

interface Playhead {
  readonly element: HTMLElement
  place(data: TimelineData, layout: TimelineLayout): void
}

/** The line and the pill with the time, as elements of their own: moving them paints nothing else. */
function createPlayhead(): Playhead {
  const element = document.createElement('div')
  const line = document.createElement('div')
  const pill = document.createElement('div')
  Object.assign(element.style, { position: 'absolute', left: '0', top: '0', pointerEvents: 'none', willChange: 'transform' })
  Object.assign(line.style, { position: 'absolute', left: '-0.5px', width: '1.5px' })
  Object.assign(pill.style, {
    position: 'absolute',
    left: '0',
    font: '600 11px/18px inherit',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
    textAlign: 'center',
    borderRadius: '9px',
  })
  element.append(line, pill)
  let placed: TimelineLayout | null = null
  let painted: TimelineData['palette'] | null = null
  let shown = ''
  let half = 0

  function place({ range, playhead, palette }: TimelineData, layout: TimelineLayout): void {
    if (layout !== placed) {
      Object.assign(line.style, { top: `${layout.pill.y + layout.pill.height - 1}px`, height: `${layout.foot + 5 - layout.pill.y - layout.pill.height}px` })
      Object.assign(pill.style, { top: `${layout.pill.y}px`, height: `${layout.pill.height}px` })
      placed = layout
    }
    if (palette !== painted) {
      line.style.background = palette.accent
      Object.assign(pill.style, {
        background: palette.accent,
        color: palette.onAccent,
        font: `600 11px/18px ${palette.font}`,
        fontVariantNumeric: 'tabular-nums',
      })
      painted = palette
    }
    const ratio = pixelRatio()
    const x = Math.round(xOf(layout, range, playhead) * ratio) / ratio
    const inside = x >= layout.plot.x - 1 && x <= layout.plot.x + layout.plot.width + 1
    element.style.visibility = inside ? 'visible' : 'hidden'
    if (!inside) return
    element.style.transform = `translateX(${x.toFixed(2)}px)`
    const text = clock(playhead)
    if (text !== shown) {
      pill.textContent = text
      // As wide as the letters need, told by their number: measuring would cost a layout a frame.
      if (text.length !== shown.length) {
        half = Math.round(text.length * 3.15 + 9)
        pill.style.width = `${half * 2}px`
      }
      shown = text
    }
    pill.style.transform = `translateX(${(Math.min(layout.width - half - 2, Math.max(half + 2, x)) - x - half).toFixed(2)}px)`
  }

  return { element, place }
}
