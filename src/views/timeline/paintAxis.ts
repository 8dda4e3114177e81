import { timeTicks } from '../drawing/timeTicks.ts'
import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { xOf } from './timelinePlot.ts'

const TICK_ROOM = 84
const EDGE = 60
/** The least distance of a label from the edge. */
const MARGIN = 8

/** Paints the axis of time on a canvas of its own, directly below the plots. */
export function paintAxis(
  context: CanvasRenderingContext2D,
  ratio: number,
  layout: Pick<TimelineLayout, 'plot' | 'axis' | 'width'>,
  { range, palette }: Pick<TimelineData, 'range' | 'palette'>,
): void {
  const { plot, axis, width } = layout
  context.fillStyle = palette.panel
  context.fillRect(0, 0, context.canvas.width, context.canvas.height)
  context.font = `400 ${11.5 * ratio}px ${palette.font}`
  context.fillStyle = palette.soft
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const { time, label } of timeTicks(range[0], range[1], Math.max(2, Math.floor(plot.width / TICK_ROOM)))) {
    const x = xOf(layout, range, time)
    context.fillRect(Math.round(x * ratio), Math.round(3 * ratio), Math.max(1, Math.round(ratio)), Math.round(4 * ratio))
    // Only a label near the edge has to be measured.
    const half = x < EDGE || x > width - EDGE ? context.measureText(label).width / ratio / 2 : 0
    const middle = half > 0 ? Math.min(Math.max(x, half + MARGIN), width - half - MARGIN) : x
    context.fillText(label, Math.round(middle * ratio), Math.round((axis / 2 + 1) * ratio))
  }
}
