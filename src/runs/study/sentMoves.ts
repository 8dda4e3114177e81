import { MAX_BY_HAND } from '../../scenario/model/limits.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { parse } from '../../scenario/parse/parse.ts'
import { type Game, playByHand, type Scores, withMoves } from './byHand.ts'

/** The most workers of a game whose moves are sent: a number of seats is one byte. */
export const MOST_SENT = 255

/** Returns the seats of all decisions of a game, one decision after the other, by stage. */
export function movesOf({ scenario: { policy } }: Pick<Game, 'scenario'>): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(policy.kind === 'byHand' ? policy.allocations.flat() : [])
}

/**
 * Plays the moves that somebody says to have made and returns the scores; null unless they are all moves of a whole game, by the rules,
 * in which every job was served. What the player says of the scores is never asked.
 */
export async function scoresOfMoves(base: Scenario, seats: Uint8Array): Promise<Scores | null> {
  const width = base.stages.length
  const decisions = seats.length / width
  if (!Number.isInteger(decisions)) return null
  // Stryker disable next-line ConditionalExpression,EqualityOperator: `parse` refuses as many too, once they are all unpacked
  if (decisions > MAX_BY_HAND) return null
  const allocations = Array.from({ length: decisions }, (_, d) => [...seats.subarray(d * width, (d + 1) * width)])
  if ('problems' in parse(withMoves(base, allocations))) return null
  const { onward, trace } = await playByHand(base, allocations, 0)
  // The record of a game that goes on has no end.
  return trace.ending === 'drained' ? onward : null
}
