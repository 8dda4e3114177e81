import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leastFlowOf, lowerBoundOf } from '../../../src/measures/figures/lowerBound.ts'
import { figuresInSteps, figuresOf } from '../../../src/measures/figures/metrics.ts'
import { plainTotalsInSteps } from '../../../src/measures/figures/plainTotals.ts'
import { runTotalsInSteps } from '../../../src/measures/figures/runTotals.ts'
import { makespanOf } from '../../../src/measures/figures/totals.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { runToEnd } from '../../../src/trace/follow.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { lineOf } from '../../bench/scenarios.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'

const quickly = (trace: Trace) => runToEnd(plainTotalsInSteps(trace, makespanOf(trace)))
const rowByRow = (trace: Trace) => runToEnd(runTotalsInSteps(trace, makespanOf(trace)))

test.each<[string, ReturnType<typeof anyScenario>, number]>([
  ['scenarios with everything', anyScenario({ graphs: true }), 0],
  [
    'batches, orders and disciplines on a line',
    anyScenario({ workerEvents: false, fails: false, capacity: false, turns: false }),
    2,
  ],
  [
    'graphs that copy, join and route',
    anyScenario({ graphs: true, workerEvents: false, fails: false, capacity: false, turns: false }),
    2,
  ],
])(
  'a plain run has the same totals as counting every row, and the same bound as drawing every service: %s',
  async (_, any, atLeast) => {
    let plain = 0
    await fc.assert(
      fc.asyncProperty(any, async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        expect(figuresOf(trace).bound).toEqual(lowerBoundOf(scenario))
        const totals = quickly(trace)
        if (totals === null) return
        plain++
        expect(totals).toEqual(rowByRow(trace))
      }),
      { numRuns: repeats(120) },
    )
    expect(plain).toBeGreaterThanOrEqual(atLeast)
  },
)

test('over many chunks of rows', async () => {
  const services = [1000, 4000, 2000].map((mean) => ({ kind: 'exponential', mean }) as const)
  const trace = await playSimulation(lineOf({ jobs: 20_000, seed: 7, workers: 8, services, rate: 900 }), 0)
  expect(quickly(trace)).toEqual(rowByRow(trace))
  expect(figuresOf(trace).bound).toEqual(lowerBoundOf(trace.scenario))
})

test('the longest path of each job on a graph is known from its services', async () => {
  let drained = 0
  await fc.assert(
    fc.asyncProperty(anyScenario({ graphs: true, workerEvents: false, fails: false, turns: false }), async (any) => {
      const scenario = { ...any, cores: 1024, later: [] }
      const trace = await playSimulation(scenario, 0)
      if (trace.ending !== 'drained' || trace.topology.linear) return
      drained++
      const { path } = runToEnd(figuresInSteps(trace)).jobs
      expect(Math.floor(path.reduce((sum, time) => sum + time, 0) / Math.max(1, path.length))).toBe(
        leastFlowOf(scenario),
      )
    }),
    { numRuns: repeats(300) },
  )
  expect(drained).toBeGreaterThan(repeats(30) / 2)
})
