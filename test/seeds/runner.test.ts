import { expect, test } from 'vitest'
import { Pipeline } from '../../src/features/runner/pipeline.ts'
import { createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'
import { MadeUpTime } from './madeUpTime.ts'
import { playRunner } from './runnerGame.ts'

const GAMES = repeats(1500)

test(`${GAMES} games of a pipeline: every input is settled once, in order, at most highWaterMark inside, and nothing is left running`, async () => {
  let results = 0
  for (let seed = 0; seed < GAMES; seed++) {
    try {
      results += (await playRunner(seed)).results
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : error}`)
    }
  }
  expect(results).toBeGreaterThan(7 * GAMES)
})

test('a pipeline that is full of what its controller hires no worker for ends with an error after ten seconds', async () => {
  const time = new MadeUpTime(createChance(1))
  const pipeline = new Pipeline(
    {
      worker: () => {
        throw new Error('a thread was started')
      },
      stages: ['a'],
      workers: 2,
      highWaterMark: 2,
      // It hires where more than five jobs wait.
      policy: { kind: 'threshold', every: 100_000, high: 5, idle: 0, max: null },
    },
    { now: time.now, after: time.after, every: time.every, hold: () => () => {}, cores: 2 },
  )
  let outcome: unknown = null
  void pipeline
    .run([1, 2, 3])
    .next()
    .catch((error) => (outcome = error))
  for (let n = 0; n < 2000 && outcome === null; n++) {
    for (let i = 0; i < 24; i++) await null
    time.step()
  }
  expect(String(outcome)).toBe('Error: The pipeline is stuck: its policy gives no worker to what waits.')
  expect(time.passed).toBeGreaterThanOrEqual(10_000_000)
  await pipeline.close()
})
