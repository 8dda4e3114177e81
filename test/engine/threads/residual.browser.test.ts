import { expect, test } from 'vitest'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import { pageEnvironment } from '../../../src/engine/threads/pageEnvironment.ts'
import {
  type Residual,
  type ResidualPartName,
  residualInSteps,
  residualPartNames,
} from '../../../src/features/reality/measure/residual.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { runToEnd } from '../../../src/trace/follow.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { listen } from './runRecording.ts'

/** Plays a scenario on threads and compares it with its simulation. */
async function residual(asked: object): Promise<Residual> {
  const scenario = scenarioWith(asked)
  const recording = listen(scenario)
  await createConductor(pageEnvironment()).start(scenario, recording.listener)
  expect(recording.endings).toEqual(['drained'])
  const found = runToEnd(residualInSteps(recording.trace, await playSimulation(scenario, 0)))
  expect(found.parts.map(({ name }) => name)).toEqual(residualPartNames)
  expect(found.parts.reduce((sum, { difference }) => sum + difference, 0)).toBe(found.real - found.simulated)
  expect(found.parts.reduce((sum, { real }) => sum + real, 0)).toBe(found.real)
  return found
}

const partOf = ({ parts }: Residual, name: ResidualPartName) =>
  parts.find((part) => part.name === name)?.difference ?? Number.NaN
const stage = (id: string, work: string, mean: number) => ({ id, work, service: { kind: 'exponential', mean } })

test('the extra time of real workers is the sum of its parts, in batches and with a second batch too', async () => {
  const stages = [stage('A', 'wait', 3000), stage('B', 'wait', 6000), stage('C', 'wait', 2000)]
  const source = { kind: 'poisson', rate: 400, jobs: 120 }
  for (const batch of [{ size: 1 }, { size: 4 }, { size: 2, inHand: 2 }, { adaptive: true }]) {
    const found = await residual({
      source,
      stages,
      workers: 4,
      batch,
      switchCost: 200,
      order: { kind: 'buffer', slots: 40 },
    })
    expect(found.real).toBeGreaterThan(0)
    expect(found.simulated).toBeGreaterThan(0)
  }
})

test('one worker with short jobs loses time to messages', async () => {
  const found = await residual({ source: { kind: 'batch', jobs: 400 }, stages: [stage('A', 'burn', 200)], workers: 1 })
  // With one worker there is only one path to the end.
  expect(partOf(found, 'other')).toBe(0)
  expect(partOf(found, 'batch')).toBe(0)
  expect(partOf(found, 'message')).toBeGreaterThan(400 * 5)
})

test('burning workers on fewer cores than assumed slow each other down', async () => {
  const workers = 3 * navigator.hardwareConcurrency
  const found = await residual({
    source: { kind: 'batch', jobs: 4 * workers },
    stages: [stage('A', 'burn', 20_000)],
    workers,
  })
  expect(partOf(found, 'contention')).toBeGreaterThan(0)
})
