import { least } from 'd3-array'
import { type ScalePower, scaleLinear, scaleSqrt } from 'd3-scale'
import type { Micros } from '../../scenario/model/scenario.ts'
import { drawAmountAxis } from '../drawing/axis.ts'
import { createSheet, pixelRatio } from '../drawing/canvas.ts'
import { listenToScrub } from '../drawing/dragging.ts'
import { createChangeCheck, createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import { count } from '../drawing/format.ts'
import type { Palette } from '../drawing/palette.ts'
import { createSvg, drawEach, setAttributes } from '../drawing/svg.ts'
import { type QueuesData, queuePainter } from './paintSteps.ts'
import type { LaneRows } from './timelineLayout.ts'
import { plotOf } from './timelinePlot.ts'

export interface QueueStripData extends Omit<QueuesData, 'heightOf'> {
  /** The longest queue of all strips, which share one scale. */
  readonly most: number
  /** The end of the run, and of the strip: strips side by side share one axis. */
  readonly end: Micros
  readonly until: Micros
  readonly playhead: Micros
  /** An instant to point at; null: none. */
  readonly mark: Micros | null
}

const PITCH = 30
const MAX_HEIGHT = 180
/** The room for the labels of the scale, before the queues. */
const LEFT = 30
/** A row of this height has room for a label. */
const LABELLED = 10

/** Returns the height of a strip with a queue for each stage. */
export function stripHeight(stages: number): number {
  return Math.min(MAX_HEIGHT, stages * PITCH)
}

/** Draws the queues of a run in a small strip on a square-root scale, so that short queues are seen beside long ones. The playhead repaints nothing. */
export function mountQueueStrip(host: HTMLElement, events: { seek(time: Micros): void }): Drawing<QueueStripData> {
  const svg = createSvg(host, { 'aria-hidden': 'true' })
  Object.assign(svg.style, { position: 'absolute', inset: '0', pointerEvents: 'none' })
  const sheet = createSheet({ position: 'absolute', left: `${LEFT}px`, top: '0' })
  const line = (style: Partial<CSSStyleDeclaration>): HTMLElement => {
    const element = document.createElement('div')
    Object.assign(element.style, { position: 'absolute', pointerEvents: 'none', ...style })
    return element
  }
  const markLine = line({ top: '0', left: '0', height: '100%', borderLeft: '1.5px dashed' })
  const playheadLine = line({ top: '0', left: '0', width: '1.5px', height: '100%' })
  const more = line({ top: '-3px', right: '0', fontSize: '11px', lineHeight: '1' })
  Object.assign(host.style, { position: 'relative', cursor: 'ew-resize' })
  more.textContent = '→'
  host.append(sheet.canvas, markLine, playheadLine, more)
  const paint = queuePainter()
  /** From instants to pixels of the page. */
  let shown = scaleLinear()
  const hasChanged = createChangeCheck()

  function draw(data: QueueStripData, { width }: HostSize): void {
    const { queues, stageOrder, palette, most, end, until, playhead, mark } = data
    shown = scaleLinear([0, Math.max(1, until)], [LEFT, Math.max(LEFT + 1, width)]).clamp(true)
    const ratio = pixelRatio()
    const plot = Math.max(1, width - LEFT)
    if (width > 0 && hasChanged(queues, palette, most, end, until, width, ratio)) {
      const height = stripHeight(stageOrder.length)
      const rows = rowsOf(stageOrder.length, height)
      const scale = scaleSqrt([0, most], [0, 1]).clamp(true)
      sheet.fit(plot, height, ratio)
      sheet.paint((context) =>
        paint(context, plotOf({ plot: { x: 0, width: plot } }, [0, Math.max(1, until)], end, ratio), rows, {
          ...data,
          heightOf: (length, full) => scale(length) * full,
        }),
      )
      setAttributes(svg, { height, 'font-family': palette.font })
      drawEach(svg, 'g', stageOrder, (group, _, row) =>
        drawScale(group, palette, scale, width, rows.y + row * rows.pitch, rows.row),
      )
    }
    // The run continues after the edge.
    setAttributes(more, { hidden: end <= until ? '' : null })
    more.style.color = palette.soft
    playheadLine.style.background = palette.accent
    const placed = (time: Micros) => `translateX(${Math.min(shown(time), width - 1.5).toFixed(1)}px)`
    playheadLine.style.transform = placed(playhead)
    setAttributes(markLine, { hidden: mark === null ? '' : null })
    markLine.style.color = palette.ink
    markLine.style.transform = placed(mark ?? 0)
  }

  const stopListening = listenToScrub(host, (x) => events.seek(shown.invert(x)))
  return createDrawing(host, draw, stopListening)
}

/** Draws the scale of a row: the round length that is nearest to half its height. */
function drawScale(
  group: SVGGElement,
  palette: Palette,
  scale: ScalePower<number, number>,
  width: number,
  top: number,
  row: number,
): void {
  const half = least(scale.ticks(8).filter(Number.isInteger), (value) => Math.abs(scale(value) - 0.5))
  const values = half === undefined || row < LABELLED ? [] : [half]
  drawAmountAxis(group, palette, scale.copy().range([top + row, top]), [LEFT, width], values, count)
}

function rowsOf(stages: number, height: number): LaneRows {
  const pitch = height / Math.max(1, stages)
  return { y: 0, height, pitch, row: pitch > 8 ? pitch - 4 : pitch, labelEvery: stages + 1 }
}
