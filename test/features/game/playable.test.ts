import { describe, expect, test } from 'vitest'
import { countChoices, isPlayable, scoresOf } from '../../../src/features/game/byHand.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { valid } from '../../fixtures/anyScenario.ts'

describe('a scenario can be played by hand', () => {
  /** Two choices more with each job. */
  const twoStages = (jobs: number) => ({
    stages: ['A', 'B'].map((id, k) => ({ id, service: { kind: 'exponential', mean: 1000 * (k + 1) } })),
    source: { kind: 'batch', jobs },
    workers: 2,
  })
  const asked = (more: object) => isPlayable(valid({ version: 1, ...more }))

  test('with up to 60 choices, which are counted as the scheduler would play it', async () => {
    expect(await asked(twoStages(5))).toEqual({ choices: countChoices(await playSimulation(valid({ version: 1, ...twoStages(5) }), 0)) })
    expect(await asked({ ...twoStages(5), policy: { kind: 'single' } })).toEqual(await asked(twoStages(5)))
    expect(await asked(twoStages(32))).toEqual({ choices: 60 })
    expect(await asked(twoStages(33))).toEqual({ reason: 'it asks for 62 choices; allowed: 60' })
  })

  test.each<[string, object]>([
    ['it works on a file', { source: { kind: 'lines', jobs: 3, digest: 'a'.repeat(64) } }],
    ['shards keep its jobs in order, and the seats with them', { order: { kind: 'shard' } }],
    ['its workers are given more than one batch, or batches that depend on the queue', { batch: { adaptive: true } }],
    ['its workers are given more than one batch, or batches that depend on the queue', { batch: { size: 1, inHand: 2 } }],
    ['what its scheduler does changes midway', { later: [{ at: 100, switchCost: 5 }] }],
    ['it has more than 1,000 services', { source: { kind: 'batch', jobs: 501 } }],
    ['there is never anything to choose', { source: { kind: 'batch', jobs: 1 } }],
    ['there is never anything to choose', { source: { kind: 'batch', jobs: 500 }, workers: 2000 }],
  ])('but not where %s', async (reason, more) => {
    expect(await asked({ ...twoStages(5), ...more })).toEqual({ reason })
  })

  test('and its scores are whole microseconds, as a link has them', () => {
    expect(scoresOf({ makespan: 12_345, meanFlowTime: 678.5 })).toEqual({ makespan: 12_345, flow: 679 })
    expect(scoresOf({ makespan: 7, meanFlowTime: 678.4 })).toEqual({ makespan: 7, flow: 678 })
  })
})
