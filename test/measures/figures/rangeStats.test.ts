import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createRangeIndex,
  extendRangeIndex,
  type RangeIndex,
  statsWithin,
} from '../../../src/measures/figures/rangeStats.ts'
import { type Chart, createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { endOf, type Trace } from '../../../src/trace/trace.ts'
import { anyScenario, elasticPolicies } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { figuresMatch } from '../../seeds/naiveFigures.ts'
import { naiveFiguresOf } from '../naiveRun.ts'
import { workedExample } from '../scenarios.ts'

function prepared(trace: Trace): { chart: Chart; rangeIndex: RangeIndex } {
  const chart = createChart(trace)
  extendChart(chart)
  const rangeIndex = createRangeIndex(trace)
  // In two portions, as a page reads them.
  extendRangeIndex(rangeIndex, Math.floor(trace.length / 3))
  extendRangeIndex(rangeIndex)
  return { chart, rangeIndex }
}

describe('the results of a stretch of time', () => {
  test('of the worked example match a calculation by hand', async () => {
    const trace = await playSimulation(workedExample, 0)
    const { chart, rangeIndex } = prepared(trace)
    // From 1 s to 2 s one worker serves job 2 at A and the other job 0 at B, where job 1 waits.
    expect(statsWithin(rangeIndex, chart, 1_000_000, 2_000_000, 3_000_000)).toEqual({
      from: 1_000_000,
      to: 2_000_000,
      arrivals: 0,
      completed: 0,
      failed: 0,
      gaveUp: 0,
      decisions: 1,
      moves: 1,
      throughput: 0,
      utilisation: 1,
      meanWait: Number.NaN,
      meanFlowTime: Number.NaN,
      stages: [
        { workers: 2, ownUtilisation: 0.5, meanQueue: 0, meanSeats: 1, starts: 1, meanWait: 1_000_000 },
        { workers: 2, ownUtilisation: 0.5, meanQueue: 1, meanSeats: 1, starts: 1, meanWait: 0 },
      ],
    })
  })

  test('of any run and stretch equal those of plain code that reads the rows', async () => {
    const runs = fc.oneof(
      ...[{ graphs: true }, { policies: elasticPolicies }].map((kind) => anyScenario({ jobs: 20, ...kind })),
    )
    const place = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1))
    await fc.assert(
      fc.asyncProperty(runs, place, place, async (scenario, x, y) => {
        const trace = await playSimulation(scenario, 0)
        const { chart, rangeIndex } = prepared(trace)
        const end = endOf(trace)
        const [from, to] = [x, y].sort((a, b) => a - b).map((share) => Math.floor(share * end))
        if (to > from)
          figuresMatch(statsWithin(rangeIndex, chart, from, to, end), naiveFiguresOf(trace).ofStretch(from, to), 1e-9)
      }),
      { numRuns: repeats(100) },
    )
  })
})
