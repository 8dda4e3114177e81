import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  added,
  type Drawable,
  drawnFrom,
  moved,
  type Plane,
  type RatePoint,
  ratePoints,
  removed,
  stepShapeOf,
  stepsOf,
  stroked,
  withRatePoints,
} from '../../../../src/app/draw/shapes/drawnRate.ts'
import { lastArrival } from '../../../../src/scenario/model/sources.ts'
import { createArrivals } from '../../../../src/workload/arrivals.ts'
import { anyScenario, valid } from '../../../fixtures/anyScenario.ts'
import { repeats } from '../../../fixtures/extent.ts'

const plane: Plane = { end: 10_000_000, maxRate: 100 }
/** Corners as text: seconds and rates. */
const corners = (text: string) =>
  text.split(', ').map((each): RatePoint => {
    const [seconds, rate] = each.split(' ').map(Number)
    return [Math.round(seconds * 1e6), rate]
  })
const curve: Drawable = { kind: 'curve', points: corners('0 10, 4 90, 8 20'), jobs: 420 }
const points = ratePoints(curve)
const arrivalsOf = (source: unknown): number[] => {
  const arrivals = createArrivals(valid({ version: 1, source, stages: [{ id: 'A' }], workers: 1 }))
  const times: number[] = []
  for (let time = arrivals.next(); time >= 0; time = arrivals.next()) times.push(time)
  return times
}

describe('a corner of a drawn rate', () => {
  test('is moved between its neighbours and within the plane', () => {
    expect(moved(points, 1, [5_000_000, 50], plane)[1]).toEqual([5_000_000, 50])
    expect(moved(points, 1, [9_000_000, 500], plane)[1]).toEqual([8_000_000, 100])
    expect(moved(points, 0, [-5, -5], plane)[0]).toEqual([0, 0])
    expect(moved(points, 2, [99_000_000, 33.3333], plane)[2]).toEqual([10_000_000, 33.3])
  })

  test('is added at its time, and removed unless it is the last one', () => {
    expect(added(points, [6_000_000, 5], plane)).toEqual({
      points: [points[0], points[1], [6_000_000, 5], points[2]],
      index: 2,
    })
    expect(added(points, [9_000_000, 5], plane).index).toBe(3)
    expect(removed(points, 1)).toEqual([points[0], points[2]])
    expect(removed([points[0]], 0)).toEqual([points[0]])
  })
})

describe('a drawn line', () => {
  test('replaces the corners in its range, with as few corners as follow it closely', () => {
    const line = Array.from({ length: 40 }, (_, i): RatePoint => [3_000_000 + i * 50_000, 20 + i])
    expect(stroked(points, line, plane)).toEqual([points[0], [3_000_000, 20], [4_950_000, 59], points[2]])
  })

  test('may be drawn backwards; where it turns back, the later part counts', () => {
    expect(stroked(points, corners('5 80, 3 20'), plane)).toEqual(corners('0 10, 3 20, 5 80, 8 20'))
    expect(stroked(points, corners('1 10, 3 90, 2 50, 5 50'), plane)).toEqual(corners('0 10, 1 10, 2 50, 5 50, 8 20'))
  })

  test('always makes a valid source, with ascending times and no negative rate', () => {
    const point = fc.tuple(
      fc.double({ min: -2e6, max: 12e6, noNaN: true }),
      fc.double({ min: -50, max: 150, noNaN: true }),
    )
    const hand = fc.array(point, { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(hand, fc.constantFrom('curve' as const, 'steps' as const), (line, kind) => {
        const before: Drawable = kind === 'curve' ? curve : { kind, at: points, jobs: 420 }
        const source = withRatePoints(before, stroked(points, line, plane))
        expect(valid({ version: 1, source, stages: [{ id: 'A' }], workers: 1 }).source).toEqual(source)
      }),
    )
  })
})

describe('a redrawn source', () => {
  test('has the jobs that arrive until the last corner, and keeps the time after it', () => {
    // Until 8 s there are 200 + 220 jobs.
    const low = withRatePoints(curve, corners('0 10, 8 10'))
    expect(low).toMatchObject({ jobs: 80 })
    expect(lastArrival(low)).toBe(8_000_000)
    const going: Drawable = { ...curve, jobs: 440 }
    expect(lastArrival(going)).toBe(9_000_000)
    expect(lastArrival(withRatePoints(going, [...points.slice(0, 2), [8_000_000, 40]]))).toBe(9_000_000)
  })

  test('may go down to 0 at its end', () => {
    expect(withRatePoints(curve, corners('0 50, 2 0'))).toEqual({
      kind: 'curve',
      points: corners('0 50, 2 0.001'),
      jobs: 50,
    })
  })

  test('is predicted to end when its last job arrives', () => {
    const drawn: Drawable[] = [
      ...[420, 440, 500].map((jobs) => ({ ...curve, jobs })),
      { kind: 'steps', at: points, jobs: 500 },
    ]
    for (const source of drawn)
      expect(Math.abs((arrivalsOf(source).at(-1) ?? 0) - lastArrival(source))).toBeLessThan(100_000)
  })
})

describe('the shape of steps', () => {
  const square = { kind: 'square', low: 20, high: 200, lowFor: 300_000, highFor: 700_000, rounds: 3 } as const

  test('is a square load, and back', () => {
    const made = stepsOf(square)
    // Three times 6 and 140 jobs.
    expect(made).toEqual({ kind: 'steps', at: corners('0 20, 0.3 200, 1 20, 1.3 200, 2 20, 2.3 200'), jobs: 438 })
    expect(lastArrival(made)).toBe(3_000_000)
    expect(stepShapeOf(ratePoints(made))).toEqual(square)
  })
})

describe('a rate that is changed by dragging', () => {
  test.each([
    { kind: 'poisson', rate: 300, jobs: 600 },
    { kind: 'regular', rate: 0.5, jobs: 7 },
    { kind: 'sine', max: 20, every: 100_000, duration: 12_000_000, jobs: null },
    { kind: 'bursts', rate: 40, burstRate: 400, on: 250_000, off: 750_000, jobs: 900 },
    { kind: 'times', at: Array.from({ length: 200 }, (_, i) => i * i * 100) },
  ] as const)('continues about as $kind did: as many jobs, in about the same stretches', (source) => {
    const drawn = drawnFrom(source)
    if (drawn === null) throw new Error('there is nothing to draw')
    const [before, after] = [arrivalsOf(source), arrivalsOf(drawn)]
    expect(Math.abs(after.length - before.length)).toBeLessThan(0.05 * before.length + 1)
    const end = before[before.length - 1]
    for (const share of [0.25, 0.5, 0.75]) {
      const until = (times: readonly number[]) => times.filter((time) => time <= end * share).length / times.length
      expect(Math.abs(until(after) - until(before))).toBeLessThan(0.1)
    }
  })

  test('is not offered if all jobs arrive at once, or if it is drawn already', () => {
    expect(drawnFrom({ kind: 'batch', jobs: 10 })).toBeNull()
    expect(drawnFrom(curve)).toBeNull()
    expect(drawnFrom({ kind: 'times', at: [] })).toBeNull()
  })

  test('can be made from any source, and played', () => {
    fc.assert(
      fc.property(anyScenario(), (scenario) => {
        const drawn = drawnFrom(scenario.source)
        if (drawn !== null)
          valid({ ...scenario, source: drawn, stages: scenario.stages.map((stage) => ({ ...stage, resource: null })) })
      }),
      { numRuns: repeats(100) },
    )
  })
})
