import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedByCodePoints } from '../../src/allocation/allocateWorkers.ts'

/** The plain version: compares texts as lists of code points; a prefix comes first. */
function plainly(texts: readonly string[]): string[] {
  const points = (text: string) => Array.from(text, (point) => point.codePointAt(0) ?? 0)
  return [...texts].sort((one, other) => {
    const [a, b] = [points(one), points(other)]
    const at = a.findIndex((point, i) => point !== b[i])
    if (at < 0) return a.length - b.length
    return at < b.length ? a[at] - b[at] : 1
  })
}

test('texts are sorted by code points, not by UTF-16 units', () => {
  expect(sortedByCodePoints(['\u{1f600}', '\uff21', 'b', 'a'])).toEqual(['a', 'b', '\uff21', '\u{1f600}'])
  // Both begin alike, and one continues where the other ends.
  expect(sortedByCodePoints(['a\u{1f600}b', 'a\u{1f600}', 'a\uff21', 'a'])).toEqual([
    'a',
    'a\uff21',
    'a\u{1f600}',
    'a\u{1f600}b',
  ])
})

test('any common prefix is handled, and the given list does not change', () => {
  // A few characters, so that many texts begin alike; with and without surrogate pairs.
  const sign = fc.constantFrom('a', 'b', '\uff21', '\u{1f600}', '\u{1f601}', '\u{10000}')
  const texts = fc.oneof(
    fc.array(fc.string({ unit: sign, maxLength: 4 }), { maxLength: 8 }),
    fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'Z'), maxLength: 3 }), { maxLength: 6 }),
  )
  fc.assert(
    fc.property(texts, (given) => {
      const before = [...given]
      expect(sortedByCodePoints(given)).toEqual(plainly(given))
      expect(given).toEqual(before)
    }),
    { numRuns: 500, seed: 5 },
  )
})
