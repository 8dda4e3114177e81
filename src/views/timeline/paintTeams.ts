import { teamShares } from '../../measures/series/lanes.ts'
import { barsOf, isBar } from '../drawing/bars.ts'
import type { Context } from '../drawing/canvas.ts'
import { mix, rgb } from '../drawing/colour.ts'
import { stageColour } from '../drawing/palette.ts'
import { laneCount, teamsIn, workersOf } from './teams.ts'
import type { TimelineData } from './timelineData.ts'
import type { LaneRows } from './timelineLayout.ts'
import type { Plot } from './timelinePlot.ts'

/** The share of the colour that dimmed stages keep. */
const DIMMED = 0.22

/**
 * Returns a function that paints the lanes of teams: in each column, from the bottom up in the order of the pipeline, what share of the team worked at each
 * stage. What stays empty above is the share that waited. It keeps only buffers between two calls.
 */
export function teamPainter(): (context: Context, plot: Plot, rows: LaneRows, data: TimelineData) => void {
  const image = document.createElement('canvas')
  const imageContext = image.getContext('2d')
  let pixels = new ImageData(1, 1)
  let shares: Float64Array[] = []

  return (context, plot, rows, data) => {
    const { lanes, stages, stageOrder, palette, underway } = data
    const { ratio, hair } = plot
    const used = Math.ceil(plot.used / hair)
    const width = Math.max(1, Math.ceil(plot.columns / hair))
    const height = Math.max(1, Math.round(rows.row * ratio))
    if (imageContext === null) return
    if (image.width !== width || image.height !== height) {
      image.width = width
      image.height = height
      pixels = new ImageData(width, height)
    }
    if (shares.length !== stages.length || shares[0]?.length !== width + 2) shares = stages.map(() => new Float64Array(width + 2))
    const colours = new Uint32Array(pixels.data.buffer)
    const only = data.highlight?.kind === 'stage' ? data.highlight.stage : -1
    const packed = (colour: readonly number[]) => new Uint32Array(Uint8Array.of(...colour, 255).buffer)[0]
    const bed = packed(rgb(palette.bed))
    const fills = stages.map(({ colourIndex }, s) => {
      const { fill } = stageColour(palette, colourIndex)
      return packed(only < 0 || only === s ? rgb(fill) : rgb(mix(palette.bed, fill, DIMMED)))
    })
    const ons = stages.map(({ colourIndex }) => packed(rgb(mix(stageColour(palette, colourIndex).fill, stageColour(palette, colourIndex).on, 0.5))))
    const teams = teamsIn(data)
    const until = plot.t0 + ((plot.t1 - plot.t0) / Math.max(1, plot.used)) * hair * used
    context.save()
    context.beginPath()
    context.rect(plot.x, 0, plot.columns, context.canvas.height)
    context.clip()
    for (let lane = 0; lane < laneCount(teams); lane++) {
      const [from, to] = workersOf(teams, lane)
      colours.fill(bed)
      if (used > 0) teamShares(lanes, [from, to], plot.t0, until, used, shares, underway)
      for (let p = 0; p < used; p++) {
        let sum = 0
        let low = 0
        for (const s of stageOrder) {
          sum += shares[s][p]
          const high = Math.min(height, Math.round((sum / (to - from)) * height))
          const bars = palette.patterns && isBar(barsOf(palette, stages[s].colourIndex), p)
          for (let y = low; y < high; y++) colours[(height - 1 - y) * width + p] = bars ? ons[s] : fills[s]
          low = Math.max(low, high)
        }
      }
      imageContext.putImageData(pixels, 0, 0)
      context.drawImage(image, plot.x, Math.round((rows.y + lane * rows.pitch) * ratio), width * hair, height)
    }
    context.restore()
  }
}
