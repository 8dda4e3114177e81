import { t } from '../../language/translate.ts'
import type { Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { createDrawing, type Drawing, type HostSize, sameParts } from '../drawing/drawing.ts'
import { count } from '../drawing/format.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import { appendSvg, createSvg, drawEach, setAttributes, setText } from '../drawing/svg.ts'
import { meanPath, plotMaximum, rangePath, samplePath, secondTicks, type TimePlot } from './trajectoryLayout.ts'

/** The same pool in another run: samples from time 0 on. */
export interface Reference {
  /** From a simulation: dashed. Published elsewhere: pale. */
  readonly kind: 'foretold' | 'published'
  readonly every: Micros
  readonly queue: readonly number[]
  readonly workers: readonly number[]
}

export interface TrajectoryData {
  readonly palette: Palette
  readonly end: Micros
  readonly playhead: Micros
  /** By stage: the jobs waiting, and the workers of its pool. */
  readonly queues: readonly Steps[]
  readonly pools: readonly Steps[]
  /** Drawn behind. A changed list must be another object. */
  readonly references: readonly Reference[]
  /** Must differ when the series have grown. */
  readonly version: number
}

const HEIGHT = 220
const LEFT = 34
const GAP = 26
const BOTTOM = 18
const TOP = 18
/** Half the width of the longest label on the axis. */
const HALF_LABEL = 16

/** Draws the queues above and the workers below over the same time, one line a stage. */
export function mountTrajectory(host: HTMLElement): Drawing<TrajectoryData> {
  const svg = createSvg(host, { role: 'img', height: HEIGHT, 'aria-label': t('Jobs waiting and workers over time') }, 'hidden')
  const plots = [createPlot(svg, t('waiting')), createPlot(svg, t('workers'))]
  const axis = appendSvg(svg, 'g', { 'font-size': 10, 'text-anchor': 'middle' })
  const playhead = appendSvg(svg, 'path', { 'stroke-width': 1 })
  let drawn: readonly unknown[] = []

  function draw(data: TrajectoryData, size: HostSize): void {
    const width = size.width || 320
    const { palette, queues, pools, references } = data
    const end = Math.max(data.end, 1, ...references.map(({ every, queue }) => every * (queue.length - 1)))
    const height = (HEIGHT - TOP - GAP - BOTTOM) / 2
    const bands = [queues, pools].map((steps, k): TimePlot => {
      const most = plotMaximum(
        steps,
        references.flatMap(({ queue, workers }) => (k === 0 ? queue : workers)),
      )
      return { x: LEFT, y: TOP + k * (height + GAP), width: width - LEFT - 6, height, most, end }
    })
    const parts = [data.version, width, end, data.end, palette, references]
    if (!sameParts(parts, drawn)) {
      drawn = parts
      setAttributes(svg, { viewBox: `0 0 ${width} ${HEIGHT}`, 'font-family': palette.font })
      plots[0].draw(bands[0], queues, ({ queue }) => queue, data)
      plots[1].draw(bands[1], pools, ({ workers }) => workers, data)
      drawAxis(bands[1], width, palette)
    }
    const x = LEFT + (Math.min(data.playhead, end) / end) * bands[0].width
    setAttributes(playhead, { d: `M${x.toFixed(1)},${TOP}V${HEIGHT - BOTTOM}`, stroke: palette.ink })
  }

  function drawAxis(plot: TimePlot, width: number, palette: Palette): void {
    drawEach(axis, 'text', secondTicks(plot.end), (label, second, k) => {
      const middle = plot.x + ((second * 1e6) / plot.end) * plot.width
      // At the edge half of the last label would be cut off.
      const atEdge = middle > width - HALF_LABEL
      setAttributes(label, { x: (atEdge ? width : middle).toFixed(1), y: HEIGHT - 4, fill: palette.soft, 'text-anchor': atEdge ? 'end' : null })
      setText(label, k === 0 ? '0' : t('{x} s', { x: count(second) }))
    })
  }

  return createDrawing(host, draw)
}

interface Plot {
  draw(band: TimePlot, steps: readonly Steps[], of: (reference: Reference) => readonly number[], data: TrajectoryData): void
}

function createPlot(svg: SVGElement, name: string): Plot {
  const frame = appendSvg(svg, 'path', { fill: 'none', 'stroke-width': 1 })
  const behind = appendSvg(svg, 'g', { fill: 'none', 'stroke-linejoin': 'round', 'data-part': 'references' })
  const ranges = appendSvg(svg, 'g', { opacity: 0.28 })
  const lines = appendSvg(svg, 'g', { fill: 'none', 'stroke-width': 1.4, 'stroke-linejoin': 'round' })
  const title = appendSvg(svg, 'text', { 'font-size': 11 })
  const top = appendSvg(svg, 'text', { 'font-size': 10, 'text-anchor': 'end' })
  const zero = appendSvg(svg, 'text', { 'font-size': 10, 'text-anchor': 'end' })
  title.textContent = name
  zero.textContent = '0'
  return {
    draw(band, steps, of, { palette, end, references }) {
      const { x, y, width, height, most } = band
      setAttributes(frame, { d: `M${x},${y}H${x + width}M${x},${y + height}H${x + width}`, stroke: palette.rule })
      drawEach(behind, 'path', references, (path, each) => {
        const style =
          each.kind === 'published'
            ? { stroke: palette.soft, opacity: 0.45, 'stroke-width': 2, 'stroke-dasharray': null }
            : { stroke: palette.ink, opacity: 0.8, 'stroke-width': 1.2, 'stroke-dasharray': '2.5 2.5' }
        setAttributes(path, { d: samplePath(of(each), each.every, band), 'data-part': each.kind, ...style })
      })
      // The queue of a single pool swings within a pixel, so its range is shown too. Those of several would hide each other.
      drawEach(ranges, 'path', steps.length === 1 ? steps : [], (path, _, s) =>
        setAttributes(path, { d: rangePath(steps[s], band, end), fill: stageColour(palette, s).fill }),
      )
      drawEach(lines, 'path', steps, (path, _, s) => setAttributes(path, { d: meanPath(steps[s], band, end), stroke: stageColour(palette, s).fill }))
      setAttributes(title, { x, y: y - 7, fill: palette.soft })
      setAttributes(top, { x: x - 5, y: y + 4, fill: palette.soft })
      setAttributes(zero, { x: x - 5, y: y + height + 4, fill: palette.soft })
      setText(top, count(most))
    },
  }
}
