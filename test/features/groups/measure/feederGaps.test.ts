import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupSwitchLoss, sensibleFeeders } from '../../../../src/features/groups/measure/feederGaps.ts'
import { FINISHED, HIRED, JOINED } from '../../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { traceRow } from '../../../../src/trace/trace.ts'
import { groupingOf } from '../../../../src/workload/groups.ts'
import { anyScenario, elasticPolicies, valid } from '../../../fixtures/anyScenario.ts'
import { repeats } from '../../../fixtures/extent.ts'

const of = (groups: readonly number[], order = 'spread', feeders = 4) =>
  valid({ version: 1, source: { kind: 'groups', groups, order, feeders }, stages: [{ id: 'A' }], workers: 2 })

describe('numbers of feeders worth comparing', () => {
  test('go from 1 to the number of groups, and include the present one', () => {
    expect(sensibleFeeders(of([3, 3, 0, 3]).source)).toEqual([1, 2, 3, 4])
    expect(sensibleFeeders(of([3, 3, 0, 3], 'shuffled').source)).toEqual([1, 2, 3])
    expect(sensibleFeeders(of(new Array<number>(300).fill(2), 'spread', 7).source)).toEqual([
      1, 2, 3, 4, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256,
    ])
    expect(sensibleFeeders(of(new Array<number>(40).fill(2)).source)).toEqual([1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40])
    expect(sensibleFeeders(of([]).source)).toEqual([1, 4])
    expect(sensibleFeeders({ kind: 'batch', jobs: 3 })).toEqual([])
  })
})

test('the cost of group changes is summed over the services of each worker, with the cost in the phase of each start', async () => {
  let lost = 0
  const scenarios = fc
    .tuple(
      fc.oneof(anyScenario({ jobs: 30 }), anyScenario({ jobs: 30, policies: elasticPolicies })),
      fc.array(fc.nat(12), { minLength: 2, maxLength: 4 }),
    )
    .map(([scenario, groups]) =>
      valid({
        ...scenario,
        source: { kind: 'groups', groups, order: 'shuffled' },
        groupSwitchCost: 7,
        later: [
          { at: 4000, groupSwitchCost: 100 },
          { at: 20_000, switchCost: 1 },
          { at: 30_000, groupSwitchCost: 1000 },
        ],
      }),
    )
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const trace = await playSimulation(scenario, 0)
      const groupOf = groupingOf(scenario)
      const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))
      let loss = 0
      for (const [i, { kind, worker, job, began }] of rows.entries()) {
        if (kind !== FINISHED) continue
        const before = rows
          .slice(0, i)
          .filter((row) => row.worker === worker && [FINISHED, HIRED, JOINED].includes(row.kind))
          .at(-1)
        if (before?.kind !== FINISHED || groupOf(before.job) === groupOf(job)) continue
        loss += began < 4000 ? 7 : began < 30_000 ? 100 : 1000
      }
      expect(groupSwitchLoss(trace)).toBe(loss)
      lost += loss
    }),
    { numRuns: repeats(40) },
  )
  expect(lost).toBeGreaterThan(0)
})

test('nothing is lost if the source has no groups', async () => {
  const scenario = valid({
    version: 1,
    source: { kind: 'batch', jobs: 5 },
    stages: [{ id: 'A' }],
    workers: 1,
    groupSwitchCost: 9,
  })
  expect(groupSwitchLoss(await playSimulation(scenario, 0))).toBe(0)
})
