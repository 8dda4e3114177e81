import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { spanBegan, spansWithin } from '../../../src/measures/series/lanes.ts'
import { workerOrderAt } from '../../../src/measures/workers/workerOrder.ts'
import { FINISHED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { endOf, traceRow } from '../../../src/trace/trace.ts'
import { laneAt } from '../../../src/views/timeline/laneAt.ts'
import { timelineLayout } from '../../../src/views/timeline/timelineLayout.ts'
import { xOf } from '../../../src/views/timeline/timelinePlot.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'

test('the left edge of a bar is of its own batch, wherever the bar begins within a pixel', async () => {
  let late = 0
  await fc.assert(
    fc.asyncProperty(anyScenario({ jobs: 20, stages: 3, workers: 4, turns: false }), async (scenario) => {
      const trace = await playSimulation(scenario, 0)
      const chart = createChart(trace)
      extendChart(chart, trace)
      const workers = chart.lanes.lanes.length
      const end = endOf(trace)
      const layout = timelineLayout(1200, 600, scenario.stages.length, workers)
      const data = { range: [0, end] as const, end, workers, lanes: chart.lanes }
      for (let row = 0; row < trace.length; row++) {
        const { kind, worker, stage, job, began, ended } = traceRow(trace, row)
        const x = Math.floor(xOf(layout, data.range, began))
        // Bars thinner than a pixel cannot be pressed apart.
        const alone = spansWithin(chart.lanes, worker, began, Math.min(ended, began + (2 * end) / layout.plot.width)).count === 1
        if (kind !== FINISHED || !alone || ended - began < (2 * end) / layout.plot.width || x < layout.plot.x) continue
        const at = laneAt(layout, data, x, layout.workers.y + worker * layout.workers.pitch + 1)
        expect(at?.worker).toBe(worker)
        const order = workerOrderAt(trace, worker, at?.time ?? -1)
        expect(order?.stage, `job ${job} from ${began}`).toBe(stage)
        expect(order !== null && job >= 0 && spanBegan(chart.lanes, worker, spansWithin(chart.lanes, worker, began, began + 1).first)).toBe(at?.time)
        if (Math.floor(began) < began || xOf(layout, data.range, began) > x) late++
      }
    }),
    { numRuns: 30, seed: 4 },
  )
  expect(late).toBeGreaterThan(0)
})

test('beside the lanes, and after the end of the record, there is no worker', () => {
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
