import { describe, expect, test } from 'vitest'
import { apportion } from '../../src/allocation/apportion.ts'
import { divisorsOf } from '../../src/allocation/rules.ts'
import { createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'
import { greatestLoad } from './greatestLoad.ts'

describe('least total time', () => {
  test('reaches the exact minimum of all allocations, the first if several are equal', () => {
    const chance = createChance(20)
    let differs = 0
    for (let n = 0; n < repeats(20_000); n++) {
      const stages = 1 + chance.below(4)
      const workers = chance.below(9)
      const size = [4, 30, 1_000_000_000][chance.below(3)]
      const votes = Array.from({ length: stages }, () => chance.below(size))
      const seats = dealt('leastScore', votes, workers)
      const least = leastExactly(votes, workers)
      if (`${seats}` !== `${least}`) expect(seats, `votes ${votes}, ${workers} workers`).toEqual(least)
      if (exactScore(votes, dealt('jefferson', votes, workers)) > exactScore(votes, seats)) differs++
    }
    // Jefferson's rule differs in many of them.
    expect(differs).toBeGreaterThan(repeats(2000))
  })
})

describe("Jefferson's rule", () => {
  test('minimises the highest votes per (workers + 1)', () => {
    const chance = createChance(21)
    for (let n = 0; n < repeats(20_000); n++) {
      const votes = Array.from({ length: 1 + chance.below(4) }, () => chance.below(100))
      const workers = chance.below(8)
      const least = Math.min(...allocations(workers, votes.length).map((seats) => greatestLoad(votes, seats)))
      expect(greatestLoad(votes, dealt('jefferson', votes, workers))).toBe(least)
    }
  })
})

function dealt(rule: 'leastScore' | 'jefferson', votes: number[], workers: number): number[] {
  const seats = votes.map(() => 0)
  apportion(
    votes,
    votes.map(() => 1),
    workers,
    divisorsOf(rule, workers),
    seats,
  )
  return seats
}

/** All allocations in colexicographic order, by recursion over the last stage. */
function allocations(workers: number, stages: number): number[][] {
  const key = `${workers} ${stages}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const found =
    stages === 1
      ? [[workers]]
      : Array.from({ length: workers + 1 }, (_, last) =>
          allocations(workers - last, stages - 1).map((rest) => [...rest, last]),
        ).flat()
  cache.set(key, found)
  return found
}
const cache = new Map<string, number[][]>()

/** The least common multiple of 1..9: makes every score with up to eight workers a whole number. */
const WHOLE = 2520n

function exactScore(votes: readonly number[], seats: readonly number[]): bigint {
  return votes.reduce((sum, v, s) => sum + BigInt(v) * (WHOLE / BigInt(seats[s] + 1)), 0n)
}

function leastExactly(votes: readonly number[], workers: number): number[] {
  let least = allocations(workers, votes.length)[0]
  let leastScore = exactScore(votes, least)
  for (const seats of allocations(workers, votes.length)) {
    const total = exactScore(votes, seats)
    if (total < leastScore) {
      least = seats
      leastScore = total
    }
  }
  return least
}
