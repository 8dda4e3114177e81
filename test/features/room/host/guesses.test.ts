import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guessBins } from '../../../../src/features/room/host/RoundState.tsx'

const summary = (guesses: readonly number[], right: readonly number[], least = 1) =>
  guessBins(guesses, right, least).map(
    ({ from, to, count, right: is }) => `${from}–${to}: ${count}${is ? ' right' : ''}`,
  )

describe('the columns of guesses', () => {
  test('of small whole numbers are one for each value, also without guesses', () => {
    expect(summary([2, 2, 3, 5], [4])).toEqual(['2–3: 2', '3–4: 1', '4–5: 0 right', '5–6: 1'])
    expect(summary([4, 4], [4])).toEqual(['4–5: 2 right'])
    expect(summary([], [])).toEqual([])
    expect(summary([], [7])).toEqual(['7–8: 0 right'])
  })

  test('one wild guess does not squeeze the others into one column', () => {
    const bins = guessBins([8, 9, 10, 11, 12, 1_000_000_000], [10], 1)
    expect(bins.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1])
    expect(bins.map(({ far }) => far)).toEqual([false, false, false, false, false, true])
  })

  test('hold every guess once, touch each other, have the right value, and are few', () => {
    const values = fc.array(fc.oneof(fc.nat(20), fc.nat(100_000_000)), { maxLength: 60 })
    fc.assert(
      fc.property(
        values,
        fc.array(fc.nat(100_000_000), { maxLength: 3 }),
        fc.integer({ min: 1, max: 100_000 }),
        (guesses, right, least) => {
          const bins = guessBins(guesses, right, least)
          expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(guesses.length)
          expect(bins.length).toBeLessThanOrEqual(22)
          for (const [k, { from, to }] of bins.entries()) {
            expect([Number.isInteger(from), to > from]).toEqual([true, true])
            if (k > 0) expect(from).toBe(bins[k - 1].to)
          }
          for (const value of right)
            expect(bins.filter(({ from, to, right: is }) => is && value >= from && value < to)).toHaveLength(1)
          expect(bins.filter((bin) => bin.right).length).toBeLessThanOrEqual(right.length)
        },
      ),
    )
  })
})
