import { type Eligible, score } from '../../allocation/apportion.ts'
import { type Ballot, castForeseen, castVotes, createBallot, hashBallot, workAt } from '../../allocation/ballot.ts'
import type { Flip, Flips } from '../../allocation/flip.ts'
import { quotasOf } from '../../allocation/hamilton.ts'
import { pressureOf } from '../../allocation/pressure.ts'
import type { Round } from '../../allocation/rounds.ts'
import type { DivisorRule } from '../../allocation/rules.ts'
import { type Counts, markDone, waitingAfter } from '../../pipeline/counts.ts'
import { applySeats } from '../../pipeline/journal.ts'
import { createOutlook, lookAhead, looksAhead } from '../../pipeline/outlook.ts'
import { tieOrder } from '../../scenario/model/linearStages.ts'
import type { Micros, Policy, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../scenario/model/schedule.ts'
import type { GonePolicyKind } from '../../scenario/parse/gone.ts'
import { decisionTime } from '../../trace/follow.ts'
import { type FoldedState, stateBefore, type Trace } from '../../trace/trace.ts'
import { type Readiness, readinessBy } from '../frame/startUps.ts'
import { type Assignment, assignmentsOf, type Fact, factsOf, freeAfter } from './decisionContext.ts'
import { arrivalsBefore, type EstimateHistory, estimatesBefore } from './estimateHistory.ts'
import { flipsBy, otherRules, type RuleComparison, roundsBy, ruleOf } from './ruleComparison.ts'

/** Everything about one decision. Stages and workers have the scenario's numbers. */
export interface Decision {
  readonly index: number
  readonly time: Micros
  /** The row that follows it. */
  readonly row: number
  readonly policy: PolicyKind
  /** The policy of an old record that this version no longer has; `policy` replaces it. */
  readonly former?: GonePolicyKind | undefined
  /** The phase of the scenario: see `scenarioAtPhase`. */
  readonly phase: number
  /** Workers alive: the seats to give. */
  readonly workers: number
  /** The input of the scheduler, by stage. */
  readonly stages: readonly StageBallot[]
  /** Whether the votes shown are the scheduler's, by the decision's hash. */
  readonly verified: boolean
  /** The rule that gave the seats round by round; null: no rounds. */
  readonly rule: DivisorRule | null
  readonly rounds: readonly Round[]
  /** Under `hamilton`, by stage: its quota; NaN for a stage that is done. Else null. */
  readonly quotas: readonly number[] | null
  /** Under `backpressure`, by stage: its pressure in jobs per microsecond; NaN for a stage that is done. Else null. */
  readonly pressures: readonly number[] | null
  /** The expected time in microseconds: sum of work / (seats + 1), with the seats before and after. */
  readonly scoreBefore: Micros
  readonly scoreAfter: Micros
  /** The best move of one seat, or the least bad; null where no seat could move. */
  readonly alternative: SeatMove | null
  /** How far each stage is from one seat less or more; null for a stage that is done, empty without rounds. */
  readonly flips: readonly (Flips | null)[]
  /** The seats of other rules for the same votes; none for a policy without votes. */
  readonly others: readonly RuleComparison[]
  readonly facts: readonly Fact[]
  readonly orders: readonly Assignment[]
  readonly free: readonly number[]
  /** By stage; null where no stage needs a start-up. */
  readonly readiness?: readonly Readiness[] | null
}

export interface StageBallot {
  readonly waiting: number
  /** The estimated service time (the prior without measurements), and how many there are. */
  readonly mean: Micros
  readonly measured: number
  /** Jobs on their way here, as far as the policy counts them. */
  readonly coming: number
  /** Age of the oldest waiting job, if the policy asks for it; else 0. */
  readonly age: Micros
  /** The factor of its work for its age; 1 under most policies. */
  readonly urgency: number
  /** (waiting + coming) x mean, and this x urgency. */
  readonly work: Micros
  readonly votes: Micros
  readonly done: boolean
  /** Workers busy here before the orders of this decision. */
  readonly busy: number
  readonly seatsBefore: number
  readonly seatsAfter: number
}

export type SeatMove = {
  readonly from: number
  readonly to: number
  readonly scoreBefore: Micros
  readonly scoreAfter: Micros
}

/** Returns decision `d`, in a few milliseconds. Throws RangeError if there is none. */
export function decisionAt(trace: Trace, estimateHistory: EstimateHistory, d: number): Decision {
  const { scenario, decisions } = trace
  if (!(d >= 0 && d < decisions.length)) throw new RangeError(`decision ${d} of ${decisions.length}`)
  const row = decisions.row[d]
  const time = decisionTime(trace, d)
  const before = stateBefore(trace, row)
  const stageOf = tieOrder(scenario)
  const ballot = ballotOf(trace, before, estimatesBefore(estimateHistory, row, before.counts), stageOf)
  const outlook = createOutlook(trace.topology)
  const seatsAfter = before.seats.slice()
  applySeats(decisions, d, seatsAfter)
  const { phase } = before.counts
  const policy = policyOf(scenario, phase, d)
  if (looksAhead(policy)) {
    lookAhead(policy, trace.topology, before.counts, arrivalsBefore(estimateHistory, row), outlook)
    castForeseen(ballot, stageOf, outlook, 0)
  }
  const facts = factsOf(trace, d, time)
  return {
    index: d,
    time,
    row,
    policy: policy.kind,
    former: trace.formerPolicies[phase]?.kind,
    phase,
    workers: ballot.workers,
    stages: listed(stageOf, (k, stage) => ({
      waiting: ballot.waiting[k],
      mean: ballot.means[k],
      measured: before.counts.finished[stage],
      coming: ballot.coming[k],
      age: outlook.ages[stage],
      urgency: ballot.urgency[k],
      work: workAt(ballot, k),
      votes: ballot.votes[k],
      done: ballot.eligible[k] === 0,
      busy: before.counts.busy[stage],
      seatsBefore: before.seats[stage],
      seatsAfter: seatsAfter[stage],
    })),
    verified: hashBallot(ballot) === decisions.hash[d],
    ...weighSeats(policy, ballot, before.seats, seatsAfter, stageOf),
    pressures: policy.kind === 'backpressure' ? pressuresOf(trace, ballot, before.counts, stageOf) : null,
    facts,
    orders: assignmentsOf(trace, d, time, before.counts),
    free: freeAfter(facts, before.counts),
    readiness: readinessBy(trace, before.counts, time),
  }
}

/** Returns the outlook of the policy of a decision, by stage. */
export function foreseenIn({ stages }: Pick<Decision, 'stages'>): Pick<Ballot, 'coming' | 'urgency'> {
  return {
    coming: Float64Array.from(stages, ({ coming }) => coming),
    urgency: Float64Array.from(stages, ({ urgency }) => urgency),
  }
}

/** Returns the policy that took a decision: the default after the last allocation given by hand. */
export function policyOf(scenario: Scenario, phase: number, d: number): Policy {
  const { policy } = scenarioAtPhase(scenario, phase)
  const usedUp = policy.kind === 'byHand' && policy === scenario.policy && d >= policy.allocations.length
  return usedUp ? { kind: 'leastScore', lend: policy.lend } : policy
}

type Weighed = Pick<
  Decision,
  'rule' | 'rounds' | 'quotas' | 'scoreBefore' | 'scoreAfter' | 'alternative' | 'flips' | 'others'
>

/** Returns what follows from votes and seats, without a run. The ballot is in tie order. */
export function weighSeats(
  policy: Policy,
  ballot: Ballot,
  before: ArrayLike<number>,
  after: ArrayLike<number>,
  stageOf: readonly number[],
): Weighed {
  const seatsBefore = stageOf.map((stage) => before[stage])
  const seatsAfter = stageOf.map((stage) => after[stage])
  const flips = flipsBy(policy, ballot, seatsAfter)
  const work = Array.from(ballot.votes, (_, k) => workAt(ballot, k))
  return {
    rule: ruleOf(policy.kind),
    rounds: roundsBy(policy, ballot).map((round) => inListing(round, stageOf)),
    quotas:
      policy.kind === 'hamilton' ? inOrder(quotasOf(ballot.votes, ballot.eligible, ballot.workers), stageOf) : null,
    scoreBefore: score(work, seatsBefore),
    scoreAfter: score(work, seatsAfter),
    alternative: bestMove(work, ballot.eligible, seatsAfter, stageOf),
    flips: flips.length === 0 ? [] : listed(stageOf, (k) => withStages(flips[k], stageOf)),
    others: otherRules(policy, ballot, seatsAfter).map((comparison) => ({
      ...comparison,
      seats: inOrder(comparison.seats, stageOf),
    })),
  }
}

/** Returns values in tie order as a list by stage number. */
function listed<T>(stageOf: readonly number[], at: (k: number, stage: number) => T): T[] {
  const out: T[] = []
  stageOf.forEach((stage, k) => {
    out[stage] = at(k, stage)
  })
  return out
}

function inOrder(values: ArrayLike<number>, stageOf: readonly number[]): number[] {
  return listed(stageOf, (k) => values[k])
}

/** Returns the input of the scheduler in this state, in tie order. */
export function ballotOf(
  trace: Trace,
  { counts }: Pick<FoldedState, 'counts'>,
  means: Float64Array,
  stageOf: readonly number[],
): Ballot {
  const ballot = createBallot(stageOf.length)
  const done = new Uint8Array(stageOf.length)
  markDone(trace.topology, counts, done)
  ballot.workers = counts.live
  stageOf.forEach((stage, k) => {
    castVotes(ballot, k, counts.waiting[stage], means[stage], done[stage] === 1)
  })
  return ballot
}

function pressuresOf(
  { topology }: Trace,
  { means, eligible }: Ballot,
  counts: Counts,
  stageOf: readonly number[],
): number[] {
  return listed(stageOf, (k, stage) =>
    eligible[k] === 0 ? Number.NaN : pressureOf(counts.waiting[stage], waitingAfter(topology, counts, stage), means[k]),
  )
}

function inListing({ quotients, winner, tied, runnerUp }: Round, stageOf: readonly number[]): Round {
  const stages = (places: readonly number[]) => places.map((k) => stageOf[k]).sort((a, b) => a - b)
  return {
    quotients: inOrder(quotients, stageOf),
    winner: stageOf[winner],
    tied: stages(tied),
    runnerUp: runnerUp < 0 ? runnerUp : stageOf[runnerUp],
  }
}

function withStages(flips: Flips | null, stageOf: readonly number[]): Flips | null {
  const stages = (flip: Flip | null) => flip && { ...flip, rival: stageOf[flip.rival] }
  return flips && { loss: stages(flips.loss), gain: stages(flips.gain) }
}

/** Taking a seat from n adds work / (n (n + 1)); giving one to m saves work / ((m + 1) (m + 2)). */
function bestMove(
  work: readonly number[],
  eligible: Eligible,
  seats: readonly number[],
  stageOf: readonly number[],
): SeatMove | null {
  let best: { from: number; to: number; change: number } | null = null
  for (let from = 0; from < seats.length; from++) {
    if (seats[from] === 0) continue
    const loss = work[from] / (seats[from] * (seats[from] + 1))
    for (let to = 0; to < seats.length; to++) {
      if (to === from || eligible[to] === 0) continue
      const change = loss - work[to] / ((seats[to] + 1) * (seats[to] + 2))
      if (best === null || change < best.change) best = { from, to, change }
    }
  }
  if (best === null) return null
  const { from, to } = best
  const moved = seats.map((n, k) => (k === from ? n - 1 : k === to ? n + 1 : n))
  return {
    from: stageOf[from],
    to: stageOf[to],
    scoreBefore: score(work, seats.slice()),
    scoreAfter: score(work, moved),
  }
}
