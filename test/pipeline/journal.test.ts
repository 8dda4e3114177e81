import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applySeats,
  buffersOf,
  clearJournal,
  createDecisions,
  createJournal,
  type Decisions,
  eachSeat,
  leaveJournal,
  pushChangedSeats,
  pushDecision,
  pushSeats,
  sliceJournal,
} from '../../src/pipeline/journal.ts'
import { ARRIVED, NONE, pushFinished, pushRow, rowAt } from '../../src/pipeline/rows.ts'

test('a journal of an ended run is reused by one other run only, and is empty', () => {
  const left = createJournal()
  pushRow(left.rows, 5, ARRIVED, NONE, NONE, 0)
  pushDecision(left.decisions, 1, 7)
  pushSeats(left.decisions, 0, 3)
  leaveJournal(left)
  const [next, another] = [createJournal(), createJournal()]
  expect(next).toBe(left)
  expect(another).not.toBe(next)
  expect([next.rows.length, next.decisions.length, next.decisions.changes]).toEqual([0, 0, 0])
})

test('a journal with wider columns than most runs need is not kept', () => {
  const late = createJournal()
  pushRow(late.rows, 0, ARRIVED, NONE, NONE, 0)
  pushRow(late.rows, 2 ** 33, ARRIVED, NONE, NONE, 1)
  leaveJournal(late)
  expect(createJournal()).not.toBe(late)
  const away = createJournal()
  pushFinished(away.rows, 9, 0, 0, 0, 1, 5)
  leaveJournal(away)
  expect(createJournal()).not.toBe(away)
})

interface PlainDecision {
  readonly row: number
  readonly hash: number
  readonly changes: readonly (readonly [stage: number, seats: number])[]
}

const anyDecisions = fc.array(
  fc.record({
    row: fc.nat(2 ** 32 - 1),
    hash: fc.nat(2 ** 32 - 1),
    changes: fc.array(fc.tuple(fc.nat(255), fc.nat(65535)), { maxLength: 9 }),
  }),
  { maxLength: 60 },
)

function push(decisions: Decisions, all: readonly PlainDecision[]): void {
  for (const { row, hash, changes } of all) {
    pushDecision(decisions, row, hash)
    for (const [stage, seats] of changes) pushSeats(decisions, stage, seats)
  }
}

function listed(decisions: Decisions): PlainDecision[] {
  return Array.from({ length: decisions.length }, (_, d) => {
    const changes: [number, number][] = []
    eachSeat(decisions, d, (stage, seats) => void changes.push([stage, seats]))
    return { row: decisions.row[d], hash: decisions.hash[d], changes }
  })
}

test('decisions are read as they were written at any capacity, and so are their copies', () => {
  fc.assert(
    fc.property(anyDecisions, fc.nat(5), (all, capacity) => {
      const journal = { ...createJournal(), decisions: createDecisions(capacity) }
      push(journal.decisions, all)
      expect(listed(journal.decisions)).toEqual(all)
      const copy = sliceJournal(journal).decisions
      expect(listed(copy)).toEqual(all)
      const changes = all.flatMap((decision) => decision.changes).length
      expect([copy.row, copy.hash, copy.ends].map(({ length }) => length)).toEqual([all.length, all.length, all.length])
      expect([copy.changes, copy.stage.length, copy.seats.length]).toEqual([changes, changes, changes])
      clearJournal(journal)
      push(journal.decisions, all.slice(1))
      expect(listed(journal.decisions)).toEqual(all.slice(1))
      expect(listed(copy)).toEqual(all)
    }),
  )
})

test('seats computed decision by decision are the seats that were given, and a decision stores only what it changed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)), { maxLength: 40 }), (given) => {
      const decisions = createDecisions(1)
      const before = Int32Array.of(1, 0, 2)
      let last: readonly number[] = [...before]
      const target = { 7: 1, 0: 0, 4: 2 }
      given.forEach((seats, d) => {
        pushDecision(decisions, d, 0)
        pushChangedSeats(decisions, Int16Array.of(7, 0, 4), Int32Array.from(seats), before)
        expect([...before]).toEqual(seats)
        applySeats(decisions, d, target)
        expect([target[7], target[0], target[4]]).toEqual(seats)
        expect(listed(decisions)[d].changes).toEqual(
          [7, 0, 4].flatMap((stage, k) => (seats[k] === last[k] ? [] : [[stage, seats[k]]])),
        )
        last = seats
      })
    }),
  )
})

test('a copy of a journal holds its rows too, and transfers exactly its own buffers', () => {
  const journal = createJournal()
  pushRow(journal.rows, 5, ARRIVED, NONE, NONE, 3)
  pushDecision(journal.decisions, 1, 7)
  const copy = sliceJournal(journal)
  expect(rowAt(copy.rows, 0)).toEqual(rowAt(journal.rows, 0))
  const { elapsed, kind, stage, worker, job, lasted } = copy.rows
  const decided = [
    copy.decisions.row,
    copy.decisions.hash,
    copy.decisions.ends,
    copy.decisions.stage,
    copy.decisions.seats,
  ]
  const expected = [elapsed, kind, stage, worker, job, lasted, ...decided].map(({ buffer }) => buffer)
  const buffers = buffersOf(copy)
  expect(buffers.length).toBe(expected.length)
  for (const buffer of expected) expect(buffers.includes(buffer as ArrayBuffer)).toBe(true)
})
