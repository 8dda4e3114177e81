import { describe, expect, test } from 'vitest'
import { copyValue } from '../../../src/features/runner/copyValue.ts'

const shared = { n: 1 }
const cyclic: Record<string, unknown> = { list: [1, 2] }
cyclic.self = cyclic
const bytes = new Uint8Array([1, 2])
const match = /b(c)/.exec('abc')
class Point {
  x = 1
  get double() {
    return 2 * this.x
  }
}

describe('a copy is what a structured clone would be:', () => {
  test.each<[string, unknown]>([
    ['numbers and texts', [0, -0, Number.NaN, 10n, 'text', null, undefined, true]],
    ['nested lists and objects', { a: [{ b: [1, { c: null }] }], d: undefined }],
    ['an object that is there twice', { first: shared, second: [shared] }],
    ['a cycle', cyclic],
    ['a list with holes', Object.assign([1], { 2: 3 })],
    ['a list with further properties', match],
    ['an object of a class, and one without a prototype', [new Point(), Object.assign(Object.create(null), { a: 1 })]],
    ['a field named __proto__', JSON.parse('{"__proto__":{"a":1},"b":2}')],
    ['a hidden field and one with a symbol', Object.defineProperty({ a: 1, [Symbol.iterator]: 2 }, 'b', { value: 3 })],
    [
      'a map, a set, a date and an expression',
      { map: new Map([[shared, shared]]), set: new Set([1]), at: new Date(5), re: /a/g },
    ],
    ['numbers in a buffer', { whole: new Float64Array([1, 2]), twice: [bytes, bytes] }],
    ['a list that ends with a hole, and a field', Object.assign([1], { x: 5, length: 2 })],
    ['a long list', Array.from({ length: 1000 }, (_, n) => ({ n }))],
  ])('%s', (_, value) => {
    const [copy, clone] = [copyValue(value), structuredClone(value)] as never[]
    expect(copy).toStrictEqual(clone)
    expect(copy).not.toBe(value)
  })

  test('what is there twice is one object in the copy, and nothing in it is that of the original', () => {
    const copy = copyValue({ first: shared, second: [shared], cyclic }) as never as {
      first: object
      second: object[]
      cyclic: typeof cyclic
    }
    expect(copy.second[0]).toBe(copy.first)
    expect(copy.first).not.toBe(shared)
    expect(copy.cyclic.self).toBe(copy.cyclic)
    expect(copy.cyclic.list).not.toBe(cyclic.list)
  })

  test.each([
    ['a view', new Uint16Array([1, 2, 3]).subarray(1), new Uint16Array([2, 3])],
    ['a Buffer', Buffer.from('ab'), new Uint8Array([97, 98])],
    ['a DataView', new DataView(new ArrayBuffer(8), 2, 3), new DataView(new ArrayBuffer(3))],
  ])('%s by itself keeps only its part of the buffer', (_, value, expected) => {
    const copy = copyValue(value) as typeof expected
    expect(copy).toStrictEqual(expected)
    expect(copy.buffer.byteLength).toBe(value.byteLength)
    const inside = copyValue({ value }) as { value: typeof expected }
    expect(inside.value.buffer.byteLength).toBe(value.byteLength)
  })

  test('two views of one buffer stay together', () => {
    const { buffer } = new Uint8Array(4)
    const [first, second] = copyValue([new Uint8Array(buffer, 0, 2), new Uint8Array(buffer, 2)]) as Uint8Array[]
    expect(second.buffer).toBe(first.buffer)
  })

  test.each([() => {}, { call() {} }, [Symbol('s')], new WeakMap()])('%s cannot be copied', (value) => {
    expect(() => copyValue(value)).toThrow(/could not be cloned/)
  })
})
