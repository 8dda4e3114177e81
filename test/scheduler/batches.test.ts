import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../src/measures/figures/metrics.ts'
import { BUSY } from '../../src/pipeline/counts.ts'
import { PREFETCH, rowTime } from '../../src/pipeline/rows.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { adaptiveSize, jobsForBatches, prefetches, type Sizing, sizeAt } from '../../src/scheduler/batches.ts'
import { decisionTime } from '../../src/trace/findRows.ts'
import { eachRow, stateAt } from '../../src/trace/trace.ts'
import { valid } from '../fixtures/anyScenario.ts'
import { createChance } from '../fixtures/chance.ts'
import { arrivals, told } from './told.ts'

describe('an adaptive batch', () => {
  test('is a share of the queue, as long as that lasts for less than 10 ms and twenty changes of stage and round trips', () => {
    expect(adaptiveSize(1000, 8, 200, 0, 0)).toBe(50)
    expect(adaptiveSize(1000, 8, 200, 3000, 0)).toBe(125)
    expect(adaptiveSize(9000, 8, 200, 3000, 0)).toBe(350)
    expect(adaptiveSize(9000, 8, 200, 1000, 2000)).toBe(350)
    expect(adaptiveSize(100, 8, 200, 0, 0)).toBe(13)
    expect(adaptiveSize(3, 8, 200, 0, 0)).toBe(1)
    expect(adaptiveSize(100, 0, 200, 0, 0)).toBe(50)
    expect(adaptiveSize(1_000_000, 1, 0.1, 3000, 0)).toBe(10_000)
  })

  test('is one job where jobs are long, and where nobody knows how long they are', () => {
    expect(adaptiveSize(1000, 2, 20_000, 0, 0)).toBe(1)
    expect(adaptiveSize(1000, 2, Number.POSITIVE_INFINITY, 0, 0)).toBe(1)
  })

  test('is at least one job and never more than there are', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e6 }), fc.nat({ max: 256 }), fc.integer({ min: 1, max: 1e6 }), fc.nat({ max: 1e6 }), (jobs, workers, mean, cost) => {
        const size = adaptiveSize(jobs, workers, mean, cost, 0)
        expect(size).toBeGreaterThanOrEqual(1)
        expect(size).toBeLessThanOrEqual(Math.max(1, jobs))
      }),
    )
  })

  test('begins with one, and then gets smaller as the queue gets shorter', () => {
    const tell = told({ stages: [{ id: 'A' }], workers: 2, batch: { adaptive: true } })
    expect(tell(0, ...arrivals(0, 19))).toEqual(['started w0 A 0', 'started w1 A 1'])
    // 18 wait, two workers: 9 to the one who asks, and 5 of the other 9 to the next.
    expect(tell(10, 'finished w0 A 0').slice(1)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10].map((job) => `started w0 A ${job}`))
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
    // All work evenly over eight workers, and no more than a batch longer.
    expect(adaptive.makespan).toBeLessThan((4000 * 3 * 200) / 8 + 20_000 + 20 * 500)
  })
})

describe('the size of a batch at a stage', () => {
  const sizing = (batch: object, more: object = {}): Sizing =>
    ({
      scenario: { batch, stages: [{ resource: null }, { resource: 'group' }], switchCost: 1000 },
      estimates: { count: Int32Array.of(5, 5), mean: Float64Array.of(200, 400) },
      // Place 0 in tie order is stage 1, which has a resource.
      stageOf: Int16Array.of(1, 0),
      messages: { roundTrip: 0 },
      ...more,
    }) as unknown as Sizing

  test('is the one that is asked for, but one where jobs need a resource', () => {
    expect([sizeAt(sizing({ size: 1 }), 1, 90, 2), sizeAt(sizing({ size: 8 }), 1, 90, 2), sizeAt(sizing({ size: 8 }), 0, 90, 2)]).toEqual([1, 8, 1])
    expect([sizeAt(sizing({ adaptive: true }), 0, 90, 2)]).toEqual([1])
  })

  test('adapts to the mean of that very stage, to changes of stage and to the way of messages, once something is measured', () => {
    // (10 ms + 20 x 1 ms) / 0.2 ms is 150, more than half of 90; with 2,000 jobs it is the bound.
    expect([sizeAt(sizing({ adaptive: true }), 1, 90, 2), sizeAt(sizing({ adaptive: true }), 1, 2000, 2)]).toEqual([45, 150])
    expect(sizeAt(sizing({ adaptive: true }, { messages: { roundTrip: 500 } }), 1, 2000, 2)).toBe(200)
    expect(sizeAt(sizing({ adaptive: true }, { estimates: { count: Int32Array.of(0, 5), mean: Float64Array.of(200, 400) } }), 1, 2000, 2)).toBe(1)
  })

  test('is made of the jobs that may start, with shards of all that wait there', () => {
    const counts = { waiting: Int32Array.of(3, 40) }
    expect(jobsForBatches({ shards: null, counts }, 1, 6)).toBe(6)
    expect(jobsForBatches({ shards: { queues: [], missed: [] }, counts }, 1, 6)).toBe(40)
  })
})

describe('a second batch', () => {
  test('is given where the scenario has two in hand, and never under single', () => {
    const scenario = { version: 1, source: { kind: 'batch', jobs: 4 }, stages: [{ id: 'A' }], workers: 2 }
    const asked = (inHand: number, kind: string) => prefetches(valid({ ...scenario, batch: { size: 2, inHand }, policy: { kind } }))
    expect([asked(2, 'leastScore'), asked(1, 'leastScore'), asked(2, 'single')]).toEqual([true, false, false])
  })

  test('goes to each busy worker of a stage while jobs still wait, if the stage has seats for all of them, and nowhere else (seeds 1 to 40)', async () => {
    let [met, without] = [0, 0]
    for (let seed = 1; seed <= 40; seed++) {
      const chance = createChance(seed)
      const stage = (id: string) => ({ id, service: { kind: 'exponential', mean: chance.between(200, 2000) } })
      const source = { kind: 'poisson', rate: chance.between(300, 4000), jobs: 40 }
      const policy = { kind: chance.pick(['leastScore', 'longestQueue', 'hamilton', 'sinkFirst']) }
      const scenario = valid({ version: 1, seed, source, stages: ['A', 'B', 'C'].map(stage), workers: 5, policy, batch: { size: 1, inHand: 2 } })
      const trace = await playSimulation(scenario, 0)
      const given = new Set<string>()
      eachRow(trace, 0, trace.length, (rows, i) => {
        if (rows.kind[i] === PREFETCH) given.add(`${rowTime(rows, i)} ${rows.stage[i]}`)
      })
      for (let d = 0; d < trace.decisions.length; d++) {
        const time = decisionTime(trace, d)
        const { counts, seats } = stateAt(trace, time)
        for (let s = 0; s < 3; s++) {
          if (given.has(`${time} ${s}`)) expect(seats[s], `seed ${seed}, stage ${s} at ${time}`).toBeGreaterThanOrEqual(counts.busy[s])
          if (counts.busy[s] === 0 || counts.waiting[s] === 0) continue
          const second = counts.prefetching.filter((one, w) => one === 1 && counts.stage[w] === s && counts.status[w] === BUSY).length
          const hasSeats = seats[s] >= counts.busy[s]
          if (hasSeats) expect(second, `seed ${seed}, stage ${s} at ${time}`).toBe(counts.busy[s])
          if (hasSeats) met++
          else without++
        }
      }
    }
    expect(Math.min(met, without)).toBeGreaterThan(30)
  })
})

describe('where groups exclude each other', () => {
  test('a worker takes one job at a time, whatever the size of batches', () => {
    const source = { kind: 'groups', groups: [3, 3], order: 'asProduced', feeders: 1, window: 1 }
    const tell = told({ source, stages: [{ id: 'A', resource: 'group', whenTaken: 'skip' }, { id: 'B' }], workers: 1, batch: { size: 8 } })
    expect(tell(0, ...arrivals(0, 5))).toEqual(['started w0 A 0'])
  })
})
