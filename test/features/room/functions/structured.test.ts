import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packValue, unpackValue } from '../../../../src/features/room/functions/structured.ts'

const again = (value: unknown) => unpackValue(packValue(value))

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: false,
  withNullPrototype: false,
  withBoxedValues: false,
  withObjectString: true,
})

test('a value comes back as structured clone would give it', () => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(again(value)).toStrictEqual(structuredClone(value))
    }),
    { numRuns: 500 },
  )
})

test('one object in two places is one again, and a cycle is a cycle', () => {
  const shared = { n: 1 }
  const list: unknown[] = [shared, new Map([[shared, shared]]), { '': shared }, /x/y, [shared]]
  list.push(list, new Set([list]))
  const back = again(list) as [object, Map<object, object>, { '': object }, RegExp, object[], unknown, Set<unknown>]
  expect([...back[1]][0]).toEqual([{ n: 1 }, { n: 1 }])
  for (const one of [[...back[1]][0][0], [...back[1]][0][1], back[2][''], back[4][0]]) expect(one).toBe(back[0])
  expect([back[5], [...back[6]][0]]).toEqual([back, back])
  expect(back[3]).toEqual(/x/y)
})

test('a view gets memory of its own, as long as it is', () => {
  const back = again(Buffer.from('abc')) as Uint8Array
  expect([back, back.buffer.byteLength]).toEqual([new Uint8Array([97, 98, 99]), 3])
})

test('an error keeps its kind, its words and its cause; a name like __proto__ is a field', () => {
  const error = again(new RangeError('far', { cause: new TypeError('near') })) as RangeError
  expect([error instanceof RangeError, error.message, (error.cause as Error).message]).toEqual([true, 'far', 'near'])
  const odd = again(JSON.parse('{"__proto__":{"bad":[1]},"":2}')) as object
  expect([Object.keys(odd), Object.getPrototypeOf(odd)]).toEqual([['__proto__', ''], Object.prototype])
})

test.each([
  ['a function', () => {}],
  ['a symbol', Symbol('s')],
  ['a Promise', Promise.resolve()],
  ['a WeakMap', new WeakMap()],
])('%s cannot be sent', (words, value) => {
  expect(() => packValue({ deep: [value] })).toThrow(`${words} cannot be sent to another machine`)
})

test('a value whose bytes are cut short is refused', () => {
  const bytes = packValue([new Uint8Array(100), new ArrayBuffer(8)])
  for (const less of [1, 8, 9, 100]) expect(() => unpackValue(bytes.subarray(0, bytes.length - less))).toThrow()
  expect(unpackValue(bytes)).toEqual([new Uint8Array(100), new ArrayBuffer(8)])
})

test('bytes that hold no value are refused, whatever they are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), anything, fc.nat(), (noise, value, at) => {
      const spoilt = packValue(value)
      spoilt[at % spoilt.length] ^= 1 + (at % 255)
      for (const bytes of [noise, spoilt]) {
        try {
          unpackValue(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }
    }),
    { numRuns: 500 },
  )
})
