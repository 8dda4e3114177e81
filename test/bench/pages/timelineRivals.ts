import { select } from 'd3-selection'
import { type Lanes, spanBegan, spanLength } from '../../../src/measures/series/lanes.ts'
import { type Palette, stageColour } from '../../../src/views/drawing/palette.ts'

const LANE = 17
const BAR = 13

/** The spans of one worker in the simplest form for drawing each. */
interface PlainLane {
  readonly length: number
  readonly began: Float64Array
  readonly ended: Float64Array
  readonly stage: Int16Array
}

export function plainLanes(lanes: Lanes): PlainLane[] {
  return lanes.lanes.map(({ edges, stage }, worker) => {
    const length = edges.length / 2
    const began = Float64Array.from({ length }, (_, i) => spanBegan(lanes, worker, i))
    return {
      length,
      began,
      ended: began.map((from, i) => from + spanLength(lanes, worker, i)),
      stage: Int16Array.from(stage.subarray(0, length)),
    }
  })
}

/** The simplest version: a rectangle for every span that begins before `t1` and ends after `t0`. */
export function everyBar(
  context: CanvasRenderingContext2D,
  lanes: readonly PlainLane[],
  palette: Palette,
  t0: number,
  t1: number,
): void {
  const { width, height } = context.canvas
  const scale = width / (t1 - t0)
  context.clearRect(0, 0, width, height)
  lanes.forEach(({ length, began, ended, stage }, worker) => {
    for (let i = 0; i < length; i++) {
      if (ended[i] <= t0 || began[i] >= t1) continue
      context.fillStyle = stageColour(palette, stage[i]).fill
      context.fillRect((began[i] - t0) * scale, worker * LANE, (ended[i] - began[i]) * scale, BAR)
    }
  })
}

interface Run {
  readonly key: string
  readonly x: number
  readonly width: number
  readonly worker: number
  readonly stage: number
}

/** The same with d3 and SVG, from the final state of each pixel: a rectangle for every run of equal pixels. */
export function joinRuns(svg: SVGSVGElement, states: readonly Int16Array[], palette: Palette): number {
  const runs: Run[] = []
  states.forEach((stage, worker) => {
    for (let p = 0; p < stage.length; ) {
      const x = p
      do p++
      while (p < stage.length && stage[p] === stage[x])
      if (stage[x] >= 0) runs.push({ key: `${worker}/${x}`, x, width: p - x, worker, stage: stage[x] })
    }
  })
  select(svg)
    .selectAll<SVGRectElement, Run>('rect')
    .data(runs, ({ key }) => key)
    .join('rect')
    .attr('x', ({ x }) => x)
    .attr('y', ({ worker }) => worker * LANE)
    .attr('width', ({ width }) => width)
    .attr('height', BAR)
    .attr('fill', ({ stage }) => stageColour(palette, stage).fill)
  return runs.length
}

/** By worker, the stage with most work in each of `pixels` parts of [t0, t1), -1 for none: every span is read and cut at the edges of the pixels. */
export function exactStates(
  lanes: readonly PlainLane[],
  stages: number,
  t0: number,
  t1: number,
  pixels: number,
): Int16Array[] {
  const width = (t1 - t0) / pixels
  return lanes.map(({ length, began, ended, stage }) => {
    const busy = new Float64Array(pixels * stages)
    for (let i = 0; i < length; i++) {
      if (ended[i] <= t0 || began[i] >= t1) continue
      const from = Math.max(0, Math.floor((began[i] - t0) / width))
      const to = Math.min(pixels - 1, Math.floor((ended[i] - t0) / width))
      for (let p = from; p <= to; p++) {
        const time = Math.min(ended[i], t0 + (p + 1) * width) - Math.max(began[i], t0 + p * width)
        if (time > 0) busy[p * stages + stage[i]] += time
      }
    }
    return Int16Array.from({ length: pixels }, (_, p) => {
      let most = -1
      for (let s = 0; s < stages; s++) if (busy[p * stages + s] > (most < 0 ? 0 : busy[p * stages + most])) most = s
      return most
    })
  })
}
