import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Source } from '../../src/scenario/model/scenario.ts'
import { createArrivals, NO_MORE } from '../../src/workload/arrivals.ts'

function timesOf(source: Source, seed = 1, most = Infinity): number[] {
  const arrivals = createArrivals({ source, seed })
  const times: number[] = []
  for (let time = arrivals.next(); time !== NO_MORE && times.length < most; time = arrivals.next()) times.push(time)
  return times
}
const stepTimes = (jobs: number, ...at: [number, number][]) => timesOf({ kind: 'steps', at, jobs })
const curveTimes = (jobs: number, ...points: [number, number][]) => timesOf({ kind: 'curve', points, jobs })
const second = 1_000_000

/** The plain version for rates that change in steps or lines: advance in steps of `grain` and count. */
function walked(rateAt: (time: number) => number, jobs: number, end: number, grain: number): number[] {
  const times: number[] = []
  let sum = 0
  for (let time = 0; time < end && times.length < jobs; time += grain) {
    const more = (rateAt(time + grain / 2) * grain) / second
    if (more > 0)
      while (times.length < jobs && times.length < sum + more) times.push(time + ((times.length - sum) / more) * grain)
    sum += more
  }
  return times
}

describe('arrivals', () => {
  test('of a batch, of groups, of the lines of a file and of the tiles of a picture are all at time 0', () => {
    expect(timesOf({ kind: 'batch', jobs: 3 })).toEqual([0, 0, 0])
    expect(timesOf({ kind: 'groups', groups: [2, 0, 1], order: 'asProduced', feeders: 1, window: 1 })).toEqual([
      0, 0, 0,
    ])
    expect(timesOf({ kind: 'lines', jobs: 2, digest: '' })).toEqual([0, 0])
    expect(timesOf({ kind: 'image', width: 20, height: 9, tile: 16, x: 0, y: 0, span: 3, iterations: 9 })).toEqual([
      0, 0,
    ])
  })

  test('at given times are in ascending order', () => {
    expect(timesOf({ kind: 'times', at: [5, 3, 30, 3] })).toEqual([3, 3, 5, 30])
  })

  test('at a regular rate begin at 0 and sum unrounded gaps', () => {
    expect(timesOf({ kind: 'regular', rate: 3, jobs: 5 })).toEqual([0, 333_333, 666_667, 1_000_000, 1_333_333])
    const close = timesOf({ kind: 'regular', rate: 2_500_000, jobs: 1_000_001 })
    expect(close[1_000_000]).toBe(400_000)
  })

  test('stop for good when the rate is 0 for ever', () => {
    expect(timesOf({ kind: 'regular', rate: 0, jobs: 5 })).toEqual([])
    expect(timesOf({ kind: 'poisson', rate: 0, jobs: 5 })).toEqual([])
    expect(stepTimes(5, [0, 1], [2 * second, 0])).toEqual([0, second, 2 * second])
    expect(timesOf({ kind: 'bursts', rate: 0, burstRate: 0, on: 5, off: 5, jobs: 5 })).toEqual([])
    expect(timesOf({ kind: 'bursts', rate: 9, burstRate: 9, on: 0, off: 0, jobs: 5 })).toEqual([])
    expect(timesOf({ kind: 'steps', at: [], jobs: 5 })).toEqual([])
    expect(timesOf({ kind: 'curve', points: [], jobs: 5 })).toEqual([])
    expect(timesOf({ kind: 'sine', max: 0, every: 1, duration: 2 ** 52, jobs: null })).toEqual([])
  })

  test('in steps begin when the rate leaves 0 and carry the accumulated fraction to the next rate', () => {
    // From 1 s one per second; at 2.5 s half of the third job is complete, and at 4 per second the other half takes 1/8 s.
    expect(stepTimes(5, [second, 1], [2.5 * second, 4])).toEqual([1, 2, 2.625, 2.875, 3.125].map((t) => t * second))
    expect(stepTimes(2, [0, 0], [7, 2])).toEqual([7, 500_007])
    expect(stepTimes(9, [0, 5])).toEqual(timesOf({ kind: 'regular', rate: 5, jobs: 9 }))
  })

  test('on a curve follow the line: from 0 to 2 per second within 2 s, job k arrives at the root of 2k', () => {
    const times = curveTimes(5, [0, 0], [2 * second, 2])
    expect(times).toEqual([0, Math.SQRT2 * second, 2 * second, 2.5 * second, 3 * second].map(Math.round))
    expect(curveTimes(5, [second, 2], [2 * second, 2])).toEqual([0, 0.5, 1, 1.5, 2].map((t) => t * second))
  })

  test('in steps and on curves equal a plain simulation of time', () => {
    const points = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(5)), { minLength: 1, maxLength: 6 })
      .map((gaps) => {
        let time = -gaps[0][0]
        return gaps.map(([gap, rate]) => {
          time += gap
          return [time * 100_000, rate] as const
        })
      })
    fc.assert(
      fc.property(points, fc.boolean(), (at, isCurve) => {
        const stepAt = (time: number) => at.reduce((current, [from, rate]) => (from <= time ? rate : current), 0)
        const curveAt = (time: number) => {
          const i = at.findIndex(([to]) => to > time)
          if (i < 0) return at[at.length - 1][1]
          const [[from, rate], [to, endRate]] = [at[i - 1], at[i]]
          return rate + ((endRate - rate) * (time - from)) / (to - from)
        }
        const jobs = 20
        const end = 12 * second
        const expected = walked(isCurve ? curveAt : stepAt, jobs, end, 50)
        const actual = timesOf(isCurve ? { kind: 'curve', points: at, jobs } : { kind: 'steps', at, jobs }).filter(
          (time) => time < end - second,
        )
        for (const [k, time] of actual.entries()) {
          // While the rate stays at 0, a sum that is whole up to rounding may fall on either side.
          const isAtRest = (t: number) => (isCurve ? curveAt(t) : stepAt(t)) < 0.05
          if (!isAtRest(time) && !isAtRest(Math.max(0, time - 1000)))
            expect(Math.abs(time - expected[k])).toBeLessThan(200)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('of a Poisson stream have exponential gaps, including the first', () => {
    const times = timesOf({ kind: 'poisson', rate: 100, jobs: 100_000 })
    const gaps = times.map((time, k) => time - (times[k - 1] ?? 0))
    const mean = gaps.reduce((a, b) => a + b, 0) / gaps.length
    expect(Math.abs(mean - 10_000)).toBeLessThan((4.5 * 10_000) / Math.sqrt(100_000))
    for (const x of [1_000, 5_000, 10_000, 30_000]) {
      expect(Math.abs(gaps.filter((gap) => gap <= x).length / gaps.length - (1 - Math.exp(-x / 10_000)))).toBeLessThan(
        0.007,
      )
    }
    expect(times[0]).toBeGreaterThan(0)
  })

  test('of bursts are dense in the busy parts and sparse in the calm parts', () => {
    const source: Source = { kind: 'bursts', rate: 100, burstRate: 1000, on: second, off: 3 * second, jobs: 130_000 }
    const times = timesOf(source)
    const on = times.filter((time) => time % (4 * second) >= 3 * second).length
    // 1,300 per cycle, 1,000 of them in its last quarter.
    expect(Math.abs(on / times.length - 1000 / 1300)).toBeLessThan(0.006)
    expect(Math.abs(times[times.length - 1] / (400 * second) - 1)).toBeLessThan(0.02)
    const steady = timesOf({ kind: 'poisson', rate: 1000, jobs: 1000 })
    for (const [k, time] of timesOf({ ...source, rate: 1000, jobs: 1000 }).entries())
      expect(Math.abs(time - steady[k])).toBeLessThanOrEqual(1)
  })

  test('of a sine are round(sin(t) max/2 + max/2) in each window, spread evenly', () => {
    const times = timesOf({ kind: 'sine', max: 10, every: second, duration: 4 * second, jobs: null })
    const counts = [0, 1, 2, 3].map((t) => Math.round((Math.sin(t) * 10) / 2 + 5))
    expect(counts).toEqual([5, 9, 10, 6])
    expect(times).toEqual(
      counts.flatMap((n, window) => Array.from({ length: n }, (_, i) => Math.round((window + i / n) * second))),
    )
  })

  test('at random are pinned by the seed: a change here would change every shared scenario', () => {
    expect(timesOf({ kind: 'poisson', rate: 100, jobs: 4 })).toEqual([1582, 4004, 10495, 30335])
    expect(timesOf({ kind: 'bursts', rate: 10, burstRate: 100, on: second, off: second, jobs: 3 }, 7)).toEqual([
      164783, 185146, 186253,
    ])
  })
})
