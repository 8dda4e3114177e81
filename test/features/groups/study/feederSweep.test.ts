import { expect, test } from 'vitest'
import { feederGaps, groupSwitchLoss } from '../../../../src/features/groups/measure/feederGaps.ts'
import {
  emptyPoints,
  type FeederAnswer,
  feederTasks,
  hasResource,
  playFeeders,
  withAnswer,
  withFeederTask,
} from '../../../../src/features/groups/study/feederSweep.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

const scenario = valid({
  version: 1,
  seed: 2,
  source: { kind: 'groups', groups: new Array<number>(16).fill(20), order: 'asProduced' },
  stages: [{ id: 'A', service: { kind: 'exponential', mean: 5000 }, resource: 'group' }],
  workers: 4,
  groupSwitchCost: 1000,
})

test('more feeders cost locality and save contention, and workers that skip never contend', async () => {
  const answers: FeederAnswer[] = []
  for (const feeders of [1, 4, 16])
    for (const whenTaken of ['wait', 'skip'] as const) answers.push(await playFeeders(scenario, { feeders, whenTaken }))
  const [one, oneSkips, four, , sixteen] = answers
  expect(one.run.contendedTime).toBeGreaterThan(four.run.contendedTime)
  expect(four.run.contendedTime).toBeGreaterThan(sixteen.run.contendedTime)
  expect(one.run.switchLoss).toBeLessThan(four.run.switchLoss)
  expect(one.run.makespan).toBeGreaterThan(2 * oneSkips.run.makespan)
  for (const { whenTaken, gaps, run } of answers) {
    expect(gaps === null).toBe(whenTaken === 'skip')
    if (whenTaken === 'skip') expect(run.contendedTime).toBe(0)
  }
})

test('every number of feeders is played, waiting and skipping if a stage holds groups: first every fourth, then every second, then all', () => {
  const order = [1, 5, 9, 13, 3, 7, 11, 15, 2, 4, 6, 8, 10, 12, 14, 16]
  expect(feederTasks(scenario)).toEqual(
    order.flatMap((feeders) => (['wait', 'skip'] as const).map((whenTaken) => ({ feeders, whenTaken }))),
  )
  const plain = valid({ ...scenario, stages: [{ id: 'A' }], links: undefined })
  expect(feederTasks(plain).map(({ whenTaken }) => whenTaken)).toEqual(Array(16).fill('wait'))
  expect(emptyPoints(scenario)).toEqual(
    Array.from({ length: 16 }, (_, k) => ({ feeders: k + 1, gaps: null, wait: null, skip: null })),
  )
})

test('an answer changes its own point only, and keeps the gaps that came before', () => {
  const gaps = { jobs: 1, whole: null, tail: 1 }
  const run = { makespan: 1, contendedTime: 2, switchLoss: 3 }
  const [one, two] = emptyPoints(scenario)
  const waited = withAnswer([one, two], { feeders: 2, whenTaken: 'wait', gaps, run })
  expect(waited).toEqual([one, { feeders: 2, gaps, wait: run, skip: null }])
  expect(waited[0]).toBe(one)
  const skipped = { ...run, makespan: 9 }
  expect(withAnswer(waited, { feeders: 2, whenTaken: 'skip', gaps: null, run: skipped })).toEqual([
    one,
    { feeders: 2, gaps, wait: run, skip: skipped },
  ])
})

test('stages without a resource do not change, and one stage with a resource is enough', async () => {
  const stages = [
    { id: 'A', resource: 'group' },
    { id: 'B', service: { kind: 'constant', mean: 3000 } },
  ]
  const mixed = valid({ ...scenario, stages, links: undefined })
  expect([hasResource(mixed), hasResource(valid({ ...scenario, stages: [{ id: 'A' }], links: undefined }))]).toEqual([
    true,
    false,
  ])
  const asked = withFeederTask(mixed, { feeders: 3, whenTaken: 'skip' })
  expect(asked.stages.map(({ whenTaken }) => whenTaken)).toEqual(['skip', 'wait'])
  expect(asked.source).toMatchObject({ feeders: 3 })
  const shares: number[] = []
  const answer = await playFeeders(
    mixed,
    { feeders: 3, whenTaken: 'wait' },
    { progress: (share) => shares.push(share) },
  )
  expect(shares.at(-1)).toBe(1)
  const trace = await playSimulation(withFeederTask(mixed, { feeders: 3, whenTaken: 'wait' }), 0)
  const { makespan, contendedTime } = metricsOf(trace)
  const run = { makespan, contendedTime, switchLoss: groupSwitchLoss(trace) }
  expect(answer).toEqual({ feeders: 3, whenTaken: 'wait', gaps: feederGaps(mixed, 3), run })
})
