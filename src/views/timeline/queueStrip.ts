import type { Micros } from '../../scenario/model/scenario.ts'
import { createCanvas, fitCanvas, pixelRatio } from '../drawing/canvas.ts'
import { createDrawing, type Drawing, type HostSize, sameParts } from '../drawing/drawing.ts'
import { listenToScrub } from '../drawing/scrub.ts'
import { type QueuesData, queuePainter } from './paintSteps.ts'
import type { LaneRows } from './timelineLayout.ts'
import type { Plot } from './timelinePlot.ts'

export interface QueueStripData extends QueuesData {
  /** The end of the run, and of the strip: strips side by side share one axis. */
  readonly end: Micros
  readonly until: Micros
  readonly playhead: Micros
}

const PITCH = 22
const MOST_HEIGHT = 132

/** Returns the height of a strip of so many queues. */
export function stripHeight(stages: number): number {
  return Math.min(MOST_HEIGHT, stages * PITCH)
}

/** Draws the queues of a whole run in a small strip. Only a change of the queues repaints them; the playhead is an element that moves across. */
export function mountQueueStrip(host: HTMLElement, events: { seek(time: Micros): void }): Drawing<QueueStripData> {
  const canvas = createCanvas()
  const playheadLine = document.createElement('div')
  const more = document.createElement('div')
  Object.assign(playheadLine.style, { position: 'absolute', top: '0', left: '0', width: '1.5px', height: '100%', pointerEvents: 'none' })
  Object.assign(host.style, { position: 'relative', touchAction: 'pan-y', cursor: 'ew-resize' })
  Object.assign(more.style, { position: 'absolute', top: '-3px', right: '0', fontSize: '11px', lineHeight: '1', pointerEvents: 'none' })
  more.textContent = '→'
  host.append(canvas, playheadLine, more)
  const context = canvas.getContext('2d')
  const paint = queuePainter()
  let shownUntil: Micros = 0
  let painted: readonly unknown[] = []

  function draw(data: QueueStripData, { width }: HostSize): void {
    const { queues, stageOrder, palette, most, end, until, playhead } = data
    shownUntil = until
    const ratio = pixelRatio()
    const parts = [queues, palette, most, end, until, width, ratio]
    if (context !== null && width > 0 && !sameParts(parts, painted)) {
      painted = parts
      const height = stripHeight(stageOrder.length)
      fitCanvas(canvas, width, height, ratio)
      context.fillStyle = palette.panel
      context.fillRect(0, 0, canvas.width, canvas.height)
      paint(context, plotOver(canvas.width, ratio, end, until), rowsOf(stageOrder.length, height), data)
    }
    // The run continues after the edge.
    more.hidden = end <= until
    more.style.color = palette.soft
    playheadLine.style.background = palette.accent
    playheadLine.style.transform = `translateX(${(Math.min(1, playhead / Math.max(1, until)) * (width - 1.5)).toFixed(1)}px)`
  }

  const ended = new AbortController()
  listenToScrub(host, (x, width) => events.seek(Math.min(1, Math.max(0, x / width)) * shownUntil), { signal: ended.signal })
  return createDrawing(host, draw, () => ended.abort())
}

function plotOver(columns: number, ratio: number, end: Micros, until: Micros): Plot {
  const used = Math.min(columns, Math.ceil((end / Math.max(1, until)) * columns))
  return { ratio, x: 0, columns, used, t0: 0, t1: (used / columns) * Math.max(1, until), hair: Math.max(1, Math.round(ratio)) }
}

function rowsOf(stages: number, height: number): LaneRows {
  const pitch = height / Math.max(1, stages)
  return { y: 0, height, pitch, row: pitch > 8 ? pitch - 4 : pitch, labelEvery: stages + 1 }
}
