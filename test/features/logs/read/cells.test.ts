import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSpellings } from '../../../../src/features/logs/read/logColumns.ts'

test('spellings mean what was given first, wherever their bytes stand, and there is a limit of them', () => {
  const text = fc.array(fc.constantFrom(1, 2), { maxLength: 4 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), fc.nat(6), fc.nat(3), (texts, most, before) => {
      const spellings = createSpellings<number>(most)
      const plain = new Map<string, number>()
      for (const [k, each] of texts.entries()) {
        const bytes = Uint8Array.of(...Array(before).fill(1), ...each, 2, 1)
        const to = before + each.length
        expect(spellings.find(bytes, before, to)).toBe(plain.get(String(each)))
        spellings.remember(bytes, before, to, k)
        if (plain.size < most && !plain.has(String(each))) plain.set(String(each), k)
        expect(spellings.find(bytes, before, to)).toBe(plain.get(String(each)))
        // What they were read from may change.
        bytes.fill(9)
      }
    }),
  )
})

test('two spellings with one hash are distinguished, also if one is a prefix of the other', () => {
  // FNV-1a of 32 bits gives both the same.
  const [one, other] = ['costarring', 'liquid'].map((text) => new TextEncoder().encode(text))
  const spellings = createSpellings<string>(9)
  spellings.remember(one, 0, one.length, 'one')
  spellings.remember(other, 0, other.length, 'other')
  expect([spellings.find(one, 0, one.length), spellings.find(other, 0, other.length)]).toEqual(['one', undefined])
})
