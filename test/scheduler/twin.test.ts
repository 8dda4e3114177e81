import { expect, test } from 'vitest'
import { policyKinds } from '../../src/scenario/model/policies.ts'
import { repeats } from '../fixtures/extent.ts'
import { pinned } from '../seeds/pinned.ts'
import { draw, type Plan } from '../seeds/plans.ts'
import { playWorld } from '../seeds/world.ts'

/** Games of the hostile world by policy: the first that begin under it, on lines, in graphs and with shards. */
const GAMES = repeats(12)
const shapes: readonly Partial<Plan>[] = [{}, { graph: true }, {}, { shards: true }]
// Code is decided in the sandbox: see codePolicy.test.ts.
const kinds = policyKinds.filter((kind) => kind !== 'code')
let drawn: Map<string, Plan[]> | null = null

function gamesUnder(kind: string): readonly Plan[] {
  drawn ??= drawAll()
  return drawn.get(kind) ?? []
}

function drawAll(): Map<string, Plan[]> {
  const all = new Map<string, Plan[]>(kinds.map((kind) => [kind, []]))
  for (let seed = 0; [...all.values()].some((plans) => plans.length < GAMES); seed++) {
    const plan = { seed, jobs: 40, faults: 30, brief: true, ...shapes[seed % shapes.length] }
    const plans = all.get(draw(plan).scenario.policy.kind)
    if (plans !== undefined && plans.length < GAMES) plans.push(plan)
  }
  return all
}

/** Plays the games, and returns how many decisions were taken in them. */
function decisionsIn(plans: readonly Plan[]): number {
  let decisions = 0
  for (const plan of plans) {
    try {
      decisions += playWorld(plan).referee.decisions.length
    } catch (error) {
      throw new Error(`${JSON.stringify(plan)}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return decisions
}

test.each(kinds)('%s gives the seats and the orders that a plain twin finds, whatever happens to the workers', (kind) => {
  expect(decisionsIn(gamesUnder(kind))).toBeGreaterThan(repeats(60) / 3)
})

test('the twin agrees with the games of the scheduler that went wrong once', () => {
  expect(decisionsIn(pinned.filter(({ threads, room }) => !threads && !room))).toBeGreaterThan(20)
})
