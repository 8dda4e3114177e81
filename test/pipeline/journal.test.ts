import { expect, test } from 'vitest'
import { createJournal, leaveJournal, pushDecision } from '../../src/pipeline/journal.ts'
import { ARRIVED, NONE, pushRow } from '../../src/pipeline/rows.ts'

test('a journal that a run left is taken by one other run only, and is empty', () => {
  const left = createJournal()
  pushRow(left.rows, 5, ARRIVED, NONE, NONE, 0)
  pushDecision(left.decisions, 1, 7)
  leaveJournal(left)
  const [next, another] = [createJournal(), createJournal()]
  expect(next).toBe(left)
  expect(another).not.toBe(next)
  expect([next.rows.length, next.decisions.length]).toEqual([0, 0])
})
