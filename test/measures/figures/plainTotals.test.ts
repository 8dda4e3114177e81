import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowerBoundOf } from '../../../src/measures/figures/lowerBound.ts'
import { plainTotalsInSteps } from '../../../src/measures/figures/plainTotals.ts'
import { makespanOf, type RunTotals, runTotalsInSteps } from '../../../src/measures/figures/runTotals.ts'
import { runToEnd } from '../../../src/measures/series/inOneGo.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { lineOf } from '../../bench/scenarios.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'

/** What the figures are made of. */
function totals(trace: Trace, inSteps: (trace: Trace, makespan: number) => Generator<void, RunTotals | null>) {
  const run = runToEnd(inSteps(trace, makespanOf(trace)))
  if (run === null) return null
  const { counts, jobTime, workerTime, switches, reordered, flow, waited, served, queueTime, longest, waits, starts, contended, workersOverTime } = run
  const { arrived, released, failed, finished } = counts
  const sums = { jobTime, workerTime, switches, reordered, flow, waited, served, queueTime, longest, waits, starts, contended, workersOverTime }
  return { arrived, released, failed, finished, ...sums }
}

test.each<[string, ReturnType<typeof anyScenario>, number]>([
  ['scenarios with everything', anyScenario({ graphs: true }), 0],
  ['batches, orders and disciplines on a line', anyScenario({ workerEvents: false, fails: false, capacity: false, turns: false }), 10],
])(
  'a plain run has the totals that counting every row gives, and the bound that drawing every service gives: %s',
  async (_, any, atLeast) => {
    let plain = 0
    await fc.assert(
      fc.asyncProperty(any, async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        expect(lowerBoundOf(scenario, trace)).toEqual(lowerBoundOf(scenario))
        const quickly = totals(trace, plainTotalsInSteps)
        if (quickly === null) return
        plain++
        expect(quickly).toEqual(totals(trace, runTotalsInSteps))
      }),
      { numRuns: 120 },
    )
    expect(plain).toBeGreaterThanOrEqual(atLeast)
  },
  120_000,
)

test('over many chunks of rows', async () => {
  const services = [1000, 4000, 2000].map((mean) => ({ kind: 'exponential', mean }) as const)
  const trace = await playSimulation(lineOf({ jobs: 20_000, seed: 7, workers: 8, services, rate: 900 }), 0)
  expect(totals(trace, plainTotalsInSteps)).toEqual(totals(trace, runTotalsInSteps))
  expect(lowerBoundOf(trace.scenario, trace)).toEqual(lowerBoundOf(trace.scenario))
})
