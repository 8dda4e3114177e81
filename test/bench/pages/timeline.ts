import uPlot from 'uplot'
import { createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { laneStates } from '../../../src/measures/series/laneStates.ts'
import { createLanes } from '../../../src/measures/series/lanes.ts'
import { createMarks, markTimes } from '../../../src/measures/series/marks.ts'
import { appendStep, createSteps, type Steps } from '../../../src/measures/series/steps.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { stageNumbers } from '../../../src/scenario/model/linearStages.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { endOf } from '../../../src/trace/trace.ts'
import { defaultPalette } from '../../../src/views/drawing/palette.ts'
import { lanePainter } from '../../../src/views/timeline/paintLanes.ts'
import { mountTimeline, type Timeline } from '../../../src/views/timeline/timeline.ts'
import type { TimelineData } from '../../../src/views/timeline/timelineData.ts'
import { timelineLayout } from '../../../src/views/timeline/timelineLayout.ts'
import { plotOf } from '../../../src/views/timeline/timelinePlot.ts'
import { everyBar, exactStates, joinRuns, plainLanes } from './timelineRivals.ts'

/** As on a screen of 1440 by 900. */
const WIDTH = 1042
const HEIGHT = 460
const PLOT = WIDTH - 134
/** Frames of one drawing before the other has its turn. */
const TURN = 5

export interface Frames {
  /** Milliseconds of script, and from one frame to the next. */
  readonly script: number[]
  readonly frame: number[]
}

export interface Built {
  readonly spans: number
  readonly rows: number
  readonly decisions: number
  /** Milliseconds to read all rows into the structures of the drawing. */
  readonly chart: number
}

/** The functions that the benchmark calls in the page. */
export interface TimelinePage {
  build(scenario: Scenario): Promise<Built>
  /** Moves the playhead from one end to the other. */
  scrub(frames: number, rounds: number): Promise<Frames>
  /** Zooms from the whole run to a ten-thousandth of it, around a moving time, and back. */
  zoom(frames: number, rounds: number): Promise<Frames>
  /** Milliseconds to draw the whole run: with all parts and the lanes alone, and its lanes bar by bar and as a join of pixel runs; the best of several. */
  overview(
    rounds: number,
  ): Promise<{ ours: number; lanes: number; finding: number; bars: number; join: number; runs: number }>
  /** Shares of the pixel columns that show another stage than the one worked at longest, by how far it is zoomed in. */
  wrong(zooms: readonly number[]): number[]
  /** Milliseconds per picture of a zoomed line of many points; the median of several. */
  line(points: number, rounds: number): Promise<{ ours: number; uplot: number }>
}

let data: TimelineData | null = null
let plain: ReturnType<typeof plainLanes> = []
let timeline: Timeline | null = null

const page: TimelinePage = {
  async build(scenario) {
    const trace = await playSimulation(scenario, 0)
    const began = performance.now()
    const chart = createChart(trace)
    extendChart(chart)
    const took = performance.now() - began
    const end = endOf(trace)
    timeline = mountTimeline(host(), { seek: () => {}, showRange: () => {} })
    data = {
      palette: defaultPalette('light'),
      range: [0, end],
      end,
      playhead: 0,
      stages: scenario.stages.map(({ name }, s) => ({ name, colourIndex: s })),
      stageOrder: stageNumbers(scenario),
      workers: scenario.workers,
      ...chart,
      version: 1,
    }
    timeline.update(data)
    plain = plainLanes(chart.lanes)
    return { spans: chart.lanes.length, rows: trace.length, decisions: chart.decisions.length, chart: took }
  },

  scrub(frames, rounds) {
    const { end } = shown()
    return watch(frames, rounds, (k) => ({ playhead: Math.round((end * k) / frames) }))
  },

  zoom(frames, rounds) {
    const { end } = shown()
    return watch(frames, rounds, (k) => {
      const depth = 1 - Math.abs(1 - (2 * k) / frames)
      const width = end / 10_000 ** depth
      const from = (end - width) * (0.35 + 0.3 * Math.sin(k / 25))
      return { range: [from, from + width] }
    })
  },

  async overview(rounds) {
    const { end, palette, stages } = shown()
    const layout = timelineLayout(WIDTH, HEIGHT, shown().stages.length, shown().workers)
    const paintLanes = lanePainter()
    const canvas = document.createElement('canvas')
    canvas.width = WIDTH
    canvas.height = HEIGHT
    document.body.append(canvas)
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('no canvas')
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    svg.setAttribute('width', String(PLOT))
    svg.setAttribute('height', String(HEIGHT))
    document.body.append(svg)
    const best = { ours: Infinity, lanes: Infinity, finding: Infinity, bars: Infinity, join: Infinity, runs: 0 }
    for (let round = 0; round < rounds; round++) {
      // A slightly different range each time, as during zooming: a join of existing data would do nothing.
      const from = (end * (round + 1)) / 1000
      let states: Int16Array[] = []
      best.finding = Math.min(
        best.finding,
        await timed(() => {
          states = exactStates(plain, stages.length, from, end, PLOT)
        }),
      )
      best.ours = Math.min(best.ours, await timed(() => timeline?.update({ ...shown(), range: [from, end] })))
      for (let k = 0; k < TURN; k++)
        best.lanes = Math.min(
          best.lanes,
          await timed(() => paintLanes(context, plotOf(layout, [from + k, end], end, 1), layout.workers, shown())),
        )
      best.bars = Math.min(best.bars, await timed(() => everyBar(context, plain, palette, from, end)))
      best.join = Math.min(
        best.join,
        await timed(() => {
          best.runs = joinRuns(svg, states, palette)
        }),
      )
    }
    canvas.remove()
    svg.remove()
    return best
  },

  wrong(zooms) {
    const { lanes, end } = shown()
    const stage = new Int16Array(PLOT)
    const share = new Uint8Array(PLOT)
    return zooms.map((zoom) => {
      const width = end / zoom
      const from = (end - width) * 0.4
      let wrong = 0
      exactStates(plain, lanes.stages, from, from + width, PLOT).forEach((exact, worker) => {
        laneStates(lanes, worker, from, from + width, PLOT, stage, share)
        for (let p = 0; p < PLOT; p++) if (stage[p] !== exact[p]) wrong++
      })
      return wrong / (PLOT * lanes.lanes.length)
    })
  },

  async line(points, rounds) {
    const steps = wandering(points)
    const time = Array.from(markTimes(steps.times))
    const value = Array.from(steps.value.subarray(0, points))
    const ours = mountTimeline(host(), { seek: () => {}, showRange: () => {} })
    const shownLine: TimelineData = {
      palette: defaultPalette('light'),
      range: [0, points],
      end: points,
      playhead: 0,
      stages: [{ name: 'Queue', colourIndex: 0 }],
      stageOrder: [0],
      workers: 1,
      queues: [steps],
      seats: [createSteps()],
      lanes: createLanes(1),
      decisions: createMarks(),
      version: 1,
    }
    ours.update(shownLine)
    const chart = new uPlot(
      {
        width: PLOT,
        height: HEIGHT,
        scales: { x: { time: false } },
        legend: { show: false },
        cursor: { show: false },
        series: [{}, { stroke: '#3b6fb6' }],
      },
      [time, value],
      host(),
    )
    const times = { ours: [] as number[], uplot: [] as number[] }
    // In turns of a few frames each, as during zooming, so that the data of each drawing is in the caches.
    for (let k = 0; k < rounds; k++) {
      const mins = Array.from({ length: TURN }, (_, i) => (points * (k * TURN + i + 1)) / 20_000)
      for (const min of mins) times.ours.push(await timed(() => ours.update({ ...shownLine, range: [min, points] })))
      for (const min of mins) {
        times.uplot.push(
          await timed(async () => {
            chart.setScale('x', { min, max: points })
            // It draws in a microtask that was queued before this one.
            await Promise.resolve()
          }),
        )
      }
    }
    ours.destroy()
    chart.destroy()
    return { ours: median(times.ours), uplot: median(times.uplot) }
  },
}

function host(): HTMLElement {
  const element = document.createElement('div')
  Object.assign(element.style, { width: `${WIDTH}px`, height: `${HEIGHT}px` })
  document.body.append(element)
  return element
}

function shown(): TimelineData {
  if (data === null) throw new Error('nothing is built')
  return data
}

/** Each frame once per round; the best of each frame counts, because other work can only add time. */
async function watch(frames: number, rounds: number, change: (k: number) => Partial<TimelineData>): Promise<Frames> {
  const script = new Array<number>(frames).fill(Infinity)
  const frame = new Array<number>(frames).fill(Infinity)
  for (let round = 0; round < rounds; round++) {
    let last = await nextFrame()
    for (let k = 0; k < frames; k++) {
      const began = performance.now()
      timeline?.update({ ...shown(), ...change(k) })
      script[k] = Math.min(script[k], performance.now() - began)
      const now = await nextFrame()
      frame[k] = Math.min(frame[k], now - last)
      last = now
    }
  }
  return { script, frame }
}

/** Milliseconds of script, at the beginning of a separate frame. */
async function timed(act: () => unknown): Promise<number> {
  await nextFrame()
  const began = performance.now()
  const pending = act()
  if (pending instanceof Promise) await pending
  return performance.now() - began
}

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))

/** A queue that changes by one at every microsecond, up or down by a simple random generator. */
function wandering(points: number): Steps {
  const steps = createSteps()
  let seed = 1
  let value = 500
  for (let time = 0; time < points; time++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    value += (value < 2 ? 0.9 : value > 998 ? 0.1 : 0.5) * 2 ** 32 > seed ? 1 : -1
    appendStep(steps, time, value)
  }
  return steps
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

Object.assign(window, { timelinePage: page })
