import { type Context, createSheet, pixelRatio } from '../drawing/canvas.ts'
import { createChangeCheck } from '../drawing/drawing.ts'
import { timeTicks } from '../drawing/timeTicks.ts'
import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { xOf } from './timelinePlot.ts'

const TICK_ROOM = 84
const EDGE = 60
/** The least distance of a label from the edge. */
const MARGIN = 8

type Room = Pick<TimelineLayout, 'plot' | 'axis' | 'width'>
type Shown = Pick<TimelineData, 'range' | 'palette'>

/** Creates a canvas for the axis of time, and a function that paints it if something has changed. */
export function createTimeAxis(style: Partial<CSSStyleDeclaration> = {}): {
  readonly canvas: HTMLCanvasElement
  draw(layout: Room, data: Shown): void
} {
  const sheet = createSheet(style)
  const hasChanged = createChangeCheck()
  return {
    canvas: sheet.canvas,
    draw(layout, data) {
      const ratio = pixelRatio()
      const emptied = sheet.fit(layout.width, layout.axis, ratio)
      if (hasChanged(layout, data.palette, ...data.range) || emptied)
        sheet.paint((context) => paintAxis(context, ratio, layout, data))
    },
  }
}

/** Paints the axis of time on a canvas of its own, directly below the plots. */
export function paintAxis(context: Context, ratio: number, layout: Room, { range, palette }: Shown): void {
  const { plot, axis, width } = layout
  context.fillStyle = palette.panel
  context.fillRect(0, 0, context.canvas.width, context.canvas.height)
  context.font = `400 ${11.5 * ratio}px ${palette.font}`
  context.fillStyle = palette.soft
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const { time, label } of timeTicks(range[0], range[1], Math.max(2, Math.floor(plot.width / TICK_ROOM)))) {
    const x = xOf(layout, range, time)
    context.fillRect(
      Math.round(x * ratio),
      Math.round(3 * ratio),
      Math.max(1, Math.round(ratio)),
      Math.round(4 * ratio),
    )
    // Only a label near the edge has to be measured. What is before the plot has its own words there.
    const near = x < plot.x + EDGE || x > width - EDGE
    const half = near ? context.measureText(label).width / ratio / 2 : 0
    const middle = near ? Math.min(Math.max(x, plot.x + half), width - half - MARGIN) : x
    context.fillText(label, Math.round(middle * ratio), Math.round((axis / 2 + 1) * ratio))
  }
}
