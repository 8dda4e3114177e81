import { describe, expect, test } from 'vitest'
import { stuckSentences } from '../../../src/measures/frame/endingWords.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { setPolicy } from '../../../src/scenario/edit/edits.ts'
import type { PolicyKind, Scenario } from '../../../src/scenario/model/scenario.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const rush = presetOf('rush-hour')?.scenario
if (rush === undefined) throw new Error('there is no such scenario')

const bounded = (capacity: number, from = 0) =>
  rush.stages.map((stage, s) => (s < from ? stage : { ...stage, capacity }))

async function reasonOf(scenario: Scenario): Promise<string> {
  const trace = await playSimulation(scenario, 0)
  expect(trace.ending).toBe('stuck')
  return stuckSentences(trace)
}

const named = (kind: PolicyKind, capacity: number) => valid({ ...setPolicy(rush, kind), stages: bounded(capacity) })

describe('a stuck run says where, why, and what would help', () => {
  test('where pools have hired all workers before a bounded queue', async () => {
    expect(await reasonOf(named('pid', 2))).toBe(
      'Waiting: 2 jobs at Write, and all 8 workers are hired for other stages. ' +
        '2 jobs at Parse, 2 jobs at Validate and 2 jobs at Enrich wait for a place in the next queue. ' +
        'Take more workers, or smaller pools, or longer queues.',
    )
    expect(await reasonOf(named('threshold', 1))).toContain('Waiting: 1 job at Write, and all')
  })

  test('where a controller never hires', async () => {
    const policy = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 500_000, setpoint: 0, up: -1000, down: -20 }
    expect(await reasonOf(valid({ ...rush, policy }))).toBe(
      'Waiting: 600 jobs at Parse, and no controller asks for a worker there. ' + 'Hire earlier.',
    )
  })

  test('where no idle worker may help behind a bounded queue', async () => {
    const reason = await reasonOf(
      valid({ ...rush, workers: 1, policy: { kind: 'leastScore', lend: false }, stages: bounded(1, 1) }),
    )
    expect(reason).toBe(
      'Waiting: 1 job at Validate, and the target there is 0, and idle workers do not help. ' +
        '599 jobs at Parse wait for a place in the next queue. Use “Let idle workers help other stages”, or longer queues.',
    )
  })

  test('where the fixed allocation has no worker, and where all workers are lost', async () => {
    expect(await reasonOf(valid({ ...rush, policy: { kind: 'fixed', allocation: { A: 4, B: 4 } } }))).toBe(
      'Waiting: 600 jobs at Enrich, and the fixed allocation has no worker there. Raise its target.',
    )
    const workerEvents = [{ at: 1000, kind: 'crash', worker: 0 }]
    expect(await reasonOf(valid({ ...rush, workers: 1, workerEvents }))).toMatch(
      /^no worker is left to serve the rest\./,
    )
  })
})
