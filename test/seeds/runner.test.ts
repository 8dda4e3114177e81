import { expect, test } from 'vitest'
import { playRunner } from './runnerGame.ts'

const GAMES = 5000

test(`${GAMES} games of a pipeline: every input is settled once, in order, at most highWaterMark inside, and nothing is left running`, async () => {
  let results = 0
  for (let seed = 0; seed < GAMES; seed++) {
    try {
      results += (await playRunner(seed)).results
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.stack : error}`)
    }
  }
  expect(results).toBeGreaterThan(8 * GAMES)
}, 240_000)
