import { apportion, type Divisors } from '../../allocation/apportion.ts'
import { type Ballot, castVotes, createBallot } from '../../allocation/ballot.ts'
import { type Flips, flipsOf } from '../../allocation/flip.ts'
import { hamilton, hamiltonFlips } from '../../allocation/hamilton.ts'
import { type Round, roundsOf } from '../../allocation/rounds.ts'
import { type DivisorRule, divisorsOf, isDivisorRule, unitOf, weighedBy, weightsInto } from '../../allocation/rules.ts'
import { askable } from '../../scenario/model/policies.ts'
import type { Policy, PolicyKind } from '../../scenario/model/scenario.ts'

/** The seats of another rule for the same votes. */
export interface RuleComparison {
  readonly rule: DivisorRule | 'hamilton'
  /** The power of `power`; 1 for the others. */
  readonly power: number
  readonly seats: readonly number[]
  /** Whether these are the seats that the decision gave. */
  readonly agrees: boolean
}

/** The rules to compare. `power` is compared near the least total time and near Jefferson. */
const comparedRules: readonly (readonly [rule: RuleComparison['rule'], power: number])[] = [
  ['leastScore', 1],
  ['power', 2],
  ['power', 8],
  ...askable.flatMap((rule) =>
    rule === 'leastScore' || rule === 'power' || rule === 'longestQueue' ? [] : [[rule, 1] as const],
  ),
]

/** Returns the divisor rule of a policy; null for those that allocate in another way. */
export function ruleOf(policy: PolicyKind): DivisorRule | null {
  return isDivisorRule(policy) ? policy : null
}

/** Returns the seats of other rules for the waiting jobs, in tie order; none for a policy without votes. */
export function otherRules(
  policy: Policy,
  { waiting, means, eligible, workers }: Ballot,
  given: readonly number[],
): RuleComparison[] {
  if (!looksAtVotes(policy.kind)) return []
  const ballot = createBallot(waiting.length)
  ballot.workers = workers
  for (let k = 0; k < waiting.length; k++) castVotes(ballot, k, waiting[k], means[k], eligible[k] === 0)
  return comparedRules
    .filter(([rule, power]) => rule !== policy.kind || power !== powerOf(policy))
    .map(([rule, power]) => {
      const seats = seatsBy(rule, power, ballot)
      return { rule, power, seats, agrees: given.every((n, k) => n === seats[k]) }
    })
}

/** Returns the seats of a rule for a ballot, in tie order. */
export function seatsBy(rule: RuleComparison['rule'], power: number, ballot: Ballot): number[] {
  const seats = Array.from(ballot.votes, () => 0)
  if (rule === 'hamilton') hamilton(ballot.votes, ballot.eligible, ballot.workers, seats)
  else
    apportion(
      weightsBy(rule, power, ballot),
      ballot.eligible,
      ballot.workers,
      tableOf(rule, ballot.workers, power),
      seats,
    )
  return seats
}

const tables = new Map<string, Divisors>()

/** Divisors, computed once for all decisions of a run. */
function tableOf(rule: DivisorRule, workers: number, power: number): Divisors {
  const key = `${rule} ${power}`
  const kept = tables.get(key)
  if (kept !== undefined && kept.over.length > workers) return kept
  const table = divisorsOf(rule, workers, power)
  tables.set(key, table)
  return table
}

/** Returns the rounds of a policy, in tie order; none without quotients. Quotients of squares are roots. */
export function roundsBy(policy: Policy, ballot: Ballot): Round[] {
  const rule = ruleOf(policy.kind)
  if (rule === null) return []
  const power = powerOf(policy)
  const rounds = roundsOf(
    weightsBy(rule, power, ballot),
    ballot.eligible,
    ballot.workers,
    divisorsOf(rule, ballot.workers, power),
  )
  if (weighedBy(rule) !== 'squares') return rounds
  const unit = unitOf(ballot.votes, ballot.eligible)
  return rounds.map((round) => ({ ...round, quotients: round.quotients.map((square) => Math.sqrt(square) * unit) }))
}

/** Returns by stage how far the seats are from changing, in tie order; none for a policy without votes. */
export function flipsBy(policy: Policy, ballot: Ballot, given: readonly number[]): (Flips | null)[] {
  if (policy.kind === 'hamilton') return hamiltonFlips(ballot, given.slice())
  const rule = ruleOf(policy.kind)
  if (rule === null) return []
  const power = powerOf(policy)
  return flipsOf(ballot, rule, divisorsOf(rule, ballot.workers, power), given.slice(), power)
}

/** They have no quotients, and look at votes. */
const others: readonly PolicyKind[] = ['hamilton', 'switchAware', 'byHand', 'code']

function looksAtVotes(policy: PolicyKind): boolean {
  return others.includes(policy) || (ruleOf(policy) !== null && policy !== 'longestQueue')
}

function weightsBy(rule: DivisorRule, power: number, ballot: Ballot): Float64Array {
  const weights = new Float64Array(ballot.votes.length)
  weightsInto(rule, ballot, power, weights)
  return weights
}

export function powerOf(policy: Policy): number {
  return policy.kind === 'power' ? policy.p : 1
}
