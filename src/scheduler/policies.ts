import type { Ballot } from '../allocation/ballot.ts'
import { exhaustive } from '../allocation/exhaustive.ts'
import type { DivisorRule } from '../allocation/rules.ts'
import type { State } from '../pipeline/state.ts'
import type { Policy, PolicyKind, Scenario } from '../scenario/scenario.ts'

/**
 * A policy is a row. Either a divisor rule of allocation shares the seats by quotients, or `allocate` fills them in by
 * its own lights. Seats and ballot stand in tie order; `stageOf[k]` is the stage at place k.
 */
export interface PolicyRow {
  /** What people read. */
  readonly name: string
  readonly rule?: DivisorRule
  readonly allocate?: (view: PolicyView, seats: Int32Array) => void
}

/** All that a policy may know. */
export interface PolicyView {
  readonly scenario: Scenario
  readonly policy: Policy
  readonly state: State
  readonly ballot: Ballot
  readonly stageOf: Int16Array
  /** Jobs that may be started now, in tie order. */
  readonly runnable: Int32Array
}

export const policies: Readonly<Record<PolicyKind, PolicyRow>> = {
  leastScore: { name: 'Least total time', rule: 'leastScore' },
  exhaustive: { name: 'Least total time, by trying all', allocate: tryAll },
  jefferson: { name: 'Jefferson', rule: 'jefferson' },
  webster: { name: 'Webster', rule: 'webster' },
  onePerStage: { name: 'One per stage', allocate: onePerStage },
  fixed: { name: 'Fixed', allocate: fixed },
  single: { name: 'One worker does it all', allocate: single },
}

function tryAll({ ballot }: PolicyView, seats: Int32Array): void {
  exhaustive(ballot.votes, ballot.eligible, ballot.workers, seats)
}

function onePerStage({ ballot, stageOf, state }: PolicyView, seats: Int32Array): void {
  const { order } = state.topology
  deal(ballot, seats, stageOf, order, () => 1)
}

function fixed({ ballot, stageOf, state, scenario, policy }: PolicyView, seats: Int32Array): void {
  const allocation = policy.kind === 'fixed' ? policy.allocation : {}
  deal(ballot, seats, stageOf, state.topology.order, (stage) => allocation[scenario.stages[stage].id] ?? 0)
}

/** Gives each stage what it wants, in the order of the pipeline, as far as there are live workers. */
function deal(ballot: Ballot, seats: Int32Array, stageOf: Int16Array, order: Int16Array, wanted: (stage: number) => number): void {
  seats.fill(0)
  let left = ballot.workers
  for (const stage of order) {
    const k = stageOf.indexOf(stage)
    if (ballot.eligible[k] === 0) continue
    seats[k] = Math.min(left, wanted(stage))
    left -= seats[k]
  }
}

/** One seat, at the stage nearest to the sink: so one worker runs each job to its end before it begins another. */
function single({ ballot, stageOf, state, runnable }: PolicyView, seats: Int32Array): void {
  const { order } = state.topology
  seats.fill(0)
  if (ballot.workers === 0) return
  const busy = stageOf.findIndex((stage) => state.tally.busy[stage] > 0)
  if (busy >= 0) {
    seats[busy] = 1
    return
  }
  for (let i = order.length - 1; i >= 0; i--) {
    const k = stageOf.indexOf(order[i])
    if (runnable[k] === 0) continue
    seats[k] = 1
    return
  }
}
