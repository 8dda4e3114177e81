import { afterEach, describe, expect, test } from 'vitest'
import { createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { markTimes } from '../../../src/measures/series/marks.ts'
import { FINISHED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { endOf, type Trace, traceRow } from '../../../src/trace/trace.ts'
import { defaultPalette, rgb, stageColour } from '../../../src/views/drawing/palette.ts'
import { mountTimeline, type Timeline } from '../../../src/views/timeline/timeline.ts'
import { timelineLayout } from '../../../src/views/timeline/timelineLayout.ts'
import { pictureOf } from '../../fixtures/pictureOf.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const WIDTH = 834
const HEIGHT = 420
const PLOT = WIDTH - 134
const palette = defaultPalette('light')
let timeline: Timeline | null = null

afterEach(() => {
  timeline?.destroy()
  document.body.replaceChildren()
})

const scenarioOf = (seed: number, jobs: number, order: string): Scenario =>
  scenarioWith({
    title: 'Drawn',
    seed,
    source: { kind: 'poisson', rate: 900, jobs },
    stages: [
      { id: 'A', service: { kind: 'exponential', mean: 2000 }, discipline: order },
      { id: 'B', service: { kind: 'constant', mean: 3000 } },
      { id: 'C', service: { kind: 'exponential', mean: 1000 } },
    ],
    workers: 5,
    batch: { size: order === 'fifo' ? 1 : 3 },
    policy: { kind: 'leastScore' },
  })

function draw(trace: Trace, range: readonly [number, number]): (x: number, y: number) => readonly number[] {
  const chart = createChart(trace)
  extendChart(chart)
  const host = document.createElement('div')
  Object.assign(host.style, { width: `${WIDTH}px`, height: `${HEIGHT}px` })
  document.body.append(host)
  timeline = mountTimeline(host, { seek: () => {}, showRange: () => {} })
  const stages = trace.scenario.stages.map(({ name }, s) => ({ name, colourIndex: s }))
  timeline.update({
    ...chart,
    palette,
    range,
    end: endOf(trace),
    playhead: 0,
    stages,
    stageOrder: [...stages.keys()],
    workers: 5,
    version: 1,
  })
  const picture = pictureOf([...host.querySelectorAll('canvas')].slice(0, 1))
  const image = picture.getImageData(0, 0, picture.canvas.width, picture.canvas.height)
  if (image.width !== WIDTH) throw new Error('the picture is not as wide as the page says')
  return (x, y) => [...image.data.subarray((y * WIDTH + x) * 4, (y * WIDTH + x) * 4 + 3)]
}

/** The share of each stage in every pixel of a worker's lane, from the rows of the trace, one after the other. */
function worked(trace: Trace, worker: number, from: number, to: number): number[][] {
  const width = (to - from) / PLOT
  const busy = Array.from({ length: PLOT }, () => [0, 0, 0])
  for (let i = 0; i < trace.length; i++) {
    const row = traceRow(trace, i)
    if (row.kind !== FINISHED || row.worker !== worker) continue
    for (let p = 0; p < PLOT; p++)
      busy[p][row.stage] +=
        Math.max(0, Math.min(row.ended, from + (p + 1) * width) - Math.max(row.began, from + p * width)) / width
  }
  return busy
}

const runs: [name: string, scenario: Scenario][] = [
  ['one by one', scenarioOf(1, 150, 'fifo')],
  ['in batches, the last first', scenarioOf(2, 150, 'lifo')],
  ['in batches, the shortest first', scenarioOf(3, 300, 'shortest')],
]

describe.each(runs)('the drawing of a small run, %s', (_, scenario) => {
  test.each([
    ['whole', 0, 1],
    ['a tenth of it', 0.4, 0.5],
    ['a hundredth', 0.5, 0.51],
  ])('equals a plain drawing of it: %s', async (_, a, b) => {
    const trace = await playSimulation(scenario, 0)
    const [from, to] = [Math.round(a * endOf(trace)), Math.round(b * endOf(trace))]
    const pixel = draw(trace, [from, to])
    const { plot, workers } = timelineLayout(WIDTH, HEIGHT, 3, 5)
    const bed = rgb(palette.bed)
    let drawn = 0
    for (let worker = 0; worker < 5; worker++) {
      const y = Math.round(workers.y + worker * workers.pitch + workers.row / 2)
      for (const [p, busy] of worked(trace, worker, from, to).entries()) {
        const seen = pixel(plot.x + p, y)
        const all = busy.reduce((sum, share) => sum + share, 0)
        if (all < 1e-9) {
          expect(seen).toEqual(bed)
          continue
        }
        drawn++
        const most = Math.max(...busy)
        // Two nearly equal shares may swap because of rounding.
        const shown = busy.flatMap((share, s) => (most - share < 1e-9 ? [s] : []))
        const near = shown.some((s) => {
          const fill = rgb(stageColour(palette, s).fill)
          const shades = [all, 20 / 32].map((share) =>
            bed.map((tone, c) => tone + (fill[c] - tone) * Math.min(1, share)),
          )
          // The share of a pixel has 32 levels; where a span is separated from the previous one, the gap.
          return shades.some((shade) =>
            shade.every((tone, c) => Math.abs(tone - seen[c]) <= Math.abs(fill[c] - bed[c]) / 32 + 1),
          )
        })
        if (!near) expect([worker, p, busy, seen]).toEqual('a pixel of the stage worked at longest')
      }
    }
    expect(drawn).toBeGreaterThan(PLOT)
  })

  test('has queues as long in every pixel as the plain count of waiting jobs', async () => {
    const trace = await playSimulation(scenario, 0)
    const end = endOf(trace)
    const pixel = draw(trace, [0, end])
    const { plot, queues } = timelineLayout(WIDTH, HEIGHT, 3, 5)
    // The longest queue of every stage in each pixel, from the queues after every instant.
    const chart = createChart(trace)
    extendChart(chart)
    const longest = chart.queues.map(({ times, value }) => {
      const time = markTimes(times)
      return Array.from({ length: PLOT }, (_, p) => {
        let most = 0
        for (let i = 0; i < time.length; i++) {
          const until = i + 1 < time.length ? time[i + 1] : Infinity
          if (time[i] < ((p + 1) * end) / PLOT && until > (p * end) / PLOT && value[i] > most) most = value[i]
        }
        return most
      })
    })
    const most = Math.max(1, ...longest.flat())
    longest.forEach((pixels, s) => {
      const foot = queues.y + s * queues.pitch + queues.row
      const fill = rgb(stageColour(palette, s).fill)
      pixels.forEach((length, p) => {
        const top = foot - Math.round((length * (queues.row - 1)) / most) - 1
        expect([s, p, pixel(plot.x + p, top)]).toEqual([s, p, fill])
        if (p > 0 && p < PLOT - 1 && top - 1 > queues.y)
          expect([s, p, pixel(plot.x + p, top - 1)]).not.toEqual([s, p, fill])
      })
    })
  })
})
