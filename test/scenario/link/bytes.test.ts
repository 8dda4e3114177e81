import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ByteShape,
  createReader,
  flag,
  listBytes,
  number,
  recordBytes,
  text,
  varint,
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

  test('of a record begin with a bit for each key that is there', () => {
    expect(written(record, {})).toEqual([0])
    expect(written(record, { c: true, a: 1 })).toEqual([5, 8, 1])
    for (const value of [{}, { a: 0 }, { b: '' }, { c: false }, { a: 1, b: 'x', c: true }]) expectBack(record, value)
    expect(read(record, [7, 8, 0, 0])).toEqual({ a: 1, b: '', c: false })
    for (const mask of [8, 9, 15, 16, 127]) expect(() => read(record, [mask, 8, 0, 0, 0, 0, 0])).toThrow(RangeError)
  })
})
