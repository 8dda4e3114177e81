import { t } from '../../language/translate.ts'
import type { Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { count } from '../drawing/format.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import { element, set } from '../drawing/svg.ts'
import { type Band, meanPath, mostOf, rangePath, samplePath, secondsOf } from './trajectoryLayout.ts'

/** The same pool elsewhere: samples from time 0 on. */
export interface Reference {
  /** Foretold by the simulation: dashed. Published: pale. */
  readonly kind: 'foretold' | 'published'
  readonly every: Micros
  readonly queue: readonly number[]
  readonly workers: readonly number[]
}

export interface TrajectoryData {
  readonly palette: Palette
  /** How far the run has come, and the instant to be marked. */
  readonly end: Micros
  readonly playhead: Micros
  /** By stage: how many wait, and how many workers its pool has. */
  readonly queues: readonly Steps[]
  readonly pools: readonly Steps[]
  /** Drawn behind. The list must be another one where it has changed. */
  readonly references: readonly Reference[]
  /** Must differ where the columns have grown. */
  readonly version: number
}

const HEIGHT = 220
const LEFT = 34
const GAP = 26
const BOTTOM = 18
const TOP = 18
/** Half of the longest word on the axis. */
const RIM = 16

/** Queue length above, workers below, over the same time: an SVG that fills the width of `host`, a line a stage in its colour. */
export function mountTrajectory(host: HTMLElement): Drawing<TrajectoryData> {
  const svg = element(host, 'svg', { role: 'img', width: '100%', height: HEIGHT, 'aria-label': t('Jobs waiting and workers over time') })
  svg.style.display = 'block'
  const plots = [createPlot(svg, t('waiting')), createPlot(svg, t('workers'))]
  const axis = element(svg, 'g', { 'font-size': 10, 'text-anchor': 'middle' })
  const playhead = element(svg, 'path', { 'stroke-width': 1 })
  let width = 0
  let last: TrajectoryData | null = null
  let drawn = ''
  let behind: readonly Reference[] = []

  function update(data: TrajectoryData): void {
    if (width === 0) width = host.clientWidth || 320
    last = data
    const { palette, queues, pools, references } = data
    const end = Math.max(data.end, 1, ...references.map(({ every, queue }) => every * (queue.length - 1)))
    const height = (HEIGHT - TOP - GAP - BOTTOM) / 2
    const bands = [queues, pools].map((steps, k): Band => {
      const most = mostOf(
        steps,
        references.flatMap(({ queue, workers }) => (k === 0 ? queue : workers)),
      )
      return { x: LEFT, y: TOP + k * (height + GAP), width: width - LEFT - 6, height, most, end }
    })
    const key = [data.version, width, end, data.end, palette.theme, palette.ink].join()
    if (key !== drawn || references !== behind) {
      drawn = key
      behind = references
      set(svg, { viewBox: `0 0 ${width} ${HEIGHT}`, 'font-family': palette.font })
      plots[0].draw(bands[0], queues, ({ queue }) => queue, data)
      plots[1].draw(bands[1], pools, ({ workers }) => workers, data)
      drawAxis(bands[1], palette)
    }
    const x = LEFT + (Math.min(data.playhead, end) / end) * bands[0].width
    set(playhead, { d: `M${x.toFixed(1)},${TOP}V${HEIGHT - BOTTOM}`, stroke: palette.ink })
  }

  function drawAxis({ x, width: wide, end }: Band, palette: Palette): void {
    const seconds = secondsOf(end)
    while (axis.childElementCount > seconds.length) axis.lastElementChild?.remove()
    while (axis.childElementCount < seconds.length) element(axis, 'text')
    seconds.forEach((second, k) => {
      const label = axis.children[k]
      const middle = x + ((second * 1e6) / end) * wide
      // The last may stand at the rim, where half of it would be cut off.
      const rim = middle > width - RIM
      set(label, { x: (rim ? width : middle).toFixed(1), y: HEIGHT - 4, fill: palette.soft, 'text-anchor': rim ? 'end' : null })
      label.textContent = k === 0 ? '0' : t('{x} s', { x: count(second) })
    })
  }

  return {
    update,
    resize() {
      width = 0
      drawn = ''
      if (last !== null) update(last)
    },
    destroy() {
      svg.remove()
    },
  }
}

interface Plot {
  draw(band: Band, steps: readonly Steps[], of: (reference: Reference) => readonly number[], data: TrajectoryData): void
}

function createPlot(svg: SVGElement, name: string): Plot {
  const frame = element(svg, 'path', { fill: 'none', 'stroke-width': 1 })
  const behind = element(svg, 'g', { fill: 'none', 'stroke-linejoin': 'round', 'data-part': 'references' })
  const ranges = element(svg, 'g', { opacity: 0.28 })
  const lines = element(svg, 'g', { fill: 'none', 'stroke-width': 1.4, 'stroke-linejoin': 'round' })
  const title = element(svg, 'text', { 'font-size': 11 })
  const top = element(svg, 'text', { 'font-size': 10, 'text-anchor': 'end' })
  const zero = element(svg, 'text', { 'font-size': 10, 'text-anchor': 'end' })
  title.textContent = name
  zero.textContent = '0'
  return {
    draw(band, steps, of, { palette, end, references }) {
      const { x, y, width, height, most } = band
      set(frame, { d: `M${x},${y}H${x + width}M${x},${y + height}H${x + width}`, stroke: palette.rule })
      fill(behind, references, (path, k) => {
        const each = references[k]
        const style =
          each.kind === 'published'
            ? { stroke: palette.soft, opacity: 0.45, 'stroke-width': 2, 'stroke-dasharray': null }
            : { stroke: palette.ink, opacity: 0.8, 'stroke-width': 1.2, 'stroke-dasharray': '2.5 2.5' }
        set(path, { d: samplePath(of(each), each.every, band), 'data-part': each.kind, ...style })
      })
      // The queue of one pool swings within a pixel: its range is shown too. Of several, ranges would hide each other.
      fill(ranges, steps.length === 1 ? steps : [], (path, s) => set(path, { d: rangePath(steps[s], band, end), fill: stageColour(palette, s).fill }))
      fill(lines, steps, (path, s) => set(path, { d: meanPath(steps[s], band, end), stroke: stageColour(palette, s).fill }))
      // Clear of the rim below it, descenders and all.
      set(title, { x, y: y - 7, fill: palette.soft })
      set(top, { x: x - 5, y: y + 4, fill: palette.soft })
      set(zero, { x: x - 5, y: y + height + 4, fill: palette.soft })
      top.textContent = count(most)
    },
  }
}

/** A path for each, set by `draw`. */
function fill(group: SVGElement, items: readonly unknown[], draw: (path: Element, i: number) => void): void {
  while (group.childElementCount > items.length) group.lastElementChild?.remove()
  while (group.childElementCount < items.length) element(group, 'path')
  items.forEach((_, i) => {
    draw(group.children[i], i)
  })
}
