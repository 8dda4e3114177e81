import { bisectLeft, bisectRight } from 'd3-array'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  appendMark,
  countMarks,
  createMarks,
  firstAfter,
  firstMark,
  markAt,
  marksBefore,
  markTimes,
} from '../../../src/measures/series/marks.ts'

const times = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 300 }).map((list) => list.sort((a, b) => a - b))

test('marks are counted as a plain loop counts them', () => {
  fc.assert(
    fc.property(
      times,
      fc.integer({ min: -20, max: 500 }),
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 60 }),
      (list, from, width, parts) => {
        const marks = createMarks()
        for (const time of list) appendMark(marks, time)
        const counts = new Int32Array(parts)
        // Whole widths, so that no edge is rounded.
        countMarks(marks, from, from + width * parts, parts, counts)
        const plain = Array.from(
          { length: parts },
          (_, p) => list.filter((time) => time >= from + p * width && time < from + (p + 1) * width).length,
        )
        expect([...counts]).toEqual(plain)
        expect(marksBefore(marks, from)).toBe(list.filter((time) => time < from).length)
      },
    ),
  )
})

function marked(list: readonly number[]) {
  const marks = createMarks()
  for (const time of list) appendMark(marks, time)
  return marks
}

test('a search with a guess finds the same as a search without, however wrong the guess', () => {
  fc.assert(
    fc.property(
      times,
      fc.integer({ min: -5, max: 505 }),
      fc.nat(400),
      fc.nat(300),
      fc.boolean(),
      (list, x, guess, from, above) => {
        const column = Float64Array.from(list)
        const start = Math.min(from, list.length)
        const found = (above ? bisectRight : bisectLeft)(column, x, start)
        expect(firstAfter(column, list.length, x, start, start + guess, above)).toBe(found)
        expect(firstMark(marked(list), x, start, guess, above)).toBe(found)
      },
    ),
  )
})

test('marks are kept to the microsecond, even with hours between them', () => {
  const gap = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom(2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 45))
  fc.assert(
    fc.property(fc.array(gap, { maxLength: 100 }), fc.nat(100), (gaps, k) => {
      let time = 0
      const list = gaps.map((by) => (time += by))
      const marks = marked(list)
      expect([...markTimes(marks)]).toEqual(list)
      if (list.length === 0) return
      const one = k % list.length
      expect(markAt(marks, one)).toBe(list[one])
      expect(marksBefore(marks, list[one])).toBe(list.indexOf(list[one]))
      expect(firstMark(marks, list[one], 0, 0, true)).toBe(list.lastIndexOf(list[one]) + 1)
    }),
  )
})
