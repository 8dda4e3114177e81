import { describe, expect, test } from 'vitest'
import { failureOf, report } from './failing.ts'
import { pinned } from './pinned.ts'
import { type Plan, planOf } from './plans.ts'

/** `npm run seeds -- 1000000` plays more; FIRST_SEED=5000 begins elsewhere. */
const games = Number(import.meta.env?.SEEDS ?? 25_000)
const first = Number(import.meta.env?.FIRST_SEED ?? 0)
const PARTS = 10

async function playAll(plans: Iterable<Plan>): Promise<string> {
  for (const plan of plans) if ((await failureOf(plan)) !== null) return report(plan)
  return ''
}

function* plansFrom(from: number, count: number): Iterable<Plan> {
  for (let seed = from; seed < from + count; seed++) yield planOf(seed)
}

describe('core and conductor keep their promises in a hostile world', () => {
  test('in every game that went wrong once', async () => {
    expect(await playAll(pinned)).toBe('')
  })

  // In parts, so that one can see how far it has come.
  const part = Math.ceil(games / PARTS)
  test.each(Array.from({ length: PARTS }, (_, k) => first + k * part))(`in ${part} games from seed %i on`, { timeout: 60_000 + 30 * part }, async (from) => {
    expect(await playAll(plansFrom(from, part))).toBe('')
  })
})
