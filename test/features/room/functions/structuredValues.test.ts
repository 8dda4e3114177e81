import { describe, expect, test } from 'vitest'
import { comparable, packValue, unpackValue } from '../../../../src/features/room/functions/structured.ts'

const again = <T>(value: T) => unpackValue(packValue(value)) as T

/** A message whose JSON is this. */
function packed(
  tree: unknown,
  buffers: readonly Uint8Array[] = [],
  lengths = buffers.map(({ length }) => length),
): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify([tree, lengths]))
  const bytes = new Uint8Array(4 + json.length + buffers.reduce((sum, { length }) => sum + length, 0))
  new DataView(bytes.buffer).setUint32(0, json.length, true)
  bytes.set(json, 4)
  let at = 4 + json.length
  for (const buffer of buffers) {
    bytes.set(buffer, at)
    at += buffer.length
  }
  return bytes
}

describe('a value on its way to another machine', () => {
  test('keeps what is no number, no date and no end: each special value is itself', () => {
    for (const value of [Number.NaN, Infinity, -Infinity, -0, undefined, null, 2n ** 80n, -5n])
      expect(Object.is(again(value), value), String(value)).toBe(true)
    expect(again(new Date(Number.NaN)).getTime()).toBeNaN()
    expect(again(new Date(0)).getTime()).toBe(0)
    expect(again(/a\/b/giu)).toEqual(/a\/b/giu)
  })

  test('keeps the name and the stack of an error, whatever its kind', () => {
    class Own extends Error {}
    const own = Object.assign(new Own('mine'), { name: 'OwnError' })
    for (const error of [new Error('a'), new TypeError('b'), new RangeError(''), own]) {
      const back = again(error)
      expect([back.name, back.message, back.stack, back instanceof Error]).toEqual([
        error.name,
        error.message,
        error.stack,
        true,
      ])
    }
    expect(again(new TypeError('b'))).toBeInstanceOf(TypeError)
    expect(Object.hasOwn(again(new Error('a')), 'name')).toBe(false)
  })

  test('keeps the cause of an error if it has one, also one that counts as false', () => {
    for (const cause of [undefined, null, 0, '', false, { deep: 1 }]) {
      const back = again(new Error('a', { cause }))
      expect([Object.hasOwn(back, 'cause'), back.cause]).toEqual([true, cause])
    }
    expect('cause' in again(new Error('a'))).toBe(false)
  })

  test('that is compared has no stack, and keeps all else of an error', () => {
    const same = (one: unknown, other: unknown) => Buffer.compare(comparable(one), comparable(other)) === 0
    const error = (message: string, more: object = {}) =>
      Object.assign(new Error(message), { stack: `${Math.random()}`, ...more })
    expect(same(error('a'), error('a'))).toBe(true)
    expect(same(error('a'), error('b'))).toBe(false)
    expect(same(error('a'), error('a', { name: 'B' }))).toBe(false)
    expect(same(error('a', { cause: 1 }), error('a', { cause: 2 }))).toBe(false)
    expect(same(new Map([[1, { a: 1, b: 2 }]]), new Map([[1, { b: 2, a: 1 }]]))).toBe(true)
    expect(same(new Set([1, 2]), new Set([2, 1]))).toBe(false)
    expect(same(Uint8Array.of(1, 0), Uint16Array.of(1))).toBe(false)
  })

  test('is read wherever its bytes lie in memory', () => {
    const value = { a: [1, 'ä'], b: Uint8Array.of(7, 8, 9) }
    const bytes = packValue(value)
    for (const before of [1, 3, 8]) {
      const around = new Uint8Array(bytes.length + before + 5).fill(255)
      around.set(bytes, before)
      expect(unpackValue(around.subarray(before, before + bytes.length)), String(before)).toEqual(value)
    }
  })

  test('has a field named "__proto__" if it had one, and its own prototype', () => {
    const back = again(JSON.parse('{"__proto__":{"a":1},"b":2}')) as object
    expect([Object.keys(back), JSON.stringify(back), Object.getPrototypeOf(back)]).toEqual([
      ['__proto__', 'b'],
      '{"__proto__":{"a":1},"b":2}',
      Object.prototype,
    ])
  })

  test('has undefined for an empty place in a list', () => {
    const sparse: unknown[] = [1]
    sparse[3] = 2
    expect(again(sparse)).toStrictEqual([1, undefined, undefined, 2])
  })

  test('has fields like any other object: they can be changed, removed and listed', () => {
    for (const value of [
      { '': 1, a: 2 },
      { a: 2, b: 1 },
    ]) {
      const back = again(value) as Record<string, unknown>
      for (const name of Object.keys(value))
        expect(Object.getOwnPropertyDescriptor(back, name)).toEqual(Object.getOwnPropertyDescriptor(value, name))
    }
  })

  test('has objects that are met again in one numbering, through every kind of object', () => {
    const shared = { n: 1 }
    const kinds = [
      new Date(1),
      /x/,
      new ArrayBuffer(1),
      Uint8Array.of(1),
      new Map(),
      new Set(),
      { '': 1 },
      new Error('e'),
      [],
      {},
    ]
    const back = again([...kinds, shared, shared, ...kinds])
    expect(back[kinds.length]).toBe(back[kinds.length + 1])
    for (const k of kinds.keys()) expect(back[kinds.length + 2 + k], String(k)).toBe(back[k])
  })
})

describe('bytes that no end of ours would send', () => {
  test.each<[string, unknown]>([
    ['an object that has not been met', { '': ['r', 0] }],
    ['the next object', [{ '': ['r', 1] }]],
    ['a kind that does not exist', { '': ['z', 1] }],
    ['a kind that every object has', { '': ['constructor', 1] }],
    ['a view of no kind', { '': ['v', 'Function', 0] }],
    ['a view of a kind that every map has', { '': ['v', 'get', 0] }],
    ['a view of bytes that are not there', { '': ['v', 'Float64Array', 0] }],
    ['a number of many digits that is none', { '': ['b', '1x'] }],
    ['a special value of nothing', { '': null }],
  ])('throw: %s', (_, tree) => {
    expect(() => unpackValue(packed(tree, [new Uint8Array(3)]))).toThrow()
  })

  test('must be text in UTF-8: other bytes are refused, not read as other letters', () => {
    const bytes = packed(['ab'])
    expect(unpackValue(bytes)).toEqual(['ab'])
    bytes[bytes.indexOf('a'.charCodeAt(0))] = 0xff
    expect(() => unpackValue(bytes)).toThrow(TypeError)
  })

  test('are as long as they say: none are read from behind the end', () => {
    const tree = { '': ['a', 0] }
    expect((unpackValue(packed(tree, [Uint8Array.of(1, 2)])) as ArrayBuffer).byteLength).toBe(2)
    for (const length of [3, 1e9])
      expect(() => unpackValue(packed(tree, [Uint8Array.of(1, 2)], [length]))).toThrow(RangeError)
  })

  test('change no prototype', () => {
    const tree = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
    const read = unpackValue(packed(tree)) as object
    expect([Object.keys(read), Object.getPrototypeOf(read) === Object.prototype, 'polluted' in {}]).toEqual([
      ['__proto__', 'constructor'],
      true,
      false,
    ])
    const special = unpackValue(packed({ '': ['o', '__proto__', { polluted: 1 }, '', 2] })) as object
    expect([Object.keys(special), Object.getPrototypeOf(special) === Object.prototype]).toEqual([
      ['__proto__', ''],
      true,
    ])
  })
})
