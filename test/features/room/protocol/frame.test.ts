import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_MESSAGE, packFrame, unpackFrame } from '../../../../src/features/room/protocol/frame.ts'

const columns = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.float32Array({ maxLength: 20, noNaN: true }),
    fc.float64Array({ maxLength: 20, noNaN: true }),
  ),
  { maxLength: 6 },
)

test('a message comes out as it went in, from any place in memory', () => {
  fc.assert(
    fc.property(fc.jsonValue(), columns, fc.nat(16), (head, sent, gap) => {
      const bytes = packFrame(head, sent)
      const moved = new Uint8Array(gap + bytes.length)
      moved.set(bytes, gap)
      const frame = unpackFrame(moved.subarray(gap))
      expect(frame?.head).toEqual(JSON.parse(JSON.stringify(head)))
      expect(frame?.columns.map((column) => [column.constructor, ...column])).toEqual(
        sent.map((column) => [column.constructor, ...column]),
      )
    }),
  )
})

test('bytes that are not a message give null and never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(() => unpackFrame(bytes)).not.toThrow()
    }),
  )
  // Names that every list has are no kinds of columns.
  const kinds = ['length', 'constructor', 'push', '__proto__', '0', -1, 0.5, 3, null, {}, []]
  const counts = [0, 1, -1, 0.5, 1e9, null, 'length', {}]
  for (const kind of kinds)
    for (const count of counts) expect(unpackFrame(withShape([kind, count])), JSON.stringify([kind, count])).toBeNull()
  expect(unpackFrame(withShape([0]))).toBeNull()
  expect(unpackFrame(withShape('shape'))).toBeNull()
  expect(unpackFrame(new Uint8Array(MAX_MESSAGE + 1))).toBeNull()
})

test('a message whose columns would lie behind its end is none, and nothing throws', () => {
  for (const kind of [0, 1, 2])
    for (const count of [1, 9, 1e9, 2 ** 40])
      expect(unpackFrame(withShape([kind, count])), `${kind} ${count}`).toBeNull()
  for (const kind of [0, 1, 2])
    expect(unpackFrame(withShape([kind, 0]))?.columns.map(({ length }) => length)).toEqual([0])
})

test('a message is a head and a shape, no more and no less', () => {
  const head = { a: 1 }
  expect(unpackFrame(withJson(JSON.stringify([head, []])))).toEqual({ head, columns: [] })
  for (const json of [[head], [head, [], []], [head, [], null], { 0: head, 1: [], length: 2 }, [], null, 'x'])
    expect(unpackFrame(withJson(JSON.stringify(json)))).toBeNull()
})

test('a message whose text is no UTF-8 is none', () => {
  const bytes = withJson('["ab",[]]')
  expect(unpackFrame(bytes)?.head).toBe('ab')
  bytes[bytes.indexOf('a'.charCodeAt(0))] = 0xff
  expect(unpackFrame(bytes)).toBeNull()
})

test('a message may have as many columns and bytes as are allowed, and no more', () => {
  const none = Array.from({ length: 20_000 }, () => new Uint8Array(0))
  expect(unpackFrame(packFrame(null, none))?.columns.length).toBe(20_000)
  expect(unpackFrame(packFrame(null, [...none, new Uint8Array(0)]))).toBeNull()
  const rest = MAX_MESSAGE - packFrame(null, [new Uint8Array(8 * 400_000)]).length
  const largest = packFrame(null, [new Uint8Array(8 * 400_000 + rest)])
  expect(unpackFrame(packFrame(null, [new Uint8Array(8 * 400_001 + rest)]))).toBeNull()
  expect([largest.length, unpackFrame(largest)?.columns[0].length]).toEqual([MAX_MESSAGE, 8 * 400_000 + rest])
})

test('a message has its bytes in one order: the length of the text, the text, the columns, each at a multiple of eight', () => {
  const bytes = packFrame({ a: 1 }, [Uint8Array.of(7, 8), [1, -2], Float32Array.of(0.5)])
  const json = '[{"a":1},[0,2,2,2,1,1]]'
  const at = 32
  expect(new TextDecoder().decode(bytes.subarray(4, 4 + json.length))).toBe(json)
  expect([...bytes.subarray(0, 4)]).toEqual([json.length, 0, 0, 0])
  expect([...bytes.subarray(at, at + 8)]).toEqual([7, 8, 0, 0, 0, 0, 0, 0])
  expect([...new Float64Array(bytes.slice(at + 8, at + 24).buffer)]).toEqual([1, -2])
  expect([...bytes.subarray(at + 24)]).toEqual([0, 0, 0, 0x3f, 0, 0, 0, 0])
})

/** A message with any description of its columns. */
const withShape = (shape: unknown): Uint8Array => withJson(JSON.stringify([{}, shape]))

function withJson(text: string): Uint8Array {
  const json = new TextEncoder().encode(text)
  const bytes = new Uint8Array(Math.ceil((4 + json.length) / 8) * 8)
  new DataView(bytes.buffer).setUint32(0, json.length, true)
  bytes.set(json, 4)
  return bytes
}
