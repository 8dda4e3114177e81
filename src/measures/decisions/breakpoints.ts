import type { Micros } from '../../scenario/model/scenario.ts'
import type { RuleComparison } from './ruleComparison.ts'

/**
 * What playback can be stopped by. Each is a line that is crossed and not a state that lasts: it is met at the instant at
 * whose end it holds though it did not before, so that playing on leads to the next crossing and not to the same state again.
 */
export type Condition =
  /** A stage has no worker any more. Stage null: any. */
  | { readonly kind: 'deserted'; readonly stage: number | null }
  /** More than `above` jobs wait at a stage. */
  | { readonly kind: 'queue'; readonly stage: number | null; readonly above: number }
  /** This rule would give other seats on what the scheduler saw; at the decision before it would not have. */
  | { readonly kind: 'disagree'; readonly rule: RuleComparison['rule']; readonly power: number }
  /** A worker has changed stage `times` times in (t - 1 s, t]. */
  | { readonly kind: 'moves'; readonly times: number }

/** Moves within so long are counted together. */
export const MOVES_WITHIN: Micros = 1_000_000

/** A condition that was met: where, by whom, how far. */
export interface BreakCause {
  readonly condition: Condition
  /** The stage of `deserted` and `queue`, else -1. */
  readonly stage: number
  /** The worker of `moves`, else -1. */
  readonly worker: number
  /** Jobs waiting, seats that would stand elsewhere, moves; 0 for `deserted`. */
  readonly amount: number
}

export interface Hit {
  readonly time: Micros
  /** By condition, then by stage or worker. */
  readonly causes: readonly BreakCause[]
}
