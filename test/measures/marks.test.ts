import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appendMark, countMarks, createMarks, marksBefore } from '../../src/measures/marks.ts'
import { BLOCK, firstAfter, firstAtLeast, firstByBlocks } from '../../src/measures/search.ts'

const times = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 300 }).map((list) => list.sort((a, b) => a - b))

test('marks are counted as one would count them by hand', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: -20, max: 500 }), fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 60 }), (list, from, width, parts) => {
      const marks = createMarks()
      for (const time of list) appendMark(marks, time)
      const counts = new Int32Array(parts)
      // Whole widths, so that no rim is rounded.
      const most = countMarks(marks, from, from + width * parts, parts, counts)
      const plain = Array.from({ length: parts }, (_, p) => list.filter((time) => time >= from + p * width && time < from + (p + 1) * width).length)
      expect([...counts]).toEqual(plain)
      expect(most).toBe(Math.max(...plain))
      expect(marksBefore(marks, from)).toBe(list.filter((time) => time < from).length)
    }),
  )
})

test('a search that guesses finds what a search that does not guess finds, however wrong the guess', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: -5, max: 505 }), fc.nat(400), fc.nat(300), fc.boolean(), (list, x, guess, from, above) => {
      const column = Float64Array.from(list)
      const start = Math.min(from, list.length)
      const found = firstAtLeast(column, list.length, x, start, above)
      expect(firstAfter(column, list.length, x, start, start + guess, above)).toBe(found)
      const heads = Float64Array.from(list.filter((_, i) => i % BLOCK === 0))
      expect(firstByBlocks(column, heads, list.length, x, start, guess, above)).toBe(found)
    }),
  )
})
