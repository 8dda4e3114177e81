import { countMarks, type Marks } from '../../measures/series/marks.ts'
import type { Context } from '../drawing/canvas.ts'
import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import type { Plot } from './timelinePlot.ts'

/**
 * Returns a function that paints how many jobs came in, upwards from the middle of their band, and how many left, downwards, both on one
 * scale. Cells are three pixels of the page wide and stay in place under panning.
 */
export function trafficPainter(): (context: Context, plot: Plot, layout: TimelineLayout, data: TimelineData) => void {
  let incoming = new Int32Array(0)
  let outgoing = new Int32Array(0)
  return (context, plot, { traffic: band }, { arrivals, departures, palette }) => {
    const middle = Math.round((band.y + band.height / 2) * plot.ratio)
    const half = Math.max(1, Math.round((band.height / 2) * plot.ratio) - plot.hair)
    if (plot.used > 0) {
      const cell = plot.hair * 3
      const perCell = ((plot.t1 - plot.t0) / plot.used) * cell
      const first = Math.floor(plot.t0 / perCell)
      const cells = Math.ceil(plot.used / cell) + 1
      if (incoming.length < cells) {
        incoming = new Int32Array(cells)
        outgoing = new Int32Array(cells)
      }
      const count = (marks: Marks, counts: Int32Array) => countMarks(marks, first * perCell, (first + cells) * perCell, cells, counts)
      const most = Math.max(1, count(arrivals, incoming), count(departures, outgoing))
      const offset = (first - plot.t0 / perCell) * cell
      const bars = (counts: Int32Array, up: boolean): void => {
        context.beginPath()
        for (let c = 0; c < cells; c++) {
          const left = Math.max(0, Math.round(offset + c * cell))
          const right = Math.min(plot.columns, Math.round(offset + (c + 1) * cell))
          if (counts[c] === 0 || right <= left) continue
          const high = Math.max(1, Math.round((counts[c] / most) * half))
          context.rect(plot.x + left, up ? middle - high : middle + plot.hair, right - left, high)
        }
        context.fill()
      }
      context.fillStyle = `${palette.ink}b0`
      bars(incoming, true)
      context.fillStyle = `${palette.ink}66`
      bars(outgoing, false)
    }
    context.fillStyle = palette.rule
    context.fillRect(plot.x, middle, plot.columns, plot.hair)
  }
}
