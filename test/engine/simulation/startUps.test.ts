import { expect, test } from 'vitest'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { startUpsIn } from '../../../src/measures/frame/startUps.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { endOf } from '../../../src/trace/trace.ts'
import { startUpsOf } from '../../../src/workload/service.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const constant = (mean: number) => ({ kind: 'constant', mean })
const line = (more: object = {}) =>
  valid({
    version: 1,
    source: { kind: 'batch', jobs: 6 },
    stages: [
      { id: 'A', service: constant(1000), startUp: constant(500) },
      { id: 'B', service: constant(2000), startUp: constant(7000) },
    ],
    workers: 2,
    ...more,
  })

test('a worker pays a start-up once for each stage, apart from its services', async () => {
  const trace = await playSimulation(line({ policy: { kind: 'onePerStage' } }), 0)
  // A: 500, then six services of 1,000. B: a job comes at 1,500, and the worker is ready at 8,500: six services of 2,000.
  expect(endOf(trace)).toBe(8500 + 6 * 2000)
  expect(startUpsIn(trace)).toEqual([[{ stage: 0, from: 0, until: 500 }], [{ stage: 1, from: 1500, until: 8500 }]])
  const { stages } = frameAt(trace, endOf(trace))
  expect(stages.map(({ meanService }) => meanService)).toEqual([1000, 2000])
})

test('a worker that is dismissed and hired again starts up again, another time as long as the seed says', async () => {
  const startUp = { kind: 'uniform', min: 1000, max: 9000 }
  const scenario = valid({
    version: 1,
    source: { kind: 'times', at: [0, 100_000, 200_000] },
    stages: [{ id: 'A', service: constant(1000), startUp }],
    workers: 1,
    policy: { kind: 'threshold', high: 0, idle: 2000, every: 1000 },
  })
  const trace = await playSimulation(scenario, 0)
  const [list] = startUpsIn(trace) ?? []
  const draw = startUpsOf(scenario)
  expect(list.map(({ from, until }) => until - from)).toEqual([0, 1, 2].map((nth) => draw(0, 0, nth)))
  expect(new Set(list.map(({ from, until }) => until - from)).size).toBe(3)
})

test('a long start-up is no reason to call a run stuck', async () => {
  const policy = { kind: 'threshold', high: 0, idle: 1_000_000, every: 100_000 }
  const stages = [{ id: 'A', service: constant(1000), startUp: constant(60_000_000) }]
  const trace = await playSimulation(
    valid({ version: 1, source: { kind: 'batch', jobs: 1 }, stages, workers: 1, policy }),
    0,
  )
  expect([trace.ending, endOf(trace)]).toEqual(['drained', 60_001_000])
})
