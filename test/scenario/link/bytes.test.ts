import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ByteShape,
  createReader,
  flag,
  fromUtf8,
  kindBytes,
  listBytes,
  number,
  pairBytes,
  recordBytes,
  text,
  toUtf8,
  varint,
  word,
} from '../../../src/scenario/link/bytes.ts'
import { MAX_ITEMS } from '../../../src/scenario/model/limits.ts'

function written(shape: ByteShape, value: unknown): number[] {
  const bytes: number[] = []
  shape.write(bytes, value)
  return bytes
}
const read = (shape: ByteShape, bytes: readonly number[]) => shape.read(createReader(Uint8Array.from(bytes)))

/** The value comes back, and the reader stands behind it, whatever follows. */
function expectBack(shape: ByteShape, value: unknown): void {
  const bytes = written(shape, value)
  for (const byte of bytes) expect(byte).toBeLessThan(256)
  const reader = createReader(Uint8Array.from([...bytes, 1, 2]))
  expect(shape.read(reader)).toEqual(value)
  expect(reader.at).toBe(bytes.length)
}
const whole: ByteShape = {
  write: (bytes, value) => varint.write(bytes, value as number),
  read: (reader) => varint.read(reader),
}
const record = recordBytes({ a: number, b: text, c: flag })

describe('bytes of a link', () => {
  test.each([
    [0, [0]],
    [127, [127]],
    [128, [128, 1]],
    [16_383, [255, 127]],
    [16_384, [128, 128, 1]],
    [2 ** 49 - 1, [255, 255, 255, 255, 255, 255, 127]],
    [Number.MAX_SAFE_INTEGER, [255, 255, 255, 255, 255, 255, 255, 15]],
  ])('are seven bits of a whole number each, the lowest first: %d', (value, bytes) => {
    expect(written(whole, value)).toEqual(bytes)
    expectBack(whole, value)
  })

  test.each([
    [[]],
    [[128]],
    [[255, 255]],
    [[128, 128, 128, 128, 128, 128, 128, 128]],
    [[255, 255, 255, 255, 255, 255, 255, 255, 1]],
  ])('are no number if they do not end, or are too many: %j', (bytes) => {
    expect(() => read(whole, bytes)).toThrow(RangeError)
  })

  test.each([
    [0, [0]],
    [12, [96]],
    [12_000, [99]],
    [3_000_000, [28]],
    [0.5, [45]],
    [0.25, [206, 1]],
    [1e21, [7, 5, 49, 101, 43, 50, 49]],
    [-1, [7, 2, 45, 49]],
    [0.001, [7, 5, 48, 46, 48, 48, 49]],
  ])('are the shortest of digits and an exponent, else a text: %d', (value, bytes) => {
    expect(written(number, value)).toEqual(bytes)
    expectBack(number, value)
  })

  test('of any number give that number', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double({ noNaN: true }),
          fc.nat(),
          fc.maxSafeInteger(),
          fc.double({ min: 0, max: 1e6, noNaN: true }).map((x) => Math.round(x * 100) / 100),
        ),
        (value) => {
          expect(read(number, written(number, value))).toBe(Object.is(value, -0) ? 0 : value)
        },
      ),
    )
    for (const value of [
      Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER - 1,
      2 ** 50,
      2 ** 50 - 1,
      1_125_899_906_842_625,
      1e300,
      5e-324,
      0.1 + 0.2,
      112_589_990_684_262.5,
      11_258_999_068_426_250,
      11_258_999_068_426.27,
    ])
      expectBack(number, value)
  })

  test.each([
    '',
    'a',
    'ärgerlich 検証 😀',
    '\0',
    '\ufeff',
    '\ufeffa',
    '\ufeff\ufeffa',
    'a\ufeff',
    '\ufec0',
    '\ufec0\ufeff',
    '\ufeff\ufefe',
    '\ufe80a',
    '\uf8ff',
    'x'.repeat(200),
  ])('of a text give that text: %j', (value) => {
    expectBack(text, value)
    expect(fromUtf8(toUtf8(value))).toBe(value)
  })

  test('of any text give that text', () => {
    const near = fc.constantFrom('\ufeff', '\ufefe', '\ufec0', '\ufe7f', '\uff00', 'a')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.array(near, { maxLength: 6 }).map((all) => all.join('')),
        ),
        (value) => {
          expectBack(text, value)
        },
      ),
    )
  })

  test('of a text may reach to the end, and not beyond it', () => {
    expect(read(text, [2, 97, 98])).toBe('ab')
    for (const bytes of [[3, 97, 98], [1], [], [255, 255, 255, 255, 15]])
      expect(() => read(text, bytes)).toThrow(RangeError)
  })

  test('of a flag are 0 and 1', () => {
    expect([written(flag, true), written(flag, false), written(flag, undefined)]).toEqual([[1], [0], [0]])
    expect([read(flag, [1]), read(flag, [0]), read(flag, [2])]).toEqual([true, false, false])
  })

  test('of a word are its place, and of no other word', () => {
    const words = word(['wait', 'skip'])
    expect([written(words, 'wait'), written(words, 'skip')]).toEqual([[0], [1]])
    for (const bytes of [[2], [128, 1], []]) expect(() => read(words, bytes)).toThrow(RangeError)
  })

  test('of a list name its length, which is at most the bytes that follow', () => {
    const numbers = listBytes(number)
    expect(written(numbers, [0, 1])).toEqual([2, 0, 8])
    for (const list of [[], [0], [5, 6, 7], [1e21]]) expectBack(numbers, list)
    expect(read(numbers, [1, 0])).toEqual([0])
    for (const bytes of [[2, 0], [1], [255, 255, 127, 0]]) expect(() => read(numbers, bytes)).toThrow(RangeError)
  })

  test('of lists hold four times as many items as a scenario may have, however they are nested, and not one more', () => {
    const most = 4 * MAX_ITEMS
    const nothing: ByteShape = { write() {}, read: () => 0 }
    const bytesFor = (...lengths: readonly number[]) => {
      const bytes: number[] = []
      for (const length of lengths) varint.write(bytes, length)
      return Uint8Array.from([...bytes, ...new Uint8Array(most + 9)])
    }
    expect(listBytes(nothing).read(createReader(bytesFor(most)))).toHaveLength(most)
    expect(() => listBytes(nothing).read(createReader(bytesFor(most + 1)))).toThrow(RangeError)
    const nested = listBytes(listBytes(nothing))
    expect(nested.read(createReader(bytesFor(2, most / 2, most / 2 - 2)))).toHaveLength(2)
    expect(() => nested.read(createReader(bytesFor(2, most / 2, most / 2 - 1)))).toThrow(RangeError)
  })

  test('of a pair are those of the first and then of the second', () => {
    expect(written(pairBytes(number, text), [1, 'a'])).toEqual([8, 1, 97])
    expectBack(pairBytes(number, text), [1, 'a'])
  })

  test('of a record begin with a bit for each key that is there', () => {
    expect(written(record, {})).toEqual([0])
    expect(written(record, { c: true, a: 1 })).toEqual([5, 8, 1])
    for (const value of [{}, { a: 0 }, { b: '' }, { c: false }, { a: 1, b: 'x', c: true }]) expectBack(record, value)
    expect(read(record, [7, 8, 0, 0])).toEqual({ a: 1, b: '', c: false })
    for (const mask of [8, 9, 15, 16, 127]) expect(() => read(record, [mask, 8, 0, 0, 0, 0, 0])).toThrow(RangeError)
  })

  test('of a record hold a key that is null, and none that is undefined', () => {
    const orNone: ByteShape = {
      write: (bytes, value) => number.write(bytes, value ?? 0),
      read: (reader) => number.read(reader) || null,
    }
    const shape = recordBytes({ a: orNone, b: orNone })
    expect(written(shape, { a: null, b: 2 })).toEqual([3, 0, 16])
    expect(written(shape, { a: undefined, b: null })).toEqual([2, 0])
    for (const value of [{ a: null }, { b: null }, { a: null, b: null }, { a: 5, b: null }]) expectBack(shape, value)
  })

  test('of a record with all of thirty keys are read', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, k) => [`k${k}`, flag]))
    expectBack(recordBytes(many), Object.fromEntries(Object.keys(many).map((key, k) => [key, k % 2 === 0])))
  })

  test('of one of several kinds begin with its place', () => {
    const kinds = kindBytes({ none: recordBytes({}), some: recordBytes({ n: number }) })
    expect(written(kinds, { kind: 'some', n: 2 })).toEqual([1, 1, 16])
    for (const value of [{ kind: 'none' }, { kind: 'some' }, { kind: 'some', n: 2 }]) expectBack(kinds, value)
    expect(() => read(kinds, [2, 0])).toThrow(RangeError)
  })
})
