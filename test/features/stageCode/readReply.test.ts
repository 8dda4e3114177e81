import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AwayBatch,
  MAX_VALUE_SIZE,
  readReply,
  reasonIn,
} from '../../../src/features/stageCode/threads/readReply.ts'

const SENT = 1_000_000
const NOW = 1_010_000
/** Batches that are out, each with this many jobs from 10 on. */
const out = (...sizes: readonly number[]): ReadonlyMap<number, AwayBatch> =>
  new Map(sizes.map((size, number) => [number, { jobs: Array.from({ length: size }, (_, k) => 10 + k), sent: SENT }]))
/** A reply to a batch of three jobs, of which the second threw. */
const good = {
  number: 0,
  began: 1_000_100,
  ended: [1_000_200, 1_000_300],
  values: [
    ['"a"', -1, 0],
    ['1', -1, 0],
  ],
  thrown: [[11, 'Error: no', ':3:1)']] as unknown[],
}
const read = (changes: object, buffer: unknown = null, now = NOW) => {
  const text = JSON.stringify({ ...good, ...changes })
  return readReply(buffer === null ? text : [text, buffer], out(3), now)
}
/** One value with its bytes in a buffer of this length. */
const withBytes = (at: unknown, length: unknown, size = 8) =>
  read({ values: [['1', at, length], good.values[1]] }, new ArrayBuffer(size))

test('a reply is believed if it answers a batch that is out, with as many results as inputs', () => {
  const believed = {
    ...{
      number: 0,
      began: 1_000_100,
      ended: [1_000_200, 1_000_300],
      thrown: [{ place: 1, reason: 'line 3: Error: no' }],
    },
    values: [
      { text: '"a"', bytes: null },
      { text: '1', bytes: null },
    ],
  }
  for (const data of [read({}), read({}, new ArrayBuffer(8)), readReply([JSON.stringify(good), null], out(3), NOW)])
    expect(data).toEqual(believed)
})

const NOT_OUT = /not out/
const NUMBER = /another number/
const TIMES = /times/
const UNREADABLE = /could not be read/
const LONG = /too long/

test.each<[name: string, changes: object, says: RegExp]>([
  ['another batch', { number: 5 }, NOT_OUT],
  ['a name of every object', { number: '__proto__' }, NOT_OUT],
  ['a number in a text', { number: '0' }, NOT_OUT],
  ['a number in a list', { number: [0] }, NOT_OUT],
  ['a result too few', { values: good.values.slice(1), ended: good.ended.slice(1) }, NUMBER],
  ['a result too many', { values: [...good.values, ['2', -1, 0]], ended: [...good.ended, 1_000_400] }, NUMBER],
  ['a value without a time', { ended: good.ended.slice(1) }, NUMBER],
  ['a job of another batch', { thrown: [[13, 'Error', '']] }, NUMBER],
  ['a job in a text', { thrown: [['11', 'Error', '']] }, NUMBER],
  ['a job in a list', { thrown: [[[11], 'Error', '']] }, NUMBER],
  [
    'a job twice',
    {
      thrown: [
        [11, '', ''],
        [11, '', ''],
      ],
      values: [['1', -1, 0]],
      ended: [1_000_200],
    },
    NUMBER,
  ],
  ['times that run back', { ended: [1_000_300, 1_000_200] }, TIMES],
  ['two equal times', { ended: [1_000_200, 1_000_200] }, TIMES],
  ['an end at its beginning', { ended: [1_000_100, 1_000_200] }, TIMES],
  ['an endless time', { ended: [1_000_200, null] }, TIMES],
  ['an end in a text', { ended: ['1000200', 1_000_300] }, TIMES],
  ['a beginning in words', { began: 'now' }, TIMES],
  ['a beginning at 0', { began: 0 }, TIMES],
  [
    'a beginning at 0 where all jobs threw',
    { began: 0, ended: [], values: [], thrown: [10, 11, 12].map((job) => [job, '', '']) },
    TIMES,
  ],
  ['a part of a microsecond', { began: 1.5 }, TIMES],
  ['a time that no number holds exactly', { began: 2 ** 53, ended: [2 ** 53 + 2, 2 ** 53 + 4] }, TIMES],
  [
    'bytes without a buffer',
    {
      values: [
        ['1', 0, 8],
        ['1', -1, 0],
      ],
    },
    UNREADABLE,
  ],
  [
    'a value that is no text',
    {
      values: [
        [1, -1, 0],
        ['1', -1, 0],
      ],
    },
    UNREADABLE,
  ],
  ['a list that is an object', { ended: { length: 2 } }, UNREADABLE],
  ['a throw that is no list', { thrown: [7] }, UNREADABLE],
  ['a throw whose words are no text', { thrown: [[11, 7, '']] }, UNREADABLE],
  ['a throw whose place is no text', { thrown: [[11, 'Error', 3]] }, UNREADABLE],
  ['a throw without a place', { thrown: [[11, 'Error']] }, UNREADABLE],
])('a reply with %s is refused as a whole', (_, changes, says) => {
  expect(read(changes)).toMatch(says)
})

test('a batch takes no longer than from its sending to now, and two milliseconds by which clocks may differ', () => {
  const lasting = (began: number, micros: number) =>
    read({ began, ended: [began + 1, began + micros] }, null, SENT + 5000)
  expect([typeof lasting(SENT, 7000), lasting(SENT, 7001)]).toEqual(['object', expect.stringMatching(TIMES)])
  // Only how long it took is compared: a thread has its own clock.
  expect(typeof lasting(77, 5000)).toBe('object')
})

test.each<[name: string, data: unknown, says: unknown]>([
  ['a thread that is ready', '{"ready":true}', { ready: true }],
  ...[1, 'true', {}, [], false, null].map(
    (ready) =>
      [`no readiness: ${JSON.stringify(ready)}`, JSON.stringify({ ready }), expect.stringMatching(NOT_OUT)] as [
        string,
        unknown,
        unknown,
      ],
  ),
  [
    'what could not be deleted, in 100 characters',
    JSON.stringify({ left: 'x'.repeat(5000) }),
    { left: 'x'.repeat(100) },
  ],
  ...[7, {}, null, ['fetch']].map(
    (left) =>
      [`nothing left: ${JSON.stringify(left)}`, JSON.stringify({ left }), expect.any(String)] as [
        string,
        unknown,
        unknown,
      ],
  ),
  ...[-5, 0, Number.MAX_SAFE_INTEGER].map(
    (clock) => [`the clock ${clock}`, JSON.stringify({ clock }), { clock }] as [string, unknown, unknown],
  ),
  ...['0.5', '1e300', '9007199254740992', '"1"', 'null', '[1]'].map(
    (clock) => [`no clock: ${clock}`, `{"clock":${clock}}`, expect.stringMatching(TIMES)] as [string, unknown, unknown],
  ),
  ...[
    [],
    ['{}'],
    ['{}', new ArrayBuffer(8), 1],
    ['{}', new Uint8Array(8)],
    ['{}', {}],
    [new ArrayBuffer(8), '{}'],
    new String('{}'),
    null,
    'null',
    '7',
    '[]',
    '"0"',
  ].map((data, k) => [`no message: ${k}`, data, expect.any(String)] as [string, unknown, unknown]),
])('a message is %s', (_, data, says) => {
  expect(readReply(data, out(), 0)).toEqual(says)
})

test('a message may be as long as the largest batch that is out can need, and no longer', () => {
  const longest = (size: number) => 10_000 + 12 * MAX_VALUE_SIZE * size
  for (const [asked, size] of [
    [out(1, 2), 2],
    [out(2, 1), 2],
    // Before anything is out there is space for a greeting.
    [out(), 1],
  ] as const)
    expect(
      [0, 1].map((more) => LONG.test(String(readReply('{"ready":true}'.padEnd(longest(size) + more), asked, NOW)))),
    ).toEqual([false, true])
  const values = (length: number) => [['x'.repeat(length), -1, 0], good.values[1]]
  expect(typeof read({ values: values(12 * MAX_VALUE_SIZE) })).toBe('object')
  expect(read({ values: values(12 * MAX_VALUE_SIZE + 1) })).toMatch(UNREADABLE)
})

test('bytes lie in the buffer, of which each job may have its share, and are copies', () => {
  const whole = 3 * MAX_VALUE_SIZE
  expect(withBytes(whole - 3, 3, whole)).toMatchObject({ values: [{ bytes: new Uint8Array(3) }, {}] })
  expect(withBytes(0, 3, whole + 1)).toMatch(LONG)
  for (const [at, length] of [
    [-2, 1],
    [6, 3],
    [0, -1],
    [0.5, 1],
    [-1.5, 1],
    [0, 1e9],
    ['0', 1],
    [0, '1'],
    [0, null],
    [0, undefined],
  ])
    expect(withBytes(at, length), `${at} ${length}`).toMatch(UNREADABLE)
  const { buffer } = Uint8Array.of(1, 2, 3, 4)
  const reply = read(
    {
      values: [
        ['1', 0, 4],
        ['1', 1, 2],
      ],
    },
    buffer,
  )
  if (typeof reply === 'string' || !('values' in reply)) expect.fail(JSON.stringify(reply))
  reply.values[0].bytes?.fill(9)
  expect([reply.values[1].bytes, new Uint8Array(buffer)]).toEqual([Uint8Array.of(2, 3), Uint8Array.of(1, 2, 3, 4)])
})

test('whatever is sent, reading it throws nothing', () => {
  const anyReply = fc
    .record({
      number: fc.constant(0),
      began: fc.anything(),
      ended: fc.anything(),
      values: fc.anything(),
      thrown: fc.anything(),
    })
    .map((one) => JSON.stringify(one) ?? '')
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.json(), anyReply), (data) => {
      expect(['string', 'object']).toContain(typeof readReply(data, out(3), NOW))
    }),
  )
})

test.each([
  ['Error: a', ':12:7', 'line 12: Error: a'],
  ['Error: a', ':1234567890123', 'line 123456: Error: a'],
  ...['', '12:7', 'x:12:7', ':x', ' :3'].map((place) => ['Error: a', place, 'Error: a']),
  ['📱'.repeat(200), '', '📱'.repeat(200)],
  ['📱'.repeat(201), '', `${'📱'.repeat(200)}…`],
  ['a\u2028b\u2029c\u202ed\u0000e\u001bf\ng', '', 'a b c d e f g'],
  ['failed: data:text/javascript;charset=utf-8,a%20b (data:text/javascript,c)', '', 'failed: the code (the code)'],
])('words of the code are told in one line without addresses: %j at %j', (words, place, reason) => {
  expect(reasonIn(words, place)).toBe(reason)
})
