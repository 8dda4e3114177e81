import { expect, test } from 'vitest'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { startUpsIn } from '../../../src/measures/frame/startUps.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { endOf } from '../../../src/trace/trace.ts'
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

test('a long start-up is no reason to call a run stuck', async () => {
  const policy = { kind: 'threshold', high: 0, idle: 1_000_000, every: 100_000 }
  const stages = [{ id: 'A', service: constant(1000), startUp: constant(60_000_000) }]
  const trace = await playSimulation(
    valid({ version: 1, source: { kind: 'batch', jobs: 1 }, stages, workers: 1, policy }),
    0,
  )
  expect([trace.ending, endOf(trace)]).toEqual(['drained', 60_001_000])
})
