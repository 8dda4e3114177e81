import { expect, test } from 'vitest'
import type { Ballot } from '../../src/allocation/ballot.ts'
import { flipsOf } from '../../src/allocation/flip.ts'
import { hamilton, hamiltonFlips } from '../../src/allocation/hamilton.ts'
import { divisorsOf } from '../../src/allocation/rules.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'
import { ballotOf } from './ballotOf.ts'
import { exhaustive } from './tryAll.ts'

const rules = {
  hamilton: (ballot: Ballot, seats: number[]) => hamilton(ballot.votes, ballot.eligible, ballot.workers, seats),
  exhaustive: (ballot: Ballot, seats: number[]) => exhaustive(ballot.votes, ballot.eligible, ballot.workers, seats),
}
type Rule = keyof typeof rules

function seatsOn(rule: Rule, ballot: Ballot): number[] {
  const seats = Array.from(ballot.votes, () => 0)
  rules[rule](ballot, seats)
  return seats
}

function seatsIf(
  rule: Rule,
  ballot: Ballot,
  k: number,
  change: { readonly waiting?: number; readonly mean?: number },
): number[] {
  const put = (values: ArrayLike<number>, value: number | undefined) =>
    Array.from(values, (old, s) => (s === k ? (value ?? old) : old))
  return seatsOn(
    rule,
    ballotOf(put(ballot.waiting, change.waiting), put(ballot.means, change.mean), ballot.workers, [...ballot.eligible]),
  )
}

const flipsBy = (rule: Rule, ballot: Ballot, seats: number[]) =>
  rule === 'hamilton'
    ? hamiltonFlips(ballot, seats)
    : flipsOf(ballot, 'leastScore', divisorsOf('leastScore', ballot.workers), seats)

/** Equal means and few jobs make ties, large different means make none. */
function anyBallot(chance: Chance, ties: boolean): Ballot {
  const stages = 2 + chance.below(3)
  const any = (n: number) => Array.from({ length: stages }, () => chance.below(n))
  const eligible = any(6).map((roll) => (roll === 0 ? 0 : 1))
  return ballotOf(
    any(ties ? 6 : 60),
    ties ? any(1).map(() => 7) : any(900_000).map((mean) => 1 + mean),
    chance.below(9),
    eligible,
  )
}

/** Between equally good allocations, trying all decides by rounding: there the last digit of a queue may differ. */
const cases = [
  ['hamilton', false],
  ['hamilton', true],
  ['exhaustive', false],
] as const

test.each(cases)(
  'by %s, with ties: %s, the queue lengths at which a seat changes hands are those that trying every length finds',
  (rule, ties) => {
    const chance = createChance(73)
    let found = 0
    for (let n = 0; n < repeats(300); n++) {
      const ballot = anyBallot(chance, ties)
      const seats = seatsOn(rule, ballot)
      for (const [k, flips] of flipsBy(rule, ballot, seats).entries()) {
        expect(flips === null).toBe(ballot.eligible[k] === 0)
        if (flips === null) continue
        const at = (waiting: number) => seatsIf(rule, ballot, k, { waiting })[k]
        let down = ballot.waiting[k] - 1
        while (down >= 0 && at(down) >= seats[k]) down--
        expect(flips.loss?.waiting ?? null).toBe(down >= 0 ? down : null)
        const up = flips.gain?.waiting ?? null
        if (up === null || up > 400) continue
        let least = ballot.waiting[k] + 1
        while (at(least) <= seats[k]) least++
        expect(up).toBe(least)
        found++
      }
    }
    expect(found).toBeGreaterThan(repeats(100))
  },
)

test.each(cases)(
  'by %s, with ties: %s, the mean service times are those at which a seat changes hands, and with the stage named',
  (rule, ties) => {
    const chance = createChance(74)
    let found = 0
    for (let n = 0; n < repeats(300); n++) {
      const ballot = anyBallot(chance, ties)
      const seats = seatsOn(rule, ballot)
      for (const [k, flips] of flipsBy(rule, ballot, seats).entries()) {
        for (const [flip, way] of [[flips?.loss, -1] as const, [flips?.gain, 1] as const]) {
          if (!flip || flip.mean === null) continue
          const near = (share: number) => seatsIf(rule, ballot, k, { mean: (flip.mean ?? 0) * share })
          const beyond = near(1 + way * 1e-6)
          expect(Math.sign(beyond[k] - seats[k])).toBe(way)
          // If the seat depends on a tie, the present mean is the limit.
          if (Math.abs(flip.mean / ballot.means[k] - 1) < 1e-5) continue
          expect(near(1 - way * 1e-6)[k]).toBe(seats[k])
          // The seat changes hands at the limit, if k comes first of equals there, or just beyond it.
          const at = near(1)
          const changed = at[k] === seats[k] ? beyond : at
          expect(Math.sign(changed[flip.rival] - seats[flip.rival])).toBe(-way)
          found++
        }
      }
    }
    expect(found).toBeGreaterThan(repeats(100))
  },
)

test('votes of 3, 4 and 5 give each stage one of four seats, and the fourth depends on one job', () => {
  // Quotas 1, 1.33, 1.67: the fourth seat goes to the last. With 5 at the second: 12/13, 20/13, 20/13, a tie that the earlier one wins.
  const ballot = ballotOf([3, 4, 5], [1000, 1000, 1000], 4)
  expect(seatsOn('hamilton', ballot)).toEqual([1, 1, 2])
  const [, second] = hamiltonFlips(ballot, [1, 1, 2])
  expect(second?.gain).toEqual({ rival: 2, waiting: 5, mean: 1250 })
  // Its only seat goes to the first stage if 4 v / (8 + v) < 4 x 3 / (8 + v) - 1, which is v < 0.8.
  expect(second?.loss).toEqual({ rival: 0, waiting: 0, mean: 200 })
})
