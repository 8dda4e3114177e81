import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { createWorkerMoves, extendWorkerMoves } from '../../../src/measures/workers/moves.ts'
import { movesLine } from '../../../src/measures/workers/workerWords.ts'
import { chartOf, playSimulation } from '../../../src/runs/play/play.ts'
import { defaultPreset, frontPreset } from '../../../src/scenario/presets/preset.ts'
import { endOf, stateAt } from '../../../src/trace/trace.ts'
import { anyScenario, elasticPolicies } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'

test('next to a playing run of pools the line says how many workers are hired', async () => {
  const pools = anyScenario({ policies: elasticPolicies, jobs: 20 })
  const shares = fc.double({ min: 0, max: 1, noNaN: true })
  await fc.assert(
    fc.asyncProperty(pools, shares, async (scenario, share) => {
      const trace = await playSimulation(scenario, 0)
      const time = Math.round(endOf(trace) * share)
      const hired = stateAt(trace, time).counts.live
      expect(movesLine(chartOf(trace), frameAt(trace, time))).toMatch(RegExp(`^${hired} of ${scenario.workers} `))
    }),
    { numRuns: repeats(40) },
  )
})

test('the line next to a playing run counts the moves of its last second, and names the last one', async () => {
  for (const { scenario } of [defaultPreset, frontPreset]) {
    const trace = await playSimulation(scenario, 0)
    const chart = createChart(trace)
    extendChart(chart)
    const moves = Array.from({ length: scenario.workers }, (_, worker) => createWorkerMoves(trace, worker))
    for (const each of moves) extendWorkerMoves(each)
    for (let k = 0; k <= 60; k++) {
      const time = Math.round((endOf(trace) * k) / 60)
      const frame = frameAt(trace, time)
      const line = movesLine(chart, frame)
      const last = Math.max(-1, ...moves.flatMap(({ times }) => times.filter((at) => at <= time)))
      if (last < 0) {
        expect(line).toBe('No worker has moved yet.')
        continue
      }
      const [, n, worker, from, to] =
        /^(\d+) moves? in the last second\. Last: worker (\d+), (.+) → (.+)\.$/.exec(line) ?? expect.fail(line)
      expect(Number(n)).toBe(moves.flatMap(({ times }) => times.filter((at) => at > time - 1e6 && at <= time)).length)
      const { movedFrom, movedAt, stage } = frame.workers[Number(worker) - 1]
      expect([movedAt, from, to].map((each) => String(each).replace(/[\u2066-\u2069]/g, ''))).toEqual([
        `${last}`,
        scenario.stages[movedFrom].name,
        scenario.stages[stage].name,
      ])
    }
  }
})
