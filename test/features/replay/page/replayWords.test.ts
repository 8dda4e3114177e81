import { describe, expect, test } from 'vitest'
import { sidesOf, verdictOf } from '../../../../src/features/replay/page/ReplayPanel.tsx'
import type { Difference } from '../../../../src/features/replay/study/replay.ts'
import { DISMISSED, FAILED, HIRED, NONE, RELEASED, type Row, STARTED } from '../../../../src/pipeline/rows.ts'
import { workedExample } from '../../../measures/scenarios.ts'

const place = { row: 9, time: 1_040_000, decision: 3 }
const replay = (difference: Difference | null, reproduced: number) => ({
  decisions: 1268,
  reproduced,
  answers: 0,
  difference,
})
const row = (kind: number, stage = 1): Row => ({ time: 1_040_000, kind, stage, worker: 2, job: 40, began: 0, ended: 0 })
const rowOf = (kind: number) =>
  sidesOf(workedExample, { ...place, kind: 'row', recorded: row(kind), replayed: null }).recorded

describe('the result of a replay is a sentence', () => {
  test('reproduced', () => {
    expect(verdictOf(replay(null, 1268))).toBe('Reproduced, 1,268 of 1,268 decisions.')
  })

  test('the decision at which it differs, or after which', () => {
    const difference: Difference = { ...place, kind: 'row', recorded: row(STARTED), replayed: row(STARTED, 0) }
    expect(verdictOf(replay(difference, 3))).toBe(
      'Differs at decision 4, at 1.040 s: 3 of 1,268 decisions reproduced before it.',
    )
    expect(verdictOf(replay(difference, 4))).toMatch(/^Differs after decision 4, /)
    expect(verdictOf(replay({ ...difference, decision: -1 }, 0))).toMatch(/^Differs before the first decision, /)
  })

  test('the recorded value and the replayed one', () => {
    const difference: Difference = {
      ...place,
      kind: 'row',
      recorded: row(STARTED),
      replayed: { ...row(STARTED, 0), worker: 0 },
    }
    expect(sidesOf(workedExample, difference)).toEqual({
      recorded: 'worker 3 begins job 41 at B, at 1.040 s',
      now: 'worker 1 begins job 41 at A, at 1.040 s',
    })
    expect(sidesOf(workedExample, { ...difference, replayed: null }).now).toBe('nothing more follows')
    expect([HIRED, DISMISSED, FAILED].map(rowOf)).toEqual([
      'worker 3 is hired for B, at 1.040 s',
      'worker 3 is dismissed from B, at 1.040 s',
      'job 41 is failed at B, at 1.040 s',
    ])
    expect(sidesOf(workedExample, { ...difference, replayed: { ...row(RELEASED, NONE), worker: NONE } }).now).toBe(
      'job 41 leaves, at 1.040 s',
    )
  })

  test('seats, and equal seats from other votes', () => {
    const decision = (seats: readonly number[], hash = 1) => ({ seats, hash })
    const sides = (recorded: ReturnType<typeof decision> | null, replayed: ReturnType<typeof decision> | null) =>
      sidesOf(workedExample, { ...place, kind: 'decision', recorded, replayed })
    expect(sides(decision([2, 0]), decision([1, 1]))).toEqual({
      recorded: 'targets: A 2, B 0',
      now: 'targets: A 1, B 1',
    })
    expect(sides(null, decision([1, 1])).recorded).toBe('no decision here')
    expect(sides(decision([1, 1]), decision([1, 1], 2)).now).toMatch(/^targets: A 1, B 1, but from other queues/)
    expect(sidesOf(workedExample, { ...place, kind: 'refused', reason: 'ticket 7 twice' }).now).toContain(
      'ticket 7 twice',
    )
  })
})
