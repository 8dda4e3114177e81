import { expect, test } from 'vitest'
import { compareOrders, type OrderTrial, type PlayAll } from '../../../../src/features/order/study/orderCost.ts'
import { type Metrics, metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { playMetrics, playSimulation } from '../../../../src/runs/play/play.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'

const preset = presetOf('price-of-order') ?? expect.fail('no such preset')

const playHere: PlayAll = async (scenarios, answer) => {
  for (const [k, scenario] of scenarios.entries()) answer(k, await playMetrics(scenario))
}

function figuresIn(trial: OrderTrial): Metrics {
  if ('problem' in trial) throw new Error(trial.problem.message)
  return trial.figures
}

test('the price of order is plain in its preset: the same jobs take ten times as long when all must leave in turn', async () => {
  const trials = await compareOrders(preset.scenario, playHere)
  expect(trials.map(({ order }) => order)).toEqual([{ kind: 'buffer', slots: 32 }, { kind: 'none' }, { kind: 'shard' }])
  const [ordered, free, sharded] = trials.map(figuresIn)
  expect(ordered).toEqual(metricsOf(await playSimulation(preset.scenario, 0)))
  expect([ordered.completed, free.completed, sharded.completed]).toEqual([600, 600, 600])
  expect([ordered.reordered, sharded.reordered]).toEqual([0, 0])
  expect(free.reordered).toBeGreaterThan(0)
  expect(ordered.meanFlowTime).toBeGreaterThan(10 * free.meanFlowTime)
  expect(sharded.meanFlowTime).toBeGreaterThan(10 * free.meanFlowTime)
})

test('an order that does not fit the scenario is listed with the reason, beside the others', async () => {
  const [stage, ...others] = preset.scenario.stages
  const trials = await compareOrders(
    { ...preset.scenario, stages: [{ ...stage, discipline: 'lifo' }, ...others] },
    playHere,
  )
  expect(trials.map((trial) => ('problem' in trial ? trial.problem.path : trial.order.kind))).toEqual([
    'buffer',
    'none',
    'stages[0].discipline',
  ])
})

test('branches of the scenario are not played, and each answer goes to its order', async () => {
  const asked: Scenario[] = []
  const scenario = { ...preset.scenario, branches: [{ at: 5, title: 'Other', workers: 1 }] }
  const trials = await compareOrders(scenario, async (scenarios, answer) => {
    asked.push(...scenarios)
    for (const k of [2, 0, 1]) answer(k, { makespan: k } as Metrics)
  })
  expect(asked.map(({ branches }) => branches)).toEqual([[], [], []])
  expect(trials.map((trial) => figuresIn(trial).makespan)).toEqual([0, 1, 2])
  expect(trials.map(({ order }) => order)).toEqual(asked.map(({ order }) => order))
})
