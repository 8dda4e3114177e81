import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gapsOf } from '../../../../src/features/groups/measure/feederGaps.ts'
import { leftOf, type Spreading, spreadAt, spreadingOf } from '../../../../src/features/groups/measure/spreading.ts'
import type { Source } from '../../../../src/scenario/model/scenario.ts'
import type { GroupOrder } from '../../../../src/scenario/model/sources.ts'
import { spread } from '../../../../src/workload/spread.ts'
import { inFull, repeats } from '../../../fixtures/extent.ts'
import { processorTime } from '../../../fixtures/processorTime.ts'

const source = (groups: readonly number[], order: GroupOrder, feeders = 2, window = 2): Source => ({
  kind: 'groups',
  groups,
  order,
  feeders,
  window,
})
const of = (groups: readonly number[], order: GroupOrder, feeders?: number, window?: number): Spreading => {
  const spreading = spreadingOf(source(groups, order, feeders, window), 3)
  if (spreading === null) throw new Error('a source of groups has a spreading')
  return spreading
}
/** The feeders as text: the group's letter and how many of its jobs are left. */
const feeders = (spreading: Spreading, emitted: number): string =>
  spreadAt(spreading, emitted)
    .open.map(({ feeder, group, left }) => `${feeder}${'abcdefgh'[group]}${left}`)
    .join(' ')

const sizes = fc.array(fc.nat(6), { maxLength: 12 })
const manyFeeders = fc.integer({ min: 1, max: 9 })
const spreadOrder = fc.constantFrom<GroupOrder>('spread', 'largestFirst')
const anyOrder = fc.constantFrom<GroupOrder>('asProduced', 'shuffled', 'window', 'spread', 'largestFirst')

describe('a spreader at an instant', () => {
  test('fetches a round when its first job is asked for, and opens a group only when a feeder is empty', () => {
    const spreading = of([3, 1, 3], 'spread')
    expect([...spreading.group].map((g) => 'abc'[g]).join('')).toBe('abacacc')
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((emitted) => feeders(spreading, emitted))).toEqual([
      '',
      '0a2 1b1',
      '0a2 1b0',
      '0a1 1c3',
      '0a1 1c2',
      '0a0 1c2',
      '0a0 1c1',
      '1c0',
    ])
    expect([0, 1, 2, 3, 7].map((emitted) => spreadAt(spreading, emitted).opened)).toEqual([0, 2, 2, 3, 3])
    expect(spreading.tail).toBe(6)
  })

  test('begins with its tail if there are fewer groups than feeders, and does not exist without groups', () => {
    expect(
      [of([3], 'spread', 2), of([3, 3], 'spread', 2), of([], 'spread', 2)].map(
        (spreading) => spreadAt(spreading, 0).inTail,
      ),
    ).toEqual([true, false, false])
    expect([1, 6].map((emitted) => spreadAt(of([3, 3, 3], 'spread', 2), emitted).inTail)).toEqual([false, false])
    expect(spreadAt(of([3, 3, 3], 'spread', 2), 7).inTail).toBe(true)
    expect(spreadingOf({ kind: 'batch', jobs: 3 }, 1)).toBeNull()
  })

  test('without feeders it is one group as produced, a window, or all at once', () => {
    expect(feeders(of([2, 0, 3], 'asProduced'), 3)).toBe('0c2')
    expect(spreadAt(of([2, 0, 1, 1], 'window', 1, 2), 3)).toMatchObject({ from: 2, to: 4, openGroups: 2, opened: 3 })
    expect(spreadAt(of([2, 3, 1], 'shuffled'), 1)).toMatchObject({ from: 0, to: 6, openGroups: 3, opened: 3 })
    expect(spreadAt(of([2, 3, 1], 'shuffled'), 1, 2).open).toHaveLength(2)
    expect(of([2, 3, 1], 'shuffled').tail).toBeNull()
  })

  test('opens groups exactly when the spreader asks for them', () => {
    fc.assert(
      fc.property(sizes, manyFeeders, (groups, count) => {
        let pulled = 0
        function* pool() {
          for (const [g, size] of groups.entries()) {
            if (size > 0) pulled++
            yield new Array<number>(size).fill(g)
          }
        }
        const spreading = of(groups, 'spread', count)
        let emitted = 0
        for (const group of spread(pool(), count)) {
          expect(spreading.group[emitted++]).toBe(group)
          expect(spreadAt(spreading, emitted).opened).toBe(pulled)
        }
      }),
    )
  })

  test('has all jobs left that were not emitted, in every order', () => {
    fc.assert(
      fc.property(sizes, anyOrder, manyFeeders, manyFeeders, (groups, order, count, window) => {
        const spreading = of(groups, order, count, window)
        for (let emitted = 0; emitted <= spreading.jobs; emitted++) {
          const { open, opened, openGroups, from, to } = spreadAt(spreading, emitted)
          const given = spreading.group.subarray(0, emitted)
          expect(groups.map((_, g) => leftOf(spreading, g, emitted))).toEqual(
            groups.map((size, g) => size - given.filter((each) => each === g).length),
          )
          if (emitted === 0) continue
          expect(from < emitted && emitted <= to).toBe(true)
          expect(openGroups).toBe(open.length)
          const unopened = [...spreading.opening.subarray(opened)]
          const left = open.reduce((sum, each) => sum + each.left, 0) + unopened.reduce((sum, g) => sum + groups[g], 0)
          // A feeder or window that has ended has no jobs left.
          expect(left).toBe(spreading.jobs - emitted)
          expect(new Set(open.map(({ feeder }) => feeder)).size).toBe(
            spreading.feeders > 0 ? open.length : Math.min(1, open.length),
          )
        }
      }),
      { numRuns: repeats(100) },
    )
  })
})

describe('the distance between two jobs of one group', () => {
  test('equals a count by hand', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 40 }), (groups) => {
        const distances: number[] = []
        for (let job = 0; job < groups.length; job++) {
          const before = groups.slice(0, job).lastIndexOf(groups[job])
          if (before >= 0) distances.push(job - before)
        }
        distances.sort((a, b) => a - b)
        const median = distances[Math.ceil(distances.length / 2) - 1]
        expect(gapsOf(Int32Array.from(groups))).toEqual(distances.length === 0 ? null : { least: distances[0], median })
      }),
    )
  })

  test('is exactly the number of feeders before the tail, and the tail begins at the first round that finds fewer groups than feeders', () => {
    fc.assert(
      fc.property(sizes, spreadOrder, manyFeeders, (groups, order, count) => {
        const spreading = of(groups, order, count)
        const { tail, group, rounds, jobs } = spreading
        const gaps = gapsOf(group.subarray(0, tail ?? 0))
        if (gaps !== null) expect(gaps).toMatchObject({ least: count, median: count })
        const short = [...rounds]
          .slice(0, -1)
          .find((from) => groups.filter((_, g) => leftOf(spreading, g, from) > 0).length < count)
        expect(tail).toBe(short ?? jobs)
      }),
    )
  })

  test('breaks in the tail: jobs of a large last group are next to each other', () => {
    const { group, tail } = of([3, 3, 3, 3, 9], 'spread', 3)
    expect(tail).toBe(9)
    expect(gapsOf(group)).toMatchObject({ least: 1 })
    expect(gapsOf(group.subarray(0, 9))).toEqual({ least: 3, median: 3 })
    // With the largest group first, few of its jobs are in the tail.
    expect(of([3, 3, 3, 3, 9], 'largestFirst', 3).tail).toBe(18)
  })
})

test.runIf(inFull)('a million jobs are read in seconds at the worst, and an instant of them in milliseconds', () => {
  const groups = Array.from({ length: 20_000 }, () => 50)
  const began = processorTime()
  const spreading = of(groups, 'spread', 256)
  const read = processorTime() - began
  const asked = processorTime()
  for (let k = 0; k < 100; k++) spreadAt(spreading, k * 9999 + 1)
  expect((processorTime() - asked) / 100).toBeLessThan(5)
  expect(read).toBeLessThan(5000)
  expect(spreading.tail).toBe(spreading.jobs - (20_000 % 256) * 50)
})
