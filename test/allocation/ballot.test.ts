import { describe, expect, test } from 'vitest'
import { type Ballot, createBallot, hashBallot } from '../../src/allocation/ballot.ts'

interface Seen {
  readonly workers: number
  readonly waiting: readonly number[]
  readonly means: readonly number[]
  readonly eligible: readonly number[]
}

const seen: Seen = { workers: 8, waiting: [40, 0, 32], means: [3600, 6600, 12_000.5], eligible: [1, 1, 1] }

function ballotOf({ workers, waiting, means, eligible }: Seen): Ballot {
  const ballot = createBallot(waiting.length)
  ballot.workers = workers
  ballot.waiting.set(waiting)
  ballot.means.set(means)
  ballot.votes.set(waiting.map((n, s) => n * means[s]))
  ballot.eligible.set(eligible)
  return ballot
}

const hashOf = (change: Partial<Seen> = {}) => hashBallot(ballotOf({ ...seen, ...change }))

describe('the hash of a ballot', () => {
  test('is the same for the same ballot, and 32 bits without a sign', () => {
    expect(hashOf()).toBe(hashOf())
    expect(hashOf()).toBe(hashOf() >>> 0)
  })

  test('tells whether a stage is done, also one whose votes are zero', () => {
    for (const eligible of [
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, 0],
      [0, 0, 0],
    ])
      expect(hashOf({ eligible }), `${eligible}`).not.toBe(hashOf())
  })

  test('tells apart ballots whose votes are all zero', () => {
    const zero = { waiting: [0, 0, 0] }
    const all = [zero, { ...zero, workers: 7 }, { ...zero, means: [3600, 6600, 12_000] }, { ...zero, eligible: [1, 0, 1] }, { ...zero, eligible: [1, 1, 0] }]
    expect(new Set(all.map(hashOf)).size).toBe(all.length)
  })

  test('tells one job, one worker and the last bit of an estimate apart, and which stage they are at', () => {
    const others: Partial<Seen>[] = [
      { workers: 9 },
      { waiting: [41, 0, 32] },
      { waiting: [40, 1, 32] },
      { waiting: [32, 0, 40] },
      { waiting: [0, 40, 32] },
      { means: [3600, 6600, 12_000.500000000002] },
      { means: [6600, 3600, 12_000.5] },
    ]
    expect(new Set([{}, ...others].map(hashOf)).size).toBe(others.length + 1)
  })

  test('has no two alike among thousands of near ones', () => {
    const hashes = new Set<number>()
    let ballots = 0
    for (let a = 0; a < 20; a++)
      for (let b = 0; b < 20; b++)
        for (let bits = 0; bits < 8; bits++) {
          hashes.add(hashOf({ waiting: [a, b, 32], eligible: [bits & 1, (bits >> 1) & 1, bits >> 2] }))
          ballots++
        }
    expect(hashes.size).toBe(ballots)
  })
})
