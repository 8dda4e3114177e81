import { expect, test } from 'vitest'
import { firstWhole, halved } from '../../../src/scenario/model/halving.ts'

test('the first whole number that satisfies a condition is found anywhere, and the end if there is none', () => {
  for (let first = 0; first <= 9; first++) expect(firstWhole(0, 9, (k) => k >= first)).toBe(first)
  expect(firstWhole(4, 4, () => true)).toBe(4)
})

test('a search among very many numbers asks once per bit, and never about the end', () => {
  const asked: number[] = []
  const most = 2 ** 40
  const at = firstWhole(0, most, (k) => {
    asked.push(k)
    return k >= 123_456_789
  })
  expect(at).toBe(123_456_789)
  expect(asked.length).toBeLessThanOrEqual(41)
  expect(Math.max(...asked)).toBeLessThan(most)
})

test('a range is bisected around the point from which the condition holds', () => {
  const [low, high] = halved(0, 2, 40, (x) => x * x >= 2)
  expect(low * low).toBeLessThan(2)
  expect(high * high).toBeGreaterThanOrEqual(2)
  expect(high - low).toBe(2 ** -39)
})
