import { describe, expect, test } from 'vitest'
import { apportion, type Divisors, exchangeSeats } from '../../src/allocation/apportion.ts'
import { divisorsOf, powersInto } from '../../src/allocation/rules.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'
import { greatestLoad } from './greatestLoad.ts'

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

const jefferson = (votes: readonly number[], workers: number) => dealt(votes, workers, divisorsOf('jefferson', workers))

describe('the power family', () => {
  test('equals the least total time at p = 1, including ties', () => {
    expect(divisorsOf('power', 1024, 1)).toEqual(divisorsOf('leastScore', 1024))
    const chance = createChance(31)
    for (let n = 0; n < repeats(20_000); n++) {
      const votes = someVotes(chance)
      const workers = chance.below(17)
      const least = dealt(votes, workers, divisorsOf('leastScore', workers))
      if (`${seatsBy(1, votes, workers)}` !== `${least}`)
        expect(seatsBy(1, votes, workers), `${votes}, ${workers} workers`).toEqual(least)
    }
  })

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

  test("tends to Jefferson's rule: its highest load is at most S^(1/p) times the lowest possible", () => {
    const chance = createChance(33)
    const differs = new Map<number, number>()
    for (let n = 0; n < repeats(3000); n++) {
      const votes = Array.from({ length: 2 + chance.below(5) }, () => 1 + chance.below(1_000_000))
      const workers = 1 + chance.below(24)
      const least = greatestLoad(votes, jefferson(votes, workers))
      for (const p of [1, 4, 16, 64]) {
        const seats = seatsBy(p, votes, workers)
        expect(greatestLoad(votes, seats)).toBeLessThanOrEqual(least * votes.length ** (1 / p) * (1 + 1e-12))
        if (`${seats}` !== `${jefferson(votes, workers)}`) differs.set(p, (differs.get(p) ?? 0) + 1)
      }
    }
    const counts = [1, 4, 16, 64].map((p) => differs.get(p) ?? 0)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
    // Of 3000: most cases differ at p = 1, hardly any at p = 64.
    expect(counts[0]).toBeGreaterThan(repeats(1000))
    expect(counts[3]).toBeLessThan(repeats(150))
  })

  test('goes from (5,1,1,1) to (8,0,0,0) as p grows, for votes of 900, 100, 100 and 100', () => {
    const along = [1, 2, 3, 4, 8, 64].map((p) => seatsBy(p, [900, 100, 100, 100], 8))
    expect(along[0]).toEqual([5, 1, 1, 1])
    expect(along[5]).toEqual([8, 0, 0, 0])
    for (let i = 1; i < along.length; i++) expect(along[i][0]).toBeGreaterThanOrEqual(along[i - 1][0])
  })

  test('has finite, growing divisors for every p and every possible number of workers', () => {
    for (const p of [1, 2, 3, 17, 63, 64]) {
      const { times, over } = divisorsOf('power', 10_000, p)
      const divisors = over.map((x, w) => x / times[w])
      divisors.forEach((divisor, w) => {
        if (!(Number.isFinite(over[w]) && divisor > (w === 0 ? 0 : divisors[w - 1])))
          expect.fail(`p ${p}, w ${w}: ${divisor}`)
      })
      // The divisor by definition: the saving of one more seat, with 10^30 for 1.
      const one = 10n ** 60n
      const byDefinition = Number(one) / Number(one / 5n ** BigInt(p) - one / 6n ** BigInt(p))
      if (p < 20) expect(divisors[4] / byDefinition).toBeCloseTo(1, 12)
    }
  })

  for (const p of [1, 2, 3, 8, 64]) {
    test(`moves seats to those of a new allocation: p = ${p}`, () => {
      const chance = createChance(40 + p)
      for (const [stages, workers, steps] of [
        [3, 8, 3000],
        [7, 40, 1500],
        [20, 256, 150],
      ] as const) {
        const divisors = divisorsOf('power', workers, p)
        const votes = Array.from({ length: stages }, () => chance.below(1_000_000))
        const weights = new Float64Array(stages)
        const exchanged = new Int32Array(stages)
        for (let step = 0; step < repeats(steps); step++) {
          votes[chance.below(stages)] = chance.below(3) === 0 ? chance.below(5) : chance.below(1_000_000)
          powersInto(votes, all(votes), p, weights)
          exchangeSeats(weights, all(votes), workers, divisors, exchanged)
          expect([...exchanged], `step ${step}: ${votes}`).toEqual(dealt(weights, workers, divisors))
        }
      }
    })
  }
})

/** Small numbers that tie, fractions, and large ones. */
function someVotes(chance: Chance): number[] {
  return Array.from({ length: 1 + chance.below(6) }, () => {
    const kind = chance.below(4)
    return kind === 0
      ? chance.below(4)
      : kind === 1
        ? [2, 6, 12, 20, 30][chance.below(5)]
        : kind === 2
          ? chance.below(1_000_000) / 7
          : (1 + chance.below(9)) * 1e15
  })
}

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
