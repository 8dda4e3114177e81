import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createProfile, predict, profileJobs } from '../../src/scheduler/prediction.ts'

const SECOND = 1_000_000
type Points = readonly (readonly [number, number])[]
const profileOf = (points: Points) => createProfile({ kind: 'predictive', profile: points } as Parameters<typeof createProfile>[0])

/** Whole tenths of a second and even rates, so that areas are whole where slices are tenths. */
const anyPoints = fc.array(fc.tuple(fc.nat(20), fc.nat(40)), { minLength: 1, maxLength: 6 }).map((gaps) => {
  let time = 0
  return gaps.map(([gap, rate]) => {
    time += gap * 100_000
    return [time, rate * 2] as const
  })
})

/** The rate at a time that is not a corner. */
function rateAt(points: Points, time: number): number {
  const next = points.findIndex(([at]) => at > time)
  if (next === 0) return points[0][1]
  if (next < 0) return points[points.length - 1][1]
  const [[from, rate], [to, end]] = [points[next - 1], points[next]]
  return rate + ((end - rate) * (time - from)) / (to - from)
}

describe('the jobs of a profile between two times', () => {
  test('are the area below its lines, before its first corner and after its last too', () => {
    fc.assert(
      fc.property(anyPoints, fc.integer({ min: -20, max: 150 }), fc.nat(60), (points, start, length) => {
        const [from, to] = [start * 100_000, (start + length) * 100_000]
        let area = 0
        for (let time = from; time < to; time += 100_000) area += rateAt(points, time + 50_000) / 10
        expect(profileJobs(profileOf(points), from, to)).toBeCloseTo(area, 6)
      }),
      { numRuns: 500 },
    )
  })

  test('are counted right at corners and at jumps', () => {
    const jump = profileOf([
      [SECOND, 10],
      [2 * SECOND, 10],
      [2 * SECOND, 30],
      [3 * SECOND, 10],
    ])
    const between = (from: number, to: number) => profileJobs(jump, from * SECOND, to * SECOND)
    expect([between(0, 1), between(1, 2), between(2, 3), between(3, 4), between(2, 2.5)]).toEqual([10, 10, 20, 10, 12.5])
  })
})

describe('a prediction', () => {
  const flat = profileOf([[0, 100]])
  const policy = { lead: 200_000, utilisation: 0.8, alpha: 0.25 }
  const instant = { time: SECOND, elapsed: 100_000, waiting: 0, came: 10, service: 20_000 }
  const before = { seen: 20, expected: 8 }

  test('smooths what came and what the profile expected, each a quarter of the way', () => {
    const { seen, expected, ratio } = predict(policy, flat, before, instant)
    expect([seen, expected]).toEqual([17.5, 8.5])
    expect(ratio).toBe(17.5 / 8.5)
  })

  test('begins with the profile alone, so that its first ratio moves from 1', () => {
    const { seen, expected } = predict(policy, flat, { seen: 0, expected: 0 }, { ...instant, came: 14 })
    expect(expected).toBeCloseTo(10, 9)
    expect(seen).toBeCloseTo(11, 9)
  })

  test('wants the workers that serve the forecast of its lead and all that waits within that lead, rounded up', () => {
    // As expected, 20 jobs in 0.2 s of 20 ms each: 2 workers' work, by 0.8 makes 2.5.
    const even = { seen: 10, expected: 10 }
    expect(predict(policy, flat, even, instant)).toMatchObject({ ratio: 1, wanted: 3 })
    // Twice as many with 12 that wait: (20 + 12) x 20 / 160 is 4 exactly.
    expect(predict(policy, flat, even, { ...instant, waiting: 12 }).wanted).toBe(4)
    expect(predict(policy, flat, even, { ...instant, waiting: 13 }).wanted).toBe(5)
    expect(predict({ ...policy, lead: 400_000 }, flat, even, { ...instant, waiting: 8 }).wanted).toBe(3)
    // Twice as much comes as the day before.
    expect(predict(policy, flat, { seen: 20, expected: 10 }, { ...instant, came: 20 }).wanted).toBe(5)
  })

  test('wants one worker where jobs wait and no service time is known, and none where nothing waits', () => {
    const even = { seen: 10, expected: 10 }
    expect(predict(policy, flat, even, { ...instant, service: 0, waiting: 1 }).wanted).toBe(1)
    expect(predict(policy, flat, even, { ...instant, service: 0, waiting: 0 }).wanted).toBe(0)
  })

  test('takes today for yesterday where the profile has no jobs', () => {
    const empty = profileOf([[0, 0]])
    expect(predict(policy, empty, { seen: 0, expected: 0 }, { ...instant, came: 7 })).toMatchObject({ ratio: 1, wanted: 0 })
    expect(predict(policy, empty, { seen: 0, expected: 0 }, { ...instant, waiting: 8 }).wanted).toBe(1)
  })

  test('looks ahead from now, and back over the time that has passed', () => {
    const rise = profileOf([
      [0, 0],
      [SECOND, 0],
      [SECOND, 100],
    ])
    const { expected, wanted } = predict(policy, rise, { seen: 5, expected: 5 }, { ...instant, came: 5 })
    expect(expected).toBe(3.75)
    expect(wanted).toBe(Math.ceil(((5 / 3.75) * 20 * 20) / 160))
  })
})
