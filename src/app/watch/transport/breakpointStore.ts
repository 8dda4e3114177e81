import { createStore } from 'zustand/vanilla'
import type { Condition, Hit } from '../../../measures/decisions/breakpoints.ts'
import type { Run } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'

export type ConditionKind = Condition['kind']

/** The most jobs that can wait, and the most moves in a second that a condition can ask for. */
export const MAX_WAITING = 1_000_000
export const MAX_MOVES = 1000

export interface BreakpointState {
  /** One condition of each kind, whether it is on or not. */
  readonly conditions: { readonly [K in ConditionKind]: Extract<Condition, { kind: K }> }
  readonly on: readonly ConditionKind[]
  /** Why the playback stopped last; a hit of null: there is no later stop. */
  readonly stopped: { readonly run: Run; readonly hit: Hit | null } | null
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
  breakpointStore(session).setState(({ conditions }) => ({
    conditions: { ...conditions, [condition.kind]: condition },
    stopped: null,
  }))
}

export function switchCondition(session: Session, kind: ConditionKind, on: boolean): void {
  breakpointStore(session).setState((state) => {
    const others = state.on.filter((other) => other !== kind)
    return { on: on ? [...others, kind] : others, stopped: null }
  })
}
