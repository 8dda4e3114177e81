import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { standingsOf } from '../../../src/measures/figures/comparison.ts'
import { createChance } from '../../fixtures/chance.ts'

const times = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 10, maxLength: 10 })

describe('standings over many seeds', () => {
  test('put the contender with the least mean first, and no distance is negative', () => {
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 6 }), (values) => {
        const standings = standingsOf(values)
        const first = standings.filter(({ behind }) => behind === null)
        expect(first).toHaveLength(1)
        expect(first[0].alike).toBe(true)
        for (const { mean, behind } of standings) {
          expect(mean).toBeGreaterThanOrEqual(first[0].mean)
          if (behind !== null) expect(behind.mean).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  test('mark a contender with the same values as the best as equal, but not one that is always slower by the same amount', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 1000 }), (values, more) => {
        const [, same, slower] = standingsOf([values, values, values.map((value) => value + more)])
        expect(same).toMatchObject({ alike: true, behind: { mean: 0, low: 0, high: 0 } })
        expect(slower.alike).toBe(false)
        expect(slower.behind?.low).toBeCloseTo(more, 6)
      }),
    )
  })

  test('have intervals that contain the true difference 95 times in a hundred, though the seeds themselves differ more (seeds 1 to 2,000)', () => {
    let held = 0
    for (let seed = 1; seed <= 2000; seed++) {
      const chance = createChance(seed)
      const noise = () => chance.below(1000) + chance.below(1000) + chance.below(1000) - 1498.5
      const worlds = Array.from({ length: 20 }, () => 50_000 + 100 * noise())
      const [, behind] = standingsOf([
        worlds.map((world) => world + noise()),
        worlds.map((world) => world + 2000 + noise()),
      ]).map((each) => each.behind)
      if (behind !== null && behind !== undefined && behind.low <= 2000 && behind.high >= 2000) held++
    }
    expect(held / 2000).toBeGreaterThan(0.935)
    expect(held / 2000).toBeLessThan(0.965)
  })

  test('have as interval the mean of n differences plus or minus Student’s t times their standard deviation (with n - 1) over the root of n', () => {
    // Student's t for 95% with this many degrees of freedom, from tables.
    for (const [freedom, t] of [
      [5, 2.571],
      [9, 2.262],
      [29, 2.045],
    ]) {
      const behind = Array.from({ length: freedom + 1 }, (_, k) => 10 + ((k * k * 7) % 11))
      const [, standing] = standingsOf([behind.map(() => 0), behind])
      const mean = behind.reduce((sum, each) => sum + each, 0) / behind.length
      const half = t * Math.sqrt(behind.reduce((sum, each) => sum + (each - mean) ** 2, 0) / freedom / behind.length)
      expect(standing.behind?.mean).toBeCloseTo(mean, 9)
      expect(((standing.behind?.high ?? 0) - mean) / half).toBeCloseTo(1, 3)
      expect((mean - (standing.behind?.low ?? 0)) / half).toBeCloseTo(1, 3)
    }
  })
})
