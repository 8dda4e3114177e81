import { exchangeSeats } from '../../allocation/apportion.ts'
import { type Ballot, castAllVotes, createBallot } from '../../allocation/ballot.ts'
import { createEstimates, type Estimates, estimatesOf, observe } from '../../allocation/estimate.ts'
import { type DivisorRule, divisorsOf, isDivisorRule, weighsVotes, weightsInto } from '../../allocation/rules.ts'
import { createQueue, type JobQueue } from '../../pipeline/discipline.ts'
import { createJournal, type Ending, pushChangedSeats, pushDecision } from '../../pipeline/journal.ts'
import { ARRIVED, EXHAUSTED, NONE, pushFinished, pushRow, RELEASED, STARTED, STOPPED } from '../../pipeline/rows.ts'
import { topologyOf } from '../../pipeline/topology.ts'
import { declaredMeans } from '../../scenario/model/distributions.ts'
import { CLOCK_END } from '../../scenario/model/limits.ts'
import { tieOrder } from '../../scenario/model/linearStages.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import {
  type AssignmentInputs,
  type Assignments,
  choosePlaces,
  createAssignments,
  matchWorkers,
  mostWanted,
} from '../../scheduler/assignments.ts'
import { unmeasured } from '../../scheduler/batches.ts'
import { Roster } from '../../scheduler/roster.ts'
import { type Arrivals, createArrivals } from '../../workload/arrivals.ts'
import { createServices, type Services } from '../../workload/service.ts'
import type { Listener } from '../engine.ts'
import { Calendar } from './calendar.ts'
import { clockEnded, type RunUnderWay } from './simulatedRun.ts'

/** Plays a plain scenario as `dispatch` would, but faster. Places are in tie order; waiting jobs and busy workers are counted on the ballot and in `assignments`. */
export class PlainRun implements RunUnderWay {
  readonly journal = createJournal()
  private readonly listener: Listener
  private readonly services: Services
  private readonly arrivals: Arrivals
  private readonly rule: DivisorRule
  private readonly power: number
  private readonly votesWeigh: boolean
  private readonly estimates: Estimates
  private readonly scratch: Float64Array
  private readonly ballot: Ballot
  private readonly assignments: Assignments
  private readonly table: AssignmentInputs
  /** The seats that the journal knows. */
  private readonly previous: Int32Array
  /** By place: its stage, its queue, and the place that follows; NONE before the sink. */
  private readonly stageOf: Int16Array
  private readonly queues: readonly JobQueue[]
  private readonly next: Int16Array
  /** All places in the order of the line, and how many of them are done. */
  private readonly line: Int16Array
  private done = 0
  /** By worker: its place and job, and when the work on it began. */
  private readonly place: Int16Array
  private readonly job: Int32Array
  private readonly began: Float64Array
  private readonly roster: Roster
  private readonly calendar: Calendar
  private readonly due: Int32Array
  /** The workers that finished at this instant and the jobs that leave, and how many of each. */
  private readonly freed: Int32Array
  private freedCount = 0
  private readonly leaving: Int32Array
  private leavingCount = 0
  private now = 0
  private nextArrival: number
  private arrived = 0
  private released = 0
  private waiting = 0
  private exhausted = false

  constructor(scenario: Scenario, listener: Listener) {
    const { policy, estimator, stages, workers } = scenario
    if (!isDivisorRule(policy.kind)) throw new RangeError(`a plain scenario has a divisor rule, not ${policy.kind}`)
    const stageOf = Int16Array.from(tieOrder(scenario))
    this.listener = listener
    this.services = createServices(scenario)
    this.arrivals = createArrivals(scenario)
    this.rule = policy.kind
    this.power = policy.kind === 'power' ? policy.p : 1
    this.votesWeigh = weighsVotes(policy.kind)
    this.estimates = createEstimates(estimator, estimator.prior, declaredMeans(scenario))
    this.scratch = new Float64Array(stages.length)
    this.ballot = createBallot(stages.length)
    this.ballot.workers = workers
    this.ballot.eligible.fill(1)
    this.assignments = createAssignments(stages.length, workers, this.ballot.waiting)
    this.assignments.idle = workers
    this.previous = new Int32Array(stages.length)
    this.stageOf = stageOf
    this.queues = stages.map(() => createQueue('fifo', () => 0))
    this.line = topologyOf(scenario).order.map((stage) => stageOf.indexOf(stage))
    this.next = new Int16Array(stages.length).fill(NONE)
    for (let i = 1; i < stages.length; i++) this.next[this.line[i - 1]] = this.line[i]
    this.place = new Int16Array(workers)
    this.job = new Int32Array(workers)
    this.began = new Float64Array(workers)
    this.roster = new Roster(stages.length, workers)
    for (let w = 0; w < workers; w++) this.roster.free(w, NONE)
    this.due = new Int32Array(workers)
    this.calendar = new Calendar(workers)
    this.freed = new Int32Array(workers)
    this.leaving = new Int32Array(workers)
    this.nextArrival = this.arrivals.next()
    this.table = {
      scenario,
      estimates: this.estimates,
      stageOf,
      messages: unmeasured,
      state: { counts: { waiting: this.ballot.waiting }, shards: null },
      roster: this.roster,
      weights: this.votesWeigh ? this.ballot.votes : new Float64Array(stages.length),
      divisors: divisorsOf(policy.kind, workers, this.power),
      seats: new Int32Array(stages.length),
    }
  }

  play(rowsAtMost: number): Ending | null {
    const { rows } = this.journal
    while (rows.length < rowsAtMost) {
      const due = this.calendar.next
      const time = this.nextArrival >= 0 && this.nextArrival < due ? this.nextArrival : due
      if (time >= CLOCK_END) {
        if (time < Infinity) return clockEnded(this.listener, this.now)
        if (this.exhausted) return 'stuck'
      } else this.now = time
      this.gatherFacts()
      if (this.leavingCount > 0) this.release()
      if (this.waiting > 0 && this.assignments.idle > 0) this.decide()
      if (this.freedCount > 0) this.clearCalendar()
      if (this.exhausted && this.arrived === this.released) return 'drained'
    }
    return null
  }

  stop(): Ending {
    pushRow(this.journal.rows, this.now, STOPPED, NONE, NONE, NONE)
    return 'stopped'
  }

  private gatherFacts(): void {
    const { now, calendar } = this
    if (calendar.next === now) {
      if (calendar.isFirstAlone) this.finish(calendar.first)
      else for (let i = 0, many = calendar.firsts(this.due); i < many; i++) this.finish(this.due[i])
    }
    while (this.nextArrival === now) this.arrive()
    if (this.nextArrival >= 0 || this.exhausted) return
    pushRow(this.journal.rows, now, EXHAUSTED, NONE, NONE, NONE)
    this.exhausted = true
  }

  private arrive(): void {
    pushRow(this.journal.rows, this.now, ARRIVED, NONE, NONE, this.arrived)
    this.enqueue(this.line[0], this.arrived++)
    this.nextArrival = this.arrivals.next()
  }

  private finish(worker: number): void {
    const { now, assignments } = this
    const place = this.place[worker]
    const stage = this.stageOf[place]
    const job = this.job[worker]
    const began = this.began[worker]
    pushFinished(this.journal.rows, now, stage, worker, job, began, now)
    observe(this.estimates, stage, now - began)
    this.freed[this.freedCount++] = worker
    this.roster.free(worker, stage)
    assignments.idle++
    assignments.staffed[place]--
    const next = this.next[place]
    if (next === NONE) this.leaving[this.leavingCount++] = job
    else this.enqueue(next, job)
  }

  private enqueue(place: number, job: number): void {
    this.queues[place].push(job)
    this.ballot.waiting[place]++
    this.waiting++
  }

  private release(): void {
    const { leaving, now } = this
    const { rows } = this.journal
    for (let i = 0; i < this.leavingCount; i++) pushRow(rows, now, RELEASED, NONE, NONE, leaving[i])
    this.released += this.leavingCount
    this.leavingCount = 0
  }

  /** Removes workers that finished and got no job from the calendar. The others are booked again already. */
  private clearCalendar(): void {
    const { freed, roster, calendar } = this
    for (let i = 0; i < this.freedCount; i++) if (roster.isIdle(freed[i])) calendar.set(freed[i], Infinity)
    this.freedCount = 0
  }

  private decide(): void {
    const { ballot, table, assignments, stageOf } = this
    const { rows, decisions } = this.journal
    const { weights, divisors, seats } = table
    if (this.exhausted) this.closeStages()
    pushDecision(decisions, rows.length, castAllVotes(ballot, stageOf, estimatesOf(this.estimates, this.scratch)))
    if (!this.votesWeigh) weightsInto(this.rule, ballot, this.power, weights)
    if (exchangeSeats(weights, ballot.eligible, ballot.workers, divisors, seats))
      pushChangedSeats(decisions, stageOf, seats, this.previous)
    if (assignments.idle === 1 && this.freedCount === 1) this.sendOne(this.freed[0])
    else this.sendAll()
  }

  private sendOne(worker: number): void {
    const { assignments } = this
    const place = mostWanted(assignments, this.table)
    if (place === NONE) return
    assignments.runnable[place]--
    assignments.staffed[place]++
    this.start(worker, place)
  }

  private sendAll(): void {
    const { assignments, table } = this
    choosePlaces(assignments, table)
    matchWorkers(assignments, table)
    for (let p = 0; p < assignments.count; p++) this.start(assignments.worker[p], assignments.place[p])
  }

  /** Removes done stages from the ballot: no more jobs can arrive, and none waits or is served there or before. */
  private closeStages(): void {
    const { line, ballot, assignments } = this
    while (ballot.waiting[line[this.done]] === 0 && assignments.staffed[line[this.done]] === 0)
      ballot.eligible[line[this.done++]] = 0
  }

  /** Starts the next job of a place, which has counted it since the worker was assigned. */
  private start(worker: number, place: number): void {
    const { now } = this
    const stage = this.stageOf[place]
    const job = this.queues[place].take()
    pushRow(this.journal.rows, now, STARTED, stage, worker, job)
    this.place[worker] = place
    this.job[worker] = job
    this.began[worker] = now
    this.roster.take(worker)
    this.assignments.idle--
    this.waiting--
    this.calendar.set(worker, now + this.services.at(stage, job))
  }
}
