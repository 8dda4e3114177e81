import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  joinedWires,
  payloadOf,
  plainTextOf,
  tileInValue,
  type Wire,
  wireOf,
  wireValue,
} from '../../../src/features/stageCode/threads/wire.ts'

const pixels = Uint8Array.from({ length: 8 }, (_, k) => k)
const size = { width: 2, height: 1 }
const tile = { ...size, x: 0.5, y: -1, step: 2, iterations: 5, counts: Float32Array.of(1, 2, 3, 4), pixels }

test('a kernel gets back what a kernel gave, through the text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (record) => {
      const plain = JSON.parse(JSON.stringify(record)) as never
      const payload = typeof plain === 'string' ? plain : { record: plain }
      expect(payloadOf(wireOf(payload))).toEqual(payload)
    }),
  )
  // A view of a longer buffer has its own bytes alone.
  expect(payloadOf(wireOf(Uint8Array.of(9, 9, 1, 2, 9).subarray(2, 4)))).toEqual(Uint8Array.of(1, 2))
  expect(payloadOf(wireOf(tile))).toEqual(tile)
  expect(wireOf(new Uint8Array(0)).bytes).toBeNull()
})

/** A text with one typed array in it, and 16 bytes. */
const marked = (...mark: readonly unknown[]): Wire => ({
  text: JSON.stringify([{ '\u0000': mark }]),
  bytes: Uint8Array.from({ length: 16 }, (_, k) => k),
})

test.each<[mark: readonly unknown[], array: unknown]>([
  [['Uint8Array', 4, 2], Uint8Array.of(4, 5)],
  [['Uint8Array', 4, 12], Uint8Array.from({ length: 12 }, (_, k) => 4 + k)],
  [['Uint16Array', 1, 2], Uint16Array.of(0x201, 0x403)],
  [['Float64Array', 0, 3], null],
  ...[
    [-8, 1],
    [0.5, 1],
    [0, -1],
    [0, 0.5],
    [0, 17],
    [5, 12],
    ['0', 1],
    [0, '1'],
    [null, 1],
    [0, null],
    [0, 2 ** 53],
  ].map(([at, length]) => [['Uint8Array', at, length], null] as [readonly unknown[], null]),
  ...[
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'Function',
    'DataView',
    'Array',
    'length',
    '',
    null,
    7,
  ].map((kind) => [[kind, 0, 1], null] as [readonly unknown[], null]),
])('a typed array lies within the bytes of its value, and has a kind of its own: %j', (mark, array) => {
  if (array === null) return expect(() => wireValue(marked(...mark))).toThrow(RangeError)
  const [first] = wireValue(marked(...mark)) as [Uint8Array]
  expect(first).toEqual(array)
  // It is a copy.
  first.fill(7)
  expect(wireValue(marked(...mark))).toEqual([array])
})

test('typed arrays stand only where a field of a value says so itself, and only beside bytes', () => {
  expect(wireValue({ text: '{"a":{"b":1}}', bytes: new Uint8Array(8) })).toEqual({ a: { b: 1 } })
  expect(wireValue({ text: '{"\\u0000":["Uint8Array",0,0]}', bytes: null })).toEqual({ '\u0000': ['Uint8Array', 0, 0] })
})

test('typed arrays are lists of numbers in the output and for kernels, whole ones of 64 bits too', () => {
  const bytes = new Uint8Array(BigInt64Array.of(-3n).buffer)
  expect(plainTextOf({ text: '{"a":{"\\u0000":["BigInt64Array",0,1]}}', bytes })).toBe('{"a":[-3]}')
  expect(payloadOf({ text: '[{"\\u0000":["BigUint64Array",0,1]},7]', bytes: new Uint8Array(8) })).toEqual({
    record: [[0], 7],
  })
})

test.each<[name: string, value: unknown, found: object | null]>([
  ['four bytes a pixel', { ...size, pixels, more: 1 }, { pixels, counts: null, iterations: Number.NaN }],
  ['four clamped bytes a pixel', { ...size, pixels: Uint8ClampedArray.from(pixels) }, { pixels }],
  ['a view of four bytes a pixel', { ...size, pixels: Uint8Array.from([7, 7, ...pixels]).subarray(2) }, { pixels }],
  ['two numbers a pixel', { ...size, counts: new Float32Array(4) }, { counts: new Float32Array(4) }],
  ['iterations', { ...size, iterations: 5 }, { iterations: 5, counts: null, pixels: null }],
  ...[0, 3, 5, 8].map(
    (length) =>
      [
        `iterations, without ${length} numbers`,
        { ...size, iterations: 5, counts: new Float32Array(length) },
        { counts: null },
      ] as [string, unknown, object],
  ),
  ['a text', 'tile', null],
  ['null', null, null],
  ['nothing but a size', { width: 1, height: 1 }, null],
  ['a width that is no whole number', { width: 2.5, height: 1, iterations: 5 }, null],
  ['a width below 0', { width: -2, height: 1, iterations: 5 }, null],
  ['a height in words', { width: 2, height: '1', iterations: 5 }, null],
  ['no height', { width: 2, iterations: 5 }, null],
  ['a byte too few', { ...size, pixels: pixels.subarray(1), iterations: 5 }, null],
  ['a byte too many', { ...size, pixels: new Uint8Array(9), iterations: 5 }, null],
  ['pixels in a list', { ...size, pixels: [...pixels], iterations: 5 }, null],
  ['pixels of another kind', { ...size, pixels: new Uint16Array(8), iterations: 5 }, null],
  ['iterations in words', { ...size, iterations: '5' }, null],
  ['a number too few, and no iterations', { ...size, counts: new Float32Array(3) }, null],
  ['numbers of another kind, and no iterations', { ...size, counts: new Float64Array(4) }, null],
])('a value is a tile or none by what it has: %s', (_, value, found) => {
  const read = tileInValue(value)
  if (found === null) return expect(read).toBeNull()
  expect(read).toMatchObject({ ...size, ...found })
  expect(read).not.toHaveProperty('more')
})

test('a join has the parts by the stage that each left, whatever its name', () => {
  const [text, bytes] = [wireOf('x'), wireOf(Uint8Array.of(7, 8))]
  expect(joinedWires([['A', text]])).toEqual(text)
  for (const [a, b] of [
    [text, bytes],
    [bytes, text],
    [bytes, bytes],
  ])
    expect(
      wireValue(
        joinedWires([
          ['A', a],
          ['B', b],
        ]),
      ),
    ).toEqual({ A: wireValue(a), B: wireValue(b) })
  const odd = joinedWires([
    ['say "hi"\\', text],
    ['B', wireOf({ record: [1] })],
  ])
  expect(JSON.parse(odd.text)).toEqual({ 'say "hi"\\': 'x', B: [1] })
})
