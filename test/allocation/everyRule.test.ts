import { describe, expect, test } from 'vitest'
import { apportion } from '../../src/allocation/apportion.ts'
import { createBallot } from '../../src/allocation/ballot.ts'
import { hamilton } from '../../src/allocation/hamilton.ts'
import { type DivisorRule, divisorsOf, rules, weightsInto } from '../../src/allocation/rules.ts'
import { createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'

type Say = (votes: readonly number[], workers: number) => number[]

/** Every rule that shares seats by weights, except the powers; for `longestQueue` the votes are jobs. */
const divisorRules: readonly (readonly [name: string, say: Say])[] = (Object.keys(rules) as DivisorRule[]).flatMap(
  (rule) =>
    (rule === 'power' ? [1, 2, 7, 64] : [1]).map(
      (p) => [rule === 'power' ? `power ${p}` : rule, sayOf(rule, p)] as const,
    ),
)
const everyRule: typeof divisorRules = [...divisorRules, ['hamilton', byHamilton]]

function sayOf(rule: DivisorRule, p: number): Say {
  return (votes, workers) => {
    const ballot = createBallot(votes.length)
    ballot.votes.set(votes)
    ballot.waiting.set(votes)
    ballot.eligible.fill(1)
    const weights = new Float64Array(votes.length)
    weightsInto(rule, ballot, p, weights)
    const seats = votes.map(() => 0)
    apportion(weights, ballot.eligible, workers, divisorsOf(rule, workers, p), seats)
    return seats
  }
}

function byHamilton(votes: readonly number[], workers: number): number[] {
  const seats = votes.map(() => 0)
  hamilton(
    votes,
    votes.map(() => 1),
    workers,
    seats,
  )
  return seats
}

/** An assertion in a loop of thousands: only a failure is worth the full report. */
function holds(condition: boolean, message: () => string): void {
  if (!condition) expect.fail(message())
}

/** The quotient of a stage with v votes and w seats as a fraction of whole numbers, from the definition of the rule. */
function exactQuotient(rule: DivisorRule, p: bigint, v: bigint, w: bigint): readonly [over: bigint, under: bigint] {
  const [a, b] = [w + 1n, w + 2n]
  switch (rule) {
    case 'leastScore':
    case 'preallocate':
    case 'deadline':
      return [v, a * b]
    case 'jefferson':
    case 'longestQueue':
      return [v, a]
    case 'webster':
      return [v, 2n * w + 1n]
    case 'proportional':
      return [v, w === 0n ? 0n : 2n * w + 1n]
    case 'huntingtonHill':
      return [v * v, w * a]
    case 'adams':
      return [v, w]
    case 'dean':
      return [v * (2n * w + 1n), 2n * w * a]
    case 'power':
      return [v ** p * (b ** p - a ** p), (a * b) ** p]
  }
}

/** The smallest votes for equal quotients of a stage with i seats and one with j; null if there are none below 2000. */
function levelVotes(rule: DivisorRule, p: number, i: number, j: number): readonly [number, number] | null {
  const [n, d] = exactQuotient(rule, BigInt(p), 1n, BigInt(i))
  const [m, e] = exactQuotient(rule, BigInt(p), 1n, BigInt(j))
  if (d === 0n || e === 0n) return null
  // v^power n / d = u^power m / e
  const power = rule === 'power' ? p : rule === 'huntingtonHill' ? 2 : 1
  const ratio = (Number(m * d) / Number(n * e)) ** (1 / power)
  for (let u = 1; u < 2000; u++) {
    const v = Math.round(u * ratio)
    // BigInt is slow, so only near ties are checked exactly.
    if (
      v > 0 &&
      v < 2000 &&
      Math.abs(v - u * ratio) < 1e-6 &&
      BigInt(v) ** BigInt(power) * n * e === BigInt(u) ** BigInt(power) * m * d
    )
      return [v, u]
  }
  return null
}

/** The exact seats: each to the highest quotient, ties to the first. Infinite quotients rank by votes. */
function exactSeats(rule: DivisorRule, p: number, votes: readonly number[], workers: number): number[] {
  const seats = votes.map(() => 0)
  const claim = (s: number) => exactQuotient(rule, BigInt(p), BigInt(votes[s]), BigInt(seats[s]))
  for (let dealt = 0; dealt < workers; dealt++) {
    const best = votes.reduce((first, _, s) => {
      const [[n, d], [m, e]] = [claim(first), claim(s)]
      const ahead = d === 0n || e === 0n ? (d === 0n && e === 0n ? m > n : e === 0n && m > 0n) : m * d > n * e
      return ahead ? s : first
    }, 0)
    seats[best]++
  }
  return seats
}

describe.each(
  (Object.keys(rules) as DivisorRule[]).flatMap((rule) =>
    (rule === 'power' ? [1, 2, 3] : [1]).map((p) => ({ name: rule === 'power' ? `power ${p}` : rule, rule, p })),
  ),
)('$name', ({ rule, p }) => {
  test('gives the same seats as exact integers: equal quotients go to the first stage', () => {
    const chance = createChance(73)
    const say = sayOf(rule, p)
    let ties = 0
    for (let n = 0; n < repeats(1000); n++) {
      const [i, j] = [chance.below(30), chance.below(30)]
      const level = levelVotes(rule, p, i, j)
      const votes = level ?? [1 + chance.below(500), 1 + chance.below(500)]
      if (level !== null) ties++
      const unit = 1 + chance.below(40)
      const all = chance.below(2) === 0 ? votes : [...votes, 1 + chance.below(500)]
      for (const workers of [i + j + 1, i + j + 2, 1 + chance.below(60)]) {
        const scaled = all.map((v) => unit * v)
        holds(
          `${say(scaled, workers)}` === `${exactSeats(rule, p, scaled, workers)}`,
          () => `${scaled}, ${workers} workers: ${say(scaled, workers)}`,
        )
      }
    }
    expect(ties).toBeGreaterThan(repeats(10) / 2)
  })
})

describe.each(everyRule.map(([name, say]) => ({ name, say })))('$name', ({ say }) => {
  test('gives out every seat, and none to a stage without votes while other stages need seats', () => {
    const chance = createChance(61)
    for (let n = 0; n < repeats(2000); n++) {
      const votes = Array.from({ length: 2 + chance.below(5) }, () =>
        chance.below(3) === 0 ? 0 : 1 + chance.below(500),
      )
      const workers = chance.below(30)
      const seats = say(votes, workers)
      holds(seats.reduce((a, b) => a + b) === workers, () => `${votes}, ${workers} workers: ${seats}`)
      const wanted = votes.some((v) => v > 0)
      holds(!wanted || seats.every((n, s) => votes[s] > 0 || n === 0), () => `${votes}: ${seats}`)
    }
  })

  test('never gives more seats to fewer votes', () => {
    const chance = createChance(62)
    for (let n = 0; n < repeats(2000); n++) {
      const votes = Array.from({ length: 2 + chance.below(5) }, () => 1 + chance.below(1000))
      const seats = say(votes, 1 + chance.below(40))
      for (let a = 0; a < votes.length; a++)
        for (let b = 0; b < votes.length; b++)
          holds(votes[a] <= votes[b] || seats[a] >= seats[b], () => `${votes}: ${seats}`)
    }
  })
})

describe.each(divisorRules.map(([name, say]) => ({ name, say })))('$name, being a divisor rule,', ({ say }) => {
  test('never takes away a seat for one more worker (monotone in the number of seats, as Hamilton is not)', () => {
    const chance = createChance(64)
    for (let n = 0; n < repeats(2000); n++) {
      const votes = Array.from({ length: 1 + chance.below(6) }, () => chance.below(1000))
      const workers = chance.below(40)
      const before = say(votes, workers)
      const after = say(votes, workers + 1)
      holds(
        after.every((seats, s) => seats >= before[s]),
        () => `${votes}: ${before} of ${workers}, then ${after}`,
      )
    }
  })

  test('never moves a seat from growing votes to votes that do not grow (population monotone, as Hamilton is not)', () => {
    const chance = createChance(65)
    for (let n = 0; n < repeats(2000); n++) {
      const votes = Array.from({ length: 3 }, () => 1 + chance.below(60))
      const grown = [votes[0] + 1 + chance.below(5), votes[1], votes[2] + chance.below(40)]
      const workers = 1 + chance.below(12)
      const [before, after] = [say(votes, workers), say(grown, workers)]
      holds(
        after[0] >= before[0] || after[1] <= before[1],
        () => `${votes} to ${grown}, ${workers} workers: ${before} to ${after}`,
      )
    }
  })
})

describe('the proportional rule', () => {
  const proportional = sayOf('proportional', 1)

  test('gives every stage with work a seat if there are enough workers, and otherwise those with most work', () => {
    const chance = createChance(66)
    for (let n = 0; n < repeats(3000); n++) {
      const votes = Array.from({ length: 1 + chance.below(6) }, () =>
        chance.below(4) === 0 ? 0 : 1 + chance.below(100_000),
      )
      const standing = votes.filter((v) => v > 0).length
      const workers = chance.below(12)
      const seats = proportional(votes, workers)
      const seated = seats.filter((n, s) => n > 0 && votes[s] > 0).length
      expect(seated).toBe(Math.min(workers, standing))
    }
    expect(proportional([3, 9, 1, 0, 5], 2)).toEqual([0, 1, 0, 0, 1])
  })
})
