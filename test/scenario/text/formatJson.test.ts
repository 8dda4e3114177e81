import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatJson, onOneLine } from '../../../src/scenario/text/formatJson.ts'

test('JSON for people is the same JSON, with as much as fits on lines of at most 70 characters', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = formatJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(JSON.parse(onOneLine(value))).toEqual(JSON.parse(JSON.stringify(value)))
      if (typeof value === 'object' && value !== null && !text.includes('\n'))
        expect(text.length).toBeLessThanOrEqual(70)
    }),
  )
})

test('a long list of numbers fills its lines, a list of objects has one per line', () => {
  const numbers = Array.from({ length: 60 }, (_, i) => 1000 + i)
  const lines = formatJson({ at: numbers, empty: {}, none: [] }).split('\n')
  const filled = lines.slice(2, -4)
  expect(lines.slice(0, 2)).toEqual(['{', '  "at": ['])
  expect(lines.slice(-4)).toEqual(['  ],', '  "empty": {},', '  "none": []', '}'])
  for (const line of filled) expect(line).toMatch(/^ {4}\d{4}(, \d{4})*,?$/)
  // No line has room for one more number.
  for (const line of filled.slice(0, -1)) expect(line.length + 6).toBeGreaterThan(70)
  for (const line of filled) expect(line.length).toBeLessThanOrEqual(70)
  expect(
    formatJson([
      { id: 'A', name: 'x'.repeat(30) },
      { id: 'B', name: 'x'.repeat(30) },
    ]),
  ).toBe(`[\n  { "id": "A", "name": "${'x'.repeat(30)}" },\n  { "id": "B", "name": "${'x'.repeat(30)}" }\n]`)
})
