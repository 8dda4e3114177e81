import { expect, test } from 'vitest'
import { placeOnCard, workerOnCard } from '../../../src/views/pipeline/stageCard.ts'

const card = (count: number, openSeats: number, low: boolean) => ({
  low,
  openSeats,
  workers: Array.from({ length: count }, (_, k) => ({ worker: 3 * k + 1, progress: null, waits: false, followed: false })),
})

test('a worker is found at the place of its disc, on full and on low cards, and those only counted have the place of their number', () => {
  for (const low of [false, true])
    for (const count of [1, 3, 6, 40])
      for (const open of [0, 2]) {
        const data = card(count, open, low)
        const places = data.workers.map(({ worker }) => placeOnCard(data, 158, worker - 1))
        const drawn = places.filter((at, k) => at !== null && workerOnCard(data, 158, at.x, at.y) === data.workers[k].worker - 1)
        expect(drawn.length).toBeGreaterThanOrEqual(Math.min(count, 5))
        if (count < 6) expect(drawn).toHaveLength(count)
        for (const at of places) expect(at?.x).toBeLessThan(158)
      }
  expect(placeOnCard(card(2, 0, false), 158, 99)).toBeNull()
})
