import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Source } from '../../src/scenario/model/scenario.ts'
import type { GroupOrder } from '../../src/scenario/model/sources.ts'
import { groupingOf, groupsOf } from '../../src/workload/groups.ts'

const source = (groups: readonly number[], order: GroupOrder, feeders = 2, window = 2): Source => ({
  kind: 'groups',
  groups,
  order,
  feeders,
  window,
})
const text = (groups: readonly number[], order: GroupOrder, feeders?: number, window?: number, seed = 1): string =>
  Array.from(groupsOf(source(groups, order, feeders, window), seed) ?? [], (group) => 'abcdefgh'[group]).join('')

describe('the order of grouped jobs', () => {
  test('as produced is one group after the other', () => {
    expect(text([3, 0, 1, 2], 'asProduced')).toBe('aaacdd')
  })

  test('for single jobs is the group of that job, or 0 if the source makes no groups', () => {
    const group = groupingOf({ source: source([3, 1, 3], 'spread'), seed: 1 })
    expect([0, 1, 2, 3, 4, 5, 6].map(group)).toEqual([0, 1, 0, 2, 0, 2, 2])
    expect([0, 5].map(groupingOf({ source: { kind: 'batch', jobs: 6 }, seed: 1 }))).toEqual([0, 0])
  })

  test('shuffled is pinned by the seed: a change here would change every shared scenario', () => {
    expect([text([4, 4, 4], 'shuffled'), text([4, 4, 4], 'window', 1, 2)]).toEqual(['ccaabbbabcca', 'baaabbbacccc'])
  })

  test('spread takes one job of each open group in turn', () => {
    expect(text([3, 1, 3], 'spread')).toBe('abacacc')
    expect(text([1, 1, 6], 'spread', 3)).toBe('abcccccc')
  })

  test('largest first spreads the largest groups first, equal ones as produced', () => {
    expect(text([1, 6, 1, 2, 2], 'largestFirst', 2)).toBe('bdbdbebebabc')
  })

  test('shuffled has the same jobs, depends on the seed, and favours no group at any position', () => {
    const orders = Array.from({ length: 3000 }, (_, seed) => text([2, 2], 'shuffled', 1, 1, seed))
    // Six orders of aabb, each with a chance of one sixth.
    for (const order of ['aabb', 'abab', 'abba', 'baab', 'baba', 'bbaa']) {
      expect(Math.abs(orders.filter((each) => each === order).length - 500)).toBeLessThan(
        4.5 * Math.sqrt((3000 * 5) / 36),
      )
    }
  })

  test('keeps every group’s number of jobs, in every order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(5), { maxLength: 8 }),
        fc.constantFrom<GroupOrder>('asProduced', 'shuffled', 'window', 'spread', 'largestFirst'),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (groups, order, feeders, window) => {
          const jobs = groupsOf(source(groups, order, feeders, window), 3)
          const counts = groups.map(() => 0)
          for (const group of jobs ?? []) counts[group]++
          expect(counts).toEqual([...groups])
        },
      ),
    )
  })
})
