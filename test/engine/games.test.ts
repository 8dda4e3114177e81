import { expect, test } from 'vitest'
import { failureOf } from '../seeds/failing.ts'
import type { Plan } from '../seeds/plans.ts'

/** Plays this many games of the hostile world, most of them small. Returns the first rule that is broken, in words; null if none is. */
async function broken(kind: Partial<Plan>, games: number): Promise<string | null> {
  for (let seed = 0; seed < games; seed++) {
    const failure = await failureOf({ seed, jobs: seed % 10 === 9 ? 40 : 6, faults: 30, graph: seed % 3 === 1, brief: true, ...kind })
    if (failure !== null) return `seed ${seed}: ${failure.message}`
  }
  return null
}

test('the simulation keeps to a plain clock and to the rules of rows, with whatever faults, phases, cores and networks', async () => {
  expect(await broken({ simulated: true }, 40)).toBeNull()
})

test('the simulation of plain scenarios keeps to the same clock and rules', async () => {
  expect(await broken({ plain: true, graph: false }, 20)).toBeNull()
})

test('the conductor keeps the rules on threads that are made up, whatever goes wrong with clocks, messages and threads', async () => {
  expect(await broken({ threads: true }, 50)).toBeNull()
})

test('the conductor keeps the rules in a room that is made up, whatever goes wrong with devices and connections', async () => {
  expect(await broken({ room: true }, 25)).toBeNull()
})
