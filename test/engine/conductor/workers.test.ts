import { expect, test } from 'vitest'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import { MAX_REAL_WORKERS, MAX_WORKERS } from '../../../src/scenario/model/limits.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const refuses = () => {
  throw new Error('a thread was started')
}
const listener = { journal: refuses, failure: refuses, ended: refuses }
const environment = { now: () => 0, after: refuses, every: refuses, cores: 2, start: refuses }

test.each([
  ['from the start', { workers: MAX_REAL_WORKERS + 1 }, '257'],
  ['with those who join', { workers: MAX_REAL_WORKERS, workerEvents: [{ at: 5, kind: 'join', worker: MAX_REAL_WORKERS }] }, '257'],
  ['as green threads', { workers: 1, policy: { kind: 'greenThreads', perStage: MAX_WORKERS } }, '10,000'],
])('more real workers than allowed are refused in words before a thread is started: %s', async (_, change, workers) => {
  const service = { kind: 'constant', mean: 1000 }
  const parsed = scenarioWith({ source: { kind: 'regular', rate: 10, jobs: 5 }, stages: [{ id: 'A', service }], ...change })
  await expect(createConductor(environment).start(parsed, listener)).rejects.toThrow(
    `${workers} workers would take part; Web Workers and rooms have at most 256. Use fewer workers, or the simulation, which takes 10,000.`,
  )
})
