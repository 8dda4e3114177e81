import { describe, expect, test } from 'vitest'
import { theoryOf } from '../../../../src/features/theory/measure/theory.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { forecastOf, network, queue, shared } from '../../../theory/cases.ts'

function reasonsOf(scenario: Scenario): string {
  const theory = theoryOf(scenario)
  return 'reasons' in theory ? theory.reasons.join(' ') : `none: ${theory.law}`
}

const exponential = { kind: 'exponential', mean: 1000 }
const line = (rest: object = {}) => ({
  source: { kind: 'poisson', rate: 500, jobs: 1000 },
  stages: ['A', 'B'].map((id) => ({ id, service: exponential, work: 'wait' })),
  workers: 2,
  policy: { kind: 'onePerStage' },
  ...rest,
})

describe('the laws', () => {
  test('M/M/1 at load 0.8: four services of waiting, five in the system, four jobs', () => {
    const forecast = forecastOf(queue(0.8, 1))
    expect(forecast).toMatchObject({ law: 'M/M/1', makespan: null })
    expect(forecast.utilisation).toBeCloseTo(0.8, 12)
    expect(forecast.meanWait).toBeCloseTo(4000, 8)
    expect(forecast.meanFlowTime).toBeCloseTo(5000, 8)
    expect(forecast.meanJobsInSystem).toBeCloseTo(4, 12)
    expect(forecast.stages[0].meanQueue).toBeCloseTo(3.2, 12)
  })

  test('M/M/2 at load 0.5 waits a third of a service, M/D/1 half as long as M/M/1', () => {
    expect(forecastOf(queue(0.5, 2))).toMatchObject({ law: 'M/M/c', meanWait: expect.closeTo(1000 / 3, 8) })
    expect(forecastOf(queue(0.8, 1, { kind: 'constant', mean: 1000 }))).toMatchObject({
      law: 'M/D/1',
      meanWait: expect.closeTo(2000, 8),
    })
  })

  test('Pollaczek and Khinchine: an erlang service of one phase waits like an exponential one, of four phases 5/8 as long', () => {
    expect(forecastOf(queue(0.8, 1, { kind: 'erlang', mean: 1000, k: 1 }))).toMatchObject({
      law: 'M/G/1',
      meanWait: expect.closeTo(4000, 8),
    })
    expect(forecastOf(queue(0.8, 1, { kind: 'erlang', mean: 1000, k: 4 })).meanWait).toBeCloseTo(2500, 8)
  })

  test('a tandem is the sum of its queues, each stage with its own', () => {
    const forecast = forecastOf(
      scenarioWith(line({ workers: 5, policy: { kind: 'fixed', allocation: { A: 1, B: 4 } } })),
    )
    expect(forecast.law).toBe('tandem')
    expect(forecast.stages[0].meanWait).toBeCloseTo(1000, 8)
    expect(forecast.stages[1].meanWait).toBeCloseTo(forecastOf(queue(0.125, 4)).meanWait, 8)
    expect(forecast.meanFlowTime).toBeCloseTo(forecast.stages[0].meanWait + forecast.stages[1].meanWait + 2000, 8)
    expect(forecast.utilisation).toBeCloseTo(0.2, 12)
  })

  test('a network is the sum of its queues, each with the share of the jobs that are routed there', () => {
    const forecast = forecastOf(network)
    expect(forecast.law).toBe('network')
    // Loads 0.5, 0.75 x 0.8 and 0.25 x 2: waits 5, 12 and 20 ms; all jobs come to D.
    expect(forecast.stages.slice(0, 3).map(({ meanWait }) => meanWait)).toEqual([
      expect.closeTo(5000, 6),
      expect.closeTo(12_000, 6),
      expect.closeTo(20_000, 6),
    ])
    const d = forecast.stages[3].meanWait
    expect(forecast.meanWait).toBeCloseTo(5000 + 0.75 * 12_000 + 0.25 * 20_000 + d, 6)
    expect(forecast.meanFlowTime).toBeCloseTo(forecast.meanWait + 5000 + 0.75 * 8000 + 0.25 * 20_000 + 12_000, 6)
    expect(forecast.stages[1].meanQueue).toBeCloseTo(75e-6 * 12_000, 9)
  })

  test('one worker that runs each job to its end is one server whose service is all of them together', () => {
    const forecast = forecastOf(
      scenarioWith(
        line({ source: { kind: 'poisson', rate: 400, jobs: 1000 }, workers: 1, policy: { kind: 'single' } }),
      ),
    )
    // Mean 2, variance 2: E[S^2] = 6, wait = 0.4 x 6 / (2 x 0.2).
    expect(forecast).toMatchObject({ law: 'M/G/1', meanWait: expect.closeTo(6000, 8) })
    expect(forecast.stages.map(({ meanQueue }) => meanQueue)).toEqual([expect.closeTo(2.4, 10), 0])
  })

  test('processor sharing: the flow time of M/M/1 for any services, as long as there is a thread for every job', () => {
    const exponential = forecastOf(shared(0.8, 1, 256))
    expect(exponential).toMatchObject({
      law: 'M/M/1-PS',
      meanFlowTime: expect.closeTo(5000, 6),
      meanJobsInSystem: expect.closeTo(4, 9),
    })
    expect(exponential.stages[0].meanWait).toBeLessThan(1e-12)
    for (const service of [
      { kind: 'constant', mean: 1000 },
      { kind: 'bimodal', fast: 500, slow: 5500, pSlow: 0.1 },
    ])
      expect(forecastOf(shared(0.8, 1, 100, service))).toMatchObject({
        law: 'M/G/1-PS',
        meanWait: 0,
        meanFlowTime: expect.closeTo(5000, 6),
      })
    // 0.8^n of 60,000 jobs find n threads taken: fewer than one in a hundred runs has such a job from n = 70 on.
    expect(reasonsOf(shared(0.8, 1, 69, { kind: 'constant', mean: 1000 }))).toContain('from 70 a stage on')
    expect(forecastOf(shared(0.8, 1, 70, { kind: 'constant', mean: 1000 })).law).toBe('M/G/1-PS')
  })

  test('with as many threads as cores, or as one core, processor sharing is a queue before workers', () => {
    for (const [cores, load] of [
      [1, 0.7],
      [4, 0.8],
    ]) {
      // One thread more than cores: the sums over the number of jobs are the same, only the served jobs differ.
      const [threads, workers] = [forecastOf(shared(load, cores, cores + 1)), forecastOf(queue(load, cores))]
      expect(threads.law).toBe(cores === 1 ? 'M/M/1-PS' : 'M/M/c-PS')
      expect(threads.meanFlowTime).toBeCloseTo(workers.meanFlowTime, 6)
      // Where anybody waits for a worker, one of them has a thread here: with probability C x load, of more jobs than cores.
      const { waits } = workers.stations[0]
      expect(threads.stages[0].meanQueue).toBeCloseTo(workers.stages[0].meanQueue - waits * load, 9)
    }
    expect(forecastOf(shared(0.8, 4, 4)).law).toBe('M/M/c')
    expect(forecastOf(shared(0.8, 4, 4)).meanWait).toBeCloseTo(forecastOf(queue(0.8, 4)).meanWait, 9)
  })
})

describe('no law applies', () => {
  // The file of known forecasts has every reason for about fifty scenarios.
  test('to crowded cores, of which no more are wanted than there are workers, however many stages they may go to', () => {
    const stages = ['A', 'B', 'C', 'D'].map((id) => ({ id, service: exponential, work: 'burn' }))
    const crowded = (workers: number, cores: number) =>
      reasonsOf(scenarioWith({ ...line(), stages, workers, cores, policy: { kind: 'leastScore' } }))
    expect(crowded(4, 2)).toContain('Up to 4 workers burn at once on 2 cores')
    expect(crowded(4, 4)).not.toContain('burn at once')
  })

  test('to an exit in order behind several workers, but to one behind one', () => {
    const order = { kind: 'buffer', slots: 8 }
    expect(reasonsOf(queue(0.5, 2, undefined, { order }))).toContain('overtake each other')
    expect(forecastOf(queue(0.5, 1, undefined, { order })).law).toBe('M/M/1')
  })
})
