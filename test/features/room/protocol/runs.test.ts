import { describe, expect, test } from 'vitest'
import { residualInSteps } from '../../../../src/features/reality/measure/residual.ts'
import { replay } from '../../../../src/features/replay/study/replay.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { runToEnd } from '../../../../src/trace/follow.ts'
import { endOf } from '../../../../src/trace/trace.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { MadeUpRoom } from './madeUpRoom.ts'

const stage = (id: string, mean: number) => ({ id, work: 'wait', service: { kind: 'constant', mean } })

describe('40 ms away', () => {
  test('the network has a share of its own in what a run takes longer than its simulation: a round trip a batch', async () => {
    const room = new MadeUpRoom()
    room.way = 10_000
    room.join('a')
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 10 },
      stages: [stage('A', 5000)],
      workers: 1,
      batch: { size: 2 },
    })
    const { trace } = await room.play(scenario)
    const { real, simulated, parts } = runToEnd(residualInSteps(trace, await playSimulation(scenario, 0)))
    const network = parts.find(({ name }) => name === 'network')?.difference ?? 0
    // Beside the broker's part a message between two threads of the device takes 20 us.
    expect(network).toBe(5 * (40_000 + 2 * 20))
    expect(real - simulated).toBe(network)
  })

  test('20 workers with two adaptive batches in hand take less than 1.2 of the time that the work takes', async () => {
    const room = new MadeUpRoom()
    room.way = 10_000
    for (let device = 0; device < 20; device++) room.join(`d${device}`)
    const stages = ['A', 'B', 'C'].map((id) => ({
      id,
      work: 'wait',
      service: { kind: 'uniform', min: 5000, max: 20_000 },
    }))
    const batch = { adaptive: true, inHand: 2 }
    const { trace, endings } = await room.play(
      scenarioWith({ source: { kind: 'batch', jobs: 3000 }, stages, workers: 20, batch }),
    )
    expect(endings).toEqual(['drained'])
    expect(endOf(trace)).toBeLessThan((1.2 * 9000 * 12_500) / 20)
    expect(replay(trace).difference).toBeNull()
  })
})
