import { cumsum, pairs, sum } from 'd3-array'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  crewsOf,
  evenBounds,
  joined,
  mostWorkers,
  type Stretch,
  serviceMeans,
  workUntil,
} from '../../../../src/features/logs/fit/samples.ts'
import { MAX_PHASES } from '../../../../src/scenario/model/limits.ts'
import { stageFrom, unevenQueue, unevenTimes } from './stages.ts'

const piece = (from: number, to: number, value: number, variance = 1): Stretch => ({ from, to, value, variance })
/** Pieces of these values, each of ten samples. */
const row = (values: readonly number[], variance = 1) =>
  values.map((value, k) => piece(10 * k, 10 * k + 10, value, variance))
const valuesOf = (pieces: readonly Stretch[]) => pieces.map(({ value }) => value)

const anyPieces = fc
  .array(
    fc.record({
      width: fc.integer({ min: 1, max: 9 }),
      value: fc.double({ min: 0, max: 50, noNaN: true }),
      variance: fc.double({ min: 0.01, max: 9, noNaN: true }),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((all) => {
    const until = (k: number) => all.slice(0, k).reduce((sum, { width }) => sum + width, 0)
    return all.map(({ value, variance }, k) => piece(until(k), until(k + 1), value, variance))
  })

const area = (pieces: readonly Stretch[]) => pieces.reduce((sum, { from, to, value }) => sum + (to - from) * value, 0)
/** The variance of the values of all pieces together. */
const spread = (pieces: readonly Stretch[]) =>
  pieces.reduce((sum, { from, to, variance }) => sum + (to - from) ** 2 * variance, 0)

describe('the work of a stage until each sample', () => {
  const anyStage = fc.array(
    fc.record({
      queue: fc.integer({ min: 0, max: 3 }),
      jobs: fc.integer({ min: 0, max: 9 }),
      service: fc.integer({ min: 1000, max: 900_000 }),
      workers: fc.integer({ min: 0, max: 4 }),
      gap: fc.constantFrom(1_000_000, 2_500_000),
      full: fc.boolean(),
    }),
    { minLength: 8, maxLength: 40 },
  )

  test('is what the log counts in all, spread over the time of the workers while jobs wait and the next stage has room', () => {
    fc.assert(
      fc.property(anyStage, (rows) => {
        const time = cumsum(rows, ({ gap }, k) => (k === 0 ? 0 : gap))
        const completed = Array.from(cumsum(rows, ({ jobs }, k) => (k === 0 ? 0 : jobs)))
        const column = (of: 'service' | 'workers') => rows.map((row) => row[of])
        fc.pre((completed.at(-1) ?? 0) >= 12 && new Set(column('service')).size > 1)
        const stage = stageFrom(
          rows.map(({ queue }) => queue),
          { completed, service: column('service'), workers: column('workers') },
        )
        const work = workUntil(stage, time, (k) => rows[k].full) ?? expect.fail('not measured')
        const own = pairs(Array.from(work), (a, b) => b - a)
        const counted = rows.slice(1).map(({ jobs, service }) => jobs * service)
        expect(work[0]).toBe(0)
        expect(work.at(-1)).toBeCloseTo(sum(counted), 0)
        const serves = rows.slice(1).map(({ queue, full }, i) => queue > 0 && rows[i].queue > 0 && !full)
        const could = rows.slice(1).map(({ workers, gap }) => workers * gap)
        let from = 0
        for (let i = 0; i < own.length; i++) {
          if (!serves[i]) {
            expect(own[i]).toBeCloseTo(counted[i], 0)
            from = i + 1
          } else if (!serves[i + 1]) {
            const [all, time] = [sum(counted.slice(from, i + 1)), sum(could.slice(from, i + 1))]
            for (let k = from; k <= i; k++)
              expect(own[k]).toBeCloseTo(time === 0 ? counted[k] : (all * could[k]) / time, 0)
          }
        }
      }),
    )
  })

  test('is unknown without counts, and where all services took the same', () => {
    const time = unevenTimes(20, 1)
    const queue = unevenQueue(20, 1, 4)
    expect(workUntil(stageFrom(queue), time)).toBeNull()
    expect(workUntil(stageFrom(queue, { completed: queue.map((_, k) => 3 * k) }), time)).toBeNull()
  })
})

describe('pieces of a log', () => {
  test('have about equally many samples, and the first and the last are bounds', () => {
    expect(evenBounds(11, 4)).toEqual([0, 3, 5, 8, 10])
    expect(evenBounds(8, 3)).toEqual([0, 2, 5, 7])
    expect(evenBounds(2, 1)).toEqual([0, 1])
  })

  test('that are joined keep their stretch, what came in all of them, and its error', () => {
    fc.assert(
      fc.property(
        anyPieces,
        fc.integer({ min: 1, max: 8 }),
        fc.double({ min: 0.1, max: 9, noNaN: true }),
        (pieces, most, errors) => {
          const whole = joined(pieces, { errors, least: 0.1, most })
          expect([whole[0].from, whole.at(-1)?.to]).toEqual([0, pieces.at(-1)?.to])
          for (const [k, { from }] of whole.entries()) if (k > 0) expect(from).toBe(whole[k - 1].to)
          expect(area(whole)).toBeCloseTo(area(pieces), 6)
          expect(spread(whole)).toBeCloseTo(spread(pieces), 6)
          expect(whole.length).toBeLessThanOrEqual(most)
        },
      ),
    )
  })

  test('that are left differ by as many standard errors as asked and by more than the least share', () => {
    fc.assert(
      fc.property(anyPieces, fc.double({ min: 1, max: 4, noNaN: true }), (pieces, errors) => {
        const whole = joined(pieces, { errors, least: 0.2, most: 99 })
        for (const [k, b] of whole.entries()) {
          const a = whole[k - 1]
          if (a === undefined) continue
          expect(Math.abs(a.value - b.value)).toBeGreaterThanOrEqual(errors * Math.sqrt(a.variance + b.variance) - 1e-9)
          expect(Math.abs(a.value - b.value)).toBeGreaterThanOrEqual(0.2 * Math.max(a.value, b.value) - 1e-9)
        }
      }),
    )
  })

  test('are joined from the nearest two on, of equally near ones the first', () => {
    const three = { errors: 0, least: 0, most: 3 }
    expect(valuesOf(joined(row([10, 14, 30, 33]), three))).toEqual([10, 14, 31.5])
    expect(valuesOf(joined(row([10, 13, 30, 33]), three))).toEqual([11.5, 30, 33])
    expect(valuesOf(joined(row([33, 30, 13, 10]), three))).toEqual([31.5, 13, 10])
    expect(valuesOf(joined([piece(0, 30, 4), piece(30, 40, 8)], { errors: 9, least: 0, most: 9 }))).toEqual([5])
    // 10 to 13 are further apart in standard errors than 20 to 24.
    expect(
      valuesOf(
        joined([piece(0, 5, 10, 0.1), piece(5, 10, 13, 0.1), piece(10, 15, 20, 9), piece(15, 20, 24, 9)], three),
      ),
    ).toEqual([10, 13, 22])
  })
})

const counter = (each: readonly number[]) =>
  each.map((_, k) => each.slice(1, k + 1).reduce((sum, jobs) => sum + jobs, 0))
const noise = (length: number, seed: number, base: number) =>
  unevenQueue(length, seed, 90_000).map((extra) => base + extra)

describe('mean service times', () => {
  test('are the means over all services that were counted: a sample with many counts for many', () => {
    const service = [900_000, 100_000, 400_000, 700_000]
    const [{ from, to, value, variance }, ...more] = serviceMeans(
      stageFrom([0, 0, 0, 0], { service, completed: [0, 1, 7, 9] }),
    )
    // One service of 0.1 s, six of 0.4 and two of 0.7; the first sample counts none.
    const mean = (1 * 100_000 + 6 * 400_000 + 2 * 700_000) / 9
    const square = ((100_000 - mean) ** 2 + 6 * (400_000 - mean) ** 2 + 2 * (700_000 - mean) ** 2) / 9
    expect([from, to, value, more]).toEqual([0, 3, mean, []])
    expect(variance / (square / 4)).toBeCloseTo(1, 9)
  })

  test('are plain means where services were not counted, or none was', () => {
    const service = [200_000, 100_000, 300_000, 600_000]
    const plain = { from: 0, to: 3, value: 300_000, variance: (1e10 + 4e10 + 0 + 9e10) / 4 / 4 }
    for (const completed of [null, 0])
      expect(serviceMeans(stageFrom([0, 0, 0, 0], { service, completed }))).toEqual([plain])
  })

  test('are one if they hardly change, and several if they clearly do', () => {
    const steady = stageFrom(unevenQueue(240, 1, 9), { service: noise(240, 1, 500_000) })
    expect(serviceMeans(steady).map(({ from, to }) => [from, to])).toEqual([[0, 239]])
    const slower = { ...steady, service: steady.service.map((time, k) => (k < 120 ? time : 3 * time)) }
    const [before, after] = serviceMeans(slower)
    expect(serviceMeans(slower)).toHaveLength(2)
    expect([before.to, Math.round(after.value / before.value)]).toEqual([120, 3])
  })

  test('change also after a stretch in which nothing was served', () => {
    // 200 ms until the hundredth second, nothing for forty, then 600 ms.
    const done = Array.from({ length: 240 }, (_, k) => (k > 100 && k <= 140 ? 0 : 2))
    const service = done.map((_, k) => (k <= 140 ? 200_000 : 600_000) + 1000 * (k % 7))
    const means = serviceMeans(stageFrom(done, { service, completed: counter(done) }))
    expect(means.map(({ from, to, value }) => [from, to, Math.round(value / 1e5)])).toEqual([
      [0, 120, 2],
      [120, 239, 6],
    ])
  })
})

/** A log of stages with these workers at each time. */
function logWith(...workers: readonly (readonly number[])[]) {
  const { length } = workers[0]
  return {
    time: unevenTimes(length, 2),
    stages: workers.map((each) => stageFrom(new Array(length).fill(0), { workers: each })),
  }
}

/** One that has another number of workers at every time. */
const restless = (length: number, rest = 0) => Array.from({ length }, (_, k) => (k % 2 === 0 ? 7 + (k >> 3) : rest))

describe('the crews of a log', () => {
  test('begin when a stage has more or fewer workers, and stand as they were', () => {
    const log = logWith([3, 3, 3, 5, 5, 5], [2, 2, 1, 1, 1, 1])
    expect(crewsOf(log)).toEqual({
      crews: [
        { at: 0, workers: [3, 2] },
        { at: log.time[2], workers: [3, 1] },
        { at: log.time[3], workers: [5, 1] },
      ],
      exact: true,
    })
  })

  test('may change as often as a scenario has phases', () => {
    expect(crewsOf(logWith(restless(MAX_PHASES, 1)))).toMatchObject({ exact: true, crews: { length: MAX_PHASES } })
    expect(crewsOf(logWith(restless(MAX_PHASES + 1, 1))).exact).toBe(false)
  })

  test('that change more often are the means of equal stretches, of at least one worker, and equal neighbours are one', () => {
    const log = logWith(restless(631, 1), new Array(631).fill(0))
    const { crews, exact } = crewsOf(log)
    expect(exact).toBe(false)
    expect(crews.length).toBeLessThanOrEqual(63)
    for (const [k, { workers }] of crews.entries())
      expect(workers[1] === 1 && workers[0] > 1 && workers[0] !== crews[k - 1]?.workers[0]).toBe(true)
    const short = logWith(restless(66))
    expect(crewsOf(short).crews.at(-1)?.at).toBeLessThan(short.time[65])
  })

  test('end with a worker at every stage, a microsecond after the log', () => {
    const log = logWith([2, 2, 0], [4, 4, 4])
    expect(crewsOf(log).crews).toEqual([
      { at: 0, workers: [2, 4] },
      { at: log.time[2], workers: [0, 4] },
      { at: log.time[2] + 1, workers: [1, 4] },
    ])
    expect(crewsOf(logWith([0, 2], [4, 4])).crews).toHaveLength(2)
  })

  test('have most workers at one time, not each stage by itself', () => {
    expect(mostWorkers(crewsOf(logWith([5, 2, 1], [1, 6, 1])).crews)).toBe(8)
    expect(mostWorkers([{ at: 0, workers: [0, 0] }])).toBe(1)
  })
})
