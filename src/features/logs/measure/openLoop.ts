import { exchangeSeats, score } from '../../../allocation/apportion.ts'
import { type Ballot, castVotes, createBallot } from '../../../allocation/ballot.ts'
import { hamilton } from '../../../allocation/hamilton.ts'
import { divisorsOf, weightsInto } from '../../../allocation/rules.ts'
import { isolated, t } from '../../../language/translate.ts'
import { type Decision, weighSeats } from '../../../measures/decisions/decision.ts'
import { powerOf, ruleOf, seatsBy } from '../../../measures/decisions/ruleComparison.ts'
import { createSpeech, enumerated, plain, type SentencePart, tParts } from '../../../measures/decisions/speech.ts'
import { appendMark, createMarks, type Marks } from '../../../measures/series/marks.ts'
import { appendStep, createSteps, type Steps } from '../../../measures/series/steps.ts'
import { looksAhead } from '../../../pipeline/outlook.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Policy, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { type DecisionQuestion, parseQuestion, QUESTION_VERSION } from '../../../scenario/parse/part.ts'
import type { OtherDecision } from '../read/decisions.ts'
import { type LogPoints, questionAt, seatsAt } from './logPoints.ts'

/** The decisions of a rule at every point of a log. Open loop: under the rule later queues would differ. */
export interface OpenLoop {
  /** By stage, over time: the seats that the rule would have given. */
  readonly seats: readonly Steps[]
  /** Where the rule differs from the system while jobs wait; of a log without workers, from what it gave before. */
  readonly differing: Marks
  /** Over the points at which jobs wait: seats that the rule would have placed elsewhere. */
  readonly elsewhere: number
  /** Seats that changed from one point to the next: the system's, and the rule's. */
  readonly moves: { readonly had: number; readonly given: number }
  /** The mean over all points of the sum of votes / (seats + 1), in microseconds. */
  readonly score: { readonly had: number; readonly given: number }
}

/**
 * Asks a rule about every point of a log, with as many workers as the system had, or `workers` where the log does not say. Exchanging seats from point
 * to point gives the same as allocating afresh. Throws RangeError for a policy that needs more than votes.
 */
export function openLoopOf(points: LogPoints, policy: Policy, workers: number): OpenLoop {
  const { log, length, time, ends, staffed } = points
  const stages = log.stages.length
  const share = sharer(policy, stages)
  const ballot = createBallot(stages)
  ballot.workers = staffed ? 0 : workers
  const had = new Int32Array(stages)
  const given = new Int32Array(stages)
  const before = new Int32Array(stages)
  const seats = Array.from({ length: stages }, () => createSteps())
  const differing = createMarks()
  const moves = { had: 0, given: 0 }
  const sum = { had: 0, given: 0 }
  let elsewhere = 0
  for (let p = 0, i = 0; p < length; p++) {
    let [arrived, left] = [0, 0]
    for (; i < ends[p]; i++) {
      const s = log.stage[i]
      castVotes(ballot, s, log.queue[i], log.service[i], false)
      const now = Math.max(0, log.workers[i])
      arrived += Math.max(0, now - had[s])
      left += Math.max(0, had[s] - now)
      if (staffed) ballot.workers += now - had[s]
      had[s] = now
    }
    // Where nothing waits, the rule has no reason to prefer any seats: they stay.
    const waits = ballot.votes.some((votes) => votes > 0)
    if (waits) share(ballot, given)
    let [apart, gained, lost] = [0, 0, 0]
    for (let s = 0; s < stages; s++) {
      apart += Math.max(0, given[s] - had[s])
      gained += Math.max(0, given[s] - before[s])
      lost += Math.max(0, before[s] - given[s])
      if (given[s] !== before[s] || p === 0) appendStep(seats[s], time[p], given[s])
      before[s] = given[s]
    }
    // At the first point there is no earlier allocation.
    moves.had += Math.min(arrived, left)
    moves.given += Math.min(gained, lost)
    if (staffed && waits) elsewhere += apart
    if (staffed ? waits && apart > 0 : p === 0 || gained + lost > 0) appendMark(differing, time[p])
    sum.had += score(ballot.votes, had)
    sum.given += score(ballot.votes, given)
  }
  return { seats, differing, elsewhere, moves, score: { had: sum.had / length, given: sum.given / length } }
}

/** Returns the seats that the system had over time, by stage; none where the log does not say. */
export function seatsHad({ log, rowsOf, staffed }: LogPoints): Steps[] {
  return staffed ? rowsOf.map((rows) => stepsOf(log.time, rows, (row) => Math.max(0, log.workers[row]))) : []
}

/** Returns the queues over time, by stage. */
export function queuesOf({ log, rowsOf }: LogPoints): Steps[] {
  return rowsOf.map((rows) => stepsOf(log.time, rows, (row) => log.queue[row]))
}

function stepsOf(time: Float64Array, rows: Uint32Array, value: (row: number) => number): Steps {
  const steps = createSteps()
  for (const row of rows) appendStep(steps, time[row], value(row))
  return steps
}

/** Writes into `seats` what a rule decides for a ballot. `seats` holds its last answer. */
function sharer(policy: Policy, stages: number): (ballot: Ballot, seats: Int32Array) => void {
  if (policy.kind === 'hamilton')
    return ({ votes, eligible, workers }, seats) => hamilton(votes, eligible, workers, seats)
  const rule = ruleOf(policy.kind)
  if (rule === null || looksAhead(policy)) throw new RangeError(`${policy.kind} looks at more than votes`)
  const power = powerOf(policy)
  const divisors = divisorsOf(rule, MAX_WORKERS, power)
  const weights = new Float64Array(stages)
  return (ballot, seats) => {
    weightsInto(rule, ballot, power, weights)
    exchangeSeats(weights, ballot.eligible, ballot.workers, divisors, seats)
  }
}

/**
 * Returns what the rule of a question decides, as a decision without a run. `had`: the seats before, by stage, where they are known. Throws RangeError
 * for a policy that needs more than votes.
 */
export function answerTo({ scenario, asked }: DecisionQuestion, had: readonly number[] | null = null): Decision {
  const { policy, workers } = scenario
  // A question lists its stages in the order of ties.
  const stageOf = asked.map((_, s) => s)
  const ballot = createBallot(asked.length)
  ballot.workers = workers
  asked.forEach(({ waiting, mean, done }, s) => {
    castVotes(ballot, s, waiting, mean, done)
  })
  const rule = policy.kind === 'hamilton' ? policy.kind : ruleOf(policy.kind)
  if (rule === null) throw new RangeError(`${policy.kind} looks at more than votes`)
  const seats = seatsBy(rule, powerOf(policy), ballot)
  const before = had ?? seats
  return {
    ...{ index: 0, time: 0, row: 0, phase: 0 },
    policy: policy.kind,
    workers,
    stages: asked.map(({ waiting, mean, done }, s) => ({
      waiting,
      mean,
      ...{ measured: 1, coming: 0, age: 0, urgency: 1, busy: 0 },
      work: waiting * mean,
      votes: waiting * mean,
      done,
      seatsBefore: before[s],
      seatsAfter: seats[s],
    })),
    verified: true,
    ...weighSeats(policy, ballot, before, seats, stageOf),
    ...{ pressures: null, facts: [], orders: [], free: [] },
  }
}

/** A policy that the allocator is asked about, with the p of the policy `power`. */
export type Rule = { readonly policy: PolicyKind; readonly power: number }

/** The policy that is asked first. */
export const firstRule: Rule = { policy: 'leastScore', power: 2 }

/** Returns a question about the stages of a log under a rule, or the problems with it. */
export function questionOver(stages: readonly string[], { policy, power }: Rule, workers: number) {
  return parseQuestion({
    version: QUESTION_VERSION,
    workers,
    policy: policy === 'power' ? { kind: policy, p: power } : { kind: policy },
    stages: stages.map((name) => ({ name, waiting: 0, mean: 1 })),
  })
}

/** Returns what the policy of a scenario, whose stages are those of a log, decides at a point, and the seats that the system had. */
export function answerAt(points: LogPoints, point: number, scenario: Scenario) {
  const question = questionAt(points, point, scenario, scenario.workers)
  const had = seatsAt(points, point)
  return { question, had, decision: answerTo(question, had) }
}

/** Returns the answer as a sentence: "A gets 5 of 8 seats, B, C and D 1 each." */
export function answerSentence({ scenario }: DecisionQuestion, { stages, workers }: Decision): SentencePart[] {
  const speech = createSpeech(scenario)
  const given = stages.flatMap(({ seatsAfter }, s) => (seatsAfter > 0 ? [{ s, seatsAfter }] : []))
  if (given.length === 0) return [plain(t('No stage gets a seat.'))]
  const amounts = [...new Set(given.map(({ seatsAfter }) => seatsAfter))].sort((a, b) => b - a)
  const clauses = amounts.map((amount, i) => {
    const alike = given.filter(({ seatsAfter }) => seatsAfter === amount)
    const names = alike.map(({ s }) => [speech.stage(s)])
    const who = enumerated(names, Infinity)
    const values = { amount, n: alike.length, workers }
    return i === 0
      ? tParts(
          '{n, plural, one {<who></who> gets {amount} of {workers, plural, one {# seat} other {# seats}}} other {<who></who> get {amount} of {workers, plural, one {# seat} other {# seats}} each}}',
          { who },
          values,
        )
      : tParts('{n, plural, one {<who></who> {amount}} other {<who></who> {amount} each}}', { who }, values)
  })
  return [...enumerated(clauses, Infinity), plain('.')]
}

/** Returns the seats by stage: "Parse 4, Write 2." */
export function seatsSentence(
  { stages }: Pick<DecisionQuestion['scenario'], 'stages'>,
  seats: readonly number[],
): SentencePart[] {
  return seats.flatMap((n, s): SentencePart[] => [
    { text: isolated(stages[s].name), stage: s },
    { text: ` ${n}${s === seats.length - 1 ? '.' : ', '}` },
  ])
}

/** Returns a decision of another scheduler as a sentence: "Parse from 2 to 4: queue above 10". */
export function decisionSentence(
  { stages }: Pick<DecisionQuestion['scenario'], 'stages'>,
  { stage, from, to, reason }: OtherDecision,
): SentencePart[] {
  const who = [{ text: isolated(stages[stage].name), stage }]
  const change =
    from === null
      ? tParts('<who></who> to {to}', { who }, { to })
      : tParts('<who></who> from {from} to {to}', { who }, { from, to })
  return [...change, plain(reason === '' ? '' : `: ${isolated(reason)}`)]
}
