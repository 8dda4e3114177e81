import { expect, test } from 'vitest'
import { expectedSpeedUp, speedUpOf, ways } from './scale.ts'

test('workers that wait a round trip for each service are as fast as the formula predicts, within a twentieth', async () => {
  for (const workers of [1, 10])
    for (const trip of [100, 10_000, 100_000]) {
      const measured = await speedUpOf(workers, trip, ways[0].batch, 4000)
      expect(Math.abs(measured / expectedSpeedUp(workers, trip) - 1)).toBeLessThan(0.05)
    }
})

test('a second batch hides most of a round trip that is shorter than a service', async () => {
  const [alone, ahead] = await Promise.all(ways.slice(0, 2).map(({ batch }) => speedUpOf(20, 10_000, batch, 4000)))
  expect(ahead).toBeGreaterThan(1.15 * alone)
  expect(ahead).toBeLessThanOrEqual(20 * 1.05)
})
