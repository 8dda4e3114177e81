import { t } from '../../language/translate.ts'
import { means, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { createCanvas, fitCanvas, pixelRatio } from '../drawing/canvas.ts'
import { createDrawing, type Drawing, type HostSize, sameParts } from '../drawing/drawing.ts'
import { clock } from '../drawing/format.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import type { FaultMark } from './faultMark.ts'
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

interface MinimapEvents {
  /** The person asks for another range. */
  showRange(range: TimeRange): void
}

/** The width of an edge's handle inside the window, in pixels of the page. */
const GRIP = 7
/** The least range that can be chosen by its edges, as a share of the run. */
const LEAST = 1 / 10_000

/**
 * Draws the whole run in a strip: the queues of all stages stacked, and a window on the range that the timeline shows. The window is
 * dragged, or resized by its edges; window and edges are sliders for the keyboard.
 */
export function mountMinimap(host: HTMLElement, { showRange }: MinimapEvents): Drawing<MinimapData> {
  const canvas = createCanvas({ position: 'absolute', inset: '0' })
  const pane = slider('pane', t('Stretch shown'))
  const left = slider('edge', t('Where the stretch shown begins'))
  const right = slider('edge', t('Where the stretch shown ends'))
  const mark = part('mark')
  const head = part('head')
  const veils = [part('veil'), part('veil')]
  host.append(canvas, ...veils, mark, head, pane, left, right)
  const context = canvas.getContext('2d')
  let shown: MinimapData | null = null
  let mean = new Float64Array(0)
  let painted: readonly unknown[] = []

  function draw(data: MinimapData, size: HostSize): void {
    shown = data
    const parts = [data.version, data.end, data.palette, data.stages, data.marks]
    const emptied = fitCanvas(canvas, size.width, size.height, pixelRatio())
    if (emptied || !sameParts(parts, painted)) paint(data)
    painted = parts
    place(data, size.width)
  }

  function paint(data: MinimapData): void {
    const { queues, stages, palette, end } = data
    if (context === null) return
    const { width, height } = canvas
    context.clearRect(0, 0, width, height)
    if (end <= 0 || width === 0) return
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
    const most = Math.max(
      1e-9,
      sums.reduce((a, b) => (b > a ? b : a), 0),
    )
    for (let s = queues.length - 1; s >= 0; s--) {
      context.fillStyle = stageColour(palette, stages[s].colourIndex).fill
      context.beginPath()
      context.moveTo(0, height)
      for (let p = 0; p < width; p++) context.lineTo(p, height - (rows[s][p] / most) * (height - 2))
      context.lineTo(width, height)
      context.fill()
    }
    paintMarks(data, context)
  }

  /** Paints a tick with a triangle on top at each. */
  function paintMarks({ marks, palette, end }: MinimapData, context: CanvasRenderingContext2D): void {
    const { width, height } = canvas
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

  function place({ end, range: [from, to], playhead, selection }: MinimapData, width: number): void {
    const x = (time: Micros) => Math.min(1, Math.max(0, time / Math.max(end, 1))) * width
    const [a, b] = [x(from), x(to)]
    setSpan(pane, a, Math.max(2, b - a))
    setSpan(veils[0], 0, a)
    setSpan(veils[1], b, width - b)
    setSpan(left, a - GRIP, GRIP * 1.5)
    setSpan(right, b - GRIP / 2, GRIP * 1.5)
    setSpan(head, x(playhead), 1)
    mark.hidden = selection === null
    if (selection !== null) setSpan(mark, x(selection[0]), Math.max(2, x(selection[1]) - x(selection[0])))
    setSlider(pane, from, 0, end, t('{from} to {to}', { from: clock(from), to: clock(to) }))
    setSlider(left, from, 0, to, clock(from))
    setSlider(right, to, from, end, clock(to))
  }

  /** What a drag moves, and how far from the start of the window it took hold. */
  let drag: { by: 'pane' | 'left' | 'right'; grip: Micros } | null = null
  const timeUnder = (event: PointerEvent, end: Micros): Micros => {
    const box = host.getBoundingClientRect()
    return Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width))) * end
  }
  function down(event: PointerEvent): void {
    if (event.button !== 0 || shown === null) return
    host.setPointerCapture(event.pointerId)
    const { end, range } = shown
    const time = timeUnder(event, end)
    if (event.target === left || event.target === right) drag = { by: event.target === left ? 'left' : 'right', grip: 0 }
    else {
      const inside = time >= range[0] && time <= range[1]
      drag = { by: 'pane', grip: inside ? time - range[0] : (range[1] - range[0]) / 2 }
      if (!inside) showRange(panRange(range, time - drag.grip - range[0], end))
    }
  }
  function move(event: PointerEvent): void {
    if (drag === null || shown === null) return
    const { end, range } = shown
    const time = timeUnder(event, end)
    if (drag.by === 'pane') showRange(panRange(range, time - drag.grip - range[0], end))
    else edge(drag.by, time)
  }
  function edge(which: 'left' | 'right', time: Micros): void {
    if (shown === null) return
    const { end, range } = shown
    const least = Math.max(20, end * LEAST)
    if (which === 'left') showRange([Math.max(0, Math.min(time, range[1] - least)), range[1]])
    else showRange([range[0], Math.min(end, Math.max(time, range[0] + least))])
  }
  function up(): void {
    drag = null
  }
  function key(event: KeyboardEvent): void {
    if (shown === null || event.ctrlKey || event.metaKey || event.altKey) return
    const { range, end } = shown
    const [from, to] = range
    const which = event.target === left ? 'left' : event.target === right ? 'right' : 'pane'
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5, Home: -Infinity, End: Infinity }
    const step = steps[event.key]
    const zoom = { '+': 0.5, '=': 0.5, '-': 2 }[event.key]
    if (step === undefined && zoom === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (zoom !== undefined) showRange(zoomRange(range, zoom, (from + to) / 2, end))
    else if (which === 'pane') showRange(panRange(range, Number.isFinite(step) ? (step * (to - from)) / 10 : step * end, end))
    else edge(which, Number.isFinite(step) ? (which === 'left' ? from : to) + (step * end) / 100 : step > 0 ? end : 0)
  }
  const ended = new AbortController()
  const { signal } = ended
  host.addEventListener('pointerdown', down, { signal })
  host.addEventListener('pointermove', move, { signal })
  host.addEventListener('pointerup', up, { signal })
  host.addEventListener('pointercancel', up, { signal })
  host.addEventListener('keydown', key, { signal })
  return createDrawing(host, draw, () => ended.abort())
}

function part(name: string): HTMLElement {
  const element = document.createElement('div')
  element.dataset.part = name
  return element
}

function slider(name: string, label: string): HTMLElement {
  const element = part(name)
  element.tabIndex = 0
  element.setAttribute('role', 'slider')
  element.setAttribute('aria-label', label)
  return element
}

function setSpan(element: HTMLElement, x: number, width: number): void {
  element.style.transform = `translateX(${x.toFixed(1)}px)`
  element.style.width = `${Math.max(0, width).toFixed(1)}px`
}

function setSlider(element: HTMLElement, now: Micros, least: Micros, most: Micros, text: string): void {
  if (element.getAttribute('aria-valuetext') === text) return
  element.setAttribute('aria-valuemin', String(Math.round(least)))
  element.setAttribute('aria-valuemax', String(Math.round(most)))
  element.setAttribute('aria-valuenow', String(Math.round(now)))
  element.setAttribute('aria-valuetext', text)
}
