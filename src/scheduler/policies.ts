import { apportion, type Divisors } from '../allocation/apportion.ts'
import { hamilton } from '../allocation/hamilton.ts'
import { pressureOf } from '../allocation/pressure.ts'
import { type DivisorRule, isDivisorRule } from '../allocation/rules.ts'
import { moveSeatsThatPay } from '../allocation/switchAware.ts'
import { waitingAfter } from '../pipeline/counts.ts'
import { carries } from '../scenario/model/defaults.ts'
import type { Policy, PolicyKind } from '../scenario/model/scenario.ts'
import { jobsForBatches, sizeAt } from './batches.ts'
import { type CarryView, carriedSeats } from './carrying.ts'

/** How a policy shares the workers: by a divisor rule of allocation, by `allocate`, or by code of its own (codePolicy.ts). Seats and ballot are in tie order. */
export interface PolicyRow {
  readonly rule?: DivisorRule
  readonly allocate?: Allocate
  /** A worker without a seat stays idle until the next decision, even where the policy lends. */
  readonly holds?: boolean
  /** Workers go on with the jobs that they carry: see carrying.ts. */
  readonly carries?: boolean
}
type Allocate = (view: PolicyView, seats: Int32Array) => void

export interface PolicyView extends CarryView {
  readonly policy: Policy
  /** Divisors of the policy's rule, or of the least total time. */
  readonly divisors: Divisors
  /** How many decisions the policy took before this one. */
  readonly taken: { readonly decisions: number }
}

/** How the policies without a divisor fill the seats. A policy with neither a divisor nor an entry here does not compile. */
const allocators: Readonly<Record<Exclude<PolicyKind, DivisorRule | 'code'>, Allocate>> = {
  hamilton: ({ ballot }, seats) => hamilton(ballot.votes, ballot.eligible, ballot.workers, seats),
  backpressure,
  sinkFirst,
  switchAware,
  pid: seatPools,
  threshold: seatPools,
  aimd: seatPools,
  adaptive: seatPools,
  predictive: seatPools,
  rayData: seatPools,
  hpa: seatPools,
  seda: seatPools,
  xenna: seatPools,
  flinkAutoscaler: seatPools,
  workStealing: carriedSeats,
  onePerStage: (view, seats) => deal(view, seats, () => 1),
  fixed,
  byHand,
  single,
  perJob: carriedSeats,
}

export function policyRow(kind: PolicyKind): PolicyRow {
  if (kind === 'code') return {}
  return isDivisorRule(kind)
    ? { rule: kind }
    : { allocate: allocators[kind], holds: kind === 'byHand', carries: carries(kind) }
}

/** The greatest sum of seats x pressure (Tassiulas and Ephremides 1992). Next queues press back, copies in full, routes by weight (Dai and Lin 2005). */
function backpressure(view: PolicyView, seats: Int32Array): void {
  const { ballot, stageOf, state } = view
  seats.fill(0)
  for (let left = ballot.workers; left > 0; ) {
    let best = -1
    let greatest = 0
    for (let k = 0; k < stageOf.length; k++) {
      const ahead = waitingAfter(state.topology, state.counts, stageOf[k])
      const pressure = pressureOf(ballot.waiting[k], ahead, ballot.means[k])
      if (seats[k] > 0 || pressure <= greatest || employable(view, k) === 0) continue
      best = k
      greatest = pressure
    }
    if (best < 0) return
    seats[best] = Math.min(left, employable(view, best))
    left -= seats[best]
  }
}

/** Seats for the stages nearest the sink first, as many as each can keep busy: finish jobs before starting more. */
function sinkFirst(view: PolicyView, seats: Int32Array): void {
  const { ballot, stageOf, state } = view
  seats.fill(0)
  let left = ballot.workers
  for (const stage of state.topology.nearest) {
    const k = stageOf.indexOf(stage)
    seats[k] = Math.min(left, employable(view, k))
    left -= seats[k]
  }
}

/** Returns how many workers a stage can keep busy: the busy ones, and one for each batch that may start. */
function employable(view: PolicyView, k: number): number {
  const { ballot, runnable, state, stageOf } = view
  const jobs = jobsForBatches(state, stageOf[k], runnable[k])
  return state.counts.busy[stageOf[k]] + Math.ceil(jobs / sizeAt(view, k, jobs, ballot.workers))
}

/** Those of the least total time, as far as they are worth the cost of changing stage. */
function switchAware({ ballot, divisors, policy, scenario }: PolicyView, seats: Int32Array): void {
  const horizon = policy.kind === 'switchAware' ? policy.horizon : 0
  moveSeatsThatPay(ballot.votes, ballot.eligible, ballot.workers, divisors, horizon, scenario.switchCost, seats)
}

function fixed(view: PolicyView, seats: Int32Array): void {
  const allocation = view.policy.kind === 'fixed' ? view.policy.allocation : {}
  deal(view, seats, (stage) => allocation[view.scenario.stages[stage].id] ?? 0)
}

/** Gives the seats of the player's list; after its end, those of the least total time. */
function byHand(view: PolicyView, seats: Int32Array): void {
  const { ballot, policy, divisors, taken } = view
  const allocation = policy.kind === 'byHand' ? policy.allocations[taken.decisions] : undefined
  if (allocation === undefined) apportion(ballot.votes, ballot.eligible, ballot.workers, divisors, seats)
  else deal(view, seats, (stage) => allocation[stage])
}

/** The seats of a stage are its pool; controllers change it by hiring and dismissing (see resize.ts). */
function seatPools({ stageOf, state, roster }: PolicyView, seats: Int32Array): void {
  for (let k = 0; k < stageOf.length; k++) seats[k] = state.counts.busy[stageOf[k]] + roster.countAt(stageOf[k])
}

/** Gives each stage what it wants, in the order of the pipeline, while there are workers. */
function deal({ ballot, stageOf, state }: PolicyView, seats: Int32Array, wanted: (stage: number) => number): void {
  seats.fill(0)
  let left = ballot.workers
  for (const stage of state.topology.order) {
    const k = stageOf.indexOf(stage)
    if (ballot.eligible[k] === 0) continue
    seats[k] = Math.min(left, wanted(stage))
    left -= seats[k]
  }
}

/** One seat at the runnable stage nearest the sink, so jobs finish before others start. If there are several first stages, all must have started the last job. */
function single({ ballot, stageOf, state, runnable }: PolicyView, seats: Int32Array): void {
  const { nearest, before } = state.topology
  const { busy, finished } = state.counts
  seats.fill(0)
  if (ballot.workers === 0) return
  const at = stageOf.findIndex((stage) => busy[stage] > 0)
  if (at >= 0) {
    seats[at] = 1
    return
  }
  let first = -1
  for (const stage of nearest) {
    const k = stageOf.indexOf(stage)
    if (runnable[k] === 0) continue
    if (before[stage].length > 0) {
      seats[k] = 1
      return
    }
    if (first < 0 || finished[stage] < finished[stageOf[first]]) first = k
  }
  if (first >= 0) seats[first] = 1
}
