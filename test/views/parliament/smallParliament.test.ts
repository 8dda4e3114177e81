import { expect, test } from 'vitest'
import { parliamentLayout } from '../../../src/views/parliament/parliamentLayout.ts'
import { smallParliament } from '../../../src/views/parliament/smallParliament.ts'

test('a small parliament has a seat for every worker, bloc by bloc from left to right, within its box', () => {
  for (const [workers, seats] of [
    [8, [1, 2, 4, 1]],
    [256, [100, 0, 150, 0]],
    [1, [0, 0, 0, 1]],
  ] as const) {
    const layout = parliamentLayout(workers, 92, 46)
    const blocs = smallParliament(layout, seats, [3, 0, 1, 2])
    const free = workers - seats.reduce((a: number, b) => a + b, 0)
    // Those that nobody has stand last.
    expect(blocs.map(({ stage, seats: n }) => [stage, n])).toEqual([
      ...[3, 0, 1, 2].filter((s) => seats[s] > 0).map((s) => [s, seats[s]]),
      ...(free > 0 ? [[-1, free]] : []),
    ])
    const drawn = blocs.flatMap(({ path }) => [...path.matchAll(/M(-?[\d.]+),(-?[\d.]+)A/g)].map(([, x, y]) => [Number(x) - layout.seatRadius, Number(y)]))
    expect(drawn.length).toBe(workers)
    for (const [i, [x, y]] of drawn.entries()) {
      expect(Math.abs(x - layout.seats[i].x) + Math.abs(y - layout.seats[i].y)).toBeLessThan(0.02)
      expect(Math.min(x, 92 - x, y, 46 - y)).toBeGreaterThanOrEqual(layout.seatRadius - 0.02)
    }
  }
})
