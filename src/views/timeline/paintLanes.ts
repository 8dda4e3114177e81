import { interpolateArray } from 'd3-interpolate'
import { laneStates } from '../../measures/series/laneStates.ts'
import { spanBegan, spanLength, spansWithin, teamShares } from '../../measures/series/lanes.ts'
import type { Context } from '../drawing/canvas.ts'
import { barsOf, isBar, mix, type Palette, rgb, stageColour } from '../drawing/palette.ts'
import { laneCount, teamsIn, workersOf } from './teams.ts'
import type { TimelineData } from './timelineData.ts'
import type { LaneRows } from './timelineLayout.ts'
import type { Plot } from './timelinePlot.ts'

/** This many shades tell how much of a pixel's time a worker worked. */
const SHADES = 33
/** The shades of the gap between two spans, and of work that has not ended. */
const SEAM = 20
const UNDERWAY = 26
/** At most this many pixels of the image can be computed in a frame. Where there are more lanes, each is thin anyway. */
const MAX_PIXELS = 120_000
/** The share of the colour that dimmed stages keep. */
const DIMMED = 0.22
/** A span this wide, in pixels of the page, is separated from the one before it. */
const SEPARATED = 3
/** A worker that starts up is drawn in dashes this far apart, in pixels of the page. */
const DASH = 4

/** Returns a painter of lanes, or teams: an image with a row a lane, in the colour of the stage worked at longest, paler the less. It keeps only buffers. */
export function lanePainter(): (context: Context, plot: Plot, rows: LaneRows, data: TimelineData) => void {
  const image = document.createElement('canvas')
  const imageContext = image.getContext('2d')
  let pixels = new ImageData(1, 1)
  let colours = new Uint32Array(pixels.data.buffer)
  let stage = new Int16Array(0)
  let share = new Uint8Array(0)
  let shades = new Uint32Array(0)
  const paintTeams = teamPainter()
  let shadesOf: readonly [Palette, TimelineData['stages'], number] | null = null

  return (context, plot, rows, data) => {
    const { lanes, palette } = data
    const { t0, t1, ratio, hair } = plot
    const { from: first, to, each } = teamsIn(data)
    if (each > 1) return paintTeams(context, plot, rows, data)
    const workers = to - first
    if (workers === 0 || imageContext === null) return
    const coarse = Math.max(
      crowded(lanes, first, to, plot) ? hair : 1,
      Math.ceil((plot.columns * workers) / MAX_PIXELS),
    )
    const columns = Math.ceil(plot.columns / coarse)
    const used = Math.ceil(plot.used / coarse)
    if (image.width !== columns || image.height !== workers) {
      image.width = columns
      image.height = workers
      pixels = new ImageData(columns, workers)
      colours = new Uint32Array(pixels.data.buffer)
      stage = new Int16Array(columns)
      share = new Uint8Array(columns)
    }
    const only = data.highlight?.kind === 'stage' ? data.highlight.stage : -1
    if (shadesOf?.[0] !== palette || shadesOf[1] !== data.stages || shadesOf[2] !== only) {
      shades = mixShades(palette, data.stages, only)
      shadesOf = [palette, data.stages, only]
    }
    const perColumn = ((t1 - t0) / Math.max(1, plot.used)) * coarse
    const until = t0 + used * perColumn
    for (let worker = first; worker < to; worker++) {
      const row = (worker - first) * columns
      laneStates(lanes, worker, t0, until, used, stage, share)
      for (let p = 0; p < used; p++)
        colours[row + p] =
          stage[p] < 0 ? shades[0] : shades[1 + stage[p] * SHADES + Math.round((share[p] * (SHADES - 1)) / 255)]
      if (palette.patterns)
        for (let p = 0; p < used; p++) {
          const at = stage[p]
          if (
            at < 0 ||
            share[p] < 128 ||
            !isBar(barsOf(palette, data.stages[at].colourIndex), Math.floor((p * coarse) / hair))
          )
            continue
          colours[row + p] = shades[1 + data.stages.length * SHADES + at]
        }
      colours.fill(shades[0], row + used, row + columns)
      const now = data.underway?.[worker]
      if (now !== undefined && now.stage >= 0) {
        const from = Math.max(0, Math.round((now.since - t0) / perColumn))
        if (from < used) colours.fill(shades[1 + now.stage * SHADES + UNDERWAY], row + from, row + used)
      }
      for (const { stage: at, from, until } of data.startUps?.[worker] ?? []) {
        const last = Math.min(used, Math.round((Math.min(until, data.end) - t0) / perColumn))
        for (let p = Math.max(0, Math.round((from - t0) / perColumn)); p < last; p++)
          colours[row + p] =
            Math.floor((p * coarse) / hair) % DASH < DASH / 2 ? shades[1 + at * SHADES + SEAM] : shades[0]
      }
      const seen = spansWithin(lanes, worker, t0, until)
      if (coarse > 1 || seen.count > used) continue
      for (let i = Math.max(1, seen.first); i < seen.first + seen.count; i++) {
        if (spanLength(lanes, worker, i) < SEPARATED * ratio * perColumn) continue
        const p = Math.floor((spanBegan(lanes, worker, i) - t0) / perColumn)
        if (p < 1 || p + hair > used || stage[p - 1] < 0) continue
        for (let k = p; k < p + hair; k++) if (stage[k] >= 0) colours[row + k] = shades[1 + stage[k] * SHADES + SEAM]
      }
    }
    imageContext.putImageData(pixels, 0, 0)
    context.imageSmoothingEnabled = rows.pitch * ratio < 2
    const width = columns * coarse
    context.save()
    context.beginPath()
    context.rect(plot.x, 0, plot.columns, context.canvas.height)
    context.clip()
    if (rows.pitch * ratio < 3)
      context.drawImage(image, plot.x, Math.round(rows.y * ratio), width, Math.round(rows.height * ratio))
    else
      for (let lane = 0; lane < workers; lane++) {
        const y = Math.round((rows.y + lane * rows.pitch) * ratio)
        context.drawImage(image, 0, lane, columns, 1, plot.x, y, width, Math.max(1, Math.round(rows.row * ratio)))
      }
    context.restore()
  }
}

/** Returns whether there are enough spans that pixels of the page show as much as those of the screen. */
function crowded(lanes: TimelineData['lanes'], first: number, to: number, { t0, t1, used }: Plot): boolean {
  let spans = 0
  for (let worker = first; worker < to; worker++) spans += spansWithin(lanes, worker, t0, t1).count
  return spans > used * (to - first) * 4
}

/** Returns the colours of the image as packed bytes: the lane's background, for each stage the shades from that to its own colour (paler unless it is `only`), and last the bars. */
function mixShades(palette: Palette, stages: TimelineData['stages'], only: number): Uint32Array<ArrayBuffer> {
  const bytes = new Uint8ClampedArray((1 + stages.length * (SHADES + 1)) * 4)
  const bed = rgb(palette.bed)
  const put = (at: number, colour: readonly number[]) => bytes.set([...colour, 255], at * 4)
  put(0, bed)
  stages.forEach(({ colourIndex }, s) => {
    const colour = stageColour(palette, colourIndex)
    const fill = rgb(colour.fill)
    const bar = rgb(colour.on)
    const full = only < 0 || only === s ? 1 : DIMMED
    const shade = interpolateArray([...bed], [...fill])
    for (let k = 0; k < SHADES; k++) put(1 + s * SHADES + k, shade((k * full) / (SHADES - 1)))
    put(1 + stages.length * SHADES + s, interpolateArray([...bed], interpolateArray([...fill], [...bar])(0.5))(full))
  })
  return new Uint32Array(bytes.buffer)
}

/** Returns a function that paints teams: what share worked at each stage, from the bottom up. It keeps only buffers between two calls. */
function teamPainter(): (context: Context, plot: Plot, rows: LaneRows, data: TimelineData) => void {
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
    if (shares.length !== stages.length || shares[0]?.length !== width + 2)
      shares = stages.map(() => new Float64Array(width + 2))
    const colours = new Uint32Array(pixels.data.buffer)
    const only = data.highlight?.kind === 'stage' ? data.highlight.stage : -1
    const packed = (colour: readonly number[]) => new Uint32Array(Uint8Array.of(...colour, 255).buffer)[0]
    const bed = packed(rgb(palette.bed))
    const fills = stages.map(({ colourIndex }, s) => {
      const { fill } = stageColour(palette, colourIndex)
      return packed(only < 0 || only === s ? rgb(fill) : rgb(mix(palette.bed, fill, DIMMED)))
    })
    const ons = stages.map(({ colourIndex }) =>
      packed(rgb(mix(stageColour(palette, colourIndex).fill, stageColour(palette, colourIndex).on, 0.5))),
    )
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
