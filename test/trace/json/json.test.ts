import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createJsonBytes,
  feed,
  type JsonBytes,
  type Reading,
  takeKey,
  takeObjectStart,
  takeValue,
} from '../../../src/trace/json/jsonBytes.ts'
import { type NumberColumn, takeLists, takeNumbers } from '../../../src/trace/json/jsonNumbers.ts'
import { Refusal } from '../../../src/trace/json/refusal.ts'
import { repeats } from '../../fixtures/extent.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Reads a text that arrives in parts of this size. Returns the value and what is left, or `refused: path: message`. */
function read<T>(
  text: string,
  size: number,
  take: (json: JsonBytes) => Reading<T>,
): { readonly value: T; readonly left: string } | string {
  const json = createJsonBytes()
  const bytes = bytesOf(text)
  const reading = take(json)
  let at = 0
  try {
    for (;;) {
      const { done, value } = reading.next()
      if (done)
        return {
          value: value as T,
          left:
            new TextDecoder().decode(json.bytes.subarray(json.at, json.length)) +
            new TextDecoder().decode(bytes.subarray(at)),
        }
      if (at >= bytes.length) json.over = true
      feed(json, bytes.subarray(at, at + size))
      at += size
    }
  } catch (error) {
    if (error instanceof Refusal) return `refused: ${error.path}: ${error.message}`
    throw error
  }
}

const column = (room = 1e6, least = -1e15, most = 1e15): NumberColumn => ({
  name: 'x',
  room,
  least,
  most,
  length: 0,
  values: new Float64Array(0),
})
const contentOf = ({ values, length }: NumberColumn) => Array.from(values.subarray(0, length))

function numbersIn(text: string, size: number, room?: number, least?: number, most?: number) {
  const into = column(room, least, most)
  const end = read(text, size, (json) => takeNumbers(json, into))
  return typeof end === 'string' ? end : { numbers: contentOf(into), left: end.left }
}

function listsIn(text: string, size: number, longest = 4, room?: number) {
  const [entries, ends] = [column(room, 0, 1e6), column(1e6, 0, 1e6)]
  const end = read(text, size, (json) => takeLists(json, entries, ends, longest))
  if (typeof end === 'string') return end
  const all = contentOf(entries)
  return { lists: contentOf(ends).map((to, k, of) => all.slice(k === 0 ? 0 : of[k - 1], to)), left: end.left }
}

const space = fc.constantFrom('', '', ' ', '\n', '\t \r\n')
/** A whole number as JSON may write it. */
const spelled = fc.oneof(
  fc.integer({ min: -2000, max: 2000 }).map(String),
  fc.constantFrom(
    '0',
    '-0',
    '7.0',
    '1e3',
    '-2E+2',
    '50e-1',
    '999999999999999',
    '-999999999999999',
    '1000000000000000',
    '0.0',
  ),
)

describe('a list of numbers', () => {
  test('is read like JSON, in any notation and with any cuts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(space, spelled, space), { maxLength: 9 }),
        space,
        fc.integer({ min: 1, max: 7 }),
        (items, before, size) => {
          const text = `${before}[${items.map((item) => item.join('')).join(',') || before}]`
          expect(numbersIn(`${text},"b"`, size)).toEqual({ numbers: JSON.parse(text), left: ',"b"' })
          expect(numbersIn(`${text} `, 1000)).toEqual({ numbers: JSON.parse(text), left: ' ' })
        },
      ),
      { numRuns: repeats(300) },
    )
  })

  test('names the first number that is out of bounds, in any notation, and accepts those at the bounds', () => {
    const found = (text: string) => numbersIn(text, 3, 9, -5, 7)
    expect(found('[-5,7,7.0]')).toEqual({ numbers: [-5, 7, 7], left: '' })
    expect(found('[1,8,9]')).toBe('refused: x[1]: found 8; allowed: a whole number from -5 to 7')
    expect(numbersIn('[1,2,3,8,9]', 100, 9, -5, 7)).toBe('refused: x[3]: found 8; allowed: a whole number from -5 to 7')
    expect(found('[1,2,-6]')).toBe('refused: x[2]: found -6; allowed: a whole number from -5 to 7')
    expect(found('[1,2,8e0]')).toBe('refused: x[2]: found 8; allowed: a whole number from -5 to 7')
    expect(found('[1.5]')).toBe('refused: x[0]: found 1.5; allowed: a whole number from -5 to 7')
    expect(found('[1,"2"]')).toBe('refused: x[1]: found "2"; allowed: a whole number from -5 to 7')
    expect(found('[1,null]')).toBe('refused: x[1]: found null; allowed: a whole number from -5 to 7')
  })

  test('holds up to the given number and no more', () => {
    for (const size of [2, 100]) {
      expect(numbersIn('[1,2,3]', size, 3)).toEqual({ numbers: [1, 2, 3], left: '' })
      expect(numbersIn('[1,2,3,4]', size, 3)).toBe('refused: x: more than 3')
      expect(numbersIn('[1,2,3,4e0]', size, 3)).toBe('refused: x: more than 3')
    }
  })

  test.each([
    ['[1,2', 'refused: x[1]: the file is cut off at byte 5'],
    ['[1,', 'refused: x[1]: the file is cut off at byte 4'],
    ['[1 ', 'refused: x[0]: the file is cut off at byte 4'],
    ['[', 'refused: x: the file is cut off at byte 2'],
    ['', 'refused: x: the file is cut off at byte 1'],
    ['[,1]', 'refused: x[0]: found "," at byte 2; allowed: a value'],
    ['[1,]', 'refused: x[1]: found "]" at byte 4; allowed: a value'],
    ['[1 2]', 'refused: x[0]: found "2" at byte 4; allowed: , or ]'],
    ['[1}', 'refused: x[0]: found "}" at byte 3; allowed: , or ]'],
    ['[-]', 'refused: x[0]: what begins at byte 2 is not JSON'],
    ['[1-2]', 'refused: x[0]: what begins at byte 2 is not JSON'],
    ['{}', 'refused: x: found an object; allowed: a list'],
  ])('%j is refused where it goes wrong', (text, problem) => {
    for (const size of [1, 2, 100]) expect(numbersIn(text, size)).toBe(problem)
  })
})

describe('a list of lists', () => {
  test('is read like JSON, in any notation and with any cuts', () => {
    const number = fc.oneof(fc.nat(2000).map(String), fc.constantFrom('0', '7.0', '1e3', '50e-1', '0.0'))
    const list = fc
      .array(fc.tuple(space, number, space), { maxLength: 4 })
      .map((items) => `[${items.map((item) => item.join('')).join(',')}]`)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(space, list, space), { maxLength: 6 }),
        space,
        fc.integer({ min: 1, max: 7 }),
        (lists, before, size) => {
          const text = `${before}[${lists.map((item) => item.join('')).join(',') || before}]`
          expect(listsIn(`${text},"b"`, size)).toEqual({ lists: JSON.parse(text), left: ',"b"' })
          expect(listsIn(`${text} `, 1000)).toEqual({ lists: JSON.parse(text), left: ' ' })
        },
      ),
      { numRuns: repeats(300) },
    )
  })

  test.each([
    ['[[1,2,3,4,5]]', 'refused: x[0]: more than 4'],
    ['[[1],[1,2,3,4,5.0]]', 'refused: x[1]: more than 4'],
    ['[[1],[2,3,4,5,6,7]]', 'refused: x[1]: more than 4'],
    ['[[1],5]', 'refused: x[1]: found 5; allowed: a list'],
    ['[[1],{}]', 'refused: x[1]: found an object; allowed: a list'],
    ['[[1],[2,-3]]', 'refused: x[1][1]: found -3; allowed: a whole number from 0 to 1,000,000'],
    ['[[1],[2,1.5]]', 'refused: x[1][1]: found 1.5; allowed: a whole number from 0 to 1,000,000'],
    ['[[1],[2,[3]]]', 'refused: x[1][1]: found a list of 1; allowed: a whole number from 0 to 1,000,000'],
    ['[[1][2]]', 'refused: x[0]: found "[" at byte 5; allowed: , or ]'],
    ['[(1]]', 'refused: x[0]: what begins at byte 2 is not JSON'],
    ['[[1},2]', 'refused: x[0]: what begins at byte 2 is not JSON'],
    ['[[1]}', 'refused: x[0]: found "}" at byte 5; allowed: , or ]'],
    ['[[1,]]', 'refused: x[0]: what begins at byte 2 is not JSON'],
    ['[[1],[2', 'refused: x[1]: the file is cut off at byte 8'],
    ['[[1],', 'refused: x[1]: the file is cut off at byte 6'],
    ['[', 'refused: x: the file is cut off at byte 2'],
    ['5', 'refused: x: found 5; allowed: a list'],
  ])('%j is refused where it goes wrong', (text, problem) => {
    for (const size of [1, 2, 100]) expect(listsIn(text, size)).toBe(problem)
  })

  test('holds up to the given number of numbers', () => {
    expect(listsIn('[[1,2],[3]]', 2, 4, 3)).toEqual({ lists: [[1, 2], [3]], left: '' })
    expect(listsIn('[[1,2],[3,4]]', 2, 4, 3)).toBe('refused: x: more than 3')
  })
})

describe('an object', () => {
  function* keysAndValues(json: JsonBytes): Reading<readonly (readonly [string, unknown])[]> {
    const found: (readonly [string, unknown])[] = []
    yield* takeObjectStart(json, 'o')
    for (let key = yield* takeKey(json, 'o', true); key !== null; key = yield* takeKey(json, 'o', false))
      found.push([key, yield* takeValue(json, `o.${key}`)])
    return found
  }

  test('is read key by key like JSON, with any cuts', () => {
    const value = fc.jsonValue({ maxDepth: 2 })
    fc.assert(
      // `__proto__` is a key like any other.
      fc.property(
        fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), value),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(0, 2),
        (object, size, indent) => {
          const text = JSON.stringify(object, null, indent)
          expect(read(`${text} rest`, size, keysAndValues)).toEqual({
            value: Object.entries(JSON.parse(text)),
            left: ' rest',
          })
        },
      ),
    )
  })

  test.each([
    ['[]', 'refused: o: found an empty list; allowed: an object'],
    ['{5:1}', 'refused: o: found 5; allowed: a key in double quotes'],
    ['{"a" 1}', 'refused: o: found "1" at byte 6; allowed: :'],
    ['{"a":1 "b":2}', 'refused: o: found "\\"" at byte 8; allowed: , or }'],
    ['{"a":1]', 'refused: o: found "]" at byte 7; allowed: , or }'],
    ['{,"a":1}', 'refused: o: found "," at byte 2; allowed: a value'],
    ['{"a":}', 'refused: o.a: found "}" at byte 6; allowed: a value'],
    ['{"a":tru}', 'refused: o.a: what begins at byte 6 is not JSON'],
    ['{"a":"x', 'refused: o.a: the file is cut off at byte 8'],
    ['{"a":{"b":[}', 'refused: o.a: the file is cut off at byte 13'],
    ['{"a":"\\q"}', 'refused: o.a: what begins at byte 6 is not JSON'],
    ['{"a"', 'refused: o: the file is cut off at byte 5'],
  ])('%j is refused where it goes wrong', (text, problem) => {
    for (const size of [1, 2, 100]) expect(read(text, size, keysAndValues)).toBe(problem)
  })
})
