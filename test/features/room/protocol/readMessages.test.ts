import { describe, expect, test } from 'vitest'
import type { BatchOrder, Reply } from '../../../../src/engine/conductor/batchPort.ts'
import type { Payload } from '../../../../src/engine/work/kernels.ts'
import { type FrameColumn, packFrame, unpackFrame } from '../../../../src/features/room/protocol/frame.ts'
import {
  type Addressed,
  conductorName,
  type Down,
  type Presence,
  packDown,
  packPresence,
  packUp,
  type Up,
} from '../../../../src/features/room/protocol/messages.ts'
import { MAX_LENT, readDown, readPresence, readUp } from '../../../../src/features/room/protocol/readMessages.ts'
import { MAX_BATCH, MAX_STAGES } from '../../../../src/scenario/model/limits.ts'

const seat = { seat: 3, conductor: 'c1' }
const most = Number.MAX_SAFE_INTEGER
const tile = { width: 2, height: 3, x: -0.5, y: 0.25, step: 0.125, iterations: 1_000_000 }
const counts = Float32Array.from({ length: 12 }, (_, k) => k)
const pixels = Uint8Array.from({ length: 24 }, (_, k) => 10 * k)
const payloads: Payload[] = [
  'a line',
  { record: { a: [1, null] } },
  Uint8Array.of(9, 8, 7),
  { ...tile, counts: null, pixels: null },
  { ...tile, counts, pixels: null },
  { ...tile, counts: null, pixels },
  { ...tile, counts, pixels },
]
const batchOf = (count: number, carried: readonly Payload[] | null): BatchOrder => {
  const numbers = (first: number) => Array.from({ length: count }, (_, k) => first + k)
  return {
    work: 'wait',
    stage: 2,
    switchCosts: numbers(10),
    jobs: numbers(500),
    services: numbers(9000),
    failing: numbers(500).slice(1),
    payloads: carried,
  }
}
const replyOf = (count: number, carried: readonly Payload[] | null): Reply => ({
  began: 40,
  ended: Array.from({ length: count }, (_, k) => 40 + 5 * k),
  threw: null,
  payloads: carried,
})
const presence: Presence = {
  life: 'x1',
  connection: 4,
  name: 'Phone',
  build: 'b7',
  threads: 2,
  lacks: ['crypto', 'gzip'],
  roundTrip: 312,
}
const downs: readonly Addressed<Down>[] = [
  { kind: 'hello', ...seat, worker: 2, keep: [1, 0], stages: [{ name: 'Parse', colour: 5 }] },
  { kind: 'clock', ...seat, trip: 8 },
  { kind: 'hang', ...seat, at: -77 },
  { kind: 'batch', ...seat, number: 6, batch: batchOf(7, payloads) },
  { kind: 'batch', ...seat, number: 0, batch: batchOf(1, null) },
  { kind: 'end', ...seat },
  { kind: 'keep', ...seat, keep: [2, 5] },
]
const ups: readonly Addressed<Up>[] = [
  { kind: 'hello', ...seat },
  { kind: 'clock', ...seat, trip: 8, reading: 1e15 },
  { kind: 'hang', ...seat },
  { kind: 'answer', ...seat, number: 6, reply: replyOf(7, payloads) },
  { kind: 'answer', ...seat, number: 6, reply: replyOf(2, null) },
  {
    kind: 'answer',
    ...seat,
    number: 6,
    reply: { began: 5, ended: [], threw: { job: 5, reason: 'no' }, payloads: null },
  },
  { kind: 'broken', ...seat, number: 6, words: 'no memory' },
  { kind: 'error', ...seat, words: 'odd' },
  { kind: 'gone', ...seat, words: 'closed' },
]

test('every message is read as it was packed, by the one that it is for', () => {
  for (const message of downs) expect(readDown(packDown(message))).toEqual(message)
  for (const message of ups) expect(readUp(packUp(message))).toEqual(message)
  expect(readPresence(packPresence(presence))).toEqual(presence)
  expect(readPresence(packPresence({ ...presence, roundTrip: null }))).toEqual({ ...presence, roundTrip: null })
  for (const bytes of [...downs.map(packDown), ...ups.map(packUp)]) expect(readPresence(bytes)).toBeNull()
  for (const kind of ['batch', 'end', 'keep'])
    expect(readUp(packDown(downs.find((down) => down.kind === kind) as Addressed<Down>))).toBeNull()
  for (const kind of ['answer', 'broken', 'error', 'gone'])
    expect(readDown(packUp(ups.find((up) => up.kind === kind) as Addressed<Up>))).toBeNull()
})

/** The message with some fields changed; a field that is undefined is left out. Its columns may be others. */
function changed(bytes: Uint8Array, fields: object, columns?: (columns: FrameColumn[]) => FrameColumn[]): Uint8Array {
  const frame = unpackFrame(bytes)
  if (frame === null) throw new Error('no message')
  const sent = frame.columns.map((column) => column.slice())
  return packFrame({ ...(frame.head as object), ...fields }, columns === undefined ? sent : columns(sent))
}

/** Values that each stand for a kind of mistake. */
const noCounts = [-1, 0.5, most + 1, '3', null, undefined, [3]]
const noTimes = [0.5, most + 1, '3', null, undefined]
const noTexts = [7, null, undefined, ['text'], {}]
const noNames = ['', 'a b', 'a/b', 'é', 'x'.repeat(61), 7, null, undefined]
const loans = Array.from({ length: MAX_LENT }, (_, k) => k)
const noLoans = [null, undefined, 3, 'all', {}, [-1], [0, '1'], [...loans, 99]]
const sign = { name: 'A', colour: 0 }
const signs = (count: number) => Array.from({ length: count }, () => sign)
const noSigns = [
  { name: 7, colour: 0 },
  { name: 'A' },
  { name: 'A', colour: MAX_STAGES + 1 },
  { name: 'A', colour: -1 },
  null,
  'A',
  [sign],
]

interface Sent {
  readonly bytes: Uint8Array
  read(bytes: Uint8Array): unknown
}
const sentDown = (message: Addressed<Down>): Sent => ({ read: readDown, bytes: packDown(message) })
const sentUp = (message: Addressed<Up>): Sent => ({ read: readUp, bytes: packUp(message) })
const down = (kind: Down['kind']) => sentDown(downs.find((one) => one.kind === kind) as Addressed<Down>)
const up = (kind: Up['kind']) => sentUp(ups.find((one) => one.kind === kind) as Addressed<Up>)
const introduction: Sent = { read: readPresence, bytes: packPresence(presence) }
type Row = [field: string, sent: Sent, refused: readonly unknown[], read?: readonly unknown[]]

describe('a message that is not exactly one is refused', () => {
  test.each<Row>([
    ['worker', down('hello'), [...noCounts, 1_000_001], [1_000_000]],
    ['keep', down('hello'), noLoans, [loans]],
    [
      'stages',
      down('hello'),
      [null, undefined, {}, 'A', signs(MAX_STAGES + 1), ...noSigns.map((one) => [sign, one])],
      [signs(MAX_STAGES)],
    ],
    ['trip', down('clock'), noCounts],
    ['at', down('hang'), noTimes],
    ['number', down('batch'), noCounts],
    ['stage', down('batch'), [...noCounts, MAX_STAGES], [MAX_STAGES - 1]],
    ['work', down('batch'), ['boo', null, undefined, 1], ['burn', 'gzip', 'qoi']],
    ['keep', down('keep'), noLoans, [loans]],
    ['trip', up('clock'), noCounts],
    ['reading', up('clock'), noTimes],
    ['number', up('answer'), noCounts],
    ['began', up('answer'), noTimes],
    ['number', up('broken'), noCounts],
    ...(['broken', 'error', 'gone'] as const).map((kind): Row => ['words', up(kind), noTexts]),
    ['life', introduction, noNames],
    ['connection', introduction, noCounts, [0]],
    ['threads', introduction, [...noCounts, 0, MAX_LENT + 1], [1, MAX_LENT]],
    ['name', introduction, noTexts],
    ['build', introduction, noTexts],
    ['lacks', introduction, [null, undefined, 'gzip', [7], Array(21).fill('x')], [Array(20).fill('x')]],
    ['roundTrip', introduction, [-1, 0.5, '3', []], [0, undefined]],
    ...[...downs.map(sentDown), ...ups.map(sentUp)].flatMap((sent): Row[] => [
      ['seat', sent, noCounts, [most]],
      ['conductor', sent, noNames, ['x'.repeat(60)]],
      ['kind', sent, ['boo', null, undefined]],
    ]),
  ])('where "%s" is not what it must be, and read at its bounds', (field, { read, bytes }, values, allowed = []) => {
    for (const value of values) expect(read(changed(bytes, { [field]: value })), JSON.stringify(value)).toBeNull()
    for (const value of allowed) expect(read(changed(bytes, { [field]: value })), JSON.stringify(value)).not.toBeNull()
  })

  test('if it has columns but is no batch or answer, or is no object', () => {
    const column = () => [Uint8Array.of(1)]
    for (const kind of ['hello', 'clock', 'hang', 'end', 'keep'] as const)
      expect(readDown(changed(down(kind).bytes, {}, column))).toBeNull()
    for (const kind of ['hello', 'clock', 'hang', 'broken', 'error', 'gone'] as const)
      expect(readUp(changed(up(kind).bytes, {}, column))).toBeNull()
    expect(readPresence(changed(introduction.bytes, {}, column))).toBeNull()
    for (const bytes of [packFrame([presence], []), packFrame(null, [])])
      expect([readDown(bytes), readUp(bytes), readPresence(bytes)]).toEqual([null, null, null])
  })

  test('but texts of strangers are cleaned', () => {
    expect(
      readDown(changed(down('hello').bytes, { stages: [{ name: ' a\u0000b ', colour: MAX_STAGES }] })),
    ).toMatchObject({ stages: [{ name: 'a b' }] })
    expect(readPresence(changed(introduction.bytes, { lacks: [' a\u0007b '] }))?.lacks).toEqual(['a b'])
  })
})

test('the columns of a batch are four lists of whole numbers, one entry a job, and some of the jobs', () => {
  const batch = (count: number) => packDown({ kind: 'batch', ...seat, number: 0, batch: batchOf(count, null) })
  const isRead = (change: (columns: FrameColumn[]) => FrameColumn[]) => readDown(changed(batch(2), {}, change)) !== null
  for (const at of [0, 1, 2, 3]) {
    const withColumn = (column: FrameColumn) => isRead((columns) => columns.map((one, k) => (k === at ? column : one)))
    expect(withColumn(Float64Array.of(1, 2)), `column ${at}`).toBe(true)
    expect(withColumn(Float64Array.of(1)), `column ${at}`).toBe(at === 3)
    for (const wrong of [
      Float64Array.of(1, 0.5),
      Float64Array.of(1, Number.NaN),
      Float32Array.of(1, 2),
      Float64Array.of(1, 2, 3),
    ])
      expect(withColumn(wrong), `column ${at}`).toBe(false)
    expect(isRead((columns) => columns.slice(0, at))).toBe(false)
  }
  expect(isRead((columns) => [...columns, Float64Array.of(1)])).toBe(false)
  expect([0, 1, MAX_BATCH, MAX_BATCH + 1].map((count) => readDown(batch(count)) !== null)).toEqual([
    false,
    true,
    true,
    false,
  ])
})

describe('an answer', () => {
  const answer = packUp({ kind: 'answer', ...seat, number: 0, reply: replyOf(1, null) })
  const read = (fields: object, ...ended: number[]) => readUp(changed(answer, fields, () => [Float64Array.from(ended)]))

  test('has times that do not run back', () => {
    expect(read({ began: 50 }, 50, 50, 60)).not.toBeNull()
    expect([
      read({ began: 50 }, 49),
      read({ began: 50 }, 60, 59),
      read({ began: 50 }, 60.5),
      read({ began: 50 }),
    ]).toEqual([null, null, null, null])
    for (const columns of [[], [Float32Array.of(50)]]) expect(readUp(changed(answer, {}, () => columns))).toBeNull()
    expect(read({ began: 0 }, ...Array.from({ length: MAX_BATCH }, (_, k) => k))).not.toBeNull()
    expect(read({ began: 0 }, ...Array.from({ length: MAX_BATCH + 1 }, (_, k) => k))).toBeNull()
  })

  test('that threw names its job and a reason, and has neither times nor results', () => {
    const threw = { job: 5, reason: ' no\u0000reason ' }
    expect(read({ threw })).toMatchObject({
      reply: { began: 40, ended: [], threw: { job: 5, reason: 'no reason' }, payloads: null },
    })
    for (const wrong of [7, 'no', [], {}, { job: -1, reason: 'r' }, { job: 5, reason: 7 }, { job: 5 }, undefined])
      expect(read({ threw: wrong })).toBeNull()
    expect(read({ threw }, 60)).toBeNull()
    expect(read({ threw, payloads: [] })).toBeNull()
  })
})

describe('the payload of a job', () => {
  /** The result of one job, as it stands in a message. */
  const carried = (packed: unknown, ...columns: FrameColumn[]) => {
    const read = readUp(
      changed(packUp({ kind: 'answer', ...seat, number: 0, reply: replyOf(1, null) }), { payloads: packed }, (own) => [
        ...own,
        ...columns,
      ]),
    )
    return read?.kind === 'answer' ? read.reply.payloads : null
  }
  const numbers = [2, 3, -0.5, 0.25, 0.125, 7]

  test('is one for each job, with all its columns and no other', () => {
    for (const one of ['text', { record: null }]) expect(carried([one])).toEqual([one])
    expect(carried([{ bytes: true }], Uint8Array.of(1))).toEqual([Uint8Array.of(1)])
    for (const wrong of [
      [],
      ['a', 'b'],
      'text',
      {},
      undefined,
      [7],
      [null],
      [['text']],
      [{}],
      [{ bytes: 1 }],
      [{ tile: 'x', has: 0 }],
    ])
      expect(carried(wrong), JSON.stringify(wrong)).toBeNull()
    expect([
      carried([{ bytes: true }]),
      carried([{ bytes: true }], Float32Array.of(1)),
      carried(['text'], Uint8Array.of(1)),
    ]).toEqual([null, null, null])
    expect(carried(null, Uint8Array.of(1))).toBeNull()
  })

  test('that is a tile has six numbers within their bounds', () => {
    const shape = (...fields: unknown[]) => carried([{ tile: fields, has: 0 }])
    expect(shape(...numbers)).toEqual([{ ...tile, iterations: 7, counts: null, pixels: null }])
    expect(shape(4096, 4096, 0, 0, 0, 1_000_000)).not.toBeNull()
    const wrong = [[4097, -1], [4097, 0.5], [null], ['x'], [null], [1_000_001, 0.5]]
    for (const [at, values] of wrong.entries())
      for (const value of values)
        expect(shape(...numbers.map((number, k) => (k === at ? value : number))), `${at}: ${value}`).toBeNull()
    expect([shape(...numbers.slice(1)), shape(...numbers, 1)]).toEqual([null, null])
    for (const has of [-1, 4, 0.5, '1', null, undefined]) expect(carried([{ tile: numbers, has }])).toBeNull()
  })

  test('that is a tile has two numbers for each pixel if it is computed, and four bytes if it is coloured', () => {
    const withColumns = (has: number, ...columns: FrameColumn[]) => carried([{ tile: numbers, has }], ...columns)
    expect(withColumns(3, counts, pixels)).toEqual([{ ...tile, iterations: 7, counts, pixels }])
    expect([
      withColumns(1),
      withColumns(2),
      withColumns(3, counts),
      withColumns(3, pixels, counts),
      withColumns(0, counts),
    ]).toEqual(Array(5).fill(null))
    expect([
      withColumns(1, counts.subarray(1)),
      withColumns(1, Float64Array.from(counts)),
      withColumns(1, pixels),
    ]).toEqual([null, null, null])
    expect([withColumns(2, pixels.subarray(1)), withColumns(2, counts)]).toEqual([null, null])
  })
})

test('of two conductors the later one has the greater name, whatever stands behind the time', () => {
  const times = [-5, 0, 1, 35, 36, 1e6, 1.7e15, 1.8e15]
  const names = times.slice(1).map((time, k) => conductorName(time, `${9 - k}z`))
  expect([...names].sort()).toEqual(names)
  expect([conductorName(-5, 'a'), conductorName(36, 'b')]).toEqual(['00000000000a', '00000000010b'])
})
