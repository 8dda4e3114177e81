import type { Micros } from '../scenario/scenario.ts'

/**
 * Everything a picture of one instant needs, as counts: who is where at time t. Computed from (trace, t) by `frameAt`,
 * so that the slider runs backwards as well as forwards. Stages and workers stand in the scenario's numbering.
 */
export interface Frame {
  readonly time: Micros
  /** Jobs that have arrived, left through the sink, failed for good. */
  readonly arrived: number
  readonly released: number
  readonly failed: number
  /** Jobs that have arrived and wait outside because the first queue is full. */
  readonly outside: number
  /** Jobs that have been served everywhere and wait at the sink for an earlier ticket. */
  readonly parked: number
  readonly stages: readonly StageFrame[]
  readonly workers: readonly WorkerFrame[]
  /** The latest decision at or before t; -1 before the first. */
  readonly decision: number
}

export interface StageFrame {
  readonly waiting: number
  readonly inHands: number
  /** Workers whose post is here, busy or idle. */
  readonly posted: number
  /** Seats the latest decision gave it. */
  readonly seats: number
  readonly finished: number
  /** Nothing can come any more. */
  readonly done: boolean
  /** Mean of the service times measured so far; NaN before the first. */
  readonly meanService: Micros
}

export interface WorkerFrame {
  readonly status: 'absent' | 'idle' | 'busy' | 'lost'
  /** The stage where it works, or worked last; -1 before its first. */
  readonly stage: number
  /** Since when it is in this status. */
  readonly since: Micros
  /** Jobs in its hands. */
  readonly hand: number
  /** The stage it stood at before `stage`, and when it changed: what a picture of a moving worker needs. -1 before its first move. */
  readonly movedFrom: number
  readonly movedAt: Micros
}
