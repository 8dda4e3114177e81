import fc from 'fast-check'
import { expect, test } from 'vitest'
import { metricsOf } from '../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { repeats } from '../fixtures/extent.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

const anyLine = fc.record({
  means: fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 }),
  jobs: fc.integer({ min: 1, max: 80 }),
  rate: fc.option(fc.integer({ min: 150, max: 2000 }), { nil: null }),
  discipline: fc.constantFrom('fifo', 'lifo', 'shortest'),
  single: fc.boolean(),
  spare: fc.integer({ min: 0, max: 2 }),
})

test('with constant services the slowest stage of a line, or the source, sets the pace', async () => {
  await fc.assert(
    fc.asyncProperty(anyLine, async ({ means, jobs, rate, discipline, single, spare }) => {
      const scenario = scenarioWith({
        source: rate === null ? { kind: 'batch', jobs } : { kind: 'regular', rate, jobs },
        stages: means.map((mean, s) => ({
          id: 'eadcb'[s],
          service: { kind: 'constant', mean },
          work: 'wait',
          discipline,
        })),
        workers: means.length + spare,
        policy: { kind: single ? 'single' : 'onePerStage' },
      })
      const { makespan, meanWait, meanFlowTime } = metricsOf(await playSimulation(scenario, 0))
      const whole = means.reduce((sum, mean) => sum + mean, 0)
      const slowest = single ? whole : Math.max(...means)
      const gap = rate === null ? 0 : 1e6 / rate
      expect(makespan).toBe(whole + Math.max((jobs - 1) * slowest, Math.round((jobs - 1) * gap)))
      // Job k waits k times the difference between the slowest stage and the gap; arrivals are whole microseconds.
      const wait = ((jobs - 1) / 2) * Math.max(0, slowest - gap)
      expect(Math.abs(meanWait - wait)).toBeLessThanOrEqual(0.5)
      expect(Math.abs(meanFlowTime - wait - whole)).toBeLessThanOrEqual(0.5)
    }),
    { numRuns: repeats(100) },
  )
})
