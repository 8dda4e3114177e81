import { describe, expect, test } from 'vitest'
import { apportion } from '../../src/allocation/apportion.ts'
import { roundsOf } from '../../src/allocation/rounds.ts'
import { type DivisorRule, divisorsOf, rules } from '../../src/allocation/rules.ts'
import { createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'

describe('the rounds of a decision', () => {
  test('show each seat with the quotients of all stages', () => {
    const rounds = roundsOf([12, 4], [1, 1], 3, divisorsOf('leastScore', 3))
    expect(rounds).toEqual([
      { quotients: [6, 2], winner: 0, tied: [], runnerUp: 1 },
      { quotients: [2, 2], winner: 0, tied: [1], runnerUp: 1 },
      { quotients: [1, 2], winner: 1, tied: [], runnerUp: 0 },
    ])
  })

  test('exclude a stage that is done', () => {
    const [round] = roundsOf([50, 7, 8], [0, 1, 1], 1, divisorsOf('jefferson', 1))
    expect(round).toEqual({ quotients: [Number.NaN, 7, 8], winner: 2, tied: [], runnerUp: 1 })
    expect(roundsOf([5], [1], 1, divisorsOf('jefferson', 1))[0].runnerUp).toBe(-1)
    expect(roundsOf([5, 6], [0, 0], 3, divisorsOf('jefferson', 3))).toEqual([])
  })

  test('call infinite quotients tied only if their votes are equal', () => {
    const [round] = roundsOf([3, 9, 9], [1, 1, 1], 1, divisorsOf('adams', 1))
    expect(round).toEqual({ quotients: [Infinity, Infinity, Infinity], winner: 1, tied: [2], runnerUp: 2 })
  })

  test('lead to the given seats', () => {
    const chance = createChance(7)
    const every = Object.keys(rules) as DivisorRule[]
    for (let n = 0; n < repeats(3000); n++) {
      const divisors = divisorsOf(every[n % every.length], 12)
      const votes = Array.from({ length: 1 + chance.below(6) }, () => chance.below([3, 50][chance.below(2)]))
      const eligible = votes.map(() => Number(chance.below(4) > 0))
      const workers = chance.below(13)
      const seats = votes.map(() => 0)
      apportion(votes, eligible, workers, divisors, seats)
      const counted = votes.map(() => 0)
      for (const { winner } of roundsOf(votes, eligible, workers, divisors)) counted[winner]++
      expect(counted).toEqual(seats)
    }
  })
})
