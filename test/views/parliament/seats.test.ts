import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parliamentLayout, seatDots, seatPlan, smallParliament } from '../../../src/views/parliament/seats.ts'

describe('the half circle', () => {
  test('holds any number of seats from 1 to 256 inside its box, without contact', () => {
    for (const [width, height] of [
      [210, 108],
      [120, 70],
      [640, 300],
    ]) {
      for (let n = 1; n <= 256; n++) {
        const { seats, seatRadius, centre, hollow } = parliamentLayout(n, width, height)
        const inside = seats.every(
          ({ x, y }) =>
            x - seatRadius > -0.01 &&
            x + seatRadius < width + 0.01 &&
            y - seatRadius > -0.01 &&
            y + seatRadius < height + 0.01,
        )
        const outside = seats.every(({ x, y }) => Math.hypot(x - centre.x, y - centre.y) - seatRadius > hollow - 0.01)
        const apart = seats.every((a, i) =>
          seats.every((b, j) => j <= i || Math.hypot(a.x - b.x, a.y - b.y) > seatRadius * 2),
        )
        expect([n, seats.length, hollow > 0, inside, outside, apart]).toEqual([n, n, true, true, true, true])
      }
    }
  })

  test('seats eight in one row with discs of 22 pixels, symmetric and from left to right', () => {
    const { seats, seatRadius, width } = parliamentLayout(8, 210, 108)
    expect(seatRadius).toBe(11)
    for (let i = 0; i < 8; i++) {
      expect(seats[i].x).toBeCloseTo(width - seats[7 - i].x, 6)
      expect(seats[i].y).toBeCloseTo(seats[7 - i].y, 6)
      if (i > 0) expect(seats[i].x).toBeGreaterThan(seats[i - 1].x)
    }
  })

  test('orders the seats of several rows by angle', () => {
    const { seats, centre } = parliamentLayout(100, 210, 108)
    // From the left edge on; seats of one angle may differ in the last digit.
    const angle = ({ x, y }: (typeof seats)[number]) => Math.atan2(centre.y - y, centre.x - x)
    for (let i = 1; i < 100; i++) expect(angle(seats[i])).toBeGreaterThanOrEqual(angle(seats[i - 1]) - 1e-9)
  })
})

describe('the seats of each stage', () => {
  const drawn = (n: number, target: number[], staffed: number[]) =>
    seatPlan(n, target, staffed)
      .map(({ stage, filled, from }) => (filled ? `${stage}` : `(${stage}<${from})`))
      .join(' ')

  test.each([
    [3, [1, 2], [1, 2], '0 1 1'],
    [3, [1, 2], [2, 1], '0 1 (1<0)'],
    [4, [0, 3, 1], [2, 1, 0], '1 (1<0) (1<0) (2<-1)'],
    [4, [1, 0], [1, 1], '0 (-1<1) (-1<-1) (-1<-1)'],
    [2, [0, 0], [1, 0], '0 (-1<-1)'],
    [2, [3, 1], [2, 0], '0 0'],
  ])('%i seats, wanted %j, staffed %j: %s', (n, target, staffed, seen) => expect(drawn(n, target, staffed)).toBe(seen))
})

const anySeats = fc.array(fc.nat(3000), { minLength: 1, maxLength: 8 }).chain((seats) => {
  const sum = seats.reduce((all, n) => all + n, 0)
  return fc.record({ seats: fc.constant(seats), workers: fc.integer({ min: Math.max(1, sum), max: sum + 500 }) })
})

test('at most 256 dots, and up to each border between stages as many as its seats, within half a dot', () => {
  fc.assert(
    fc.property(anySeats, ({ seats, workers }) => {
      const { each, dots, seats: rounded } = seatDots(workers, seats)
      expect(dots).toBeLessThanOrEqual(256)
      expect(dots).toBe(Math.ceil(workers / each))
      let [exact, drawn] = [0, 0]
      for (const [stage, n] of seats.entries()) {
        exact += n
        drawn += rounded[stage]
        expect(Math.abs(drawn * each - exact)).toBeLessThanOrEqual(each / 2)
      }
      expect(drawn).toBeLessThanOrEqual(dots)
    }),
  )
})

test('a stage with all workers fills the half circle, and 256 workers have a dot each', () => {
  fc.assert(
    fc.property(anySeats, ({ seats, workers }) => {
      const dots = seatDots(workers, seats, seats)
      expect(dots.staffed).toEqual(dots.seats)
      if (workers <= 256) expect(dots).toEqual({ each: 1, dots: workers, seats, staffed: seats })
    }),
  )
})

test.each([
  [257, 2],
  [10_000, 50],
])('of %i workers a dot is %i', (workers, each) => expect(seatDots(workers, [workers]).each).toBe(each))

test('a small parliament has a seat for every worker, stage by stage from left to right, within its box', () => {
  for (const [workers, seats] of [
    [8, [1, 2, 4, 1]],
    [256, [100, 0, 150, 0]],
    [1, [0, 0, 0, 1]],
  ] as const) {
    const layout = parliamentLayout(workers, 92, 46)
    const blocs = smallParliament(layout, seats, [3, 0, 1, 2])
    const free = workers - seats.reduce((a: number, b) => a + b, 0)
    // Seats without a stage come last.
    expect(blocs.map(({ stage, seats: n }) => [stage, n])).toEqual([
      ...[3, 0, 1, 2].filter((s) => seats[s] > 0).map((s) => [s, seats[s]]),
      ...(free > 0 ? [[-1, free]] : []),
    ])
    const drawn = blocs.flatMap(({ path }) =>
      [...path.matchAll(/M(-?[\d.]+),(-?[\d.]+)A/g)].map(([, x, y]) => [Number(x) - layout.seatRadius, Number(y)]),
    )
    expect(drawn.length).toBe(workers)
    for (const [i, [x, y]] of drawn.entries()) {
      expect(Math.abs(x - layout.seats[i].x) + Math.abs(y - layout.seats[i].y)).toBeLessThan(0.02)
      expect(Math.min(x, 92 - x, y, 46 - y)).toBeGreaterThanOrEqual(layout.seatRadius - 0.02)
    }
  }
})
