import { describe, expect, test } from 'vitest'
import { parliamentLayout, seatPlan } from '../../../src/views/parliament/parliamentLayout.ts'

describe('the half circle', () => {
  test('holds any number of seats from 1 to 256 inside its box, none touching another', () => {
    for (const [width, height] of [
      [210, 108],
      [120, 70],
      [640, 300],
    ]) {
      for (let n = 1; n <= 256; n++) {
        const { seats, seatRadius, centre, hollow } = parliamentLayout(n, width, height)
        const inside = seats.every(
          ({ x, y }) => x - seatRadius > -0.01 && x + seatRadius < width + 0.01 && y - seatRadius > -0.01 && y + seatRadius < height + 0.01,
        )
        const outside = seats.every(({ x, y }) => Math.hypot(x - centre.x, y - centre.y) - seatRadius > hollow - 0.01)
        const apart = seats.every((a, i) => seats.every((b, j) => j <= i || Math.hypot(a.x - b.x, a.y - b.y) > seatRadius * 2))
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

describe('who sits where', () => {
  const drawn = (n: number, target: number[], posted: number[]) =>
    seatPlan(n, target, posted)
      .map(({ stage, filled, from }) => (filled ? `${stage}` : `(${stage}<${from})`))
      .join(' ')

  test.each([
    [3, [1, 2], [1, 2], '0 1 1'],
    [3, [1, 2], [2, 1], '0 1 (1<0)'],
    [4, [0, 3, 1], [2, 1, 0], '1 (1<0) (1<0) (2<-1)'],
    [4, [1, 0], [1, 1], '0 (-1<1) (-1<-1) (-1<-1)'],
    [2, [0, 0], [1, 0], '0 (-1<-1)'],
    [2, [3, 1], [2, 0], '0 0'],
  ])('%i seats, wanted %j, posted %j: %s', (n, target, posted, seen) => expect(drawn(n, target, posted)).toBe(seen))
})
