import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ARRIVED,
  clearRows,
  copyRows,
  createRows,
  FINISHED,
  NONE,
  pushFinished,
  pushRow,
  pushRows,
  type Row,
  type Rows,
  rowAt,
  STARTED,
  sameRow,
  setWork,
  sliceRows,
} from '../../src/pipeline/rows.ts'

/** The largest 32-bit values, larger ones, and much larger ones. */
const length = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 9 }) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 32 - 1, 2 ** 32, 2 ** 44) },
)

/** Rows in sequence; services may end before they are reported, or there may be none. */
const anyRows = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.tuple(length, fc.boolean(), length, length, fc.nat(300)), { maxLength: 120, size: 'max' }),
  )
  .map(([late, all]) => {
    let time = 0
    return all.map(([gap, finished, lasted, ago, worker], job): Row => {
      time += gap
      const ended = finished && late ? Math.max(0, time - ago) : time
      return {
        time,
        kind: finished ? FINISHED : STARTED,
        stage: finished ? worker % 256 : NONE,
        worker,
        job,
        began: finished ? Math.max(0, ended - lasted) : time,
        ended,
      }
    })
  })

function push(rows: Rows, all: readonly Row[]): Rows {
  for (const { time, kind, stage, worker, job, began, ended } of all) {
    if (kind === FINISHED) pushFinished(rows, time, stage, worker, job, began, ended)
    else pushRow(rows, time, kind, stage, worker, job)
  }
  return rows
}

const listed = (rows: Rows) => Array.from({ length: rows.length }, (_, i) => rowAt(rows, i))

test('rows are read as they were appended, whatever was stored before, and copied in any pieces', () => {
  fc.assert(
    fc.property(anyRows, anyRows, anyRows, fc.array(fc.nat(120)), fc.nat(40), (earlier, other, all, cuts, capacity) => {
      const rows = push(createRows(capacity), earlier)
      clearRows(rows)
      push(rows, all)
      expect(listed(rows)).toEqual(all)
      expect(listed(sliceRows(rows))).toEqual(all)
      const pieces = push(createRows(all.length + other.length), other)
      clearRows(pieces)
      const rims = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length]
      for (let k = 1; k < rims.length; k++) copyRows(rows, rims[k - 1], rims[k], pieces)
      expect(listed(pieces)).toEqual(all)
      all.forEach(({ kind, began, ended }, i) => {
        if (kind === FINISHED) expect(pieces.lasted[i]).toBe(ended - began)
      })
    }),
  )
})

test('many rows pushed at once equal rows pushed one by one', () => {
  fc.assert(
    fc.property(
      anyRows,
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 60 }),
      length,
      fc.nat(300),
      fc.nat(40),
      (before, jobs, gap, worker, capacity) => {
        const [atOnce, oneByOne] = [push(createRows(capacity), before), push(createRows(capacity), before)]
        const time = (before.at(-1)?.time ?? 7) + gap
        pushRows(atOnce, time, FINISHED, worker % 256, worker, jobs)
        jobs.forEach((job, k) => {
          pushFinished(oneByOne, time, worker % 256, worker, job, time - k, time - (k % 3))
          setWork(atOnce, before.length + k, time, time - k, time - (k % 3))
        })
        expect(listed(atOnce)).toEqual(listed(oneByOne))
      },
    ),
  )
})

test('two rows are equal when all fields are; rows that are no service compare only the time of the row', () => {
  const base: Row = { time: 90, kind: FINISHED, stage: 1, worker: 2, job: 3, began: 40, ended: 80 }
  const other: Row[] = [
    { ...base, time: 91 },
    { ...base, kind: STARTED },
    { ...base, stage: 2 },
    { ...base, worker: 1 },
    { ...base, job: 4 },
    { ...base, began: 41 },
    { ...base, began: 50, ended: 90 },
    { ...base, ended: 81 },
  ]
  // The first rows differ, so that the second lies at another distance.
  const rowsOf = (first: number, row: Row) => push(createRows(), [{ ...base, time: first, kind: STARTED }, row])
  expect(sameRow(rowsOf(5, base), 1, rowsOf(6, base), 1)).toBe(true)
  for (const row of other) {
    expect(sameRow(rowsOf(5, base), 1, rowsOf(6, row), 1), JSON.stringify(row)).toBe(false)
    expect(sameRow(rowsOf(5, row), 1, rowsOf(5, row), 1)).toBe(true)
  }
  const [kept, left] = [rowsOf(5, other[1]), rowsOf(5, other[1])]
  kept.lasted[1] = 77
  expect(sameRow(kept, 1, left, 1)).toBe(true)
  expect(sameRow(rowsOf(5, base), 0, rowsOf(5, base), 1)).toBe(false)
  expect(sameRow(rowsOf(5, other[1]), 1, rowsOf(5, { ...base, kind: ARRIVED }), 1)).toBe(false)
})

test('a missing row is refused, and the error names how many there are', () => {
  const rows = push(createRows(), [{ time: 4, kind: STARTED, stage: 0, worker: 0, job: 0, began: 4, ended: 4 }])
  expect(rowAt(rows, 0).time).toBe(4)
  for (const i of [-1, 1, Number.NaN]) expect(() => rowAt(rows, i)).toThrow(new RangeError(`row ${i} of 1`))
})

test('columns stay small while the numbers are: 8 bits for stages and workers, 32 for times', () => {
  const rows = createRows()
  pushRow(rows, 1e12, STARTED, 127, 127, 0)
  pushFinished(rows, 1e12 + 2 ** 32 - 1, 0, 0, 0, 1e12, 1e12 + 2 ** 32 - 1)
  const away = createRows()
  pushFinished(away, 2 ** 32, 0, 0, 0, 0, 1)
  expect(away.endedAgo?.constructor).toBe(Uint32Array)
  pushFinished(away, 2 ** 32 + 1, 0, 0, 0, 0, 1)
  expect([away.endedAgo?.constructor, sliceRows(away).endedAgo?.constructor]).toEqual([Float64Array, Float64Array])
  const kindsOf = ({ elapsed, stage, worker, lasted }: Rows) =>
    [elapsed, stage, worker, lasted].map((column) => column.constructor)
  expect(kindsOf(rows)).toEqual([Uint32Array, Int8Array, Int8Array, Uint32Array])
  expect(kindsOf(sliceRows(rows))).toEqual([Uint32Array, Int8Array, Int8Array, Uint32Array])
  pushRow(rows, 1e12 + 2 ** 32 - 1, STARTED, 128, 0, 0)
  expect(kindsOf(rows)).toEqual([Uint32Array, Int16Array, Int8Array, Uint32Array])
  pushRow(rows, 1e12 + 2 ** 32 - 1, STARTED, 0, 128, 0)
  expect(kindsOf(rows)).toEqual([Uint32Array, Int16Array, Int16Array, Uint32Array])
  pushFinished(rows, 1e12 + 2 ** 32, 0, 0, 0, 1e12, 1e12 + 2 ** 32)
  expect(kindsOf(rows)).toEqual([Float64Array, Int16Array, Int16Array, Float64Array])
  expect(kindsOf(sliceRows(rows))).toEqual([Float64Array, Int16Array, Int16Array, Float64Array])
})
