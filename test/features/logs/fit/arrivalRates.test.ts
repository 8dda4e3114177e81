import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrivalRates, arrivalsCounted, queuedRates } from '../../../../src/features/logs/fit/arrivalRates.ts'
import { meanOf, type StageSamples, samplesOf } from '../../../../src/features/logs/fit/samples.ts'
import { erlangC } from '../../../../src/features/theory/measure/erlang.ts'
import { hiddenSystems } from '../../../bench/hiddenSystems.ts'
import { plainLog } from '../../../bench/plainQueue.ts'
import { logOf } from './logs.ts'
import { stageFrom, unevenQueue, unevenTimes } from './stages.ts'

describe('the jobs that came to a stage', () => {
  test('are those that the log counts; else those that left and those that the queue has grown by; else unknown', () => {
    const queue = [5, 9, 2]
    expect(Array.from(arrivalsCounted(stageFrom(queue, { arrivals: [0, 3, 8], completed: [0, 1, 1] })) ?? [])).toEqual([
      0, 3, 8,
    ])
    expect(Array.from(arrivalsCounted(stageFrom(queue, { completed: [0, 4, 13] })) ?? [])).toEqual([0, 8, 10])
    expect(arrivalsCounted(stageFrom(queue))).toBe(null)
  })

  test('the mean of samples takes in both ends', () => {
    expect(meanOf(Float64Array.of(100, 1, 2, 6, 100), 1, 3)).toBe(3)
    expect(meanOf(Float64Array.of(7, 8), 1, 1)).toBe(8)
  })
})

describe('the rates of other days', () => {
  const smoothOf = (name: string, seed: number) =>
    arrivalRates(
      samplesOf(logOf(plainLog(hiddenSystems[name](seed), seed, { measured: false, completed: true })), null),
    ).smooth

  test('hardly change if those of a hidden system do not, and change when they do', () => {
    const steady = [1, 2, 3, 4, 5, 6].map((seed) => smoothOf('steady', seed).length)
    expect(steady.reduce((sum, pieces) => sum + pieces, 0)).toBeLessThanOrEqual(9)
    for (const seed of [1, 2, 3]) {
      const surge = smoothOf('surge', seed)
      // It lasts from 200 to 380 s, in a log of one sample a second.
      for (const time of [200, 380])
        expect(Math.min(...surge.slice(1).map(({ from }) => Math.abs(from - time)))).toBeLessThan(25)
      expect(surge.length).toBeLessThanOrEqual(5)
    }
  })
})

describe('rates that are counted', () => {
  test('are never negative, although the queue may shrink by uncounted jobs', () => {
    const samples = { time: unevenTimes(4, 1), stages: [stageFrom([9, 9, 0, 0], { completed: [0, 4, 4, 8] })] }
    expect(arrivalRates(samples).pieces.map(({ value }) => value >= 0)).toContain(true)
    expect(arrivalRates(samples).pieces.every(({ value }) => value >= 0)).toBe(true)
  })
})

describe('rates that follow from a queue', () => {
  test('are those at which that many workers have a mean queue of that length', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0.05, max: 60, noNaN: true }),
        fc.integer({ min: 1, max: 900 }),
        (workers, length, milliseconds) => {
          // Empty at both ends, so that nothing is left over.
          const stage = stageFrom([0, 2 * length, 2 * length, 0], { workers, service: milliseconds * 1000 })
          const [{ value }] = queuedRates({ time: unevenTimes(4, 1), stages: [stage] }, [0, 3])
          const load = (value * milliseconds) / 1000 / workers
          expect(load).toBeLessThan(1)
          expect(((erlangC(workers, workers * load) * load) / (1 - load) / length).toFixed(6)).toBe('1.000000')
        },
      ),
    )
  })

  test('of a stage that is always busy are what it serves and what its queue grows by', () => {
    const stage = stageFrom([4, 7, 5, 16], { workers: 3, service: 400_000 })
    const time = Float64Array.of(0, 1e6, 2e6, 4e6)
    expect(queuedRates({ time, stages: [stage] }, [0, 3])).toEqual([
      { from: 0, to: 3, value: 12 / 4 + 3 / 0.4, variance: (2 * 7.5) / 4 },
    ])
    // An empty queue at one time of twenty does not count as idle.
    const queues = (empty: number) => Array.from({ length: 20 }, (_, k) => (k > 0 && k <= empty ? 0 : 5))
    const rateOf = (empty: number) =>
      queuedRates({ time: unevenTimes(20, 4), stages: [stageFrom(queues(empty))] }, [0, 19])[0].value
    expect([rateOf(0), rateOf(1), rateOf(2) < 4]).toEqual([4, 4, true])
  })

  test('of several stages are weighted by their certainty, up to the first stage that is always busy', () => {
    const time = unevenTimes(31, 5)
    const calm = stageFrom(unevenQueue(31, 5, 3))
    const busy = stageFrom(new Array(31).fill(9), { workers: 1 })
    const rateOf = (...stages: StageSamples[]) => queuedRates({ time, stages }, [0, 30])[0]
    const [one, other, both] = [rateOf(calm), rateOf(busy), rateOf(calm, busy)]
    expect(both.variance).toBeCloseTo(1 / (1 / one.variance + 1 / other.variance), 9)
    expect(both.value).toBeCloseTo(both.variance * (one.value / one.variance + other.value / other.variance), 9)
    expect(rateOf(calm, busy, calm)).toEqual(both)
  })

  test('are one piece if they hardly differ, and at most 64', () => {
    const rates = (queue: number[]) =>
      arrivalRates({ time: unevenTimes(600, 3), stages: [stageFrom(queue, { workers: 1, service: 300_000 })] })
    expect(rates(new Array(600).fill(1))).toMatchObject({ came: null, pieces: [{ from: 0, to: 599 }] })
    const { length } = rates(unevenQueue(600, 5, 90)).pieces
    expect(length > 1 && length <= 64).toBe(true)
  })
})
