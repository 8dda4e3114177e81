import { greatest } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { createCanvas, fitCanvas, pixelRatio } from '../drawing/canvas.ts'
import { createDrawing, type Drawing, type HostSize, sameParts } from '../drawing/drawing.ts'
import { type LanePlace, laneAt } from './laneAt.ts'
import { paintAxis } from './paintAxis.ts'
import { paintHighlight } from './paintHighlight.ts'
import { paintLabels } from './paintLabels.ts'
import { lanePainter } from './paintLanes.ts'
import { decisionPainter, queuePainter, seatPainter } from './paintSteps.ts'
import { trafficPainter } from './paintTraffic.ts'
import type { TimelineData } from './timelineData.ts'
import { listenToGestures } from './timelineGestures.ts'
import { leastHeight, type TimelineLayout, timelineLayout } from './timelineLayout.ts'
import { createPlayhead } from './timelinePlayhead.ts'
import { plotOf, timeAtX } from './timelinePlot.ts'
import { fitRange, paddedRange, panRange, revealRange, type TimeRange, zoomRange } from './timelineRange.ts'
import { createSelection } from './timelineSelection.ts'

export interface TimelineEvents {
  /** The person points at an instant. */
  seek(time: Micros): void
  /** The person asks for another range. It is shown once `update` says so. */
  showRange(range: TimeRange): void
  /** The person presses the lane of a worker, at this instant of its bar. */
  press?(at: LanePlace): void
  /** The person has selected a range, or none. */
  select?(selection: TimeRange | null): void
  /** The person opens the menu of the axis at an instant. */
  openMenu?(at: { readonly time: Micros; readonly x: number; readonly y: number }): void
}

export interface Timeline extends Drawing<TimelineData> {
  /** Asks for a range `factor` times as long around an instant: by default that under the pointer, else the playhead if it is visible. */
  zoom(factor: number, at?: Micros): void
  /** Asks to move by a share of the range: 0.5 is half a screen later. */
  pan(share: number): void
  /** Asks for the whole run. */
  fit(): void
  /** Asks for a range, with some room on either side. */
  show(range: TimeRange): void
  /** Asks to move until an instant is visible. */
  reveal(time: Micros): void
  /** Scrolls what is around the host until the lane of a worker is visible. */
  revealLane(worker: number): void
  /** Returns what is at a point of the window: a worker's lane, and an instant in the bar there; null beside the lanes. */
  laneUnder(clientX: number, clientY: number): LanePlace | null
}

/**
 * Draws the timeline of a run: queues, decisions, seats and workers over time, with the playhead above. Three canvases: the plots, which the
 * playhead does not repaint; the text, which is slow and seldom changes; and the axis, which stays visible when the host scrolls.
 */
export function mountTimeline(
  host: HTMLElement,
  { seek: onSeek, press: onPress, showRange: onRange, select: onSelect, openMenu: onMenu }: TimelineEvents,
): Timeline {
  const canvas = createCanvas({ position: 'absolute' })
  const context = canvas.getContext('2d')
  const labels = createCanvas({ position: 'absolute', pointerEvents: 'none' })
  const labelsContext = labels.getContext('2d')
  const axis = createCanvas({ position: 'sticky', bottom: '0' })
  const axisContext = axis.getContext('2d')
  const aboveAxis = document.createElement('div')
  const head = createPlayhead()
  const selection = createSelection()
  if (getComputedStyle(host).position === 'static') host.style.position = 'relative'
  // With `hidden` the axis would stick to the host instead of to what scrolls it.
  host.style.overflow = 'clip'
  host.append(canvas, labels, selection.element, head.element, aboveAxis, axis)
  const paintLanes = lanePainter()
  const paintQueues = queuePainter()
  const paintSeats = seatPainter()
  const paintDecisions = decisionPainter()
  const paintTraffic = trafficPainter()
  let paintedLabels = ''
  let layout: TimelineLayout | null = null
  let last: TimelineData | null = null
  /** The range asked for since the last update. Of two keys or wheels within one frame, the second goes on from there. */
  let proposed: TimeRange | null = null
  /** The x of the pointer. */
  let hovered: number | null = null

  function draw(data: TimelineData, size: HostSize, before: TimelineData | null): void {
    const ratio = pixelRatio()
    const fresh = before === null || data.stages.length !== before.stages.length || data.workers !== before.workers
    if (fresh || layout === null) layout = layOut(data, size)
    const { width, height } = layout
    const emptied = fitCanvas(canvas, width, height, ratio)
    const unmarked = fitCanvas(axis, width, Math.min(layout.axis, height), ratio) || fresh
    if (unmarked) aboveAxis.style.height = `${Math.min(layout.foot, height - layout.axis)}px`
    if (axisContext !== null && (unmarked || data.palette !== before?.palette || !sameParts(data.range, before.range)))
      paintAxis(axisContext, ratio, layout, data)
    if (fitCanvas(labels, width, height, ratio) || fresh || data.palette !== before?.palette || data.stages !== before.stages) paintedLabels = ''
    if (fresh || emptied || !sameParts(paintedParts(data), paintedParts(before))) paint(data, layout, ratio)
    selection.place(data, layout)
    head.place(data, layout)
    last = data
    proposed = null
  }

  /** Makes the host as high as the rows need at least: what is around it scrolls. */
  function layOut({ stages, workers }: TimelineData, { width, height }: HostSize): TimelineLayout {
    const least = leastHeight(width, stages.length, workers)
    host.style.minHeight = `${least}px`
    return timelineLayout(width, Math.max(height, least), stages.length, workers)
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
    const wanted = labelsOf(data)
    if (labelsContext !== null && wanted !== paintedLabels) {
      labelsContext.reset()
      paintLabels(labelsContext, ratio, at, data)
      paintedLabels = wanted
    }
  }

  const propose = (change: (data: TimelineData) => TimeRange): void => {
    if (last === null) return
    proposed = change(proposed === null ? last : { ...last, range: proposed })
    onRange(proposed)
  }
  /** The end of what can be shown: the run, or while it grows the range beyond it. */
  const reach = (data: TimelineData): Micros => Math.max(data.end, data.range[1])
  const navigation = {
    zoom: (factor: number, at?: Micros) => propose((data) => zoomRange(data.range, factor, at ?? centre(data), reach(data))),
    pan: (share: number) => propose((data) => panRange(data.range, share * (data.range[1] - data.range[0]), reach(data))),
    fit: () => propose((data) => fitRange(data.end)),
    show: (range: TimeRange) => propose((data) => paddedRange(range, reach(data))),
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
  function revealLane(worker: number): void {
    const frame = host.parentElement
    if (frame === null || layout === null) return
    const { y, pitch, row } = layout.workers
    const [top, seen] = [y + worker * pitch, frame.clientHeight - layout.axis]
    if (top < frame.scrollTop) frame.scrollTop = top - pitch
    else if (top + row > frame.scrollTop + seen) frame.scrollTop = top + row + pitch - seen
  }
  function laneUnder(clientX: number, clientY: number): LanePlace | null {
    if (last === null || layout === null) return null
    // In a low window the axis covers lanes.
    if (clientY >= axis.getBoundingClientRect().top) return null
    const { left, top } = host.getBoundingClientRect()
    return laneAt(layout, last, clientX - left, clientY - top)
  }
  const stopListening = listenToGestures(host, {
    seek: (x) => last !== null && onSeek(Math.min(last.end, Math.round(timeUnder(x)))),
    press: ({ clientX, clientY }) => {
      const at = laneUnder(clientX, clientY)
      if (at !== null) onPress?.(at)
    },
    select: (a, b) => {
      if (last === null) return
      const [from, to] = [Math.min(a, b), Math.max(a, b)].map((x) => Math.min(last?.end ?? 0, Math.round(timeUnder(x))))
      onSelect?.(to > from && a !== b ? [from, to] : null)
    },
    shown: () => (last === null || layout === null ? null : { range: proposed ?? last.range, plot: layout.plot, end: reach(last) }),
    showRange: (range) => propose(() => range),
    fit: navigation.fit,
    hover: (x) => {
      hovered = x
    },
    grip: ({ target, clientX }) => (target === axis ? 0 : head.grip(target, clientX - host.getBoundingClientRect().left)),
  })

  function end(): void {
    stopListening()
    host.style.minHeight = ''
  }

  return { ...navigation, revealLane, laneUnder, ...createDrawing(host, draw, end) }
}

/** Returns what may change in the text while a run goes on. */
function labelsOf({ stageOrder, queues }: TimelineData): string {
  return `${stageOrder} ${queues.map(greatest)}`
}

/** Returns what the plots are painted from. */
function paintedParts({ version, end, range, palette, stages, lanes, highlight }: TimelineData): readonly unknown[] {
  return [version, end, ...range, palette, stages, lanes, highlight]
}
