import { describe, expect, test } from 'vitest'
import { packThrown, unpackThrown, wordsOf } from '../../../src/features/runner/thrown.ts'

/** Returns what another thread gets. */
const sent = (thrown: unknown) => unpackThrown(structuredClone(packThrown(thrown)))

const cycle = new Error('cycle')
cycle.cause = cycle
const chain = (depth: number): Error => new Error(`${depth}`, depth === 0 ? {} : { cause: chain(depth - 1) })
function fail(): never {
  throw new Error('not to be read')
}
const getter = Object.defineProperty(new Error('getter'), 'code', {
  get: fail,
})

describe('what a function threw arrives whole:', () => {
  test.each<[string, unknown, object]>([
    [
      'a name and fields',
      Object.assign(new Error('gone'), { name: 'HttpError', status: 410 }),
      { name: 'HttpError', message: 'gone', status: 410 },
    ],
    ['a type of the language', new RangeError('far', { cause: 7 }), { name: 'RangeError', message: 'far', cause: 7 }],
    [
      'fields that are not enumerable',
      Object.defineProperty(new Error('x'), 'issues', { value: [{ path: ['a'] }] }),
      { issues: [{ path: ['a'] }] },
    ],
    [
      'errors of an AggregateError',
      new AggregateError([new TypeError('a'), 2], 'many'),
      { message: 'many', errors: [{ name: 'TypeError', message: 'a' }, 2] },
    ],
    ['an AbortError', AbortSignal.abort().reason, { name: 'AbortError', code: 20 }],
    [
      'causes with fields',
      new Error('a', { cause: Object.assign(new Error('b'), { code: 'B' }) }),
      { cause: { message: 'b', code: 'B' } },
    ],
    [
      'what can be cloned beside what cannot',
      Object.assign(new Error('x'), { status: 500, again() {} }),
      { status: 500, again: undefined },
    ],
    [
      'a frozen error',
      Object.freeze(Object.assign(new Error('cold'), { code: 'ICE' })),
      { message: 'cold', code: 'ICE' },
    ],
    ['an error with a getter that throws', getter, { message: 'getter' }],
  ])('%s', (_, thrown, expected) => {
    const error = sent(thrown)
    expect(error).toBeInstanceOf(Error)
    for (const [key, value] of Object.entries(expected))
      if (Array.isArray(value) || typeof value !== 'object')
        expect((error as never)[key]).toEqual(
          Array.isArray(value) ? value.map((one) => (one?.message ? expect.objectContaining(one) : one)) : value,
        )
      else expect((error as never)[key]).toMatchObject(value)
    expect((error as Error).stack).toBe((thrown as Error).stack)
  })

  test('types of errors are kept', () => {
    for (const thrown of [new RangeError(''), new AggregateError([]), new DOMException('', 'TimeoutError')])
      expect(sent(thrown)?.constructor).toBe(thrown.constructor)
  })

  test('a list that holds itself', () => {
    const list: unknown[] = [1]
    list.push(list)
    const found = sent(list) as unknown[]
    expect(found[1]).toBe(found)
  })

  test.each([
    ['an error whose message cannot be read', Object.defineProperty(new Error('x'), 'message', { get: () => fail() })],
    ['a proxy', new Proxy({}, { get: () => fail(), getPrototypeOf: () => fail() })],
    ['an error whose name is a symbol', Object.assign(new Error('x'), { name: Symbol('name') })],
  ])('%s is said in words', (_, thrown) => {
    expect(String(sent(thrown))).toMatch(/./)
  })

  test('an error that is its own cause, and one of many causes', () => {
    const error = sent(cycle) as Error
    expect(error.cause).toBe(error)
    let depth = 0
    for (let at = sent(chain(5000)) as Error | undefined; at !== undefined; at = at.cause as Error | undefined) depth++
    expect(depth).toBe(5001)
  })

  test.each<[unknown, unknown, string]>([
    ['text', 'text', 'text'],
    [{ code: 5 }, { code: 5 }, '{"code":5}'],
    [undefined, undefined, 'undefined'],
    [() => {}, '() => {}', '() => {}'],
    [Symbol('s'), 'Symbol(s)', 'Symbol(s)'],
    [Object.create(null), {}, '{}'],
  ])('%s, which is no error', (thrown, expected, words) => {
    expect([sent(thrown), wordsOf(thrown)]).toEqual([expected, words])
  })
})
