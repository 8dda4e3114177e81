import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_VALUE_SIZE, readReply, reasonIn } from '../../../src/features/stageCode/threads/readReply.ts'
import {
  joinedWires,
  payloadOf,
  plainTextOf,
  tileInValue,
  type Wire,
  wireOf,
  wireValue,
} from '../../../src/features/stageCode/threads/wire.ts'

const asked = new Map([[4, { jobs: [10, 11, 12], sent: 1_000_000 }]])
const now = 1_010_000
const good = {
  number: 4,
  began: 1_000_100,
  ended: [1_000_200, 1_000_300],
  values: [
    ['"a"', -1, 0],
    ['1', -1, 0],
  ],
  thrown: [[11, 'Error: no', ':3:1)']],
}
const read = (changes: object, buffer?: unknown) => {
  const text = JSON.stringify({ ...good, ...changes })
  return readReply(buffer === undefined ? text : [text, buffer], asked, now)
}

describe('the reply of a thread that runs code of others', () => {
  test('is believed if it answers a batch that is out, with as many results as inputs', () => {
    expect(read({})).toEqual({
      ...{
        number: 4,
        began: 1_000_100,
        ended: [1_000_200, 1_000_300],
        thrown: [{ place: 1, reason: 'line 3: Error: no' }],
      },
      values: [
        { text: '"a"', bytes: null },
        { text: '1', bytes: null },
      ],
    })
  })

  const lies: readonly (readonly [name: string, changes: object, says: RegExp])[] = [
    ['another batch', { number: 5 }, /not out/],
    ['a name instead of a number', { number: '__proto__' }, /not out/],
    ['too few results', { values: good.values.slice(1), ended: good.ended.slice(1) }, /another number/],
    [
      'too many results',
      { values: [...good.values, ['2', -1, 0]], ended: [...good.ended, 1_000_400] },
      /another number/,
    ],
    ['a job of another batch', { thrown: [[13, 'Error', '']] }, /another number/],
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
      /another number/,
    ],
    ['times that run back', { ended: [1_000_300, 1_000_200] }, /times/],
    ['an end before its beginning', { ended: [1_000_050, 1_000_200] }, /times/],
    ['a longer time than was measured', { ended: [1_000_200, 1_900_300] }, /times/],
    ['endless times', { ended: [1_000_200, null] }, /times/],
    ['times in words', { began: 'now' }, /times/],
    [
      'bytes without a buffer',
      {
        values: [
          ['1', 0, 8],
          ['1', -1, 0],
        ],
      },
      /read/,
    ],
    [
      'a value that is no text',
      {
        values: [
          [1, -1, 0],
          ['1', -1, 0],
        ],
      },
      /read/,
    ],
    ['no list', { ended: { length: 2 } }, /read/],
  ]
  test.each(lies)('%s: is refused as a whole', (_, changes, says) => {
    const reply = read(changes)
    expect(typeof reply).toBe('string')
    expect(reply).toMatch(says)
  })

  test('is refused if it is too long, whatever it says', () => {
    expect(readReply('x'.repeat(40_000_000), asked, now)).toMatch(/too long/)
    expect(read({}, new ArrayBuffer(3 * MAX_VALUE_SIZE + 1))).toMatch(/too long/)
  })

  test('bytes come from the buffer beside it, and never from outside of it', () => {
    const { buffer } = Uint8Array.of(1, 2, 3, 4)
    expect(
      read(
        {
          values: [
            ['1', 1, 2],
            ['1', -1, 0],
          ],
        },
        buffer,
      ),
    ).toMatchObject({ values: [{ bytes: Uint8Array.of(2, 3) }, { bytes: null }] })
    for (const [at, length] of [
      [-2, 1],
      [3, 2],
      [0.5, 1],
      [0, 1e9],
    ])
      expect(
        read(
          {
            values: [
              ['1', at, length],
              ['1', -1, 0],
            ],
          },
          buffer,
        ),
      ).toMatch(/read/)
  })

  test('whatever is sent, reading it throws nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.json(),
          fc
            .record({
              number: fc.constant(4),
              began: fc.anything(),
              ended: fc.anything(),
              values: fc.anything(),
              thrown: fc.anything(),
            })
            .map((one) => JSON.stringify(one) ?? ''),
        ),
        (data) => {
          const reply = readReply(data, asked, now)
          expect(['string', 'object']).toContain(typeof reply)
        },
      ),
    )
  })

  test('words of the code stand in one line, without addresses of data', () => {
    expect(reasonIn('TypeError: failed: data:text/javascript;charset=utf-8,export%20default\nsecond', '')).toBe(
      'TypeError: failed: the code second',
    )
    expect(Array.from(reasonIn('x'.repeat(1000), ':2:7')).length).toBe('line 2: '.length + 201)
  })
})

describe('a value between stages', () => {
  const tile = {
    width: 2,
    height: 1,
    x: 0,
    y: 0,
    step: 1,
    iterations: 5,
    counts: null,
    pixels: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  }

  test('kernels get back what they gave, through the text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (record) => {
        const plain = JSON.parse(JSON.stringify(record)) as never
        expect(payloadOf(wireOf(typeof plain === 'string' ? plain : { record: plain }))).toEqual(
          typeof plain === 'string' ? plain : { record: plain },
        )
      }),
    )
    expect(payloadOf(wireOf(Uint8Array.of(1, 2)))).toEqual(Uint8Array.of(1, 2))
    expect(payloadOf(wireOf(tile))).toEqual(tile)
  })

  test('typed arrays keep their kind, and are lists of numbers in the output', () => {
    const wire: Wire = {
      text: '{"a":{"\\u0000":["Float32Array",4,2]}}',
      bytes: new Uint8Array(new Float32Array([0, 1.5, 2]).buffer),
    }
    expect(wireValue(wire)).toEqual({ a: Float32Array.of(1.5, 2) })
    expect(plainTextOf(wire)).toBe('{"a":[1.5,2]}')
    expect(() => wireValue({ ...wire, bytes: new Uint8Array(8) })).toThrow(RangeError)
    expect(() => wireValue({ ...wire, text: '{"\\u0000":["Function",0,1]}' })).toThrow(RangeError)
  })

  test('a tile has as many pixels as its size says', () => {
    expect(tileInValue(tile)).not.toBeNull()
    expect(tileInValue({ ...tile, width: 3 })).toBeNull()
    expect(tileInValue({ width: 1, height: 1 })).toBeNull()
  })

  test('a join has the parts by the stage that each left', () => {
    const parts = [
      ['A', wireOf('x')],
      ['B', wireOf(Uint8Array.of(7))],
    ] as const
    expect(joinedWires(parts.slice(0, 1))).toEqual(wireOf('x'))
    expect(wireValue(joinedWires(parts))).toEqual({ A: 'x', B: Uint8Array.of(7) })
    expect(joinedWires([parts[0], ['C', wireOf({ record: [1] })]]).text).toBe('{"A":"x","C":[1]}')
  })
})
