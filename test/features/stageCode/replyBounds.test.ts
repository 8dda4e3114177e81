import { describe, expect, test } from 'vitest'
import {
  type AwayBatch,
  MAX_VALUE_SIZE,
  readReply,
  reasonIn,
} from '../../../src/features/stageCode/threads/readReply.ts'
import {
  joinedWires,
  payloadOf,
  plainTextOf,
  tileInValue,
  wireOf,
  wireValue,
} from '../../../src/features/stageCode/threads/wire.ts'

const SENT = 1_000_000
const out = (...sizes: readonly number[]): ReadonlyMap<number, AwayBatch> =>
  new Map(sizes.map((size, number) => [number, { jobs: Array.from({ length: size }, (_, k) => 10 + k), sent: SENT }]))
const one = { number: 0, began: 1_000_100, ended: [1_000_200], values: [['1', -1, 0]], thrown: [] as unknown[] }
const read = (changes: object, { buffer = null as unknown, now = 1_010_000, asked = out(1) } = {}) => {
  const text = JSON.stringify({ ...one, ...changes })
  return readReply(buffer === null ? text : [text, buffer], asked, now)
}
const isRefused = (reply: unknown) => typeof reply === 'string'

describe('a message of a thread that runs code of others', () => {
  test('is a text, or a text and its bytes: a list of another length, or with other things, is refused', () => {
    const text = JSON.stringify(one)
    const bytes = new ArrayBuffer(8)
    for (const fine of [text, [text, bytes], [text, null]])
      expect(isRefused(readReply(fine, out(1), 1_010_000))).toBe(false)
    for (const odd of [
      [],
      [text],
      [text, bytes, bytes],
      [text, new Uint8Array(8)],
      [text, {}],
      [bytes, text],
      new String(text),
      null,
      'null',
      '7',
      '[]',
      '"0"',
    ])
      expect(isRefused(readReply(odd, out(1), 1_010_000)), JSON.stringify(odd)).toBe(true)
  })

  test('is ready only if it says exactly so: else it answers a batch, or nothing that was asked', () => {
    expect(readReply('{"ready":true}', out(), 0)).toEqual({ ready: true })
    for (const ready of [1, 'true', {}, [], false, null])
      expect(readReply(JSON.stringify({ ready }), out(), 0), JSON.stringify(ready)).toMatch(/not out/)
  })

  test('names what could not be deleted in at most 100 characters, and only in a text', () => {
    expect(readReply(JSON.stringify({ left: 'x'.repeat(5000) }), out(), 0)).toEqual({ left: 'x'.repeat(100) })
    for (const left of [7, {}, null, ['fetch']])
      expect(isRefused(readReply(JSON.stringify({ left }), out(), 0)), JSON.stringify(left)).toBe(true)
  })

  test('tells its clock in whole microseconds: every other clock is refused', () => {
    for (const clock of [-5, 0, Number.MAX_SAFE_INTEGER])
      expect(readReply(JSON.stringify({ clock }), out(), 0)).toEqual({ clock })
    for (const clock of ['0.5', '1e300', '9007199254740992', '"1"', 'null', '[1]'])
      expect(readReply(`{"clock":${clock}}`, out(), 0), clock).toMatch(/times/)
  })

  test('names its batch by a number: no text that looks like one', () => {
    for (const number of ['0', [0], null, {}]) expect(read({ number }), JSON.stringify(number)).toMatch(/not out/)
  })

  test('may be as long as the largest batch that is out can need, whichever came first, and no longer', () => {
    const most = (size: number) => 10_000 + 12 * MAX_VALUE_SIZE * size
    const padded = (length: number) => JSON.stringify(one).padEnd(length)
    for (const asked of [out(1, 2), out(2, 1)]) {
      const says = [most(2), most(2) + 1].map((length) =>
        JSON.stringify(readReply(padded(length), asked, 1_010_000)).includes('too long'),
      )
      expect(says).toEqual([false, true])
    }
    // Before anything is out there is room for a greeting.
    expect(readReply('{"ready":true}'.padEnd(most(1)), out(), 0)).toEqual({ ready: true })
    expect(readReply('{"ready":true}'.padEnd(most(1) + 1), out(), 0)).toMatch(/too long/)
  })

  test('may have as many bytes as its jobs may have, to the byte, and they may end where the buffer ends', () => {
    const values = [['1', MAX_VALUE_SIZE - 3, 3]]
    expect(read({ values }, { buffer: new ArrayBuffer(MAX_VALUE_SIZE) })).toMatchObject({
      values: [{ bytes: new Uint8Array(3) }],
    })
    expect(read({ values }, { buffer: new ArrayBuffer(MAX_VALUE_SIZE + 1) })).toMatch(/too long/)
    expect(read({ values: [['1', MAX_VALUE_SIZE - 2, 3]] }, { buffer: new ArrayBuffer(MAX_VALUE_SIZE) })).toMatch(
      /read/,
    )
    for (const place of [[0, -1], [-1.5, 1], ['0', 1], [0, '1'], [0], [0, null]])
      expect(read({ values: [['1', ...place]] }, { buffer: new ArrayBuffer(8) }), JSON.stringify(place)).toMatch(/read/)
  })

  test('has no value whose text is longer than any value can be', () => {
    const asked = out(2)
    const values = (length: number) => [
      ['x'.repeat(length), -1, 0],
      ['1', -1, 0],
    ]
    const ended = [1_000_200, 1_000_300]
    expect(isRefused(read({ values: values(12 * MAX_VALUE_SIZE), ended }, { asked }))).toBe(false)
    expect(read({ values: values(12 * MAX_VALUE_SIZE + 1), ended }, { asked })).toMatch(/read/)
  })

  test('keeps the bytes of each value apart: who changes one changes no other', () => {
    const buffer = Uint8Array.of(1, 2, 3, 4).buffer
    const reply = read(
      {
        values: [
          ['1', 0, 4],
          ['1', 0, 4],
        ],
        ended: [1_000_200, 1_000_300],
      },
      { buffer, asked: out(2) },
    )
    if (typeof reply === 'string' || !('values' in reply)) expect.fail(JSON.stringify(reply))
    reply.values[0].bytes?.fill(9)
    expect([reply.values[1].bytes, new Uint8Array(buffer)]).toEqual([
      Uint8Array.of(1, 2, 3, 4),
      Uint8Array.of(1, 2, 3, 4),
    ])
    expect(reply.values[0].bytes?.buffer.byteLength).toBe(4)
  })
})

describe('the times of a reply', () => {
  const two = (began: unknown, ...ended: readonly unknown[]) =>
    isRefused(read({ began, ended, values: ended.map(() => ['1', -1, 0]) }, { asked: out(ended.length) }))

  test('ascend strictly from the beginning: no two are equal, none is 0 or below', () => {
    expect(two(1_000_100, 1_000_101, 1_000_102)).toBe(false)
    expect([
      two(1_000_100, 1_000_100),
      two(1_000_100, 1_000_102, 1_000_102),
      two(1_000_100, 1_000_102, 1_000_101),
    ]).toEqual([true, true, true])
    expect([two(1, 2), two(0, 2), two(-1, 2), two(1.5, 2), two(2 ** 53, 2 ** 53 + 2)]).toEqual([
      false,
      true,
      true,
      true,
      true,
    ])
    for (const odd of ['1000200', null, [1_000_200], {}]) expect(two(1_000_100, odd), JSON.stringify(odd)).toBe(true)
    // Also where every job threw, so that nothing ended.
    expect(read({ began: 0, ended: [], values: [], thrown: [[10, 'Error', '']] })).toMatch(/times/)
  })

  test('take no longer than from the sending to now, and two milliseconds by which clocks may differ', () => {
    const lasting = (micros: number) => read({ began: SENT, ended: [SENT + micros] }, { now: SENT + 5000 })
    expect([5000, 7000].map((micros) => isRefused(lasting(micros)))).toEqual([false, false])
    expect(lasting(7001)).toMatch(/times/)
    // On whose clock is open: only how long it took is compared.
    expect(isRefused(read({ began: 77, ended: [5077] }, { now: SENT + 5000 }))).toBe(false)
  })
})

describe('what was thrown', () => {
  test.each([
    ['no list', 7],
    ['words that are no text', [10, 7, '']],
    ['a place that is no text', [10, 'Error', 3]],
    ['no place', [10, 'Error']],
    ['a job in words', ['10', 'Error', '']],
    ['a list in place of a job', [[10], 'Error', '']],
  ])('with %s is refused', (_, thrown) => {
    expect(isRefused(read({ ended: [], values: [], thrown: [thrown] }))).toBe(true)
  })

  test('has a line only where its place begins with one of at most six digits', () => {
    expect(reasonIn('Error: a', ':12:7')).toBe('line 12: Error: a')
    expect(reasonIn('Error: a', ':123456:7')).toBe('line 123456: Error: a')
    for (const place of ['', '12:7', 'x:12:7', ':x', ' :3']) expect(reasonIn('Error: a', place), place).toBe('Error: a')
    expect(reasonIn('Error: a', ':1234567890123')).toBe('line 123456: Error: a')
  })

  test('is cut after 200 whole letters, and has no control character, no turned letter and no second line', () => {
    expect(reasonIn('📱'.repeat(200), '')).toBe('📱'.repeat(200))
    expect(reasonIn('📱'.repeat(201), '')).toBe(`${'📱'.repeat(200)}…`)
    expect(reasonIn('a\u2028b\u2029c\u202ed\u0000e\u001bf', '')).toBe('a b c d e f')
    expect(reasonIn('at data:text/javascript;charset=utf-8,a b data:text/javascript,c)', '')).toBe(
      'at the code b the code)',
    )
  })
})

describe('typed arrays in a value of others', () => {
  const marked = (...mark: readonly unknown[]) => ({
    text: JSON.stringify([{ '\u0000': mark }]),
    bytes: new Uint8Array(16),
  })

  test('lie within the bytes, from a whole first byte and with a whole length', () => {
    expect(wireValue(marked('Uint8Array', 4, 12))).toEqual([new Uint8Array(12)])
    expect(wireValue(marked('Float64Array', 0, 2))).toEqual([new Float64Array(2)])
    for (const [at, length] of [
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
    ])
      expect(() => wireValue(marked('Uint8Array', at, length)), `${at} ${length}`).toThrow(RangeError)
    expect(() => wireValue(marked('Float64Array', 0, 3))).toThrow(RangeError)
  })

  test('may begin at any byte, and are copies: who changes one changes no other', () => {
    const numbers = new Uint8Array(new Float64Array([1.5]).buffer)
    for (const at of [0, 1, 3, 8]) {
      const bytes = new Uint8Array(16)
      bytes.set(numbers, at)
      const text = JSON.stringify([{ '\u0000': ['Float64Array', at, 1] }])
      const [first] = wireValue({ text, bytes }) as [Float64Array]
      expect(first).toEqual(Float64Array.of(1.5))
      first[0] = 7
      expect(wireValue({ text, bytes })).toEqual([Float64Array.of(1.5)])
    }
  })

  test('are of a kind of typed arrays: no name that every object has, and no other view', () => {
    for (const kind of [
      'toString',
      'constructor',
      '__proto__',
      'hasOwnProperty',
      'DataView',
      'Array',
      'length',
      '',
      null,
      7,
    ])
      expect(() => wireValue(marked(kind, 0, 1)), String(kind)).toThrow(RangeError)
  })

  test('come back with their kind and numbers, several in a value, also views of a longer buffer', () => {
    const long = Uint8Array.of(9, 9, 1, 2, 9)
    const pixels = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
    const tile = {
      width: 1,
      height: 2,
      x: 0.5,
      y: -1,
      step: 2,
      iterations: 5,
      counts: Float32Array.of(1, 2, 3, 4),
      pixels,
    }
    expect(payloadOf(wireOf(long.subarray(2, 4)))).toEqual(Uint8Array.of(1, 2))
    expect(payloadOf(wireOf(tile))).toEqual(tile)
    expect(wireOf(new Uint8Array(0)).bytes).toBeNull()
  })

  test('are lists of numbers in the output, whole ones of 64 bits too', () => {
    const bytes = new Uint8Array(BigInt64Array.of(-3n).buffer)
    expect(plainTextOf({ text: '{"a":{"\\u0000":["BigInt64Array",0,1]}}', bytes })).toBe('{"a":[-3]}')
    expect(payloadOf({ text: '[{"\\u0000":["BigUint64Array",0,1]},7]', bytes: new Uint8Array(8) })).toEqual({
      record: [[0], 7],
    })
  })

  test('stand only where a field of a value says so itself', () => {
    expect(wireValue({ text: '{"a":{"b":1}}', bytes: new Uint8Array(8) })).toEqual({ a: { b: 1 } })
    // Without bytes a text is read as it is.
    expect(wireValue({ text: '{"\\u0000":["Uint8Array",0,0]}', bytes: null })).toEqual({
      '\u0000': ['Uint8Array', 0, 0],
    })
  })
})

describe('a value of others is a tile', () => {
  const pixels = Uint8Array.from({ length: 8 }, (_, k) => k)
  const size = { width: 2, height: 1 }

  test('if it has four bytes a pixel, two numbers a pixel, or the number of iterations; what else it has is left out', () => {
    const nothing = { x: Number.NaN, y: Number.NaN, step: Number.NaN }
    expect(tileInValue({ ...size, pixels, more: 1 })).toEqual({
      ...size,
      ...nothing,
      iterations: Number.NaN,
      counts: null,
      pixels,
    })
    expect(tileInValue({ ...size, pixels: Uint8ClampedArray.from(pixels) })?.pixels).toEqual(pixels)
    expect(tileInValue({ ...size, counts: new Float32Array(4) })?.counts).toEqual(new Float32Array(4))
    expect(tileInValue({ ...size, iterations: 5 })).toMatchObject({ iterations: 5, counts: null, pixels: null })
    // Only as many bytes as belong to it, from where they begin.
    expect(tileInValue({ ...size, pixels: Uint8Array.from([7, 7, ...pixels]).subarray(2) })?.pixels).toEqual(pixels)
  })

  test.each<[string, unknown]>([
    ['a text', 'tile'],
    ['null', null],
    ['a width that is no whole number', { width: 2.5, height: 1, iterations: 5 }],
    ['a width below 0', { width: -2, height: 1, iterations: 5 }],
    ['a height in words', { width: 2, height: '1', iterations: 5 }],
    ['no height', { width: 2, iterations: 5 }],
    ['a byte too few', { ...size, pixels: pixels.subarray(1), iterations: 5 }],
    ['a byte too many', { ...size, pixels: new Uint8Array(9), iterations: 5 }],
    ['pixels in a list', { ...size, pixels: [...pixels], iterations: 5 }],
    ['pixels of another kind', { ...size, pixels: new Uint16Array(8), iterations: 5 }],
    ['iterations in words', { ...size, iterations: '5' }],
    ['a number too few, and no iterations', { ...size, counts: new Float32Array(3) }],
    ['a number too many, and no iterations', { ...size, counts: new Float32Array(5) }],
    ['numbers of another kind, and no iterations', { ...size, counts: new Float64Array(4) }],
  ])('and not with %s', (_, value) => {
    expect(tileInValue(value)).toBeNull()
  })

  test('and its numbers count only if there are two for each pixel', () => {
    for (const length of [0, 3, 5, 8])
      expect(tileInValue({ ...size, iterations: 5, counts: new Float32Array(length) })?.counts, `${length}`).toBeNull()
  })
})

test('a join of parts of which only some have bytes keeps them all, and its fields have the names of the stages, whatever these are', () => {
  const text = wireOf('x')
  const bytes = wireOf(Uint8Array.of(7, 8))
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
    ['B', text],
  ])
  expect(JSON.parse(odd.text)).toEqual({ 'say "hi"\\': 'x', B: 'x' })
})
