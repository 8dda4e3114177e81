import fc from 'fast-check'
import { expect, test } from 'vitest'
import { passagesBetween } from '../../../src/measures/frame/passages.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { endOf, stateAt } from '../../../src/trace/trace.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarios, workedExample } from '../scenarios.ts'

test('the passages of a stretch of time are half open, newest first, and limited', async () => {
  const trace = await playSimulation(workedExample, 0)
  expect(passagesBetween(trace, -1, 0).map(({ kind, job }) => [kind, job])).toEqual([
    ['arrived', 2],
    ['arrived', 1],
    ['arrived', 0],
  ])
  expect(passagesBetween(trace, 0, 1_000_000).map(({ kind, stage, job }) => [kind, stage, job])).toEqual([
    ['finished', 0, 1],
    ['finished', 0, 0],
  ])
  expect(passagesBetween(trace, 1_000_000, 2_000_000).map(({ kind, stage, job }) => [kind, stage, job])).toEqual([
    ['released', -1, 0],
    ['finished', 1, 0],
    ['finished', 0, 2],
  ])
  expect(passagesBetween(trace, -1, 3_000_000, 2).length).toBe(2)
})

test('adjacent stretches contain every passage once', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, fc.integer({ min: 1, max: 9 }), async (scenario, cuts) => {
      const trace = await playSimulation(scenario, 0)
      const times = Array.from({ length: cuts + 1 }, (_, i) => -1 + Math.round(((endOf(trace) + 1) * i) / cuts))
      const pieces = <T>(between: (t0: number, t1: number) => T[]) =>
        times.slice(1).flatMap((t1, i) => between(times[i], t1).reverse())
      const passages = pieces((t0, t1) => passagesBetween(trace, t0, t1, 10_000))
      const { arrived, released, finished } = stateAt(trace, endOf(trace)).counts
      expect(passages.length).toBe(arrived + released + finished.reduce((sum, n) => sum + n, 0))
    }),
    { numRuns: repeats(60) },
  )
})
