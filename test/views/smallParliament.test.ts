import { expect, test } from 'vitest'
import { smallParliament } from '../../src/views/smallParliament.ts'

test('a small parliament has a seat for every worker, stage by stage from left to right, within its box', () => {
  for (const [workers, seats] of [
    [8, [1, 2, 4, 1]],
    [256, [100, 0, 150, 0]],
    [1, [0, 0, 0, 1]],
  ] as const) {
    const { seats: places, radius } = smallParliament(workers, seats, [3, 0, 1, 2], 92, 46)
    expect(places.length).toBe(workers)
    for (const { x, y } of places) {
      expect(x - radius).toBeGreaterThanOrEqual(-0.01)
      expect(x + radius).toBeLessThanOrEqual(92.01)
      expect(y - radius).toBeGreaterThanOrEqual(-0.01)
      expect(y + radius).toBeLessThanOrEqual(46.01)
    }
    const stages = places.map(({ stage }) => stage)
    for (const [s, n] of seats.entries()) expect(stages.filter((stage) => stage === s).length).toBe(n)
    expect(stages.filter((stage) => stage < 0).length).toBe(workers - seats.reduce((a: number, b) => a + b, 0))
    // Those that belong together stand together, and those that nobody has stand last.
    expect(stages.filter((stage, i) => stage !== stages[i - 1])).toEqual([...[3, 0, 1, 2].filter((s) => seats[s] > 0), ...(stages.includes(-1) ? [-1] : [])])
  }
})
