import { isDivisorRule } from '../../allocation/rules.ts'
import type { PolicyKind } from '../../scenario/model/scenario.ts'
import type { StageBallot } from './decision.ts'

/** What a decision changed in the target of a stage: how many workers it should have. */
export interface TargetChange {
  readonly stage: number
  readonly from: number
  readonly to: number
}

/** Why targets changed, as far as the record knows. */
export type TargetReason =
  /** Every stage that lost workers is done. */
  | { readonly kind: 'done'; readonly stages: readonly number[] }
  /** Only this stage has waiting jobs. */
  | { readonly kind: 'onlyWork'; readonly stage: number }
  /** The last worker of `stage` has the higher quotient, or an equal one and the lower id, than one more at `other`. */
  | { readonly kind: 'quotient'; readonly stage: number; readonly other: number }
  /** What the policy always does. */
  | { readonly kind: 'policy' }

/** Returns the targets that changed: first those that grew. */
export function targetChanges(stages: readonly Pick<StageBallot, 'seatsBefore' | 'seatsAfter'>[]): TargetChange[] {
  const changes = stages.flatMap(({ seatsBefore: from, seatsAfter: to }, stage) => (from === to ? [] : [{ stage, from, to }]))
  return [...changes.filter(({ from, to }) => to > from), ...changes.filter(({ from, to }) => to < from)]
}

/** Returns why these targets changed. */
export function targetReason(policy: PolicyKind, stages: readonly Pick<StageBallot, 'waiting' | 'done'>[], changes: readonly TargetChange[]): TargetReason {
  if (!weighsWork(policy)) return { kind: 'policy' }
  const gainers = changes.filter(({ from, to }) => to > from)
  const losers = changes.filter(({ from, to }) => to < from)
  if (losers.length > 0 && losers.every(({ stage }) => stages[stage].done)) return { kind: 'done', stages: losers.map(({ stage }) => stage) }
  if (gainers.length !== 1) return { kind: 'policy' }
  const [{ stage }] = gainers
  if (policy !== 'preallocate' && stages.every(({ waiting }, s) => waiting > 0 === (s === stage))) return { kind: 'onlyWork', stage }
  if (isDivisorRule(policy) && losers.length === 1) return { kind: 'quotient', stage, other: losers[0].stage }
  return { kind: 'policy' }
}

/** Whether a policy gives workers by the work or the jobs that wait. */
function weighsWork(policy: PolicyKind): boolean {
  return isDivisorRule(policy) || policy === 'hamilton' || policy === 'exhaustive' || policy === 'switchAware'
}
