import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisionAt } from '../../../src/measures/decisions/decision.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { moveAfter, moveBefore, movesWithin } from '../../../src/measures/workers/moves.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { decisionTime } from '../../../src/trace/follow.ts'
import { endOf, type Trace } from '../../../src/trace/trace.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarios, workedExample } from '../scenarios.ts'

/** The workers that each decision moved. */
function moversOf(trace: Trace): number[] {
  const estimateHistory = createEstimateHistory(trace)
  return Array.from({ length: trace.decisions.length }, (_, d) => d).filter((d) =>
    decisionAt(trace, estimateHistory, d).orders.some(({ from, stage }) => from >= 0 && from !== stage),
  )
}

describe('from move to move', () => {
  test('the worked example moves one worker at 1 s and the other at 2 s', async () => {
    const trace = await playSimulation(workedExample, 0)
    expect([moveAfter(trace, 0), moveAfter(trace, 1_000_000), moveAfter(trace, 2_000_000)]).toEqual([1, 2, -1])
    expect([
      moveBefore(trace, 0),
      moveBefore(trace, 1_000_000),
      moveBefore(trace, 1_000_001),
      moveBefore(trace, 3_000_000),
    ]).toEqual([-1, -1, 1, 2])
  })

  test('visit exactly the decisions that moved a worker, in both directions', async () => {
    let moves = 0
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        const movers = moversOf(trace)
        const forth: number[] = []
        for (let d = moveAfter(trace, -1); d >= 0; d = moveAfter(trace, decisionTime(trace, d))) forth.push(d)
        const back: number[] = []
        for (let d = moveBefore(trace, endOf(trace) + 1); d >= 0; d = moveBefore(trace, decisionTime(trace, d)))
          back.unshift(d)
        expect([forth, back]).toEqual([movers, movers])
        const ends = [movers.at(0), movers.at(-1)].flatMap((d) => (d === undefined ? [] : [decisionTime(trace, d)]))
        expect(movesWithin(trace) ?? []).toEqual(ends)
        moves += movers.length
      }),
      { numRuns: repeats(40), seed: 5 },
    )
    expect(moves).toBeGreaterThan(10)
  })
})
