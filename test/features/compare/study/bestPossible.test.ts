import { describe, expect, test } from 'vitest'
import { bestPossible, whyNoBest } from '../../../../src/features/compare/study/bestPossible.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { playTrial } from '../../../../src/runs/play/play.ts'
import { underPolicy } from '../../../../src/runs/study/compare.ts'
import { policyKinds } from '../../../../src/scenario/model/policies.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { createRandom, randomKey } from '../../../../src/workload/random.ts'
import { inFull, repeats } from '../../../fixtures/extent.ts'
import { linksOf, scenarioWith } from '../../../fixtures/scenarios.ts'

function anySmall(seed: number): Scenario {
  const random = createRandom(seed, randomKey('best'))
  let drawn = 0
  const below = (n: number) => Math.floor(random(0, drawn++) * n)
  const kinds = ['constant', 'exponential'] as const
  const stages = ['A', 'B', 'C']
    .slice(0, 1 + below(3))
    .map((id) => ({ id, service: { kind: kinds[below(2)], mean: 1000 * (1 + below(9)) } }))
  const at = Array.from({ length: 1 + below(5) }, () => below(3) * 4000).sort((a, b) => a - b)
  return scenarioWith({ seed, source: { kind: 'times', at }, stages, workers: 1 + below(3) })
}

describe('the best possible', () => {
  test('is never worse than any policy, and its seats, given by hand, reach its figure', async () => {
    let shown = 0
    for (let seed = 0; seed < repeats(16); seed++) {
      const scenario = anySmall(seed)
      const { makespan, meanFlowTime } = await bestPossible(scenario)
      for (const kind of policyKinds) {
        const parsed = underPolicy(scenario, kind)
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
        const parsed = scenarioWith(best.scenario)
        expect(metricsOf(await playTrial(parsed, {}))[name]).toBe(best.time)
      }
    }
    expect(shown).toBeGreaterThan(repeats(16))
  })

  test.runIf(inFull)('is searched for the greatest scenarios that it takes, or says that it was cut off', async () => {
    const stages = ['A', 'B', 'C', 'D'].map((id) => ({ id, service: { kind: 'constant', mean: 5000 } }))
    const { makespan, meanFlowTime } = await bestPossible(
      scenarioWith({ stages, workers: 4, source: { kind: 'batch', jobs: 12 } }),
    )
    expect(makespan.time).toBe(60_000)
    expect(meanFlowTime.time === null || meanFlowTime.time === 40_000).toBe(true)
  })

  const tooLarge = 'it has more than 12 jobs, 4 stages or 4 workers'
  const other = 'it is more than a line of queues with workers that change stage freely'
  const stages = (...of: object[]) => ({ stages: of.map((more, k) => ({ id: 'ABCDE'[k], ...more })) })
  test.each<[object, string | null]>([
    [{}, null],
    [{ source: { kind: 'batch', jobs: 12 }, workers: 4, ...stages({}, {}, {}, {}) }, null],
    [{ source: { kind: 'batch', jobs: 13 } }, tooLarge],
    [{ workers: 5 }, tooLarge],
    [stages({}, {}, {}, {}, {}), tooLarge],
    [{ workerEvents: [{ at: 5, kind: 'leave', worker: 0 }] }, other],
    [stages({}, { fails: { jobs: [0], tries: 2 } }), other],
    [{ later: [{ at: 5, policy: { kind: 'adams' } }] }, other],
    [{ batch: { size: 2 } }, other],
    [{ batch: { size: 1, inHand: 2 } }, other],
    [{ source: { kind: 'groups', groups: [2, 2] } }, other],
    [{ source: { kind: 'image', width: 8, height: 8, tile: 8 } }, other],
    [{ source: { kind: 'lines', jobs: 3, digest: 'a'.repeat(64) } }, other],
    [{ order: { kind: 'buffer', slots: 4 } }, other],
    [{ switchCost: 1 }, other],
    [stages({}, { capacity: 3 }), other],
    [{ ...stages({}, {}), links: linksOf('source>A source>B A>sink B>sink') }, other],
    [{ cores: 1 }, other],
    [{ cores: 1, ...stages({ work: 'wait' }, {}) }, other],
    [{ cores: 1, ...stages({ work: 'wait' }, { work: 'wait' }) }, null],
    [{ cores: 2 }, null],
  ])('is searched, or has a reason why not: %j', (more, reason) => {
    expect(
      whyNoBest(scenarioWith({ stages: [{ id: 'A' }], workers: 2, source: { kind: 'batch', jobs: 3 }, ...more })),
    ).toBe(reason)
  })

  test('of small scenarios equals the result by hand, with a schedule if the queues can follow it', async () => {
    const of = (times: readonly (readonly number[])[], at: readonly number[], workers: number) => {
      // Jobs of different lengths: the service time changes at each job.
      const line = times[0].map((_, s) => {
        const changes = times
          .slice(1)
          .map((chain, k) => ({ from: k + 1, service: { kind: 'constant', mean: chain[s] } }))
        return { id: 'ABC'[s], service: { kind: 'constant', mean: times[0][s] }, changes }
      })
      return bestPossible(scenarioWith({ stages: line, source: { kind: 'times', at }, workers }))
    }
    // 3, 3, 2, 2 and 2 on two workers: the two long ones together.
    const five = await of([[3], [3], [2], [2], [2]], [0, 0, 0, 0, 0], 2)
    expect([five.makespan.time, five.meanFlowTime.time]).toEqual([6, (2 + 2 + 4 + 5 + 7) / 5])
    expect([five.makespan.scenario, five.meanFlowTime.scenario]).toEqual([null, null])
    // One worker, a job of 5 and 1 and one of 1 and 1 that comes at 2.
    const two = await of(
      [
        [5, 1],
        [1, 1],
      ],
      [0, 2],
      1,
    )
    expect([two.makespan.time, two.meanFlowTime.time]).toEqual([8, (4 - 2 + 10) / 2])
    expect(two.makespan.scenario?.policy).toMatchObject({ kind: 'byHand', lend: true })
    const seatsIn = ({ scenario }: { readonly scenario: Scenario | null }) =>
      scenario?.policy.kind === 'byHand' ? scenario.policy.allocations : null
    const oneByOne = [
      [1, 0],
      [0, 1],
      [1, 0],
      [0, 1],
    ]
    expect([seatsIn(two.makespan), seatsIn(two.meanFlowTime)]).toEqual([oneByOne, oneByOne])
    const none = await bestPossible(
      scenarioWith({ stages: [{ id: 'A' }], workers: 2, source: { kind: 'batch', jobs: 0 } }),
    )
    expect([none.makespan.time, none.meanFlowTime.time]).toEqual([0, 0])
  })
})
