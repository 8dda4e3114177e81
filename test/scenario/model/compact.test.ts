import fc from 'fast-check'
import { expect, test } from 'vitest'
import { same } from '../../../src/scenario/model/compact.ts'
import { repeats } from '../../fixtures/extent.ts'

/** Few values, so that many pairs are equal or nearly so. */
const { plain } = fc.letrec<{ plain: unknown }>((tie) => ({
  plain: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(0, 1, '', 'a', true, null),
    fc.array(tie('plain'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '0'), tie('plain'), { maxKeys: 2 }),
  ),
}))

/** The value as text, with the keys of objects in order. */
function spelled(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spelled).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${key}:${spelled(each)}`).join()}}`
}

test('two values of plain JSON are equal if and only if they differ at most in the order of keys', () => {
  fc.assert(
    fc.property(plain, plain, (a, b) => {
      expect(same(a, b)).toBe(spelled(a) === spelled(b))
      if (Array.isArray(a)) expect([same(a, [...a, b]), same([...a, b], a)]).toEqual([false, false])
      else if (typeof a === 'object' && a !== null)
        expect([same(a, { ...a, more: b }), same({ ...a, more: b }, a)]).toEqual([false, false])
      expect(same(structuredClone(a), a)).toBe(true)
    }),
    { numRuns: repeats(1000) },
  )
})
