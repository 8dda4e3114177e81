import { expect, test } from 'vitest'
import { fitsIn32Bits, grown, resized, widened, widenedIds } from '../../src/pipeline/column.ts'

test('whole numbers from 0 to 2^32 - 1 fit in 32 bits', () => {
  const asked = [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]
  expect(asked.filter(fitsIn32Bits)).toEqual([0, 1, 2 ** 31, 2 ** 32 - 1])
})

test('a wider column has the same numbers, and one that is wide already is itself', () => {
  const [times, ids] = [widened(Uint32Array.of(1, 2 ** 32 - 1)), widenedIds(Int8Array.of(-1, 127))]
  expect([times, ids]).toEqual([Float64Array.of(1, 2 ** 32 - 1), Int16Array.of(-1, 127)])
  expect(widened(times)).toBe(times)
  expect(widenedIds(ids)).toBe(ids)
})

test('a resized column keeps what fits, and its kind', () => {
  const column = Int16Array.of(5, -6, 7)
  expect([2, 3, 5].map((length) => resized(column, length))).toEqual([Int16Array.of(5, -6), Int16Array.of(5, -6, 7), Int16Array.of(5, -6, 7, 0, 0)])
  expect(resized(column, 3)).not.toBe(column)
})

test('a grown column has room for half as many again as needed and 64 more, and the filler in the new places alone', () => {
  const column = Uint16Array.of(5, 6, 7)
  const plain = grown(column, 7)
  expect([plain.length, ...plain.subarray(0, 5)]).toEqual([75, 5, 6, 7, 0, 0])
  const filled = grown(column, 7, 9)
  expect([filled.length, ...filled.subarray(0, 4)]).toEqual([75, 5, 6, 7, 9])
  expect(filled.subarray(3).every((value) => value === 9)).toBe(true)
})
