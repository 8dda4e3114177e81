import { describe, expect, test } from 'vitest'
import { apportion, type Divisors } from '../../src/allocation/apportion.ts'
import { divisorsOf, powersInto } from '../../src/allocation/rules.ts'
import { createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'

const all = (votes: readonly number[]) => votes.map(() => 1)

function seatsBy(p: number, votes: readonly number[], workers: number): number[] {
  const weights = new Float64Array(votes.length)
  powersInto(votes, all(votes), p, weights)
  return dealt(weights, workers, divisorsOf('power', workers, p))
}

function dealt(weights: ArrayLike<number>, workers: number, divisors: Divisors): number[] {
  const seats = Array.from(weights, () => 0)
  apportion(Float64Array.from(weights), all(seats), workers, divisors, seats)
  return seats
}

describe('the power family', () => {
  test('minimises the sum of (votes / (seats + 1))^p over all allocations, for p = 2, 3 and 5', () => {
    const chance = createChance(32)
    for (let n = 0; n < repeats(3000); n++) {
      const p = [2, 3, 5][n % 3]
      const votes = Array.from({ length: 1 + chance.below(3) }, () => chance.below(40))
      const workers = chance.below(7)
      const found = exactSum(votes, seatsBy(p, votes, workers), p)
      const least = allocations(workers, votes.length).reduce((best, seats) => {
        const sum = exactSum(votes, seats, p)
        return sum < best ? sum : best
      }, found)
      // Two results that agree to fifteen digits count as equal.
      expect(Number(found - least), `p ${p}, votes ${votes}, ${workers} workers`).toBeLessThanOrEqual(
        1e-14 * Number(found),
      )
    }
  })

  test('goes from (5,1,1,1) to (8,0,0,0) as p grows, for votes of 900, 100, 100 and 100', () => {
    const along = [1, 2, 3, 4, 8, 64].map((p) => seatsBy(p, [900, 100, 100, 100], 8))
    expect(along[0]).toEqual([5, 1, 1, 1])
    expect(along[5]).toEqual([8, 0, 0, 0])
    for (let i = 1; i < along.length; i++) expect(along[i][0]).toBeGreaterThanOrEqual(along[i - 1][0])
  })
})

/** 2520 is the least common multiple of 1..9: every votes / (seats + 1) becomes a whole number. */
function exactSum(votes: readonly number[], seats: readonly number[], p: number): bigint {
  return votes.reduce((sum, v, s) => sum + ((BigInt(v) * 2520n) / BigInt(seats[s] + 1)) ** BigInt(p), 0n)
}

function allocations(workers: number, stages: number): number[][] {
  if (stages === 1) return [[workers]]
  return Array.from({ length: workers + 1 }, (_, last) =>
    allocations(workers - last, stages - 1).map((rest) => [...rest, last]),
  ).flat()
}
