import type { Leg } from '../../measures/jobs/journey.ts'
import { greatest } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type Context, createCanvas, createSheet, fitCanvas, pixelRatio } from '../drawing/canvas.ts'
import { createChangeCheck, createDrawing, type Drawing, type HostSize, sameParts } from '../drawing/drawing.ts'
import { stageColour } from '../drawing/palette.ts'
import { setAttributes } from '../drawing/svg.ts'
import { createTimeAxis } from './paintAxis.ts'
import { paintLabels } from './paintLabels.ts'
import { lanePainter } from './paintLanes.ts'
import { decisionPainter, queuePainter, seatPainter } from './paintSteps.ts'
import { type LanePlace, laneAt, laneCount, laneWith, type Teams, teamsIn } from './teams.ts'
import type { TimelineData } from './timelineData.ts'
import { type LaneRows, leastHeight, MIN_TEAM, type TimelineLayout, timelineLayout } from './timelineLayout.ts'
import { createNavigation, type Navigation, type TimeEvents } from './timelineNavigation.ts'
import { type Plot, plotOf, timeAtX, xOf } from './timelinePlot.ts'
import type { TimeRange } from './timelineRange.ts'

export interface TimelineEvents extends TimeEvents {
  /** The person presses the lane of a worker, at this instant of its bar. */
  press?(at: LanePlace): void
  /** The person presses a mark in the row of notes; those in this range are under the pointer. */
  pressNotes?(under: TimeRange): void
  /** The person opens the menu of the axis at an instant. */
  openMenu?(at: { readonly time: Micros; readonly x: number; readonly y: number }): void
}

export interface Timeline extends Drawing<TimelineData>, Navigation {
  /** Scrolls what is around the host until the lane of a worker is visible. */
  revealLane(worker: number): void
  /** Returns what is at a point of the window: a worker's lane, and an instant in the bar there; null beside the lanes. */
  laneUnder(clientX: number, clientY: number): LanePlace | null
  /** Returns the time that the pointer reaches in the row of notes; null beside it. */
  notesUnder(clientX: number, clientY: number): TimeRange | null
}

/** How far from a note the pointer reaches it, in pixels of the page. */
const REACH = 4

/** Draws the timeline of a run: plots on a canvas, which the playhead does not repaint; text, which is slow, on a sheet; the axis, which stays visible. */
export function mountTimeline(host: HTMLElement, { press, pressNotes, openMenu, ...events }: TimelineEvents): Timeline {
  const canvas = createCanvas({ position: 'absolute' })
  const context = canvas.getContext('2d')
  const labels = createSheet({ position: 'absolute', pointerEvents: 'none' })
  const axis = createTimeAxis({ position: 'sticky', bottom: '0' })
  const aboveAxis = document.createElement('div')
  const selection = createSelection()
  if (getComputedStyle(host).position === 'static') host.style.position = 'relative'
  const { place, timeAt, playhead, stop, ...navigation } = createNavigation(host, {
    ...events,
    axis: axis.canvas,
    press({ clientX, clientY }) {
      const at = laneUnder(clientX, clientY)
      const noted = notesUnder(clientX, clientY)
      if (at !== null) press?.(at)
      if (noted !== null) pressNotes?.(noted)
    },
  })
  // With `hidden` the axis would stick to the host instead of to what scrolls it.
  host.style.overflow = 'clip'
  host.append(canvas, labels.canvas, selection.element, playhead, aboveAxis, axis.canvas)
  const paintLanes = lanePainter()
  const paintQueues = queuePainter()
  const paintSeats = seatPainter()
  const paintDecisions = decisionPainter()
  const paintNotes = decisionPainter()
  let paintedLabels = ''
  let layout: TimelineLayout | null = null
  let last: TimelineData | null = null

  function draw(data: TimelineData, size: HostSize, before: TimelineData | null): void {
    const ratio = pixelRatio()
    const fresh =
      before === null ||
      data.stages.length !== before.stages.length ||
      data.workers !== before.workers ||
      data.opened?.join() !== before.opened?.join() ||
      data.notes?.name !== before.notes?.name
    if (fresh || layout === null) layout = layOut(data, size)
    const { width, height } = layout
    const emptied = fitCanvas(canvas, width, height, ratio)
    if (fresh) aboveAxis.style.height = `${Math.min(layout.foot, height - layout.axis)}px`
    axis.draw(layout, data)
    if (labels.fit(width, height, ratio) || fresh || data.palette !== before?.palette || data.stages !== before.stages)
      paintedLabels = ''
    if (fresh || emptied || !sameParts(paintedParts(data), paintedParts(before))) paint(data, layout, ratio)
    selection.place(data, layout)
    place(data, layout)
    last = data
  }

  /** Makes the host as high as the rows need at least: what is around it scrolls. */
  function layOut(data: TimelineData, { width, height }: HostSize): TimelineLayout {
    const teams = teamsIn(data)
    const stages = data.stages.length
    const least = leastHeight(
      width,
      stages,
      laneCount(teams),
      teams.each > 1 ? MIN_TEAM : undefined,
      data.notes != null,
    )
    host.style.minHeight = `${least}px`
    return timelineLayout(width, Math.max(height, least), stages, laneCount(teams), data.notes != null)
  }

  function paint(data: TimelineData, at: TimelineLayout, ratio: number): void {
    if (context === null) return
    const plot = plotOf(at, data.range, data.end, ratio)
    context.clearRect(0, 0, canvas.width, canvas.height)
    paintQueues(context, plot, at.queues, data)
    paintDecisions(context, plot, at, data)
    if (data.notes != null)
      paintNotes(context, plot, { decisions: at.notes }, { decisions: data.notes.marks, palette: data.palette })
    paintSeats(context, plot, at, data)
    paintLanes(context, plot, at.workers, data)
    paintHighlight(context, plot, at, data)
    // What may change in the text during a run.
    const wanted = `${data.stageOrder} ${data.queues.map(greatest)}`
    if (wanted === paintedLabels) return
    paintedLabels = wanted
    labels.paint((context) => paintLabels(context, ratio, at, data))
  }

  axis.canvas.addEventListener('contextmenu', (event) => {
    event.preventDefault()
    const { clientX: x, clientY: y } = event
    openMenu?.({ time: timeAt(x), x, y })
  })
  function revealLane(worker: number): void {
    const frame = host.parentElement
    if (frame === null || layout === null || last === null) return
    const { y, pitch, row } = layout.workers
    const [top, seen] = [y + laneWith(teamsIn(last), worker) * pitch, frame.clientHeight - layout.axis]
    if (top < frame.scrollTop) frame.scrollTop = top - pitch
    else if (top + row > frame.scrollTop + seen) frame.scrollTop = top + row + pitch - seen
  }
  function laneUnder(clientX: number, clientY: number): LanePlace | null {
    if (last === null || layout === null) return null
    // In a low window the axis covers lanes.
    if (clientY >= axis.canvas.getBoundingClientRect().top) return null
    const { left, top } = host.getBoundingClientRect()
    return laneAt(layout, last, clientX - left, clientY - top)
  }
  function notesUnder(clientX: number, clientY: number): TimeRange | null {
    if (last?.notes == null || layout === null) return null
    const { left, top } = host.getBoundingClientRect()
    const [x, y] = [clientX - left, clientY - top - layout.notes.y]
    return y < 0 || y >= layout.notes.height
      ? null
      : [timeAtX(layout, last.range, x - REACH), timeAtX(layout, last.range, x + REACH)]
  }
  function end(): void {
    stop()
    host.style.minHeight = ''
  }

  return { ...navigation, revealLane, laneUnder, notesUnder, ...createDrawing(host, draw, end) }
}

/** Returns the inputs of the plots. */
function paintedParts({
  version,
  end,
  range,
  palette,
  stages,
  lanes,
  ghost,
  highlight,
  notes,
}: TimelineData): readonly unknown[] {
  return [version, end, ...range, palette, stages, lanes, ghost, highlight, notes?.marks]
}

/** Creates the mark over the selected range. It is an element of its own, so that selecting repaints nothing. */
function createSelection() {
  const element = document.createElement('div')
  Object.assign(element.style, {
    position: 'absolute',
    left: '0',
    pointerEvents: 'none',
    borderStyle: 'solid',
    borderWidth: '0 1px',
    boxSizing: 'border-box',
  })
  element.dataset.part = 'selection'

  const hasChanged = createChangeCheck()
  function place({ selection, range, palette }: TimelineData, layout: TimelineLayout): void {
    if (!hasChanged(selection, ...range, palette, layout)) return
    const { plot, pill, foot } = layout
    const plotEnd = plot.x + plot.width
    const left = selection ? Math.max(plot.x, xOf(layout, range, selection[0])) : 0
    const right = selection ? Math.min(plotEnd, xOf(layout, range, selection[1])) : -1
    const hidden = right < plot.x || left > plotEnd || right < left
    setAttributes(element, { hidden: hidden ? '' : null })
    if (hidden) return
    const top = pill.y + pill.height
    Object.assign(element.style, {
      top: `${top}px`,
      height: `${foot + 22 - top}px`,
      width: `${Math.max(2, right - left).toFixed(2)}px`,
      transform: `translateX(${left.toFixed(2)}px)`,
      background: `${palette.accent}1c`,
      borderColor: palette.accent,
    })
  }

  return { element, place }
}

/** Dims what does not stand out, and paints the path of a job: its waits at the bottom of the queues, its services in the lanes. */
function paintHighlight(context: Context, plot: Plot, layout: TimelineLayout, data: TimelineData): void {
  const { highlight, palette } = data
  if (highlight === undefined || highlight === null) return
  context.save()
  context.beginPath()
  context.rect(plot.x, 0, plot.columns, context.canvas.height)
  context.clip()
  context.fillStyle = `${palette.panel}c4`
  if (highlight.kind === 'stage') dim(context, plot, layout.queues, data.stages.length, highlight.stage)
  const teams = teamsIn(data)
  if (highlight.kind === 'worker')
    dim(context, plot, layout.workers, laneCount(teams), laneWith(teams, highlight.worker))
  if (highlight.kind === 'job') {
    dim(context, plot, layout.queues, data.stages.length, -1)
    dim(context, plot, layout.workers, laneCount(teams), -1)
    paintJob(context, plot, layout, data, highlight.legs, teams)
  }
  context.restore()
}

/** Dims all rows but one; -1: all. */
function dim(context: Context, { x, columns, ratio }: Plot, rows: LaneRows, count: number, except: number): void {
  const edge = (row: number) => Math.round((rows.y + row * rows.pitch - (rows.pitch - rows.row) / 2) * ratio)
  const dimmed =
    except < 0
      ? [[0, count]]
      : [
          [0, except],
          [except + 1, count],
        ]
  for (const [from, to] of dimmed) if (to > from) context.fillRect(x, edge(from), columns, edge(to) - edge(from))
}

function paintJob(
  context: Context,
  plot: Plot,
  { queues, workers }: TimelineLayout,
  { stages, palette, end }: TimelineData,
  legs: readonly Leg[],
  teams: Teams,
): void {
  const { ratio, hair, t0, t1, used } = plot
  const at = (time: number) => plot.x + Math.round(((time - t0) / (t1 - t0)) * used)
  /** At least two pixels of the page wide, to be visible. */
  const bar = (from: number, to: number, y: number, height: number): void => {
    const left = at(from)
    context.fillRect(
      left,
      Math.round(y * ratio),
      Math.max(hair * 2, at(to) - left),
      Math.max(hair * 2, Math.round(height * ratio)),
    )
  }
  const link = (time: number, stage: number, lane: number): void => {
    const from = Math.round((queues.y + stage * queues.pitch + queues.row) * ratio)
    context.fillRect(at(time), from, hair, Math.round((workers.y + lane * workers.pitch) * ratio) - from)
  }
  for (const { stage, worker, queuedAt, startedAt, began, ended, outcome } of legs) {
    const colour = stageColour(palette, stages[stage].colourIndex)
    context.fillStyle = colour.fill
    const foot = queues.y + stage * queues.pitch + queues.row
    bar(queuedAt, startedAt < 0 ? (ended < 0 ? end : ended) : startedAt, foot - 5, 5)
    const lane = laneWith(teams, worker)
    if (startedAt < 0 || lane < 0) continue
    link(startedAt, stage, lane)
    const y = workers.y + lane * workers.pitch
    context.globalAlpha = 0.45
    if (outcome !== 'served') bar(startedAt, ended < 0 ? end : ended, y, workers.row)
    else if (began > startedAt) bar(startedAt, began, y + workers.row * 0.3, workers.row * 0.4)
    context.globalAlpha = 1
    if (outcome === 'served') bar(began, ended, y, workers.row)
  }
}
