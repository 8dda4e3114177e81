import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { playTrial } from '../../../src/runs/play/trial.ts'
import { bestPossible, whyNoBest } from '../../../src/runs/study/bestPossible.ts'
import { underPolicy } from '../../../src/runs/study/compare.ts'
import { policyKinds } from '../../../src/scenario/model/policies.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { createRandom, randomKey } from '../../../src/workload/random.ts'

function scenarioOf(input: object): Scenario {
  const parsed = parse({ version: 1, ...input })
  if ('problems' in parsed) throw new Error(parsed.problems[0].message)
  return parsed.scenario
}

function anySmall(seed: number): Scenario {
  const random = createRandom(seed, randomKey('best'))
  let drawn = 0
  const below = (n: number) => Math.floor(random(0, drawn++) * n)
  const kinds = ['constant', 'exponential'] as const
  const stages = ['A', 'B', 'C'].slice(0, 1 + below(3)).map((id) => ({ id, service: { kind: kinds[below(2)], mean: 1000 * (1 + below(9)) } }))
  const at = Array.from({ length: 1 + below(5) }, () => below(3) * 4000).sort((a, b) => a - b)
  return scenarioOf({ seed, source: { kind: 'times', at }, stages, workers: 1 + below(3) })
}

describe('the best possible', () => {
  test('no policy is ever better, and where its seats can be given by hand, they play to its figure', async () => {
    let shown = 0
    for (let seed = 0; seed < 40; seed++) {
      const scenario = anySmall(seed)
      const { makespan, meanFlowTime } = await bestPossible(scenario)
      for (const kind of policyKinds) {
        // Green threads are more workers than the scenario has.
        const parsed = kind === 'greenThreads' ? { problems: [] } : underPolicy(scenario, kind)
        if ('problems' in parsed) continue
        const trace = await playTrial(parsed.scenario, {})
        if (trace.ending !== 'drained') continue
        const figures = metricsOf(trace)
        expect([seed, kind, figures.makespan >= (makespan.time ?? Infinity)]).toEqual([seed, kind, true])
        expect([seed, kind, figures.meanFlowTime >= (meanFlowTime.time ?? Infinity)]).toEqual([seed, kind, true])
      }
      for (const [best, name] of [
        [makespan, 'makespan'],
        [meanFlowTime, 'meanFlowTime'],
      ] as const) {
        if (best.scenario === null) continue
        shown++
        const parsed = parse(best.scenario)
        if ('problems' in parsed) throw new Error(parsed.problems[0].message)
        expect(metricsOf(await playTrial(parsed.scenario, {}))[name]).toBe(best.time)
      }
    }
    expect(shown).toBeGreaterThan(40)
  })

  test('is searched for the greatest scenarios that it takes, or says that it was cut off', async () => {
    const stages = ['A', 'B', 'C', 'D'].map((id) => ({ id, service: { kind: 'constant', mean: 5000 } }))
    const { makespan, meanFlowTime } = await bestPossible(scenarioOf({ stages, workers: 4, source: { kind: 'batch', jobs: 12 } }))
    expect(makespan.time).toBe(60_000)
    expect(meanFlowTime.time === null || meanFlowTime.time === 40_000).toBe(true)
  })

  test.each([
    [{ source: { kind: 'batch', jobs: 13 } }, 'more than 12 jobs'],
    [{ workers: 5 }, 'more than 12 jobs, 4 stages or 4 workers'],
    [{ batch: { size: 2 } }, 'batches'],
    [{ switchCost: 5 }, 'changing stage costs time'],
    [{ order: { kind: 'buffer', slots: 4 } }, 'leave in order'],
    [{ workerEvents: [{ at: 5, kind: 'leave', worker: 0 }] }, 'midway'],
    [{ cores: 1 }, 'share cores'],
  ])('says why not: %j', (more, reason) => {
    expect(whyNoBest(scenarioOf({ stages: [{ id: 'A' }], workers: 2, source: { kind: 'batch', jobs: 3 }, ...more }))).toContain(reason)
  })
})
