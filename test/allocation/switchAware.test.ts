import { describe, expect, test } from 'vitest'
import { apportion } from '../../src/allocation/apportion.ts'
import { divisorsOf } from '../../src/allocation/rules.ts'
import { score } from '../../src/allocation/score.ts'
import { moveSeatsThatPay, savedWithin } from '../../src/allocation/switchAware.ts'
import { createDice } from './dice.ts'

const divisors = divisorsOf('leastScore', 40)

function moved(votes: readonly number[], before: readonly number[], workers: number, horizon: number, cost: number): number[] {
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

/** Votes, seats of before, and as many workers as those have seats. */
function drawn(dice: ReturnType<typeof createDice>) {
  const votes = Array.from({ length: 2 + dice.below(4) }, () => (dice.below(4) === 0 ? 0 : 1 + dice.below(900)))
  const before = votes.map(() => dice.below(6))
  return { votes, before, workers: before.reduce((a, b) => a + b) }
}

describe('seats that move only where that pays', () => {
  test('reach the least total time where moving costs nothing, from any seats and with workers that come or go', () => {
    const dice = createDice(71)
    for (let n = 0; n < 2000; n++) {
      const { votes, before, workers } = drawn(dice)
      const crew = Math.max(0, workers + dice.below(7) - 3)
      const best = votes.map(() => 0)
      apportion(
        votes,
        votes.map(() => 1),
        crew,
        divisors,
        best,
      )
      const seats = moved(votes, before, crew, Infinity, 0)
      expect(seats.reduce((a, b) => a + b)).toBe(crew)
      expect(Math.abs(score(votes, seats) - score(votes, best)), `${votes}: ${seats} instead of ${best}`).toBeLessThan(1e-9)
    }
  })

  test('leave no move that pays, and come by moves of which each paid', () => {
    const dice = createDice(72)
    let held = 0
    for (let n = 0; n < 2000; n++) {
      const { votes, before, workers } = drawn(dice)
      const [horizon, cost] = [1 + dice.below(2000), dice.below(300)]
      const seats = moved(votes, before, workers, horizon, cost)
      const total = score(votes, seats)
      seats.forEach((mine, from) => {
        votes.forEach((_, to) => {
          if (mine === 0 || from === to) return
          const after = seats.map((some, s) => some + (s === to ? 1 : 0) - (s === from ? 1 : 0))
          const saved = savedWithin(horizon, total - score(votes, after), total)
          expect(saved).toBeLessThanOrEqual(cost + 1e-9)
          if (saved > 1e-9) held++
        })
      })
      const went = seats.reduce((sum, some, s) => sum + Math.max(0, some - before[s]), 0)
      const starved = votes.filter((v, s) => v > 0 && before[s] === 0).length
      expect(score(votes, before) - total + 1e-9).toBeGreaterThanOrEqual((went - starved) * cost)
    }
    expect(held).toBeGreaterThan(500)
  })

  test('stay when the saving equals the cost', () => {
    // One seat from 3 votes to 4: 4/2 - 3/6 = 1.5.
    expect(moved([3, 4], [2, 0], 2, Infinity, 1.5)).toEqual([2, 0])
    expect(moved([3, 4], [2, 0], 2, Infinity, 1.49)).toEqual([1, 1])
  })

  test('do not leave the only work without a worker, whatever a move costs', () => {
    expect(moved([0, 1, 0], [1, 0, 1], 2, 1, 1e9)).toEqual([1, 1, 0])
  })
})
