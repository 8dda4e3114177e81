import { describe, expect, test } from 'vitest'
import { type Game, movesOf, playByHand, scoresOfMoves, seatsFor } from '../../../src/features/game/byHand.ts'
import { games } from '../../../src/features/game/levels.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { createChance } from '../../fixtures/chance.ts'

/** Plays a game to its end by chance, without letting anybody wait who need not. */
async function playedByChance(base: Scenario, seed: number): Promise<Game> {
  const chance = createChance(seed)
  let game = await playByHand(base, [], 0)
  while (game.choice !== null) {
    const { choice, scenario } = game
    const sent = choice.open.map(() => 0)
    for (let k = 0; k < choice.free; k++) sent[chance.pick(choice.open.flatMap((n, s) => (sent[s] < n ? [s] : [])))]++
    const { policy } = scenario
    game = await playByHand(base, [...(policy.kind === 'byHand' ? policy.allocations : []), seatsFor(choice, sent)], 0)
  }
  return game
}

const [{ scenario: base }] = games

describe('the moves that a player sends', () => {
  test.each(games.map(({ key, scenario }) => ({ key, scenario })))('give the scores of the game itself: $key', async ({ scenario }) => {
    for (const seed of [1, 2]) {
      const game = await playedByChance(scenario, seed)
      expect(await scoresOfMoves(scenario, movesOf(game))).toEqual(game.onward)
    }
  })

  test('have no score unless the game is whole and by the rules', async () => {
    const seats = movesOf(await playedByChance(base, 3))
    const width = base.stages.length
    expect(await scoresOfMoves(base, seats.subarray(0, width))).toBeNull()
    expect(await scoresOfMoves(base, new Uint8Array(0))).toBeNull()
    expect(await scoresOfMoves(base, seats.subarray(1))).toBeNull()
    // All moves, and a byte that nobody needs.
    expect(await scoresOfMoves(base, Uint8Array.from([...seats, 0]))).toBeNull()
    expect(await scoresOfMoves(base, seats)).not.toBeNull()
    expect(movesOf({ scenario: { ...base, policy: { kind: 'single', lend: false } } })).toEqual(new Uint8Array(0))
    expect(
      await scoresOfMoves(
        base,
        seats.map(() => 255),
      ),
    ).toBeNull()
    expect(await scoresOfMoves(base, new Uint8Array(width * 2001))).toBeNull()
  })

  test('of a stranger end in a score or in none, and never in an error', async () => {
    for (let k = 0; k < 60; k++) {
      const chance = createChance(k)
      const seats = Uint8Array.from({ length: base.stages.length * chance.between(0, 80) }, () => chance.below(base.workers + 1))
      const scores = await scoresOfMoves(base, seats)
      if (scores !== null) expect(scores.makespan, `seed ${k}`).toBeGreaterThan(0)
    }
  })
})
