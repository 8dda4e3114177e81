import { describe, expect, test } from 'vitest'
import { apportion } from '../../src/allocation/apportion.ts'
import type { Ballot } from '../../src/allocation/ballot.ts'
import { flipsOf } from '../../src/allocation/flip.ts'
import { type DivisorRule, divisorsOf, rules, weightsInto } from '../../src/allocation/rules.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'
import { ballotOf } from './ballotOf.ts'

const every = (Object.keys(rules) as DivisorRule[]).flatMap((rule) =>
  (rule === 'power' ? [1, 3, 64] : [1]).map((p) => ({ rule, p })),
)

function seatsOn(ballot: Ballot, rule: DivisorRule, p: number): number[] {
  const weights = new Float64Array(ballot.votes.length)
  weightsInto(rule, ballot, p, weights)
  const seats = Array.from(weights, () => 0)
  apportion(weights, ballot.eligible, ballot.workers, divisorsOf(rule, ballot.workers, p), seats)
  return seats
}

/** The seats with another queue, or another mean service time, at one stage. */
function seatsIf(
  ballot: Ballot,
  rule: DivisorRule,
  p: number,
  k: number,
  change: { readonly waiting?: number; readonly mean?: number },
): number[] {
  const put = (values: ArrayLike<number>, value: number | undefined) =>
    Array.from(values, (old, s) => (s === k ? (value ?? old) : old))
  return seatsOn(
    ballotOf(put(ballot.waiting, change.waiting), put(ballot.means, change.mean), ballot.workers, [...ballot.eligible]),
    rule,
    p,
  )
}

function anyBallot(chance: Chance): Ballot {
  const stages = 2 + chance.below(4)
  const any = (n: number) => Array.from({ length: stages }, () => chance.below(n))
  // Equal means and few jobs make ties, which are easy to get wrong.
  const even = chance.below(2) === 0
  const eligible = any(6).map((roll) => (roll === 0 ? 0 : 1))
  return ballotOf(
    any(even ? 6 : 60),
    even ? any(1).map(() => 7) : any(900).map((mean) => 1 + mean),
    chance.below(9),
    eligible,
  )
}

describe.each(every)('how far a stage is from a seat less and a seat more by $rule $p', ({ rule, p }) => {
  test('the queue lengths equal those of a full search, and the seat goes to the named stage', () => {
    const chance = createChance(71)
    for (let n = 0; n < repeats(250); n++) {
      const ballot = anyBallot(chance)
      const seats = seatsOn(ballot, rule, p)
      for (const [k, flips] of flipsOf(ballot, rule, divisorsOf(rule, ballot.workers, p), seats, p).entries()) {
        expect(flips === null).toBe(ballot.eligible[k] === 0)
        if (flips === null) continue
        const at = (waiting: number) => seatsIf(ballot, rule, p, k, { waiting })
        let down = ballot.waiting[k] - 1
        while (down >= 0 && at(down)[k] === seats[k]) down--
        expect(flips.loss?.waiting ?? null).toBe(down >= 0 ? down : null)
        const loss = flips.loss
        // Several seats may move at once if a queue that is a job shorter is much shorter: one of them to the named stage.
        if (loss !== null && down >= 0) expect(at(down)[loss.rival]).toBeGreaterThan(seats[loss.rival])
        if (flips.gain === null) continue
        const up = flips.gain.waiting
        // The first seat of another stage may have an infinite quotient.
        if (up === null) expect(at(1_000_000)[k]).toBe(seats[k])
        if (up === null || up > 400) continue
        let least = ballot.waiting[k] + 1
        while (at(least)[k] === seats[k]) least++
        expect(up).toBe(least)
        expect(at(up)[flips.gain.rival]).toBeLessThan(seats[flips.gain.rival])
      }
    }
  })

  test('the mean service times are those at which bisection finds the seat to move', () => {
    const chance = createChance(72)
    for (let n = 0; n < repeats(120); n++) {
      const ballot = anyBallot(chance)
      const seats = seatsOn(ballot, rule, p)
      for (const [k, flips] of flipsOf(ballot, rule, divisorsOf(rule, ballot.workers, p), seats, p).entries()) {
        for (const [flip, way] of [[flips?.loss, -1] as const, [flips?.gain, 1] as const]) {
          if (!flip || flip.mean === null) continue
          const near = (share: number) => seatsIf(ballot, rule, p, k, { mean: (flip.mean ?? 0) * share })[k]
          expect(Math.sign(near(1 + way * 1e-6) - seats[k])).toBe(way)
          // Just before the limit nothing has changed, unless the seat depends on a tie: then the limit is the present mean.
          if (Math.abs(flip.mean / ballot.means[k] - 1) > 1e-5) expect(near(1 - way * 1e-6)).toBe(seats[k])
        }
      }
    }
  })
})

describe('how far a stage is if coming jobs and old jobs count more', () => {
  /** The same ballot with another queue, or another mean, at one stage. */
  function put(
    { waiting, means, coming, urgency, eligible, workers }: Ballot,
    k: number,
    change: { readonly waiting?: number; readonly mean?: number },
  ): Ballot {
    const changed = ballotOf([...waiting], [...means], workers, [...eligible])
    changed.coming.set(coming)
    changed.urgency.set(urgency)
    changed.waiting[k] = change.waiting ?? waiting[k]
    changed.means[k] = change.mean ?? means[k]
    for (const s of waiting.keys()) changed.votes[s] = (changed.waiting[s] + coming[s]) * changed.means[s] * urgency[s]
    return changed
  }

  test('the queues and means equal those of a search, with coming jobs and ages unchanged', () => {
    const chance = createChance(76)
    let found = 0
    for (let n = 0; n < repeats(300); n++) {
      const plain = anyBallot(chance)
      for (const s of plain.waiting.keys()) {
        plain.coming[s] = chance.below(8) / 2
        plain.urgency[s] = 1 + chance.below(12) / 4
      }
      const ballot = put(plain, 0, {})
      const seats = seatsOn(ballot, 'leastScore', 1)
      const at = (k: number, change: { readonly waiting?: number; readonly mean?: number }) =>
        seatsOn(put(ballot, k, change), 'leastScore', 1)[k]
      for (const [k, flips] of flipsOf(
        ballot,
        'leastScore',
        divisorsOf('leastScore', ballot.workers),
        seats,
      ).entries()) {
        if (flips === null) continue
        let down = ballot.waiting[k] - 1
        while (down >= 0 && at(k, { waiting: down }) === seats[k]) down--
        expect(flips.loss?.waiting ?? null, `ballot ${n}, stage ${k}`).toBe(down >= 0 ? down : null)
        const up = flips.gain?.waiting ?? null
        if (up !== null && up <= 400) {
          let least = ballot.waiting[k] + 1
          while (at(k, { waiting: least }) === seats[k]) least++
          expect(up, `ballot ${n}, stage ${k}`).toBe(least)
        }
        for (const [flip, way] of [[flips.loss, -1] as const, [flips.gain, 1] as const]) {
          if (!flip || flip.mean === null) continue
          expect(Math.sign(at(k, { mean: flip.mean * (1 + way * 1e-6) }) - seats[k])).toBe(way)
          if (Math.abs(flip.mean / ballot.means[k] - 1) > 1e-5)
            expect(at(k, { mean: flip.mean * (1 - way * 1e-6) })).toBe(seats[k])
          found++
        }
      }
    }
    expect(found).toBeGreaterThan(repeats(300))
  })
})

describe('how far the worked example is', () => {
  test('with A at one waiting job and B at two, each of a second and one worker each, the distances are these', () => {
    const ballot = ballotOf([1, 2], [1e6, 1e6], 2)
    expect(seatsOn(ballot, 'leastScore', 1)).toEqual([1, 1])
    const [a, b] = flipsOf(ballot, 'leastScore', divisorsOf('leastScore', 2), [1, 1])
    // The second seat of A: votes / 6 must reach the quotient 2 / 2 = 1 of B, and wins the tie by its name.
    expect(a?.gain).toEqual({ rival: 1, waiting: 6, mean: 6e6 })
    // The second seat of B: votes / 6 must exceed the quotient 1 / 2 of A.
    expect(b?.gain).toEqual({ rival: 0, waiting: 4, mean: 1.5e6 })
    // The only seat of A goes to B with the quotient 2 / 6 when votes / 2 is less: at no job.
    expect(a?.loss).toEqual({ rival: 1, waiting: 0, mean: (2e6 / 6) * 2 })
  })

  test('a stage without competing stages can neither win nor lose', () => {
    expect(flipsOf(ballotOf([4], [10], 3), 'jefferson', divisorsOf('jefferson', 3), [3])).toEqual([
      { loss: null, gain: null },
    ])
  })
})
