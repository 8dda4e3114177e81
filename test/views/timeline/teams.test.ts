import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { appendSpan, createLanes, spanBegan, spansWithin } from '../../../src/measures/series/lanes.ts'
import { workerOrderAt } from '../../../src/measures/workers/workerWords.ts'
import { FINISHED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { endOf, traceRow } from '../../../src/trace/trace.ts'
import { laneAt, laneCount, laneWith, openedFor, teamsOf, workersOf } from '../../../src/views/timeline/teams.ts'
import { timelineLayout } from '../../../src/views/timeline/timelineLayout.ts'
import { xOf } from '../../../src/views/timeline/timelinePlot.ts'
import { SHORTEST, type TimeRange } from '../../../src/views/timeline/timelineRange.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'

const anyWorkers = fc
  .tuple(fc.nat(10_000), fc.integer({ min: 1, max: 10_000 }))
  .map(([from, n]) => [from, from + n] as const)

test('every worker is in one lane, in order, and there are few enough lanes', () => {
  fc.assert(
    fc.property(anyWorkers, ([from, to]) => {
      const teams = teamsOf(from, to)
      const lanes = Array.from({ length: laneCount(teams) }, (_, lane) => workersOf(teams, lane))
      expect(lanes[0][0]).toBe(from)
      expect(lanes.at(-1)?.[1]).toBe(to)
      expect(lanes.slice(1).map(([first]) => first)).toEqual(lanes.slice(0, -1).map(([, end]) => end))
      expect(lanes.length).toBeLessThanOrEqual(teams.each === 1 ? 256 : 25)
      for (const [lane, [first, end]] of lanes.entries())
        expect([laneWith(teams, first), laneWith(teams, end - 1)]).toEqual([lane, lane])
      expect([laneWith(teams, from - 1), laneWith(teams, to)]).toEqual([-1, -1])
    }),
  )
})

test('opening teams one after another leads to a lane for each worker', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }).chain((workers) => fc.tuple(fc.constant(workers), fc.nat(workers - 1))),
      ([workers, worker]) => {
        const [from, to] = openedFor(workers, worker) ?? [0, workers]
        expect(teamsOf(from, to).each).toBe(1)
        expect(worker >= from && worker < to).toBe(true)
        expect(openedFor(workers, worker) === null).toBe(workers <= 256)
      },
    ),
  )
})

test.each([
  [256, 1],
  [300, 20],
  [2000, 100],
  [10_000, 500],
])('of %i workers %i share a lane', (workers, each) => expect(teamsOf(0, workers).each).toBe(each))

test('the left edge of a bar belongs to its own batch, wherever the bar begins within a pixel', async () => {
  let late = 0
  await fc.assert(
    fc.asyncProperty(anyScenario({ jobs: 20, stages: 3, workers: 4, turns: false }), async (scenario) => {
      const trace = await playSimulation(scenario, 0)
      const chart = createChart(trace)
      extendChart(chart)
      const workers = chart.lanes.lanes.length
      const end = endOf(trace)
      const layout = timelineLayout(1200, 600, scenario.stages.length, workers)
      const data = { range: [0, end] as const, end, workers, lanes: chart.lanes }
      for (let row = 0; row < trace.length; row++) {
        const { kind, worker, stage, job, began, ended } = traceRow(trace, row)
        const x = Math.floor(xOf(layout, data.range, began))
        // Bars thinner than a pixel cannot be clicked separately.
        const alone =
          spansWithin(chart.lanes, worker, began, Math.min(ended, began + (2 * end) / layout.plot.width)).count === 1
        if (kind !== FINISHED || !alone || ended - began < (2 * end) / layout.plot.width || x < layout.plot.x) continue
        const at = laneAt(layout, data, x, layout.workers.y + worker * layout.workers.pitch + 1)
        expect(at?.worker).toBe(worker)
        const order = workerOrderAt(trace, worker, at?.time ?? -1)
        expect(order?.stage, `job ${job} from ${began}`).toBe(stage)
        expect(
          order !== null &&
            job >= 0 &&
            spanBegan(chart.lanes, worker, spansWithin(chart.lanes, worker, began, began + 1).first),
        ).toBe(at?.time)
        if (Math.floor(began) < began || xOf(layout, data.range, began) > x) late++
      }
    }),
    { numRuns: 30, seed: 4 },
  )
  expect(late).toBeGreaterThan(0)
})

/** Returns the instant at x of two bars: the first from 0 on, with a gap before the second, which begins at `began`. */
function timeAt(x: number, range: TimeRange, gap: number, began: number): number | undefined {
  const layout = timelineLayout(1200, 600, 2, 1)
  const lanes = createLanes(2)
  appendSpan(lanes, 0, 0, 0, began - gap)
  appendSpan(lanes, 0, 1, began, began + 10 * SHORTEST)
  return laneAt(layout, { range, end: began + 10 * SHORTEST, workers: 1, lanes }, x, layout.workers.y + 1)?.time
}

test('a bar is found from its first pixel on, wherever a microsecond lies on the screen', () => {
  const layout = timelineLayout(1200, 600, 2, 1)
  // It begins less than half a microsecond before the next pixel.
  expect(xOf(layout, [0, 1_123_890], 663_158)).toBeCloseTo(740.9997, 4)
  expect(timeAt(740, [0, 1_123_890], 7, 663_158)).toBe(663_158)
  // A microsecond is 53 pixels wide: the last 27 of the first bar are its own.
  expect(timeAt(Math.floor(xOf(layout, [0, SHORTEST], 9.6)), [0, SHORTEST], 0, 10)).toBe(9)
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: 2 ** 31 }),
      fc.integer({ min: 0, max: 7 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (began, gap, wide, share) => {
        const width = SHORTEST * 1e8 ** wide
        const range = [began - share * width, began + (1 - share) * width] as const
        const x = Math.floor(xOf(layout, range, began))
        expect(timeAt(x, range, gap, began)).toBe(began)
        expect(timeAt(x - 1, range, gap, began)).toBeLessThan(began)
      },
    ),
  )
})

test('next to the lanes, and after the end of the record, there is no worker', () => {
  const layout = timelineLayout(1200, 600, 2, 3)
  const lanes = { stages: 2, block: 8, length: 0, lanes: [] }
  const data = { range: [0, 2000] as const, end: 1000, workers: 3, lanes }
  const { y, pitch } = layout.workers
  const middle = layout.plot.x + layout.plot.width / 4
  expect(laneAt(layout, data, middle, y + 2.5 * pitch)?.worker).toBe(2)
  expect(laneAt(layout, data, middle, y - 1)).toBeNull()
  expect(laneAt(layout, data, middle, y + 3 * pitch + 1)).toBeNull()
  expect(laneAt(layout, data, layout.plot.x - 1, y + 1)).toBeNull()
  expect(laneAt(layout, data, layout.plot.x + layout.plot.width * 0.75, y + 1)).toBeNull()
})
