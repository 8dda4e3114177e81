import { describe, expect, test } from 'vitest'
import {
  type Ballot,
  castAllVotes,
  castForeseen,
  castVotes,
  createBallot,
  hashBallot,
} from '../../src/allocation/ballot.ts'
import { pressureOf } from '../../src/allocation/pressure.ts'
import { createChance } from '../fixtures/chance.ts'

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
  test('is the same for equal ballots, and 32 bits without a sign', () => {
    expect(hashOf()).toBe(hashOf())
    expect(hashOf()).toBe(hashOf() >>> 0)
  })

  test('depends on each job, each worker and the last bit of an estimate, and on their stages', () => {
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
})

describe('votes', () => {
  /** For stages in listing order; place k of the ballot is stage stageOf[k]. */
  const stageOf = Int16Array.of(2, 0, 1)

  function cast(waiting: readonly number[], means: readonly number[], workers: number, eligible: readonly number[]) {
    const ballot = createBallot(3)
    ballot.workers = workers
    ballot.waiting.set(waiting)
    ballot.eligible.set(eligible)
    return { ballot, hash: castAllVotes(ballot, stageOf, Float64Array.from(means)) }
  }

  test('are the waiting jobs times the estimate of each stage, and their hash is that of the ballot', () => {
    const chance = createChance(81)
    for (let n = 0; n < 300; n++) {
      const any = (most: number) => [chance.below(most), chance.below(most), chance.below(most)]
      const [waiting, means, eligible] = [any(90), any(9000).map((mean) => mean / 4), any(2)]
      const { ballot, hash } = cast(waiting, means, 1 + chance.below(9), eligible)
      const own = Array.from(stageOf, (stage) => means[stage])
      expect([...ballot.means]).toEqual(own)
      expect([...ballot.votes]).toEqual(waiting.map((jobs, k) => jobs * own[k]))
      expect(hash).toBe(hashBallot(ballot))
      const one = createBallot(3)
      one.workers = ballot.workers
      for (const k of [0, 1, 2]) castVotes(one, k, waiting[k], own[k], eligible[k] === 0)
      expect(one).toEqual(ballot)
    }
  })

  test('have the hashes that records have', () => {
    const { ballot, hash } = cast([40, 0, 32], [6600, 12_000.5, 3600], 8, [1, 0, 1])
    expect(hash).toBe(3_640_834_163)
    expect(
      castForeseen(ballot, stageOf, { coming: Float64Array.of(0, 1.5, 0), urgency: Float64Array.of(1.25, 1, 1) }, hash),
    ).toBe(3_487_969_264)
  })
})

test('pressure is the difference of two queues per microsecond of service', () => {
  expect(pressureOf(7, 3, 2)).toBe(2)
  expect(pressureOf(3, 7, 2)).toBe(-2)
})

test('a service time measured as 0 counts as one microsecond: 0 / 0 would be no number', () => {
  expect(pressureOf(3, 3, 0)).toBe(0)
  expect(pressureOf(4, 3, 0)).toBe(1)
})
