import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evenBounds, joined, type Stretch } from '../../../../src/features/logs/fit/stretches.ts'

const piece = (from: number, to: number, value: number, variance = 1): Stretch => ({ from, to, value, variance })
/** Pieces of these values, each of ten samples. */
const row = (values: readonly number[], variance = 1) => values.map((value, k) => piece(10 * k, 10 * k + 10, value, variance))
const valuesOf = (pieces: readonly Stretch[]) => pieces.map(({ value }) => value)

const anyPieces = fc
  .array(
    fc.record({
      width: fc.integer({ min: 1, max: 9 }),
      value: fc.double({ min: 0, max: 50, noNaN: true }),
      variance: fc.double({ min: 0.01, max: 9, noNaN: true }),
    }),
    {
      minLength: 1,
      maxLength: 14,
    },
  )
  .map((all) => {
    const until = (k: number) => all.slice(0, k).reduce((sum, { width }) => sum + width, 0)
    return all.map(({ value, variance }, k) => piece(until(k), until(k + 1), value, variance))
  })

const area = (pieces: readonly Stretch[]) => pieces.reduce((sum, { from, to, value }) => sum + (to - from) * value, 0)
/** The variance of what comes in all pieces together. */
const spread = (pieces: readonly Stretch[]) => pieces.reduce((sum, { from, to, variance }) => sum + (to - from) ** 2 * variance, 0)

describe('pieces of a log', () => {
  test('have about equally many samples, and the first and the last are bounds', () => {
    expect(evenBounds(11, 4)).toEqual([0, 3, 5, 8, 10])
    expect(evenBounds(8, 3)).toEqual([0, 2, 5, 7])
    expect(evenBounds(2, 1)).toEqual([0, 1])
  })

  test('that are joined keep their stretch, what came in all of them, and its error', () => {
    fc.assert(
      fc.property(anyPieces, fc.integer({ min: 1, max: 8 }), fc.double({ min: 0.1, max: 9, noNaN: true }), (pieces, most, errors) => {
        const whole = joined(pieces, { errors, least: 0.1, most })
        expect([whole[0].from, whole.at(-1)?.to]).toEqual([0, pieces.at(-1)?.to])
        for (const [k, { from }] of whole.entries()) if (k > 0) expect(from).toBe(whole[k - 1].to)
        expect(area(whole)).toBeCloseTo(area(pieces), 6)
        expect(spread(whole)).toBeCloseTo(spread(pieces), 6)
        expect(whole.length).toBeLessThanOrEqual(most)
      }),
    )
  })

  test('that are left differ by as many standard errors as asked and by more than the least share', () => {
    fc.assert(
      fc.property(anyPieces, fc.double({ min: 1, max: 4, noNaN: true }), (pieces, errors) => {
        const whole = joined(pieces, { errors, least: 0.2, most: 99 })
        for (const [k, b] of whole.entries()) {
          const a = whole[k - 1]
          if (a === undefined) continue
          expect(Math.abs(a.value - b.value)).toBeGreaterThanOrEqual(errors * Math.sqrt(a.variance + b.variance) - 1e-9)
          expect(Math.abs(a.value - b.value)).toBeGreaterThanOrEqual(0.2 * Math.max(a.value, b.value) - 1e-9)
        }
      }),
    )
  })

  test('are joined from the nearest two on, of equally near ones the first', () => {
    const three = { errors: 0, least: 0, most: 3 }
    expect(valuesOf(joined(row([10, 14, 30, 33]), three))).toEqual([10, 14, 31.5])
    expect(valuesOf(joined(row([10, 13, 30, 33]), three))).toEqual([11.5, 30, 33])
    expect(valuesOf(joined(row([33, 30, 13, 10]), three))).toEqual([31.5, 13, 10])
    expect(valuesOf(joined([piece(0, 30, 4), piece(30, 40, 8)], { errors: 9, least: 0, most: 9 }))).toEqual([5])
    // 10 to 13 are further apart in standard errors than 20 to 24.
    expect(valuesOf(joined([piece(0, 5, 10, 0.1), piece(5, 10, 13, 0.1), piece(10, 15, 20, 9), piece(15, 20, 24, 9)], three))).toEqual([10, 13, 22])
  })

  test('stay apart when they differ by just so many errors, or by just the least share', () => {
    const two = row([1, 3], 0.5)
    expect(joined(two, { errors: 2, least: 0, most: 2 })).toEqual(two)
    expect(valuesOf(joined(two, { errors: 2.001, least: 0, most: 2 }))).toEqual([2])
    const near = row([1, 2], 0.001)
    expect(joined(near, { errors: 3, least: 0.5, most: 2 })).toEqual(near)
    expect(valuesOf(joined(near, { errors: 3, least: 0.501, most: 2 }))).toEqual([1.5])
    // A difference below the share counts for less than one error, however sure the values are.
    expect(joined(near, { errors: 0.5, least: 1, most: 2 })).toEqual(near)
  })

  test('without a job or without an error are joined and not lost', () => {
    expect(joined(row([0, 0, 0]), { errors: 1, least: 0.1, most: 9 })).toEqual([piece(0, 30, 0, 1 / 3)])
    expect(valuesOf(joined(row([4, 8], 0), { errors: 1e9, least: 0.1, most: 9 }))).toEqual([4, 8])
    expect(joined([], { errors: 1, least: 0.1, most: 9 })).toEqual([])
    expect(joined(row([7]), { errors: 1, least: 0.1, most: 0 })).toEqual(row([7]))
  })
})
