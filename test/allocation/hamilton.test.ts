import { describe, expect, test } from 'vitest'
import { hamilton, quotasOf } from '../../src/allocation/hamilton.ts'
import { createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'

function seatsBy(
  votes: readonly number[],
  workers: number,
  eligible: readonly number[] = votes.map(() => 1),
): number[] {
  const seats = votes.map(() => 99)
  hamilton(votes, eligible, workers, seats)
  return seats
}

describe("Hamilton's rule", () => {
  test('gives the whole part of each quota, and the remaining seats to the largest remainders', () => {
    // Quotas 4.7, 2.6, 1.9, 0.8.
    expect(quotasOf([47, 26, 19, 8], [1, 1, 1, 1], 10)).toEqual([4.7, 2.6, 1.9, 0.8])
    expect(seatsBy([47, 26, 19, 8], 10)).toEqual([5, 2, 2, 1])
    expect(quotasOf([6, 3], [1, 0], 3)).toEqual([3, Number.NaN])
  })

  test('equals a version in whole numbers, with ties to the earliest', () => {
    const chance = createChance(51)
    for (let n = 0; n < repeats(20_000); n++) {
      const size = [3, 12, 1000, 1_000_000_000][chance.below(4)]
      const votes = Array.from({ length: 1 + chance.below(6) }, () => chance.below(size))
      const eligible = votes.map(() => Number(chance.below(5) > 0))
      const workers = chance.below(257)
      const expected = exactly(votes, eligible, workers)
      if (`${seatsBy(votes, workers, eligible)}` !== `${expected}`)
        expect(seatsBy(votes, workers, eligible), `${votes}, ${eligible}, ${workers} workers`).toEqual(expected)
    }
  })
})

describe('its paradoxes', () => {
  test('one more worker takes away a seat: votes of 6, 6 and 2 with ten workers and eleven (Alabama 1880)', () => {
    expect(seatsBy([6, 6, 2], 10)).toEqual([4, 4, 2])
    expect(seatsBy([6, 6, 2], 11)).toEqual([5, 5, 1])
  })
})

/** The plain version, in whole numbers: divide with remainder, sort the remainders. */
function exactly(votes: readonly number[], eligible: readonly number[], workers: number): number[] {
  const seats = votes.map(() => 0)
  const open = [...votes.keys()].filter((s) => eligible[s] === 1)
  const total = open.reduce((sum, s) => sum + BigInt(votes[s]), 0n)
  if (open.length === 0) return seats
  if (total === 0n) {
    seats[open[0]] = workers
    return seats
  }
  const share = (s: number) => BigInt(votes[s]) * BigInt(workers)
  for (const s of open) seats[s] = Number(share(s) / total)
  const left = workers - seats.reduce((a, b) => a + b, 0)
  const byRemainder = [...open].sort((a, b) => Number((share(b) % total) - (share(a) % total)) || a - b)
  for (const s of byRemainder.slice(0, left)) seats[s]++
  return seats
}
