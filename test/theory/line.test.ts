import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explainForecast } from '../../src/features/theory/measure/theoryWords.ts'
import { repeats } from '../fixtures/extent.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'
import { figuresFor, forecastOf, lines } from './cases.ts'

const say = { time: (us: number) => `${us} us`, rate: (r: number) => `${r}/s`, number: (x: number) => `${x}` }

const anyLine = fc
  .record({
    means: fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 }),
    jobs: fc.integer({ min: 1, max: 80 }),
    rate: fc.option(fc.integer({ min: 150, max: 2000 }), { nil: null }),
    discipline: fc.constantFrom('fifo', 'lifo', 'shortest'),
    single: fc.boolean(),
    spare: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ means, jobs, rate, discipline, single, spare }) =>
    scenarioWith({
      source: rate === null ? { kind: 'batch', jobs } : { kind: 'regular', rate, jobs },
      stages: means.map((mean, s) => ({
        id: 'eadcb'[s],
        service: { kind: 'constant', mean },
        work: 'wait',
        discipline,
      })),
      workers: means.length + spare,
      policy: { kind: single ? 'single' : 'onePerStage' },
    }),
  )

describe('the deterministic line', () => {
  test('matches the prediction exactly: makespan to the microsecond, waits up to the rounding of arrivals', async () => {
    await fc.assert(
      fc.asyncProperty(anyLine, async (scenario) => {
        const forecast = forecastOf(scenario)
        const figures = await figuresFor(scenario)
        expect(forecast.law).toBe('line')
        expect(figures.makespan).toBe(forecast.makespan)
        expect(Math.abs(figures.meanWait - forecast.meanWait)).toBeLessThanOrEqual(0.5)
        expect(Math.abs(figures.meanFlowTime - forecast.meanFlowTime)).toBeLessThanOrEqual(0.5)
        expect(figures.utilisation).toBeCloseTo(forecast.utilisation, 9)
        figures.stages.forEach((stage, s) => {
          expect(stage.utilisation).toBeCloseTo(forecast.stages[s].utilisation, 9)
          expect(Math.abs(stage.meanWait - forecast.stages[s].meanWait)).toBeLessThanOrEqual(1)
        })
      }),
      { numRuns: repeats(120) },
    )
  })

  test('is explained by its bottleneck', async () => {
    const [atOnce, paced] = lines.map(({ scenario }) => forecastOf(scenario))
    expect(atOnce.makespan).toBe(10_000 + 399 * 5000)
    expect(explainForecast(atOnce, say)).toEqual([
      'All jobs come at once; one takes 10000 us by itself, and the slowest stage, B, lets one out every 5000 us.',
      'Makespan = 10000 us + 399 × 5000 us = 2005000 us.',
      'Each job waits longer than the one before by 5000 us; mean wait = 399/2 × 5000 us = 997500 us.',
    ])
    expect((await figuresFor(lines[1].scenario)).meanWait).toBe(paced.meanWait)
    expect(explainForecast(paced, say)[2]).toContain('399/2 × (5000 us − 4000 us) = 199500 us')
  })

  test('has no waits if jobs arrive more slowly than the slowest stage serves', async () => {
    const scenario = scenarioWith({
      source: { kind: 'regular', rate: 100, jobs: 10 },
      stages: [{ id: 'A', service: { kind: 'constant', mean: 9999 }, work: 'wait' }],
      workers: 1,
    })
    const forecast = forecastOf(scenario)
    const figures = await figuresFor(scenario)
    expect(forecast).toMatchObject({ makespan: 99_999, meanWait: 0 })
    expect(figures).toMatchObject({ makespan: 99_999, meanWait: 0 })
    expect(explainForecast(forecast, say)[0]).toContain('no job waits')
  })
})
