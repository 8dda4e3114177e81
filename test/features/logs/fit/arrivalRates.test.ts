import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrivalRates, arrivalsCounted, queuedRates } from '../../../../src/features/logs/fit/arrivalRates.ts'
import type { Samples, StageSamples } from '../../../../src/features/logs/fit/samples.ts'
import { evenBounds, joined, meanOf, type Stretch } from '../../../../src/features/logs/fit/stretches.ts'
import { erlangC } from '../../../../src/features/theory/measure/formulas.ts'
import { stageFrom, unevenQueue, unevenTimes } from './stages.ts'

/** What is counted between two samples, as a rate and the square of its error. */
function countedBetween({ time }: Samples, came: ArrayLike<number>, from: number, to: number): Stretch {
  const seconds = (time[to] - time[from]) / 1e6
  const jobs = Math.max(0, came[to] - came[from])
  return { from, to, value: jobs / seconds, variance: (jobs + 1) / seconds ** 2 }
}

/** What a queue tells between two samples, written down once more: Erlang's C formula is turned round in small steps. */
function queuedBetween(stage: StageSamples, time: Float64Array, from: number, to: number) {
  const within = (values: Float64Array) => values.slice(from, to + 1)
  const mean = (values: Float64Array) => within(values).reduce((sum, each) => sum + each, 0) / (to - from + 1)
  const seconds = (time[to] - time[from]) / 1e6
  const [queue, crew] = [mean(stage.queue), mean(stage.workers)]
  const most = (Math.max(0.01, crew) * 1e6) / mean(stage.service)
  const busy = within(stage.queue).filter((jobs) => jobs > 0).length / (to - from + 1) >= 0.95
  const servers = Math.max(1, Math.round(crew))
  const queueAt = (load: number) => (erlangC(servers, servers * load) * load) / (1 - load)
  let load = 1
  if (!busy) for (let step = 0.5; step > 1e-13; step /= 2) if (load - step > 0 && queueAt(load - step) >= Math.max(0.02, queue)) load -= step
  return {
    value: Math.max(0.001 * most, (stage.queue[to] - stage.queue[from]) / seconds + load * most),
    variance: busy ? (2 * most) / seconds : (8 * most) / seconds + ((queue < 0.3 ? 0.3 : 0.1) * most) ** 2,
    busy,
  }
}

function expectNear(found: readonly Stretch[], expected: readonly Stretch[]) {
  expect(found.map(({ from, to }) => [from, to])).toEqual(expected.map(({ from, to }) => [from, to]))
  for (const [k, { value, variance }] of expected.entries()) {
    expect(Math.abs(found[k].value - value)).toBeLessThanOrEqual(1e-9 * value)
    expect(Math.abs(found[k].variance - variance)).toBeLessThanOrEqual(1e-9 * variance)
  }
}

describe('the jobs that came to a stage', () => {
  test('are those that the log counts; else those that left and those that the queue has grown by; else unknown', () => {
    const queue = [5, 9, 2]
    expect(Array.from(arrivalsCounted(stageFrom(queue, { arrivals: [0, 3, 8], completed: [0, 1, 1] })) ?? [])).toEqual([0, 3, 8])
    expect(Array.from(arrivalsCounted(stageFrom(queue, { completed: [0, 4, 13] })) ?? [])).toEqual([0, 8, 10])
    expect(arrivalsCounted(stageFrom(queue))).toBe(null)
  })

  test('the mean of samples takes in both ends', () => {
    expect(meanOf(Float64Array.of(100, 1, 2, 6, 100), 1, 3)).toBe(3)
    expect(meanOf(Float64Array.of(7, 8), 1, 1)).toBe(8)
  })
})

describe('rates that are counted', () => {
  test('are jobs over seconds, of at most 64 stretches of two samples or more, those taken together that hardly differ', () => {
    for (const [length, pieces] of [
      [3, 1],
      [10, 5],
      [21, 10],
      [127, 63],
      [128, 64],
      [400, 64],
    ]) {
      const completed = unevenQueue(length, length, 40).map((_, k, all) => all.slice(0, k + 1).reduce((sum, each) => sum + each, 0))
      const samples = { time: unevenTimes(length, 7), stages: [stageFrom(unevenQueue(length, 9, 30), { completed }), stageFrom(unevenQueue(length, 2, 4))] }
      const came = completed.map((left, k) => left + samples.stages[0].queue[k] - samples.stages[0].queue[0])
      const bounds = evenBounds(length, pieces)
      const all = bounds.slice(1).map((to, k) => countedBetween(samples, came, bounds[k], to))
      const rates = arrivalRates(samples)
      expect(rates.counted).toBe(true)
      expectNear(rates.pieces, joined(all, { errors: 0.5, least: 0.03, most: 64 }))
    }
  })

  test('are never negative, though the queue may shrink by jobs that nobody counted', () => {
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
    expect(queuedRates({ time, stages: [stage] }, [0, 3])).toEqual([{ from: 0, to: 3, value: 12 / 4 + 3 / 0.4, variance: (2 * 7.5) / 4 }])
    // An empty queue at one time of twenty is no rest.
    const queues = (empty: number) => Array.from({ length: 20 }, (_, k) => (k > 0 && k <= empty ? 0 : 5))
    const rateOf = (empty: number) => queuedRates({ time: unevenTimes(20, 4), stages: [stageFrom(queues(empty))] }, [0, 19])[0].value
    expect([rateOf(0), rateOf(1), rateOf(2) < 4]).toEqual([4, 4, true])
  })

  test('of several stages count by how sure they are, up to the first that is always busy', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 4 }), fc.constantFrom(1, 2, 30), (seed, stages, most) => {
        const time = unevenTimes(31, seed)
        const all = Array.from({ length: stages }, (_, s) => {
          const queue = unevenQueue(31, seed + s, most).map((jobs, k) => (s === 1 && k > 10 ? jobs + 1 : jobs))
          const workers = Array.from({ length: 31 }, (_, k) => (k < 20 ? s + 1 : 0))
          return stageFrom(queue, { workers, service: Array.from({ length: 31 }, (_, k) => 1000 * (300 + k)) })
        })
        const bounds = [0, 10, 20, 30]
        const expected = [10, 20, 30].map((to, k): Stretch => {
          const told = all.map((stage) => queuedBetween(stage, time, bounds[k], to))
          const first = told.findIndex(({ busy }) => busy)
          const used = first < 0 ? told : told.slice(0, first + 1)
          const weight = used.reduce((sum, { variance }) => sum + 1 / variance, 0)
          return { from: bounds[k], to, value: used.reduce((sum, { value, variance }) => sum + value / variance, 0) / weight, variance: 1 / weight }
        })
        expectNear(queuedRates({ time, stages: all }, bounds), expected)
      }),
    )
  })

  test('are taken together where they differ by less than two standard errors, of stretches of eight samples or more', () => {
    for (const [length, pieces] of [
      [7, 1],
      [16, 2],
      [40, 5],
      [600, 64],
    ]) {
      const samples = {
        time: unevenTimes(length, 3),
        stages: [stageFrom(unevenQueue(length, 5, 90), { workers: 1, service: 300_000 }), stageFrom(unevenQueue(length, 6, 3))],
      }
      const { pieces: found, counted } = arrivalRates(samples)
      expect(counted).toBe(false)
      expectNear(found, joined(queuedRates(samples, evenBounds(length, pieces)), { errors: 2, least: 0.03, most: 64 }))
    }
  })
})
