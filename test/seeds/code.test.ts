import { expect, test } from 'vitest'
import { loadCode } from '../../src/features/code/sandbox/loadCode.ts'
import { repeats } from '../fixtures/extent.ts'
import { codes } from './codes.ts'
import { type Plan, planOf } from './plans.ts'
import { playWorld } from './world.ts'

/** Games of the first seeds on lines and graphs, each played under one of the codes. */
function plans(seeds: number): Plan[] {
  const names = Object.keys(codes)
  const all = Array.from({ length: seeds }, (_, seed) => planOf(seed)).filter(
    ({ plain, shards, threads }) => !plain && !shards && !threads,
  )
  return all.map((plan, k) => ({ ...plan, code: names[k % names.length] }))
}

test('under user code too, the core keeps all rules and gives the seats that plain TypeScript computes', async () => {
  const startCode = await loadCode()
  let decisions = 0
  for (const plan of plans(repeats(300))) {
    try {
      decisions += playWorld(plan, undefined, startCode).referee.decisions.length
    } catch (error) {
      throw new Error(`${JSON.stringify(plan)}: ${error instanceof Error ? error.message : error}`)
    }
  }
  expect(decisions).toBeGreaterThan(repeats(1000))
})
