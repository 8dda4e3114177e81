import { max } from 'd3-array'
import { zoomIdentity } from 'd3-zoom'
import { t } from '../../language/translate.ts'
import { means, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type Context, createSheet, pixelRatio } from '../drawing/canvas.ts'
import { listenToPulls, type Pulls } from '../drawing/dragging.ts'
import { createChangeCheck, createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import { clock } from '../drawing/format.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import { createSlide, moveTo, setAttributes, setStyle } from '../drawing/svg.ts'
import type { FaultMark } from './faultMark.ts'
import type { TimeEvents } from './timelineNavigation.ts'
import { transformOf } from './timelinePlot.ts'
import { panRange, type TimeRange, zoomRange } from './timelineRange.ts'

export interface MinimapData {
  readonly palette: Palette
  /** The end of the run; of a live run, the end of what is shown. */
  readonly end: Micros
  /** The range that the timeline shows. */
  readonly range: TimeRange
  readonly playhead: Micros
  readonly selection: TimeRange | null
  /** Faults and other mid-run events. */
  readonly marks: readonly Pick<FaultMark, 'time' | 'colourIndex' | 'played'>[]
  readonly stages: readonly { readonly colourIndex: number }[]
  readonly queues: readonly Steps[]
  readonly version: number
}

/** The window, or one of its edges, and how far from its left end it is held, in pixels of the page. */
type Held = { readonly by: 'pane' | 'left' | 'right'; readonly off: number }

/** The least range that can be chosen by its edges, as a share of the run. */
const MIN_SHARE = 1 / 10_000

/** Draws the queues of a whole run, stacked, and a window on the range of the timeline: dragged, resized by its edges, or moved by keys. */
export function mountMinimap(host: HTMLElement, { showRange }: Pick<TimeEvents, 'showRange'>): Drawing<MinimapData> {
  const sheet = createSheet({ position: 'absolute', inset: '0' })
  const pane = slider('pane', t('Shown'))
  const left = slider('edge', t('Shown from'))
  const right = slider('edge', t('Shown to'))
  const mark = part('mark')
  const head = part('head')
  head.style.width = '1px'
  const slide = createSlide(head)
  const shades = [part('veil'), part('veil')]
  host.append(sheet.canvas, ...shades, mark, head, pane, left, right)
  let shown: MinimapData | null = null
  /** From microseconds to pixels of the page. */
  let scale = zoomIdentity
  let held: Held | null = null
  let mean = new Float64Array(0)
  const pictureChanged = createChangeCheck()
  const placesChanged = createChangeCheck()

  function draw(data: MinimapData, size: HostSize): void {
    shown = data
    const emptied = sheet.fit(size.width, size.height, pixelRatio())
    if (pictureChanged(data.version, data.end, data.palette, data.stages, data.marks) || emptied)
      sheet.paint((context) => paint(data, context))
    const words = t('{from} to {to}', { from: clock(data.range[0]), to: clock(data.range[1]) })
    if (placesChanged(words, ...data.range, data.end, data.selection, size.width)) place(data, size.width, words)
    slide.to(Math.round(within(data.playhead, size.width) * pixelRatio()) / pixelRatio())
  }
  const within = (time: Micros, width: number) => Math.min(width, Math.max(0, scale.applyX(time)))

  function paint(data: MinimapData, context: Context): void {
    const { queues, stages, palette, end } = data
    const { width, height } = sheet.canvas
    if (end <= 0) return
    if (mean.length < width * (queues.length + 1)) mean = new Float64Array(width * (queues.length + 1))
    const sums = mean.subarray(0, width).fill(0)
    const rows = queues.map((queue, s) => {
      const row = mean.subarray(width * (s + 1), width * (s + 2))
      means(queue, 0, end, width, row)
      for (let p = 0; p < width; p++) {
        sums[p] += row[p]
        row[p] = sums[p]
      }
      return row
    })
    const most = Math.max(1e-9, max(sums) ?? 0)
    for (let s = queues.length - 1; s >= 0; s--) {
      context.fillStyle = stageColour(palette, stages[s].colourIndex).fill
      context.beginPath()
      context.moveTo(0, height)
      for (let p = 0; p < width; p++)
        context.lineTo((p * width) / (width - 1), height - (rows[s][p] / most) * (height - 2))
      context.lineTo(width, height)
      context.fill()
    }
    paintMarks(data, context)
  }

  /** Paints a tick with a triangle on top at each. */
  function paintMarks({ marks, palette, end }: MinimapData, context: Context): void {
    const { width, height } = sheet.canvas
    const px = pixelRatio()
    for (const { time, colourIndex, played } of marks) {
      if (time > end) continue
      const x = Math.round((time / end) * width)
      context.fillStyle = colourIndex === null ? palette.ink : stageColour(palette, colourIndex).text
      context.globalAlpha = played ? 1 : 0.45
      context.fillRect(x - px / 2, 0, px, height)
      context.beginPath()
      context.moveTo(x - 3.5 * px, 0)
      context.lineTo(x + 3.5 * px, 0)
      context.lineTo(x, 5 * px)
      context.fill()
    }
    context.globalAlpha = 1
  }

  /** Places all but the playhead, which moves alone. */
  function place({ end, range: [from, to], selection }: MinimapData, width: number, words: string): void {
    scale = transformOf({ plot: { x: 0, width } }, [0, Math.max(end, 1)])
    const x = (time: Micros) => within(time, width)
    const [a, b] = [x(from), x(to)]
    setSpan(pane, a, Math.max(2, b - a))
    setSpan(shades[0], 0, a)
    setSpan(shades[1], b, width - b)
    const edges = edgePlaces(a, b, width)
    setSpan(left, edges.left, edges.each)
    setSpan(right, edges.right, edges.each)
    setAttributes(mark, { hidden: selection === null ? '' : null })
    if (selection !== null) setSpan(mark, x(selection[0]), Math.max(2, x(selection[1]) - x(selection[0])))
    setSlider(pane, from, 0, end, words)
    setSlider(left, from, 0, to, clock(from))
    setSlider(right, to, from, end, clock(to))
  }

  const partAt = (target: EventTarget | null): Held['by'] =>
    target === left ? 'left' : target === right ? 'right' : 'pane'
  const xAt = (across: number) => across * host.clientWidth
  const pulls: Pulls = {
    /** A press beside the window brings its middle there. */
    take([across], on) {
      const [a, b] = (shown?.range ?? [0, 0]).map((time) => scale.applyX(time))
      const by = partAt(on)
      const x = xAt(across)
      const beside = by === 'pane' && (x < a || x > b)
      held = { by, off: beside ? (b - a) / 2 : x - (by === 'right' ? b : a) }
      if (beside) pulls.pull([across, 0])
    },
    pull([across]) {
      if (shown === null || held === null) return
      const { end, range } = shown
      const time = scale.invertX(xAt(across) - held.off)
      if (held.by === 'pane') showRange(panRange(range, time - range[0], end))
      else edge(held.by, time)
    },
  }
  function edge(which: 'left' | 'right', time: Micros): void {
    if (shown === null) return
    const { end, range } = shown
    const least = Math.max(20, end * MIN_SHARE)
    if (which === 'left') showRange([Math.max(0, Math.min(time, range[1] - least)), range[1]])
    else showRange([range[0], Math.min(end, Math.max(time, range[0] + least))])
  }
  function key(event: KeyboardEvent): void {
    if (shown === null || event.ctrlKey || event.metaKey || event.altKey) return
    const { range, end } = shown
    const [from, to] = range
    const which = partAt(event.target)
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -5,
      PageUp: 5,
      Home: -Infinity,
      End: Infinity,
    }
    const step = steps[event.key]
    const zoom = { '+': 0.5, '=': 0.5, '-': 2 }[event.key]
    if (step === undefined && zoom === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (zoom !== undefined) showRange(zoomRange(range, zoom, (from + to) / 2, end))
    else if (which === 'pane')
      showRange(panRange(range, Number.isFinite(step) ? (step * (to - from)) / 10 : step * end, end))
    else edge(which, Number.isFinite(step) ? (which === 'left' ? from : to) + (step * end) / 100 : step > 0 ? end : 0)
  }
  host.addEventListener('keydown', key)
  const stopDragging = listenToPulls(host, () => pulls, 'none')
  return createDrawing(host, draw, () => {
    host.removeEventListener('keydown', key)
    stopDragging()
    slide.end()
  })
}

function part(name: string): HTMLElement {
  const element = document.createElement('div')
  element.dataset.part = name
  return element
}

function slider(name: string, label: string): HTMLElement {
  const element = part(name)
  setAttributes(element, { tabindex: 0, role: 'slider', 'aria-label': label })
  return element
}

function setSpan(element: HTMLElement, x: number, width: number): void {
  moveTo(element, x)
  setStyle(element, 'width', `${Math.round(Math.max(0, width) * 10) / 10}px`)
}

function setSlider(element: HTMLElement, now: Micros, least: Micros, most: Micros, text: string): void {
  if (element.getAttribute('aria-valuetext') === text) return
  setAttributes(element, {
    'aria-valuemin': Math.round(least),
    'aria-valuemax': Math.round(most),
    'aria-valuenow': Math.round(now),
    'aria-valuetext': text,
  })
}

/** The least width of what a pointer must hit, in pixels of the page. */
const TARGET = 24

/** Returns the left sides of the handles of a window: around its ends, beside a small one, inside the strip and never on top of each other. */
export function edgePlaces(
  a: number,
  b: number,
  width: number,
): { readonly left: number; readonly right: number; readonly each: number } {
  const inside = Math.min(TARGET / 2, Math.max(0, (b - a - TARGET) / 2))
  const left = Math.max(0, Math.min(a + inside - TARGET, width - 2 * TARGET))
  const right = Math.max(left + TARGET, Math.min(b - inside, width - TARGET))
  return { left, right, each: TARGET }
}
