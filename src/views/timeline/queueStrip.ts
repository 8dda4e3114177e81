import type { Micros } from '../../scenario/model/scenario.ts'
import { type Drawing, fitCanvas, pixelRatio } from '../drawing/drawing.ts'
import { type QueuesData, queuePainter } from './paintSteps.ts'
import type { LaneRows } from './timelineLayout.ts'
import type { Plot } from './timelinePlot.ts'

export interface QueueStripData extends QueuesData {
  /** When the run ends, and when the strip does: several beside each other have one axis. */
  readonly end: Micros
  readonly until: Micros
  readonly playhead: Micros
}

const PITCH = 22
const MOST_HEIGHT = 132

/** The height that a strip of so many queues takes. */
export function stripHeight(stages: number): number {
  return Math.min(MOST_HEIGHT, stages * PITCH)
}

/** The queues of a run over its whole length, small, with the playhead: painted anew only when they change, while a line moves across. */
export function mountQueueStrip(host: HTMLElement, events: { seek(time: Micros): void }): Drawing<QueueStripData> {
  const canvas = document.createElement('canvas')
  const line = document.createElement('div')
  const more = document.createElement('div')
  Object.assign(canvas.style, { display: 'block' })
  Object.assign(line.style, { position: 'absolute', top: '0', left: '0', width: '1.5px', height: '100%', pointerEvents: 'none' })
  Object.assign(host.style, { position: 'relative', touchAction: 'pan-y', cursor: 'ew-resize' })
  Object.assign(more.style, { position: 'absolute', top: '-3px', right: '0', fontSize: '11px', lineHeight: '1', pointerEvents: 'none' })
  more.textContent = '→'
  host.append(canvas, line, more)
  const context = canvas.getContext('2d')
  const paint = queuePainter()
  let last: QueueStripData | null = null
  let painted: readonly unknown[] = []
  let width = 0

  function update(data: QueueStripData): void {
    last = data
    if (width === 0) width = host.clientWidth
    const { queues, line: order, palette, most, end, until, playhead } = data
    const key = [queues, palette, most, end, until, width, pixelRatio()]
    if (context !== null && width > 0 && key.some((part, k) => part !== painted[k])) {
      painted = key
      const ratio = pixelRatio()
      const height = stripHeight(order.length)
      fitCanvas(canvas, width, height, ratio)
      context.fillStyle = palette.panel
      context.fillRect(0, 0, canvas.width, canvas.height)
      paint(context, plotOver(canvas.width, ratio, end, until), rowsOf(order.length, height), data)
    }
    // It goes on beyond the rim.
    more.hidden = end <= until
    more.style.color = palette.soft
    line.style.background = palette.accent
    line.style.transform = `translateX(${(Math.min(1, playhead / Math.max(1, until)) * (width - 1.5)).toFixed(1)}px)`
  }

  const seek = (event: PointerEvent) => {
    if (event.buttons !== 1 || last === null) return
    const { left, width: wide } = host.getBoundingClientRect()
    events.seek(Math.min(1, Math.max(0, (event.clientX - left) / wide)) * last.until)
  }
  const down = (event: PointerEvent) => {
    host.setPointerCapture(event.pointerId)
    seek(event)
  }
  host.addEventListener('pointerdown', down)
  host.addEventListener('pointermove', seek)
  return {
    update,
    resize() {
      width = 0
      if (last !== null) update(last)
    },
    destroy() {
      host.removeEventListener('pointerdown', down)
      host.removeEventListener('pointermove', seek)
      canvas.remove()
      line.remove()
      more.remove()
    },
  }
}

function plotOver(columns: number, ratio: number, end: Micros, until: Micros): Plot {
  const used = Math.min(columns, Math.ceil((end / Math.max(1, until)) * columns))
  return { ratio, x: 0, columns, used, t0: 0, t1: (used / columns) * Math.max(1, until), hair: Math.max(1, Math.round(ratio)) }
}

function rowsOf(stages: number, height: number): LaneRows {
  const pitch = height / Math.max(1, stages)
  return { y: 0, height, pitch, row: pitch > 8 ? pitch - 4 : pitch, labelEvery: stages + 1 }
}
