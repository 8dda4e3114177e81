import { expect, test } from 'vitest'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import { pageEnvironment } from '../../../src/engine/threads/pageEnvironment.ts'
import { criticalPathInSteps } from '../../../src/features/reality/measure/criticalPath.ts'
import { replay } from '../../../src/features/replay/study/replay.ts'
import { runToEnd } from '../../../src/trace/follow.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { stateAt } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { digestOf } from '../../trace/digestOf.ts'
import { listen, rowsOf } from './runRecording.ts'

const spawn = () => new Worker(new URL('../../../src/pool.worker.ts', import.meta.url), { type: 'module' })
const stage = (id: string) => ({ id, service: { kind: 'constant', mean: 5000 }, work: 'wait' })

async function play(asked: object) {
  const scenario = scenarioWith(asked)
  const recording = listen(scenario)
  await createConductor(pageEnvironment(spawn)).start(scenario, recording.listener)
  return recording
}

test('settings of the scheduler change during a run on real workers too, by the clock of the conductor', async () => {
  const at = [60_000, 120_000, 100_000_000]
  const { trace, endings } = await play({
    source: { kind: 'batch', jobs: 40 },
    stages: [stage('A'), stage('B')],
    workers: 2,
    batch: { size: 2, inHand: 2 },
    policy: { kind: 'fixed', allocation: { A: 2 } },
    later: [
      // Until then no worker is at B; second batches from before are done first.
      { at: at[0], policy: { kind: 'leastScore' }, switchCost: 3000, estimator: { kind: 'ewma', alpha: 0.5 } },
      { at: at[1], batch: { size: 3 } },
      { at: at[2], policy: { kind: 'single' } },
    ],
  })
  expect(endings).toEqual(['drained'])
  const turned = rowsOf(trace, 'turned')
  expect(turned.map(({ job }) => job)).toEqual([0, 1])
  for (const [i, { time }] of turned.entries()) expect(time).toBeGreaterThanOrEqual(at[i])
  expect(rowsOf(trace, 'started').filter(({ stage, time }) => stage === 1 && time < turned[0].time)).toEqual([])
  // Second batches are ordered before the first ends, and never after a phase with one batch in hand.
  expect(rowsOf(trace, 'second').some(({ time }) => time < turned[1].time)).toBe(true)
  expect(rowsOf(trace, 'second').filter(({ time }) => time > turned[1].time)).toEqual([])
  expect(stateAt(trace, Infinity).counts).toMatchObject({ released: 40, failed: 0, phase: 2 })
  expect(replay(trace).difference).toBeNull()
  const read = readTraceJson([...writeTraceJson(trace)].join(''))
  expect('problems' in read ? read.problems : digestOf(read.trace)).toBe(digestOf(trace))
  // A changed cost of changing stage affects both the threads and what is measured of them.
  const { times } = runToEnd(criticalPathInSteps(trace))
  for (const time of [...times.message]) expect(time).toBeGreaterThan(-500)
})

test('a stuck run on real workers waits for the phase that lets it continue', async () => {
  const { trace, endings } = await play({
    source: { kind: 'batch', jobs: 3 },
    stages: [stage('A'), stage('B')],
    workers: 2,
    policy: { kind: 'fixed', allocation: { A: 2 } },
    later: [{ at: 150_000, policy: { kind: 'onePerStage' } }],
  })
  expect(endings).toEqual(['drained'])
  expect(
    rowsOf(trace, 'started')
      .filter(({ stage }) => stage === 1)
      .every(({ time }) => time >= 150_000),
  ).toBe(true)
})
