import { expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { emptyPoints, type FeederAnswer, feederTasks, playFeeders, withAnswer, withFeederTask } from '../../../src/runs/study/feederSweep.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const scenario = valid({
  version: 1,
  seed: 2,
  source: { kind: 'groups', groups: new Array<number>(16).fill(20), order: 'asProduced' },
  stages: [{ id: 'A', service: { kind: 'exponential', mean: 5000 }, resource: 'group' }],
  workers: 4,
  groupSwitchCost: 1000,
})

test('more feeders cost locality and save contention, and workers who skip never contend: both sides of the bargain are told', async () => {
  const answers: FeederAnswer[] = []
  for (const feeders of [1, 4, 16]) for (const whenTaken of ['wait', 'skip'] as const) answers.push(await playFeeders(scenario, { feeders, whenTaken }))
  const [one, oneSkips, four, , sixteen] = answers
  expect(one.run.contendedTime).toBeGreaterThan(four.run.contendedTime)
  expect(four.run.contendedTime).toBeGreaterThan(sixteen.run.contendedTime)
  expect(one.run.switchLoss).toBeLessThan(four.run.switchLoss)
  expect(one.run.makespan).toBeGreaterThan(2 * oneSkips.run.makespan)
  for (const { whenTaken, gaps, run } of answers) {
    expect(run.completed).toBe(320)
    expect(gaps === null).toBe(whenTaken === 'skip')
    if (whenTaken === 'skip') expect(run.contendedTime).toBe(0)
  }
})

test('a task plays the scenario as it would be with that number of feeders, with the same luck', async () => {
  const task = { feeders: 4, whenTaken: 'wait' } as const
  const asked = withFeederTask(scenario, task)
  expect('scenario' in parse(asked)).toBe(true)
  expect(asked.source).toMatchObject({ order: 'spread', feeders: 4 })
  const heard: number[] = []
  const { run } = await playFeeders(scenario, task, { progress: (share) => heard.push(share) })
  const { makespan, contendedTime } = metricsOf(await playSimulation(asked, 0))
  expect(run).toMatchObject({ makespan, contendedTime })
  expect(heard.at(-1)).toBe(1)
})

test('every number of feeders is played, waiting and skipping where a stage holds groups; answers find their points in any order', async () => {
  const tasks = feederTasks(scenario)
  const points = emptyPoints(scenario)
  expect(tasks).toHaveLength(2 * points.length)
  expect(tasks[0].feeders).toBe(1)
  const run = { makespan: 1, contendedTime: 0, switchLoss: 0, completed: 1 }
  const gaps = { jobs: 1, whole: null, beforeTail: null, tail: 1 }
  const answered = tasks.reduce((now, task) => withAnswer(now, { ...task, gaps: task.whenTaken === 'wait' ? gaps : null, run }), points)
  expect(answered.every((point) => point.gaps === gaps && point.wait === run && point.skip === run)).toBe(true)
  const plain = valid({ ...scenario, stages: [{ id: 'A' }], links: undefined })
  expect(feederTasks(plain).every(({ whenTaken }) => whenTaken === 'wait')).toBe(true)
})
