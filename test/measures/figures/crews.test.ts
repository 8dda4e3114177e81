import { expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { shareOf } from '../../../src/views/drawing/format.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const SECOND = 1_000_000
const stages = ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean: SECOND } }))
const pools = (A: number, B: number) => ({ kind: 'fixed', allocation: { A, B } })
const shared = { kind: 'leastScore' }
const elastic = { kind: 'threshold', high: 1, idle: 60 * SECOND, every: SECOND, max: 2 }
const event = (at: number, kind: string, worker: number) => ({ workerEvents: [{ at: at * SECOND, kind, worker }] })
const later = (at: number, policy: object) => ({ later: [{ at: at * SECOND, policy }] })

// The run takes ten seconds, with three seconds of work at each stage.
test.each<[string, number, object, object, string]>([
  ['pools', 6, pools(1, 5), {}, '30% of 1, 6% of 5'],
  ['pools, and workers beside them', 9, pools(1, 5), {}, '30% of 1, 6% of 5'],
  ['a pool that loses a worker', 4, pools(2, 2), event(5, 'leave', 3), '15% of 2, 20% of 1.5'],
  ['a pool that is refilled from the next', 2, pools(1, 1), event(7, 'leave', 0), '30% of 1, 33% of 0.9'],
  ['pools of another size later', 4, pools(3, 1), later(5, pools(1, 3)), '15% of 2, 15% of 2'],
  ['pools, then any worker', 4, pools(1, 3), later(5, shared), '12% of 2.5, 9% of 3.5'],
  ['one worker a stage', 6, { kind: 'onePerStage' }, {}, '30% of 1, 30% of 1'],
  ['elastic pools, from 4 s and 6 s on', 4, elastic, {}, '50% of 0.6, 75% of 0.4'],
  ['any worker', 6, shared, {}, '5% of 6, 5% of 6'],
  ['any worker, and one joins', 4, shared, event(5, 'join', 4), '7% of 4.5, 7% of 4.5'],
  ['any worker, with its job', 6, { kind: 'perJob' }, {}, '5% of 6, 5% of 6'],
])('the share of the workers who serve a stage: %s', async (_, workers, policy, more, shares) => {
  const source = { kind: 'times', at: [0, 4 * SECOND, 8 * SECOND] }
  const metrics = metricsOf(await playSimulation(scenarioWith({ source, stages, workers, policy, ...more }), 0))
  expect(metrics.makespan).toBe(10 * SECOND)
  expect(metrics.stages.map((stage) => shareOf(stage.ownUtilisation, stage.workers, 0)).join(', ')).toBe(shares)
})
