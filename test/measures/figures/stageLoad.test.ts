import fc from 'fast-check'
import { expect, test } from 'vitest'
import { metricsOf, workerTimeOf } from '../../../src/measures/figures/metrics.ts'
import { makespanOf } from '../../../src/measures/figures/totals.ts'
import { FINISHED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { stateAt, traceRow } from '../../../src/trace/trace.ts'
import { anyScenario, elasticPolicies } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarios } from '../scenarios.ts'

test('the utilisation of a stage is its finished service time over the makespan; it is 0 if nothing was finished', async () => {
  let idle = 0
  let empty = 0
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(scenarios, anyScenario({ jobs: 20 }), anyScenario({ jobs: 20, policies: elasticPolicies })),
      async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        const metrics = metricsOf(trace)
        const makespan = makespanOf(trace)
        const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))
        scenario.stages.forEach((_, s) => {
          const finished = rows.filter(({ kind, stage }) => kind === FINISHED && stage === s)
          const { utilisation, meanService } = metrics.stages[s]
          const served = utilisation * workerTimeOf(metrics)
          expect(Math.round(served / (meanService || 1))).toBe(finished.length)
          expect(served / (makespan || 1)).toBeCloseTo(
            finished.reduce((sum, { began, ended }) => sum + (ended - began) / makespan, 0),
            6,
          )
          if (finished.length === 0) idle++
        })
        if (makespan === 0) empty++
        const times = [...new Set([0, ...rows.map(({ time }) => time), makespan])].filter((time) => time <= makespan)
        const alive = times
          .slice(1)
          .reduce((sum, time, k) => sum + stateAt(trace, times[k]).counts.live * (time - times[k]), 0)
        expect(workerTimeOf(metrics)).toBe(alive)
      },
    ),
    { numRuns: repeats(60), seed: 5 },
  )
  expect(idle).toBeGreaterThan(2)
  expect(empty).toBeGreaterThan(0)
})
