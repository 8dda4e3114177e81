import { expect, test } from 'vitest'
import { decisionIndexAt, decisionTime, timeBefore } from '../../src/trace/findRows.ts'
import { createTrace, timeOf } from '../../src/trace/trace.ts'
import { before, madeUpTrace, scenario } from './madeUpTrace.ts'

test('a decision is taken at the time of the row before it, and found at every time from then on', () => {
  const trace = madeUpTrace()
  expect(before.map((_, d) => decisionTime(trace, d))).toEqual([0, 10, 10, 40])
  expect([timeBefore(trace, 0), timeBefore(trace, 1), timeBefore(trace, 3)]).toEqual([0, 0, 20])
  // A decision before row r is at hand once all rows before r are.
  for (const t of [-1, 0, 9, 10, 39, 40, 41, 99]) {
    const rows = Array.from({ length: 8 }, (_, k) => timeOf(trace, k)).filter((time) => time <= t).length
    expect(decisionIndexAt(trace, t), `at ${t}`).toBe(before.filter((row) => row <= rows).length - 1)
  }
  expect(decisionIndexAt(createTrace(scenario, 'simulation', 0), 5)).toBe(-1)
})
