import { createStore } from 'zustand/vanilla'
import type { Condition, Hit } from '../../../measures/decisions/breakpoints.ts'
import type { Run } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'

export type ConditionKind = Condition['kind']

/** No more jobs than that can wait; so many moves in a second are kept for every worker. */
export const MOST_JOBS = 1_000_000
export const MOST_MOVES = 1000

export interface BreakpointState {
  /** What each sort of condition asks for, whether it is on or not. */
  readonly conditions: { readonly [K in ConditionKind]: Extract<Condition, { kind: K }> }
  readonly on: readonly ConditionKind[]
  /** What the last break was for; `null` hit: looked for, and there is none. */
  readonly stopped: { readonly run: Run; readonly hit: Hit | null } | null
  /** The next break is being looked for. */
  readonly searching: boolean
}

export const breakpointStore = part(() =>
  createStore<BreakpointState>(() => ({
    conditions: {
      deserted: { kind: 'deserted', stage: null },
      queue: { kind: 'queue', stage: null, above: 20 },
      disagree: { kind: 'disagree', rule: 'jefferson', power: 1 },
      moves: { kind: 'moves', times: 5 },
    },
    on: [],
    stopped: null,
    searching: false,
  })),
)

export function changeCondition(session: Session, condition: Condition): void {
  const { conditions } = breakpointStore(session).getState()
  breakpointStore(session).setState({ conditions: { ...conditions, [condition.kind]: condition }, stopped: null })
}

export function switchCondition(session: Session, kind: ConditionKind, on: boolean): void {
  const others = breakpointStore(session)
    .getState()
    .on.filter((each) => each !== kind)
  breakpointStore(session).setState({ on: on ? [...others, kind] : others, stopped: null })
}
