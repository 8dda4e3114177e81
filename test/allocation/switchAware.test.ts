import { describe, expect, test } from 'vitest'
import { divisorsOf } from '../../src/allocation/rules.ts'
import { moveSeatsThatPay, savedWithin } from '../../src/allocation/switchAware.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'

const divisors = divisorsOf('leastScore', 40)

function moved(
  votes: readonly number[],
  before: readonly number[],
  workers: number,
  horizon: number,
  cost: number,
): number[] {
  const seats = Int32Array.from(before)
  moveSeatsThatPay(
    votes,
    votes.map(() => 1),
    workers,
    divisors,
    horizon,
    cost,
    seats,
  )
  return [...seats]
}

/** Votes, earlier seats, and as many workers as these seats. */
function drawn(chance: Chance) {
  const votes = Array.from({ length: 2 + chance.below(4) }, () => (chance.below(4) === 0 ? 0 : 1 + chance.below(900)))
  const before = votes.map(() => chance.below(6))
  return { votes, before, workers: before.reduce((a, b) => a + b) }
}

describe('seats that move only if it pays', () => {
  test('equal those of a plain version that makes one move after another, with stages that are done and workers that join or leave', () => {
    const chance = createChance(73)
    let stayed = 0
    for (let n = 0; n < repeats(4000); n++) {
      const { votes, before, workers } = drawn(chance)
      const eligible = votes.map(() => Number(chance.below(5) > 0))
      const crew = chance.below(2) === 0 ? workers : Math.max(0, workers + chance.below(7) - 3)
      const [horizon, cost] = [[1, 300, 2000, Infinity][chance.below(4)], [0, 5, 60, 300][chance.below(4)]]
      const seats = Int32Array.from(before)
      moveSeatsThatPay(votes, eligible, crew, divisors, horizon, cost, seats)
      const plain = movedPlainly(votes, eligible, crew, horizon, cost, before)
      expect([...seats], `${votes} with ${before}, ${eligible}, ${crew} workers, ${horizon}, ${cost}`).toEqual(plain)
      if (`${plain}` === `${before}`) stayed++
    }
    expect(stayed).toBeGreaterThan(repeats(200))
    expect(stayed).toBeLessThan(repeats(2000))
  })

  test('save within the horizon its share of the whole time, or all if the whole time is shorter', () => {
    expect([
      savedWithin(10, 6, 40),
      savedWithin(40, 6, 40),
      savedWithin(41, 6, 40),
      savedWithin(Infinity, 6, 40),
    ]).toEqual([1.5, 6, 6, 6])
  })

  test('stay if the saving equals the cost', () => {
    // One seat from 3 votes to 4: 4/2 - 3/6 = 1.5.
    expect(moved([3, 4], [2, 0], 2, Infinity, 1.5)).toEqual([2, 0])
    expect(moved([3, 4], [2, 0], 2, Infinity, 1.49)).toEqual([1, 1])
  })

  test('do not leave the only work without a worker, whatever a move costs', () => {
    expect(moved([0, 1, 0], [1, 0, 1], 2, 1, 1e9)).toEqual([1, 1, 0])
  })
})

/** The rule in words: first superfluous workers leave and missing ones join, then moves follow while they pay or supply a stage without workers. */
function movedPlainly(
  votes: readonly number[],
  eligible: readonly number[],
  workers: number,
  horizon: number,
  cost: number,
  before: readonly number[],
): number[] {
  const seats = before.map((n, s) => (eligible[s] === 1 ? n : 0))
  const open = [...seats.keys()].filter((s) => eligible[s] === 1)
  const time = (s: number, n: number) => votes[s] / (n + 1)
  // The saving of one more seat, and the cost of one less.
  const gain = (s: number) => votes[s] / ((seats[s] + 1) * (seats[s] + 2))
  const loss = (s: number) => votes[s] / (seats[s] * (seats[s] + 1))
  const giver = () => open.filter((s) => seats[s] > 0).sort((a, b) => loss(a) - loss(b) || b - a)[0]
  const taker = (but?: number) => open.filter((s) => s !== but).sort((a, b) => gain(b) - gain(a) || a - b)[0]
  const dealt = () => seats.reduce((sum, n) => sum + n, 0)
  while (dealt() > workers) seats[giver()]--
  while (open.length > 0 && dealt() < workers) seats[taker()]++
  for (;;) {
    const from = giver()
    const to = from === undefined ? undefined : taker(from)
    if (to === undefined) return seats
    const total = votes.reduce((sum, _, s) => sum + time(s, seats[s]), 0)
    const saved = gain(to) - loss(from)
    const pays = saved * Math.min(1, horizon / total) > cost
    const starves = seats[to] === 0 && votes[to] > 0 && votes[from] === 0
    if (!pays && !starves) return seats
    seats[from]--
    seats[to]++
  }
}
