import fc from 'fast-check'
import { expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { createJourney, extendJourney, type Journey } from '../../../src/measures/jobs/journey.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { catchUp, createTrace, type Trace } from '../../../src/trace/trace.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarios, workedExample } from '../scenarios.ts'

function follow(trace: Trace, job: number): Journey {
  const journey = createJourney(job)
  extendJourney(journey, trace)
  return journey
}

test('a job is followed from queue to worker to the next queue', async () => {
  const { arrivedAt, leftAt, failed, legs } = follow(await playSimulation(workedExample, 0), 2)
  expect([arrivedAt, leftAt, failed]).toEqual([0, 3_000_000, false])
  expect(legs).toMatchObject([
    { stage: 0, queuedAt: 0, startedAt: 1_000_000, began: 1_000_000, ended: 2_000_000, outcome: 'served' },
    { stage: 1, queuedAt: 2_000_000, startedAt: 2_000_000, began: 2_000_000, ended: 3_000_000, outcome: 'served' },
  ])
})

test('all journeys together have the waits, services and flow times of the run', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const trace = await playSimulation(scenario, 0)
      const figures = metricsOf(trace)
      catchUp(trace)
      const journeys = Array.from({ length: figures.jobs }, (_, job) => follow(trace, job))
      for (const { arrivedAt, legs } of journeys) {
        expect(arrivedAt).toBeGreaterThanOrEqual(0)
        // Every leg but the last has an outcome that stays, and no leg begins before the previous one has ended.
        for (const leg of legs.slice(0, -1)) expect(['served', 'thrown back']).toContain(leg.outcome)
        for (const { queuedAt, startedAt, began, ended } of legs.filter(({ outcome }) => outcome === 'served'))
          expect([queuedAt, startedAt, began, ended]).toEqual([queuedAt, startedAt, began, ended].sort((a, b) => a - b))
      }
      const left = journeys.filter(({ leftAt }) => leftAt >= 0)
      expect([left.length, left.filter(({ failed }) => failed).length]).toEqual([
        figures.completed + figures.failed,
        figures.failed,
      ])
      const flow = left.reduce((sum, { arrivedAt, leftAt }) => sum + leftAt - arrivedAt, 0)
      expect(flow / Math.max(1, left.length)).toBeCloseTo(figures.meanFlowTime, 6)
      figures.stages.forEach(({ meanService }, s) => {
        const served = journeys.flatMap(({ legs }) =>
          legs.filter(({ stage, outcome }) => stage === s && outcome === 'served'),
        )
        const time = served.reduce((sum, { began, ended }) => sum + ended - began, 0)
        expect(served.length).toBe(trace.head.counts.finished[s])
        expect(time / Math.max(1, served.length)).toBeCloseTo(meanService, 6)
      })
    }),
    { numRuns: repeats(100) },
  )
})

test('a journey followed during the run equals the one followed afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenarios,
      fc.integer({ min: 0, max: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (scenario, job, share) => {
        const trace = await playSimulation(scenario, 0)
        const rows = Math.floor(trace.length * share)
        const early = {
          ...createTrace(scenario, 'simulation', 0),
          chunks: [{ ...(trace.chunks[0] ?? { length: 0 }), length: rows }],
          length: rows,
        } as Trace
        const journey = createJourney(job)
        extendJourney(journey, early)
        extendJourney(journey, trace)
        expect(journey).toEqual(follow(trace, job))
      },
    ),
    { numRuns: repeats(80) },
  )
})
