import { bisectLeft, bisectRight } from 'd3-array'
import { exchangeSeats, score } from '../../../allocation/apportion.ts'
import { type Ballot, castVotes, createBallot } from '../../../allocation/ballot.ts'
import { hamilton } from '../../../allocation/hamilton.ts'
import { divisorsOf, weightsInto } from '../../../allocation/rules.ts'
import { powerOf, ruleOf } from '../../../measures/decisions/ruleComparison.ts'
import { appendMark, createMarks, type Marks } from '../../../measures/series/marks.ts'
import { appendStep, createSteps, type Steps } from '../../../measures/series/steps.ts'
import { looksAhead } from '../../../pipeline/outlook.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Micros, Policy, Scenario } from '../../../scenario/model/scenario.ts'
import type { DecisionQuestion, ParsedQuestion } from '../../../scenario/parse/question.ts'
import type { SystemLog } from '../read/log.ts'

/** The points of a log: rows of one time are one point, and point p holds the rows up to ends[p]. */
export interface LogPoints {
  readonly log: SystemLog
  readonly length: number
  readonly time: Float64Array
  readonly ends: Uint32Array
  /** By stage, its rows in order: a search finds the last one before a point. */
  readonly rowsOf: readonly Uint32Array[]
  /** Whether the log has numbers of workers. */
  readonly staffed: boolean
  /** The most workers at one time; 0 where the log does not say. */
  readonly workers: number
}

export function logPointsOf(log: SystemLog): LogPoints {
  const { length, stages, stage, workers } = log
  const counts = stages.map(() => 0)
  let points = 0
  for (let i = 0; i < length; i++) {
    counts[stage[i]]++
    if (i === 0 || log.time[i] !== log.time[i - 1]) points++
  }
  const time = new Float64Array(points)
  const ends = new Uint32Array(points)
  const rowsOf = counts.map((rows) => new Uint32Array(rows))
  const present = stages.map(() => -1)
  counts.fill(0)
  let most = -1
  let sum = 0
  for (let i = 0, p = -1; i < length; i++) {
    if (i === 0 || log.time[i] !== log.time[i - 1]) time[++p] = log.time[i]
    ends[p] = i + 1
    const s = stage[i]
    rowsOf[s][counts[s]++] = i
    sum += Math.max(0, workers[i]) - Math.max(0, present[s])
    present[s] = workers[i]
    if (present[s] >= 0 && most < 0) most = 0
    if ((i + 1 === length || log.time[i + 1] !== log.time[i]) && sum > most && most >= 0) most = sum
  }
  return { log, length: points, time, ends, rowsOf, staffed: most >= 0, workers: Math.max(0, most) }
}

/** Returns the point in force at time t, counted from the log's beginning: the last at or before it, else the first. */
export function logPointAt({ time, length }: LogPoints, t: Micros): number {
  return Math.max(0, bisectRight(time, t, 0, length) - 1)
}

/** Returns the first point at which the most jobs wait in all queues together. */
export function fullestPoint({ log, length, ends }: LogPoints): number {
  const present = log.stages.map(() => 0)
  let [sum, most, fullest] = [0, 0, 0]
  for (let p = 0, i = 0; p < length; p++) {
    for (; i < ends[p]; i++) {
      sum += log.queue[i] - present[log.stage[i]]
      present[log.stage[i]] = log.queue[i]
    }
    if (sum > most) [most, fullest] = [sum, p]
  }
  return fullest
}

/** Returns by stage the row in force at a point, or -1 before its first. */
export function rowsAt({ ends, rowsOf }: LogPoints, p: number): number[] {
  return rowsOf.map((rows) => rows[bisectLeft(rows, ends[p]) - 1] ?? -1)
}

/** Returns the system's seats at a point, by stage; null where the log does not say. */
export function seatsAt(points: LogPoints, p: number): number[] | null {
  if (!points.staffed) return null
  return rowsAt(points, p).map((row) => (row < 0 ? 0 : Math.max(0, points.log.workers[row])))
}

/**
 * Returns a point as a question to the allocator. A stage without a row so far asks for nothing and gets no seat. `scenario` has the policy and the
 * stages, in the order of the log; `workers` are allocated where the log does not say how many there were.
 */
export function questionAt(points: LogPoints, p: number, scenario: Scenario, workers: number): DecisionQuestion {
  const { queue, service } = points.log
  const asked = rowsAt(points, p).map(
    (row): ParsedQuestion => (row < 0 ? { waiting: 0, mean: 1, done: true } : { waiting: queue[row], mean: service[row], done: false }),
  )
  const had = seatsAt(points, p)
  return { scenario: { ...scenario, workers: had === null ? workers : had.reduce((sum, seats) => sum + seats, 0) }, asked }
}

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
    share(ballot, given)
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
    // Where nothing waits, the rule has no reason to prefer any seats.
    if (ballot.votes.every((votes) => votes === 0)) apart = 0
    if (staffed) elsewhere += apart
    if (staffed ? apart > 0 : p === 0 || gained + lost > 0) appendMark(differing, time[p])
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
  if (policy.kind === 'hamilton') return ({ votes, eligible, workers }, seats) => hamilton(votes, eligible, workers, seats)
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
