import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { adaptiveSize, prefetches } from '../../src/scheduler/batches.ts'
import { valid } from '../fixtures/anyScenario.ts'
import { arrivals, scriptedCore } from './scriptedCore.ts'

describe('an adaptive batch', () => {
  test('is a share of the queue, if that lasts for less than 10 ms and twenty changes of stage and round trips', () => {
    expect(adaptiveSize(1000, 8, 200, 0, 0)).toBe(50)
    expect(adaptiveSize(1000, 8, 200, 3000, 0)).toBe(125)
    expect(adaptiveSize(9000, 8, 200, 3000, 0)).toBe(350)
    expect(adaptiveSize(9000, 8, 200, 1000, 2000)).toBe(350)
    expect(adaptiveSize(100, 8, 200, 0, 0)).toBe(13)
    expect(adaptiveSize(3, 8, 200, 0, 0)).toBe(1)
    expect(adaptiveSize(100, 0, 200, 0, 0)).toBe(50)
    expect(adaptiveSize(1_000_000, 1, 0.1, 3000, 0)).toBe(10_000)
  })

  test('is at least one job and never more than wait', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 1e6 }),
        fc.nat({ max: 256 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.nat({ max: 1e6 }),
        (jobs, workers, mean, cost) => {
          const size = adaptiveSize(jobs, workers, mean, cost, 0)
          expect(size).toBeGreaterThanOrEqual(1)
          expect(size).toBeLessThanOrEqual(Math.max(1, jobs))
        },
      ),
    )
  })

  test('begins with one job, and later gets smaller as the queue gets shorter', () => {
    const tell = scriptedCore({ stages: [{ id: 'A' }], workers: 2, batch: { adaptive: true } })
    expect(tell(0, ...arrivals(0, 19))).toEqual(['started w0 A 0', 'started w1 A 1'])
    // 18 jobs wait for two workers: 9 for the first, and 5 of the other 9 for the next.
    expect(tell(10, 'finished w0 A 0').slice(1)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9, 10].map((job) => `started w0 A ${job}`),
    )
    expect(tell(11, 'finished w1 A 1').slice(1)).toEqual([11, 12, 13, 14, 15].map((job) => `started w1 A ${job}`))
  })

  test('costs fewer messages and changes of stage than one job at a time, and hardly any time at the end', async () => {
    const scenario = {
      version: 1,
      source: { kind: 'batch', jobs: 4000 },
      stages: ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'exponential', mean: 200 } })),
      workers: 8,
      switchCost: 500,
    }
    const figures = async (batch: object) => metricsOf(await playSimulation(valid({ ...scenario, batch }), 0))
    const [one, adaptive] = [await figures({ size: 1 }), await figures({ adaptive: true })]
    expect(adaptive.switches).toBeLessThan(one.switches / 5)
    expect(adaptive.makespan).toBeLessThan(one.makespan)
    // All work shared evenly over eight workers, plus at most one batch.
    expect(adaptive.makespan).toBeLessThan((4000 * 3 * 200) / 8 + 20_000 + 20 * 500)
  })
})

describe('a second batch', () => {
  test('is given where the scenario has two in hand, and never under the policy single', () => {
    const scenario = { version: 1, source: { kind: 'batch', jobs: 4 }, stages: [{ id: 'A' }], workers: 2 }
    const asked = (inHand: number, kind: string) =>
      prefetches(valid({ ...scenario, batch: { size: 2, inHand }, policy: { kind } }))
    expect([asked(2, 'leastScore'), asked(1, 'leastScore'), asked(2, 'single')]).toEqual([true, false, false])
  })
})

describe('where groups exclude each other', () => {
  test('a worker takes one job at a time, whatever the batch size', () => {
    const source = { kind: 'groups', groups: [3, 3], order: 'asProduced', feeders: 1, window: 1 }
    const tell = scriptedCore({
      source,
      stages: [{ id: 'A', resource: 'group', whenTaken: 'skip' }, { id: 'B' }],
      workers: 1,
      batch: { size: 8 },
    })
    expect(tell(0, ...arrivals(0, 5))).toEqual(['started w0 A 0'])
  })
})
