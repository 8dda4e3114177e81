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
  return { work: 'wait', stage: 2, switchCosts: numbers(10), jobs: numbers(500), services: numbers(9000), failing: numbers(500).slice(1), payloads: carried }
}
const replyOf = (count: number, carried: readonly Payload[] | null): Reply => ({
  began: 40,
  ended: Array.from({ length: count }, (_, k) => 40 + 5 * k),
  threw: null,
  payloads: carried,
})
const presence: Presence = { life: 'x1', connection: 4, name: 'Phone', build: 'b7', threads: 2, lacks: ['crypto', 'gzip'], roundTrip: 312 }
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
  { kind: 'answer', ...seat, number: 6, reply: { began: 5, ended: [], threw: { job: 5, reason: 'no' }, payloads: null } },
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
  for (const kind of ['batch', 'end', 'keep']) expect(readUp(packDown(downs.find((down) => down.kind === kind) as Addressed<Down>))).toBeNull()
  for (const kind of ['answer', 'broken', 'error', 'gone']) expect(readDown(packUp(ups.find((up) => up.kind === kind) as Addressed<Up>))).toBeNull()
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
const noTexts = [7, null, undefined, ['text'], {}]
const noNames = ['', 'a b', 'a/b', 'é', 'x'.repeat(61), 7, null, undefined]

describe('a message that is not exactly one', () => {
  const refusedOf = (read: (bytes: Uint8Array) => unknown, bytes: Uint8Array, field: string, values: readonly unknown[]) => {
    expect(read(bytes)).not.toBeNull()
    for (const value of values) expect(read(changed(bytes, { [field]: value })), `${field}: ${JSON.stringify(value)}`).toBeNull()
  }
  const down = (kind: Down['kind']) => packDown(downs.find((one) => one.kind === kind) as Addressed<Down>)
  const up = (kind: Up['kind']) => packUp(ups.find((one) => one.kind === kind) as Addressed<Up>)

  test.each(downs.map(({ kind }) => kind))('is not read from above: %s without a seat, a conductor or a kind', (kind) => {
    refusedOf(readDown, down(kind), 'seat', noCounts)
    refusedOf(readDown, down(kind), 'conductor', noNames)
    refusedOf(readDown, down(kind), 'kind', ['boo', null, undefined, 'answer'])
    expect(readDown(changed(down(kind), { seat: most, conductor: 'x'.repeat(60) }))).toMatchObject({ seat: most, conductor: 'x'.repeat(60) })
  })

  test.each(ups.map(({ kind }) => kind))('is not read from below: %s without a seat, a conductor or a kind', (kind) => {
    refusedOf(readUp, up(kind), 'seat', noCounts)
    refusedOf(readUp, up(kind), 'conductor', noNames)
    refusedOf(readUp, up(kind), 'kind', ['boo', null, undefined, 'end'])
  })

  test('is refused with a number that is none, or beyond what there can be', () => {
    refusedOf(readDown, down('hello'), 'worker', [...noCounts, 1_000_001])
    refusedOf(readDown, down('clock'), 'trip', noCounts)
    refusedOf(readDown, down('batch'), 'number', noCounts)
    refusedOf(readDown, down('batch'), 'stage', [...noCounts, MAX_STAGES])
    refusedOf(readDown, down('batch'), 'work', ['boo', null, undefined, 1])
    refusedOf(readDown, down('hang'), 'at', [0.5, most + 1, '3', null, undefined])
    refusedOf(readUp, up('clock'), 'trip', noCounts)
    refusedOf(readUp, up('clock'), 'reading', [0.5, most + 1, '3', null, undefined])
    refusedOf(readUp, up('answer'), 'number', noCounts)
    refusedOf(readUp, up('answer'), 'began', [0.5, most + 1, '3', null, undefined])
    refusedOf(readUp, up('broken'), 'number', noCounts)
    expect(readDown(changed(down('hello'), { worker: 1_000_000 }))).toMatchObject({ worker: 1_000_000 })
    expect(readDown(changed(down('batch'), { stage: MAX_STAGES - 1 }))).toMatchObject({ batch: { stage: MAX_STAGES - 1 } })
    for (const work of ['burn', 'gzip', 'qoi']) expect(readDown(changed(down('batch'), { work }))).toMatchObject({ batch: { work } })
  })

  test('is refused with words that are no text', () => {
    for (const kind of ['broken', 'error', 'gone'] as const) refusedOf(readUp, up(kind), 'words', noTexts)
  })

  test('is refused with seats that are none, or more than a device lends', () => {
    for (const kind of ['hello', 'keep'] as const) {
      const all = Array.from({ length: MAX_LENT }, (_, k) => k)
      refusedOf(readDown, down(kind), 'keep', [null, undefined, 3, 'all', {}, [-1], [0, '1'], [...all, 99]])
      expect(readDown(changed(down(kind), { keep: all }))).toMatchObject({ keep: all })
    }
  })

  test('is refused with signs of stages that are none, or too many', () => {
    const sign = { name: 'A', colour: 0 }
    const many = (count: number) => Array.from({ length: count }, () => sign)
    const wrong = [{ name: 7, colour: 0 }, { name: 'A' }, { name: 'A', colour: MAX_STAGES + 1 }, { name: 'A', colour: -1 }, null, 'A', [sign]]
    refusedOf(readDown, down('hello'), 'stages', [null, undefined, {}, 'A', many(MAX_STAGES + 1), ...wrong.map((one) => [sign, one])])
    expect(readDown(changed(down('hello'), { stages: many(MAX_STAGES) }))).toMatchObject({ stages: many(MAX_STAGES) })
    expect(readDown(changed(down('hello'), { stages: [{ name: ' a\u0000b ', colour: MAX_STAGES }] }))).toMatchObject({
      stages: [{ name: 'a b', colour: MAX_STAGES }],
    })
  })

  test('has no columns unless it is a batch or an answer', () => {
    const column = () => [Uint8Array.of(1)]
    for (const kind of ['hello', 'clock', 'hang', 'end', 'keep'] as const) expect(readDown(changed(down(kind), {}, column))).toBeNull()
    for (const kind of ['hello', 'clock', 'hang', 'broken', 'error', 'gone'] as const) expect(readUp(changed(up(kind), {}, column))).toBeNull()
    expect(readPresence(changed(packPresence(presence), {}, column))).toBeNull()
    expect(readDown(packFrame([down], []))).toBeNull()
    expect(readDown(packFrame(null, []))).toBeNull()
  })
})

describe('an introduction', () => {
  const bytes = packPresence(presence)
  const withField = (field: string, value: unknown) => readPresence(changed(bytes, { [field]: value }))

  test('is refused where a field is not what it must be', () => {
    const wrong: readonly (readonly [string, readonly unknown[]])[] = [
      ['life', noNames],
      ['connection', noCounts],
      ['threads', [...noCounts, 0, MAX_LENT + 1]],
      ['name', noTexts],
      ['build', noTexts],
      ['lacks', [null, undefined, 'gzip', [7], Array.from({ length: 21 }, () => 'x')]],
      ['roundTrip', [-1, 0.5, '3', []]],
    ]
    for (const [field, values] of wrong) for (const value of values) expect(withField(field, value), `${field}: ${JSON.stringify(value)}`).toBeNull()
    expect(readPresence(packFrame([presence], []))).toBeNull()
  })

  test('may say the least and the most of everything', () => {
    expect(withField('threads', 1)?.threads).toBe(1)
    expect(withField('threads', MAX_LENT)?.threads).toBe(MAX_LENT)
    expect(withField('connection', 0)?.connection).toBe(0)
    expect(withField('roundTrip', 0)?.roundTrip).toBe(0)
    expect(withField('roundTrip', undefined)?.roundTrip).toBe(null)
    expect(
      withField(
        'lacks',
        Array.from({ length: 20 }, () => 'x'),
      )?.lacks.length,
    ).toBe(20)
    expect(withField('lacks', [' a\u0007b '])?.lacks).toEqual(['a b'])
  })
})

describe('the columns of a batch', () => {
  const batch = (count: number) => packDown({ kind: 'batch', ...seat, number: 0, batch: batchOf(count, null) })
  const withColumn = (count: number, at: number, column: FrameColumn) =>
    readDown(changed(batch(count), {}, (columns) => columns.map((one, k) => (k === at ? column : one))))

  test('are four lists of whole numbers, one entry a job, and some of the jobs', () => {
    for (const at of [0, 1, 2, 3]) {
      expect(withColumn(2, at, Float64Array.of(1, 2)), `column ${at}`).not.toBeNull()
      expect(withColumn(2, at, Float64Array.of(1, 0.5)), `column ${at}`).toBeNull()
      expect(withColumn(2, at, Float64Array.of(1, Number.NaN))).toBeNull()
      expect(withColumn(2, at, Float32Array.of(1, 2)), `column ${at}`).toBeNull()
      expect(withColumn(2, at, Float64Array.of(1, 2, 3)), `column ${at}`).toBeNull()
      expect(withColumn(2, at, Float64Array.of(1)) === null, `column ${at}`).toBe(at !== 3)
      expect(readDown(changed(batch(2), {}, (columns) => columns.slice(0, at)))).toBeNull()
    }
    expect(readDown(changed(batch(2), {}, (columns) => [...columns, Float64Array.of(1)]))).toBeNull()
  })

  test('are of one job at least and of as many as a batch may have', () => {
    expect(readDown(batch(0))).toBeNull()
    expect(readDown(batch(MAX_BATCH))).not.toBeNull()
    expect(readDown(batch(MAX_BATCH + 1))).toBeNull()
  })
})

describe('an answer', () => {
  const answer = (reply: Reply) => packUp({ kind: 'answer', ...seat, number: 0, reply })
  const read = (fields: object, ...ended: number[]) => readUp(changed(answer(replyOf(1, null)), fields, () => [Float64Array.from(ended)]))

  test('has times that do not run back', () => {
    expect(read({ began: 50 }, 50, 50, 60)).not.toBeNull()
    expect([read({ began: 50 }, 49), read({ began: 50 }, 60, 59), read({ began: 50 }, 60.5), read({ began: 50 })]).toEqual([null, null, null, null])
    expect(readUp(changed(answer(replyOf(1, null)), {}, () => []))).toBeNull()
    expect(readUp(changed(answer(replyOf(1, null)), {}, () => [Float32Array.of(50)]))).toBeNull()
    expect(read({ began: 0 }, ...Array.from({ length: MAX_BATCH }, (_, k) => k))).not.toBeNull()
    expect(read({ began: 0 }, ...Array.from({ length: MAX_BATCH + 1 }, (_, k) => k))).toBeNull()
  })

  test('that threw names its job and a reason, and has neither times nor results', () => {
    const threw = { job: 5, reason: ' no\u0000reason ' }
    expect(read({ threw })).toMatchObject({ reply: { began: 40, ended: [], threw: { job: 5, reason: 'no reason' }, payloads: null } })
    for (const wrong of [7, 'no', [], {}, { job: -1, reason: 'r' }, { job: 5, reason: 7 }, { job: 5 }, undefined]) expect(read({ threw: wrong })).toBeNull()
    expect(read({ threw }, 60)).toBeNull()
    expect(read({ threw, payloads: [] })).toBeNull()
  })
})

describe('what jobs carry', () => {
  /** The result of one job, as it stands in a message. */
  const carried = (packed: unknown, ...columns: FrameColumn[]) => {
    const bytes = changed(packUp({ kind: 'answer', ...seat, number: 0, reply: replyOf(1, null) }), { payloads: packed }, (own) => [...own, ...columns])
    const read = readUp(bytes)
    return read?.kind === 'answer' ? read.reply.payloads : null
  }
  const shape = (...fields: unknown[]) => ({ tile: fields, has: 0 })
  const numbers = [2, 3, -0.5, 0.25, 0.125, 7]

  test('is one payload a job, with all its columns and no other', () => {
    expect(carried(['text'])).toEqual(['text'])
    expect(carried([{ record: null }])).toEqual([{ record: null }])
    expect(carried([{ bytes: true }], Uint8Array.of(1))).toEqual([Uint8Array.of(1)])
    for (const wrong of [[], ['a', 'b'], 'text', {}, undefined, [7], [null], [['text']], [{}], [{ bytes: 1 }], [{ tile: 'x', has: 0 }]])
      expect(carried(wrong), JSON.stringify(wrong)).toBeNull()
    expect([carried([{ bytes: true }]), carried([{ bytes: true }], Float32Array.of(1)), carried(['text'], Uint8Array.of(1))]).toEqual([null, null, null])
    expect(carried(null, Uint8Array.of(1))).toBeNull()
  })

  test('of a tile is six numbers within their bounds', () => {
    expect(carried([shape(...numbers)])).toEqual([{ ...tile, iterations: 7, counts: null, pixels: null }])
    expect(carried([shape(4096, 4096, 0, 0, 0, 1_000_000)])).not.toBeNull()
    for (const [at, value] of [
      [0, 4097],
      [1, 4097],
      [0, -1],
      [1, 0.5],
      [5, 1_000_001],
      [5, 0.5],
      [2, null],
      [3, 'x'],
      [4, null],
    ] as const)
      expect(carried([shape(...numbers.map((number, k) => (k === at ? value : number)))]), `${at}: ${value}`).toBeNull()
    expect([carried([shape(...numbers.slice(1))]), carried([shape(...numbers, 1)])]).toEqual([null, null])
    for (const has of [-1, 4, 0.5, '1', null, undefined]) expect(carried([{ tile: numbers, has }])).toBeNull()
  })

  test('of a tile has two numbers for each pixel if it is computed, and four bytes if it is coloured', () => {
    const withColumns = (has: number, ...columns: FrameColumn[]) => carried([{ tile: numbers, has }], ...columns)
    expect(withColumns(1, counts)).toEqual([{ ...tile, iterations: 7, counts, pixels: null }])
    expect(withColumns(2, pixels)).toEqual([{ ...tile, iterations: 7, counts: null, pixels }])
    expect(withColumns(3, counts, pixels)).toEqual([{ ...tile, iterations: 7, counts, pixels }])
    expect([withColumns(1), withColumns(2), withColumns(3, counts), withColumns(3, pixels, counts), withColumns(0, counts)]).toEqual(Array(5).fill(null))
    expect([withColumns(1, counts.subarray(1)), withColumns(1, Float64Array.from(counts)), withColumns(1, pixels)]).toEqual([null, null, null])
    expect([withColumns(2, pixels.subarray(1)), withColumns(2, counts)]).toEqual([null, null])
  })
})

test('of two conductors the later one has the greater name, whatever stands behind the time', () => {
  const times = [-5, 0, 1, 35, 36, 1e6, 1.7e15, 1.8e15]
  const names = times.slice(1).map((time, k) => conductorName(time, `${9 - k}z`))
  expect([...names].sort()).toEqual(names)
  expect([conductorName(-5, 'a'), conductorName(36, 'b')]).toEqual(['00000000000a', '00000000010b'])
})
