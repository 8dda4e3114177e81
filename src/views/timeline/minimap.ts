import { t } from '../../language/translate.ts'
import { means, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type Drawing, fitCanvas, pixelRatio } from '../drawing/drawing.ts'
import { clock } from '../drawing/format.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import type { FaultMark } from './faultMark.ts'
import { panRange, type TimeRange, zoomRange } from './timelineRange.ts'

export interface MinimapData {
  readonly palette: Palette
  /** How far the run reaches, or as far as is shown of one that goes on; and the stretch of it that is shown in full. */
  readonly end: Micros
  readonly range: TimeRange
  readonly playhead: Micros
  readonly selection: TimeRange | null
  /** What befalls the run, at its times. */
  readonly marks: readonly Pick<FaultMark, 'time' | 'colourIndex' | 'played'>[]
  readonly stages: readonly { readonly colourIndex: number }[]
  readonly queues: readonly Steps[]
  readonly version: number
}

interface MinimapOptions {
  /** Somebody wants to see another stretch. */
  onRange(range: TimeRange): void
}

/** Pixels of the page at the window's edges that move one edge alone. */
const GRIP = 7
/** The least stretch that its edges leave, as a share of the run. */
const LEAST = 1 / 10_000

/**
 * The whole run in a strip: what waits at all stages on top of each other, and a window on the stretch that is shown,
 * which is dragged, and resized by its edges. All of it works with keys too: the window and each edge are sliders.
 */
export function mountMinimap(host: HTMLElement, { onRange }: MinimapOptions): Drawing<MinimapData> {
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  Object.assign(canvas.style, { position: 'absolute', inset: '0' })
  const pane = part('pane', t('Stretch shown'))
  const left = part('edge', t('Where the stretch shown begins'))
  const right = part('edge', t('Where the stretch shown ends'))
  const mark = plain('mark')
  const head = plain('head')
  const veils = [plain('veil'), plain('veil')]
  host.append(canvas, ...veils, mark, head, pane, left, right)
  const context = canvas.getContext('2d')
  let size: { width: number; height: number } | null = null
  let last: MinimapData | null = null
  let mean = new Float64Array(0)

  function update(data: MinimapData): void {
    size ??= { width: host.clientWidth, height: host.clientHeight }
    const emptied = fitCanvas(canvas, size.width, size.height, pixelRatio())
    if (
      emptied ||
      last === null ||
      last.version !== data.version ||
      last.end !== data.end ||
      last.palette !== data.palette ||
      last.stages !== data.stages ||
      last.marks !== data.marks
    )
      paint(data)
    place(data, size.width)
    last = data
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

  /** A tick at each, with a point at the top. */
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
    span(pane, a, Math.max(2, b - a))
    span(veils[0], 0, a)
    span(veils[1], b, width - b)
    span(left, a - GRIP, GRIP * 1.5)
    span(right, b - GRIP / 2, GRIP * 1.5)
    span(head, x(playhead), 1)
    mark.hidden = selection === null
    if (selection !== null) span(mark, x(selection[0]), Math.max(2, x(selection[1]) - x(selection[0])))
    tell(pane, from, 0, end, t('{from} to {to}', { from: clock(from), to: clock(to) }))
    tell(left, from, 0, to, clock(from))
    tell(right, to, from, end, clock(to))
  }

  /** Which part of the window a drag moves, and where in it the hand took hold. */
  let drag: { by: 'pane' | 'left' | 'right'; grip: Micros } | null = null
  const timeUnder = (event: PointerEvent, end: Micros): Micros => {
    const box = host.getBoundingClientRect()
    return Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width))) * end
  }
  function down(event: PointerEvent): void {
    if (event.button !== 0 || last === null) return
    host.setPointerCapture(event.pointerId)
    const { end, range } = last
    const time = timeUnder(event, end)
    if (event.target === left || event.target === right) drag = { by: event.target === left ? 'left' : 'right', grip: 0 }
    else {
      const inside = time >= range[0] && time <= range[1]
      drag = { by: 'pane', grip: inside ? time - range[0] : (range[1] - range[0]) / 2 }
      if (!inside) onRange(panRange(range, time - drag.grip - range[0], end))
    }
  }
  function move(event: PointerEvent): void {
    if (drag === null || last === null) return
    const { end, range } = last
    const time = timeUnder(event, end)
    if (drag.by === 'pane') onRange(panRange(range, time - drag.grip - range[0], end))
    else edge(drag.by, time)
  }
  function edge(which: 'left' | 'right', time: Micros): void {
    if (last === null) return
    const { end, range } = last
    const least = Math.max(20, end * LEAST)
    if (which === 'left') onRange([Math.max(0, Math.min(time, range[1] - least)), range[1]])
    else onRange([range[0], Math.min(end, Math.max(time, range[0] + least))])
  }
  function up(): void {
    drag = null
  }
  function key(event: KeyboardEvent): void {
    if (last === null || event.ctrlKey || event.metaKey || event.altKey) return
    const { range, end } = last
    const [from, to] = range
    const which = event.target === left ? 'left' : event.target === right ? 'right' : 'pane'
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5, Home: -Infinity, End: Infinity }
    const step = steps[event.key]
    const zoom = { '+': 0.5, '=': 0.5, '-': 2 }[event.key]
    if (step === undefined && zoom === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (zoom !== undefined) onRange(zoomRange(range, zoom, (from + to) / 2, end))
    else if (which === 'pane') onRange(panRange(range, Number.isFinite(step) ? (step * (to - from)) / 10 : step * end, end))
    else edge(which, Number.isFinite(step) ? (which === 'left' ? from : to) + (step * end) / 100 : step > 0 ? end : 0)
  }
  host.addEventListener('pointerdown', down)
  host.addEventListener('pointermove', move)
  host.addEventListener('pointerup', up)
  host.addEventListener('pointercancel', up)
  host.addEventListener('keydown', key)

  return {
    update,
    resize() {
      const data = last
      size = null
      last = null
      if (data !== null) update(data)
    },
    destroy() {
      host.removeEventListener('pointerdown', down)
      host.removeEventListener('pointermove', move)
      host.removeEventListener('pointerup', up)
      host.removeEventListener('pointercancel', up)
      host.removeEventListener('keydown', key)
      host.replaceChildren()
    },
  }
}

function plain(name: string): HTMLElement {
  const element = document.createElement('div')
  element.dataset.part = name
  return element
}

function part(name: string, label: string): HTMLElement {
  const element = plain(name)
  element.tabIndex = 0
  element.setAttribute('role', 'slider')
  element.setAttribute('aria-label', label)
  return element
}

function span(element: HTMLElement, x: number, width: number): void {
  element.style.transform = `translateX(${x.toFixed(1)}px)`
  element.style.width = `${Math.max(0, width).toFixed(1)}px`
}

function tell(element: HTMLElement, now: Micros, least: Micros, most: Micros, text: string): void {
  if (element.getAttribute('aria-valuetext') === text) return
  element.setAttribute('aria-valuemin', String(Math.round(least)))
  element.setAttribute('aria-valuemax', String(Math.round(most)))
  element.setAttribute('aria-valuenow', String(Math.round(now)))
  element.setAttribute('aria-valuetext', text)
}
