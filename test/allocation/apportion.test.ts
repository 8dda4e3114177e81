import { describe, expect, test } from 'vitest'
import { apportion, exchangeSeats } from '../../src/allocation/apportion.ts'
import { type DivisorRule, divisorsOf, isDivisorRule, rules } from '../../src/allocation/rules.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'

const everyRule = Object.keys(rules) as DivisorRule[]

function seatsBy(rule: DivisorRule, votes: number[], workers: number, eligible = votes.map(() => 1)): number[] {
  const seats = new Int32Array(votes.length)
  apportion(votes, eligible, workers, divisorsOf(rule, workers), seats)
  return [...seats]
}

describe('the rules', () => {
  test('least total time seats votes 1 and 4 as 1 and 2, Jefferson as 0 and 3', () => {
    expect(seatsBy('leastScore', [1, 4], 3)).toEqual([1, 2])
    expect(seatsBy('jefferson', [1, 4], 3)).toEqual([0, 3])
  })

  test('each rule has its historical divisors', () => {
    expect(seatsBy('webster', [53, 24, 23], 7)).toEqual([3, 2, 2])
    expect(seatsBy('jefferson', [53, 24, 23], 7)).toEqual([4, 2, 1])
    // Adams favours small stages, Jefferson large ones.
    expect(seatsBy('adams', [91, 9], 10)).toEqual([9, 1])
    expect(seatsBy('jefferson', [91, 9], 10)).toEqual([10, 0])
    const least = [2, 6, 12, 20, 30]
    const divisors = {
      leastScore: least,
      jefferson: [1, 2, 3, 4, 5],
      webster: [1, 3, 5, 7, 9],
      huntingtonHill: [0, 2, 6, 12, 20],
      adams: [0, 1, 2, 3, 4],
      dean: [0, 4 / 3, 12 / 5, 24 / 7, 40 / 9],
      power: least,
      proportional: [0, 3, 5, 7, 9],
      longestQueue: [1, 2, 3, 4, 5],
      preallocate: least,
      deadline: least,
    }
    expect(Object.fromEntries(everyRule.map((rule) => [rule, shares(rule, 4)]))).toEqual(divisors)
  })

  test('have these names, and Hamilton is not one of them', () => {
    expect([...everyRule, 'hamilton', 'toString', ''].filter(isDivisorRule)).toEqual(everyRule)
  })

  test('least total time is Huntington and Hill on the square roots of the votes with one phantom seat each', () => {
    const chance = createChance(5)
    for (let n = 0; n < repeats(2000); n++) {
      const roots = Array.from({ length: 4 }, () => 1 + chance.below(1000))
      const squares = roots.map((r) => r * r)
      const phantom = seatsBy('huntingtonHill', squares, 14).map((seats) => seats - 1)
      expect(seatsBy('leastScore', squares, 10), `${roots}`).toEqual(phantom)
    }
  })
})

describe('giving out seats', () => {
  test('a tie goes to the earliest stage', () => {
    expect(seatsBy('leastScore', [5, 5, 5], 2)).toEqual([1, 1, 0])
    expect(seatsBy('leastScore', [2, 6], 1)).toEqual([0, 1])
    expect(seatsBy('leastScore', [2, 6], 2)).toEqual([1, 1])
  })

  test('without any votes the earliest stage that is not done gets every seat', () => {
    for (const rule of everyRule) expect(seatsBy(rule, [0, 0, 0], 4, [0, 1, 1])).toEqual([0, 4, 0])
  })

  test('infinite quotients for a first seat rank by votes, then by position', () => {
    for (const rule of ['adams', 'huntingtonHill', 'dean'] as const) {
      expect(seatsBy(rule, [1, 7, 3, 0], 2), rule).toEqual([0, 1, 1, 0])
      expect(seatsBy(rule, [7, 7, 7], 2), rule).toEqual([1, 1, 0])
      expect(seatsBy(rule, [1e9, 1, 0], 2), rule).toEqual([1, 1, 0])
    }
  })
})

describe('moving seats from the previous allocation', () => {
  for (const rule of everyRule) {
    test(`gives the same seats as a new allocation: ${rule}`, () => {
      const chance = createChance(everyRule.indexOf(rule) + 100)
      for (const [stages, most, steps] of [
        [1, 5, 500],
        [3, 8, 11_500],
        [7, 20, 8000],
        [24, 64, 4000],
      ] as const)
        walk(rule, chance, stages, most, repeats(steps))
    })
  }
})

interface State {
  votes: Float64Array
  eligible: Uint8Array
  workers: number
}

function state(chance: Chance, stages: number, most: number): State {
  return {
    votes: Float64Array.from({ length: stages }, () => someVotes(chance)),
    eligible: Uint8Array.from({ length: stages }, () => Number(chance.below(5) > 0)),
    workers: chance.below(most + 1),
  }
}

/** Zero, small numbers that tie, fractions, and ratios of 10^15. */
function someVotes(chance: Chance): number {
  const kind = chance.below(5)
  if (kind === 0) return 0
  if (kind === 1) return 1 + chance.below(6)
  if (kind === 2) return [2, 6, 12, 20, 30][chance.below(5)]
  return kind === 3 ? chance.below(1_000_000) / 7 : (1 + chance.below(9)) * 1e15
}

/** One value changes per step, as in a run; sometimes all do. */
function walk(rule: DivisorRule, chance: Chance, stages: number, most: number, steps: number): void {
  const divisors = divisorsOf(rule, most)
  const now = state(chance, stages, most)
  const exchanged = new Int32Array(stages)
  const dealt = new Int32Array(stages)
  for (let step = 0; step < steps; step++) {
    const s = chance.below(stages)
    const change = chance.below(20)
    if (change < 8) now.votes[s] = Math.max(0, now.votes[s] + (chance.below(3) - 1) * 2)
    else if (change < 13) now.votes[s] = someVotes(chance)
    else if (change < 15) now.votes[s] = now.votes[chance.below(stages)]
    else if (change < 17) now.eligible[s] = 1 - now.eligible[s]
    else if (change < 19) now.workers = Math.max(0, Math.min(most, now.workers + chance.below(5) - 2))
    else Object.assign(now, state(chance, stages, most))
    exchangeSeats(now.votes, now.eligible, now.workers, divisors, exchanged)
    apportion(now.votes, now.eligible, now.workers, divisors, dealt)
    if (exchanged.some((seats, t) => seats !== dealt[t])) {
      expect(
        [...exchanged],
        `${rule}, step ${step}: votes ${now.votes}, eligible ${now.eligible}, ${now.workers} workers`,
      ).toEqual([...dealt])
    }
  }
}

/** The divisors as single numbers. */
function shares(rule: DivisorRule, workers: number): number[] {
  const { times, over } = divisorsOf(rule, workers)
  return Array.from(over, (x, w) => x / times[w])
}
