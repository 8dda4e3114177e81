import type { Micros } from '../../scenario/model/scenario.ts'
import type { RuleComparison } from './ruleComparison.ts'

/**
 * What stops playback. A condition is met at an instant if it holds at its end and did not before, so that playing on leads to
 * the next time and not to the same state.
 */
export type Condition =
  /** A stage has no worker any more. Stage null: any. */
  | { readonly kind: 'deserted'; readonly stage: number | null }
  /** More than `above` jobs wait at a stage. */
  | { readonly kind: 'queue'; readonly stage: number | null; readonly above: number }
  /** This rule would give other seats than the decision. At the decision before it would not have. */
  | { readonly kind: 'disagree'; readonly rule: RuleComparison['rule']; readonly power: number }
  /** A worker has changed stage `times` times in (t - 1 s, t]. */
  | { readonly kind: 'moves'; readonly times: number }

/** Moves within so long are counted together. */
export const MOVES_WITHIN: Micros = 1_000_000

/** A condition that was met: where, by which worker, how far. */
export interface BreakCause {
  readonly condition: Condition
  /** The stage of `deserted` and `queue`, else -1. */
  readonly stage: number
  /** The worker of `moves`, else -1. */
  readonly worker: number
  /** Jobs waiting, seats that would move, moves; 0 for `deserted`. */
  readonly amount: number
}

export interface Hit {
  readonly time: Micros
  /** By condition, then by stage or worker. */
  readonly causes: readonly BreakCause[]
}
