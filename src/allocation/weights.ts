import type { Ballot } from './ballot.ts'
import { powersInto } from './power.ts'
import { type DivisorRule, exponentOf, weighedBy } from './rules.ts'

/** Whether the weights are the votes: then a decision need not write them. */
export function weighsVotes(rule: DivisorRule): boolean {
  return weighedBy(rule) === 'votes'
}

/** Writes the weight of each stage under a rule. `p` is the power of `power`. */
export function weightsInto(rule: DivisorRule, { votes, waiting, eligible }: Ballot, p: number, out: Float64Array): void {
  const exponent = exponentOf(rule, p)
  if (exponent !== null) powersInto(votes, eligible, exponent, out)
  else out.set(weighsVotes(rule) ? votes : waiting)
}
