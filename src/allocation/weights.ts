import type { Ballot } from './ballot.ts'
import { powersInto } from './power.ts'
import type { DivisorRule } from './rules.ts'

type Weigh = (ballot: Ballot, p: number, out: Float64Array) => void

/** What a stage's divisor divides, for the rules that do not take the votes as they are. */
const weights: Readonly<Partial<Record<DivisorRule, Weigh>>> = {
  power: ({ votes, eligible }, p, out) => powersInto(votes, eligible, p, out),
  longestQueue: ({ waiting }, _, out) => out.set(waiting),
}

/** Whether the votes are the weights: then a decision need not write any. */
export function weighsVotes(rule: DivisorRule): boolean {
  return weights[rule] === undefined
}

/** Writes what each stage stands for seats with under a rule, from what the scheduler saw. `p` is the power of `power`. */
export function weightsInto(rule: DivisorRule, ballot: Ballot, p: number, out: Float64Array): void {
  const weigh = weights[rule]
  if (weigh === undefined) out.set(ballot.votes)
  else weigh(ballot, p, out)
}
