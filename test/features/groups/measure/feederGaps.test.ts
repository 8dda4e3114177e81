import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feederGaps, sensibleFeeders } from '../../../../src/features/groups/measure/feederGaps.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

const of = (groups: readonly number[], order = 'spread', feeders = 4) =>
  valid({ version: 1, source: { kind: 'groups', groups, order, feeders }, stages: [{ id: 'A' }], workers: 2 })

describe('numbers of feeders worth comparing', () => {
  test('go from 1 to as many as there are groups, with the present one among them', () => {
    expect(sensibleFeeders(of([3, 3, 0, 3]).source)).toEqual([1, 2, 3, 4])
    expect(sensibleFeeders(of([3, 3, 0, 3], 'shuffled').source)).toEqual([1, 2, 3])
    expect(sensibleFeeders(of(new Array<number>(300).fill(2), 'spread', 7).source)).toEqual([1, 2, 3, 4, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256])
    expect(sensibleFeeders(of(new Array<number>(40).fill(2)).source)).toEqual([1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40])
    expect(sensibleFeeders(of([]).source)).toEqual([1, 4])
    expect(sensibleFeeders({ kind: 'batch', jobs: 3 })).toEqual([])
  })
})

describe('distances over the number of feeders', () => {
  test('are exactly that number before the tail, however many feeders, and no claim is made of the tail', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(5), { maxLength: 10 }),
        fc.constantFrom('spread', 'largestFirst', 'shuffled'),
        fc.integer({ min: 1, max: 12 }),
        (groups, order, feeders) => {
          const gaps = feederGaps(of(groups, order), feeders)
          expect(gaps?.jobs).toBe(groups.reduce((sum, size) => sum + size, 0))
          if (gaps?.beforeTail) expect([gaps.beforeTail.least, gaps.beforeTail.median]).toEqual([feeders, feeders])
          if (gaps?.whole && gaps.tail === gaps.jobs) expect(gaps.whole.least).toBe(feeders)
        },
      ),
    )
  })

  test('do not reach the number of feeders in the tail', () => {
    expect(feederGaps(of([4, 4, 4, 12]), 3)).toEqual({
      jobs: 24,
      whole: { count: 20, least: 1, median: 1 },
      beforeTail: { count: 9, least: 3, median: 3 },
      tail: 12,
    })
  })
})
