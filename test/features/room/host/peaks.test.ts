import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longestWaits, peakWorkers } from '../../../../src/features/room/host/questionRound.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { frameAt } from '../../../../src/measures/frame/frame.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { timeOf } from '../../../../src/trace/trace.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { scenarios } from '../../../measures/scenarios.ts'

describe('the most workers at a stage', () => {
  test('equal the most of all frames that last, for any run', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        const times = [...new Set(Array.from({ length: trace.length }, (_, row) => timeOf(trace, row)))]
        const frames = times.slice(0, -1).map((time) => frameAt(trace, time))
        const plain = scenario.stages.map((_, s) =>
          Math.max(
            0,
            ...frames.map(({ workers }) => workers.filter((w) => w.status === 'busy' && w.stage === s).length),
          ),
        )
        expect(peakWorkers(trace)).toEqual(plain)
      }),
      { numRuns: repeats(40) },
    )
  })
})

describe('where jobs wait longest', () => {
  test('is the stage before which they queue', async () => {
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 9 },
      stages: ['A', 'B', 'C'].map((id, s) => ({ id, service: { kind: 'constant', mean: [1000, 9000, 1000][s] } })),
      workers: 3,
      policy: { kind: 'onePerStage' },
    })
    expect(longestWaits(metricsOf(await playSimulation(scenario, 0)))).toEqual([1])
  })

  test('is every stage of those that are equal, and none where no job waits', () => {
    const waits = (...all: number[]) =>
      longestWaits({ stages: all.map((meanWait) => ({ meanWait })) } as unknown as Parameters<typeof longestWaits>[0])
    expect([waits(3, 7, 7), waits(0, 0), waits(0, 2)]).toEqual([[1, 2], [], [1]])
  })
})
