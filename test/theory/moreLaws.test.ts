import { expect, test } from 'vitest'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { inFull } from '../fixtures/extent.ts'
import { blocked, forecastOf, fork, ordered, steadyFor } from './cases.ts'

/** They take long, so they run only in full. */
const SEEDS = 12

/** Compares the mean flow time over some seeds with theory, as a share of it. */
async function meets(scenario: Scenario, within: number) {
  const forecast = forecastOf(scenario)
  let sum = 0
  for (let seed = 101; seed < 101 + SEEDS; seed++) sum += (await steadyFor({ ...scenario, seed })).meanFlowTime.mean
  expect(Math.abs(sum / SEEDS / forecast.meanFlowTime - 1)).toBeLessThan(within)
}

test.runIf(inFull)(
  'two stages with a bounded queue between them are what the simulation comes to, on average over several seeds',
  async () => {
    await meets(blocked(600, 2, 700), 0.02)
  },
)

test.runIf(inFull)('a fork is what the simulation comes to, on average over several seeds', async () => {
  await meets(fork('AB'), 0.02)
  await meets(fork('ABCD'), 0.05)
})

test('a bounded queue at the source contains as many jobs as the law predicts', async () => {
  const scenario = ordered(0.5, { capacity: 3 })
  const steady = await steadyFor(scenario)
  expect(Math.abs(steady.stages[0].meanQueue.mean / forecastOf(scenario).stages[0].meanQueue - 1)).toBeLessThan(0.05)
})
