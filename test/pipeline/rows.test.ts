import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clearRows,
  copyRows,
  createRows,
  FINISHED,
  NONE,
  pushFinished,
  pushRow,
  type Row,
  type Rows,
  rowAt,
  STARTED,
  sliceRows,
} from '../../src/pipeline/rows.ts'

/** What 32 bits can just tell, what they cannot, and much more. */
const length = fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 0, max: 9 }) }, { weight: 1, arbitrary: fc.constantFrom(2 ** 32 - 1, 2 ** 32, 2 ** 44) })

/** Rows that follow each other; of services that end before they are reported there may be none at all. */
const anyRows = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(length, fc.boolean(), length, length, fc.nat(300)), { maxLength: 120, size: 'max' }))
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

test('rows are read as they were appended, whatever stood there before, and copied in any pieces', () => {
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
