import { describe, expect, test } from 'vitest'
import { contestants, finderMeasures, playContest, ratioOf } from '../../../src/features/finder/finder.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { policyKinds } from '../../../src/scenario/model/policies.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import { digestOf } from '../../trace/digestOf.ts'

const scenario = valid({
  version: 1,
  stages: ['A', 'B', 'C'].map((id, k) => ({ id, service: { kind: 'exponential', mean: 1000 * (k + 2) } })),
  source: { kind: 'batch', jobs: 9 },
  workers: 3,
  switchCost: 50,
})
const contest = { worse: 'longestQueue', than: 'leastScore', measure: 'makespan' } as const
const under = (kind: 'longestQueue' | 'leastScore') => ({ ...scenario, policy: { kind, lend: true } }) as Scenario

describe('a trial', () => {
  test('plays the scenario under both policies and divides their figures', async () => {
    const runs = await playContest(contest, scenario)
    const both = [await playSimulation(under('longestQueue'), 0), await playSimulation(under('leastScore'), 0)]
    expect(runs?.map(digestOf)).toEqual(both.map(digestOf))
    const [worse, than] = both.map(metricsOf)
    for (const measure of finderMeasures) {
      const ratio = than[measure] > 0 ? worse[measure] / than[measure] : 0
      expect([measure, await ratioOf({ ...contest, measure }, scenario)]).toEqual([measure, ratio])
    }
    expect(worse.makespan).not.toBe(than.makespan)
    expect(worse.switches).not.toBe(than.switches)
  })

  test('does not count if a policy cannot play the scenario, or does not finish its jobs', async () => {
    const few = { ...scenario, workers: 2, cores: 2 }
    for (const [worse, than] of [
      ['onePerStage', 'leastScore'],
      ['leastScore', 'onePerStage'],
      // A pool that hires no worker.
      ['threshold', 'leastScore'],
      ['leastScore', 'threshold'],
    ] as const) {
      const asked = worse === 'threshold' || than === 'threshold' ? stuckPool : few
      expect([worse, than, await playContest({ ...contest, worse, than }, asked)]).toEqual([worse, than, null])
      expect(await ratioOf({ ...contest, worse, than }, asked)).toBe(0)
    }
    expect(await playContest(contest, few)).not.toBeNull()
  })

  test('does not count if the figure of the second policy is 0, such as changes of stage in one stage', async () => {
    const one = valid({ version: 1, stages: [{ id: 'A' }], source: { kind: 'batch', jobs: 5 }, workers: 1 })
    expect(await ratioOf({ ...contest, measure: 'switches' }, one)).toBe(0)
    expect(await ratioOf({ ...contest, measure: 'makespan' }, one)).toBe(1)
  })
})

test('all policies can be compared, except those that need a choice of seats', () => {
  expect(policyKinds.filter((kind) => !contestants.includes(kind))).toEqual(['fixed', 'byHand'])
})

const stuckPool = valid({
  version: 1,
  stages: [{ id: 'A' }],
  source: { kind: 'batch', jobs: 1 },
  workers: 1,
  policy: { kind: 'threshold', high: 1000, idle: 1000, every: 1000 },
})
