import { exchangeSeats } from '../../allocation/apportion.ts'
import { type Ballot, castVotes, createBallot, hashBallot } from '../../allocation/ballot.ts'
import { createEstimates, type Estimates, estimateInto, observe } from '../../allocation/estimate.ts'
import { type DivisorRule, divisorsOf, isDivisorRule } from '../../allocation/rules.ts'
import { weighsVotes, weightsInto } from '../../allocation/weights.ts'
import { BUSY, IDLE } from '../../pipeline/counts.ts'
import { createQueue, type JobQueue } from '../../pipeline/discipline.ts'
import { createJournal, type Ending, pushDecision, pushSeats } from '../../pipeline/journal.ts'
import { ARRIVED, EXHAUSTED, NONE, pushFinished, pushRow, RELEASED, STARTED, STOPPED } from '../../pipeline/rows.ts'
import { topologyOf } from '../../pipeline/topology.ts'
import { CLOCK_END } from '../../scenario/model/limits.ts'
import { isLinear } from '../../scenario/model/linearStages.ts'
import type { Micros, Scenario, Stage } from '../../scenario/model/scenario.ts'
import { declaredMeans } from '../../scenario/model/serviceMean.ts'
import { tieOrder } from '../../scenario/model/tieOrder.ts'
import { createPosting, drawPosts, matchPosts, type Posting, type PostTable } from '../../scheduler/posts.ts'
import { type Arrivals, createArrivals } from '../../workload/arrivals.ts'
import { createServices, type Services } from '../../workload/service.ts'
import type { Listener } from '../engine.ts'
import { clockEnded, type RunUnderWay } from './runUnderWay.ts'
import { WinnerTree } from './winnerTree.ts'

/** Whether a scenario has no special feature: FIFO queues in a line, one job at a time, and workers that come to stay. */
export function isPlain(scenario: Scenario): boolean {
  const { policy, stages, batch, order, workers, cores } = scenario
  return (
    isDivisorRule(policy.kind) &&
    isLinear(scenario) &&
    stages.every(isPlainStage) &&
    batch.size === 1 &&
    batch.inHand === 1 &&
    order.kind === 'none' &&
    scenario.workerEvents.length === 0 &&
    scenario.later.length === 0 &&
    scenario.switchCost === 0 &&
    scenario.groupSwitchCost === 0 &&
    (workers <= cores || stages.every(({ work }) => work === 'wait'))
  )
}

function isPlainStage({ discipline, capacity, resource, fails }: Stage): boolean {
  return discipline === 'fifo' && capacity === null && resource === null && fails === null
}

interface PlainStage {
  readonly queue: JobQueue
  /** The stage that follows; null before the sink. */
  next: PlainStage | null
  readonly number: number
  /** Its place in tie order. */
  readonly place: number
  busy: number
}

interface PlainWorker {
  job: number
  /** When the work on it began. */
  began: Micros
  /** Where the worker is or was last; null before its first job. */
  stage: PlainStage | null
}

/**
 * A run of a plain scenario. It has the rows and decisions that `dispatch` would give it, and is faster: there is no question
 * for a feature that the scenario does not have, and each row is written once and never read back.
 */
export class PlainRun implements RunUnderWay {
  readonly journal = createJournal()
  private readonly listener: Listener
  private readonly services: Services
  private readonly arrivals: Arrivals
  private readonly rule: DivisorRule
  private readonly power: number
  private readonly estimates: Estimates
  private readonly means: Float64Array
  private readonly ballot: Ballot
  private readonly votesWeigh: boolean
  private readonly table: PostTable
  private readonly posting: Posting
  private readonly previous: Int32Array
  /** In the order of the pipeline, and in tie order. */
  private readonly line: readonly PlainStage[]
  private readonly tied: readonly PlainStage[]
  private readonly workers: readonly PlainWorker[]
  private readonly status: Uint8Array
  private readonly stageOfWorker: Int16Array
  private readonly calendar: WinnerTree
  /** The jobs that leave at this instant. */
  private readonly leaving: number[] = []
  private now: Micros = 0
  private nextArrival: Micros
  private exhausted = false
  private arrived = 0
  private released = 0
  private waiting = 0
  private idle: number

  /** Nothing has happened yet. The scenario must be plain. */
  constructor(scenario: Scenario, listener: Listener) {
    const { stages, workers, policy, estimator } = scenario
    if (!isDivisorRule(policy.kind)) throw new RangeError(`${policy.kind} has no divisors`)
    const stageOf = Int16Array.from(tieOrder(scenario))
    const line = Array.from(topologyOf(scenario).order, (number): PlainStage => {
      const queue = createQueue('fifo', () => 0)
      return { queue, next: null, number, place: stageOf.indexOf(number), busy: 0 }
    })
    for (let i = 1; i < line.length; i++) line[i - 1].next = line[i]
    this.listener = listener
    this.services = createServices(scenario)
    this.arrivals = createArrivals(scenario)
    this.rule = policy.kind
    this.power = policy.kind === 'power' ? policy.p : 1
    this.estimates = createEstimates(estimator, estimator.prior, declaredMeans(scenario))
    this.means = new Float64Array(stages.length)
    this.ballot = createBallot(stages.length)
    this.ballot.workers = workers
    this.votesWeigh = weighsVotes(policy.kind)
    this.status = new Uint8Array(workers).fill(IDLE)
    this.stageOfWorker = new Int16Array(workers).fill(NONE)
    this.posting = createPosting(stages.length, workers)
    this.previous = new Int32Array(stages.length)
    this.table = {
      scenario,
      estimates: this.estimates,
      stageOf,
      state: { counts: { status: this.status, stage: this.stageOfWorker, waiting: this.ballot.waiting }, shards: null },
      weights: this.votesWeigh ? this.ballot.votes : new Float64Array(stages.length),
      divisors: divisorsOf(policy.kind, workers, this.power),
      seats: new Int32Array(stages.length),
    }
    this.line = line
    this.tied = line.slice().sort((a, b) => a.place - b.place)
    this.workers = Array.from({ length: workers }, (): PlainWorker => ({ job: NONE, began: 0, stage: null }))
    this.calendar = new WinnerTree(workers)
    this.nextArrival = this.arrivals.next()
    this.idle = workers
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
      this.release()
      if (this.idle > 0 && this.waiting > 0) this.decide()
      if (this.exhausted && this.arrived === this.released) return 'drained'
    }
    return null
  }

  stop(): Ending {
    pushRow(this.journal.rows, this.now, STOPPED, NONE, NONE, NONE)
    return 'stopped'
  }

  private gatherFacts(): void {
    const { now, calendar, arrivals } = this
    const { rows } = this.journal
    while (calendar.next === now) this.finish(calendar.first)
    while (this.nextArrival === now) {
      pushRow(rows, now, ARRIVED, NONE, NONE, this.arrived)
      this.line[0].queue.push(this.arrived++)
      this.waiting++
      this.nextArrival = arrivals.next()
    }
    if (this.nextArrival >= 0 || this.exhausted) return
    pushRow(rows, now, EXHAUSTED, NONE, NONE, NONE)
    this.exhausted = true
  }

  private finish(worker: number): void {
    const { now } = this
    const { job, began, stage } = this.workers[worker]
    if (stage === null) return
    pushFinished(this.journal.rows, now, stage.number, worker, job, began, now)
    observe(this.estimates, stage.number, now - began)
    this.calendar.set(worker, Infinity)
    this.status[worker] = IDLE
    this.idle++
    stage.busy--
    if (stage.next === null) this.leaving.push(job)
    else {
      stage.next.queue.push(job)
      this.waiting++
    }
  }

  private release(): void {
    const { leaving, now } = this
    const { rows } = this.journal
    if (leaving.length === 0) return
    for (let i = 0; i < leaving.length; i++) pushRow(rows, now, RELEASED, NONE, NONE, leaving[i])
    this.released += leaving.length
    leaving.length = 0
  }

  private decide(): void {
    const { ballot, table, posting, tied, previous } = this
    const { rows, decisions } = this.journal
    const { seats, weights, divisors } = table
    this.fillBallot()
    pushDecision(decisions, rows.length, hashBallot(ballot))
    if (!this.votesWeigh) weightsInto(this.rule, ballot, this.power, weights)
    if (exchangeSeats(weights, ballot.eligible, ballot.workers, divisors, seats)) {
      for (let k = 0; k < tied.length; k++) {
        if (seats[k] === previous[k]) continue
        pushSeats(decisions, tied[k].number, seats[k])
        previous[k] = seats[k]
      }
    }
    drawPosts(posting, table)
    matchPosts(posting, table)
    for (let p = 0; p < posting.posts; p++) this.start(posting.worker[p], tied[posting.place[p]])
  }

  /** Fills in the ballot, and what posts are drawn from. */
  private fillBallot(): void {
    const { estimates, ballot, posting, tied } = this
    const measured = estimates.unmeasured === 0
    if (!measured) estimateInto(estimates, this.means)
    const means = measured ? estimates.mean : this.means
    for (let k = 0; k < tied.length; k++) {
      const { queue, busy, number } = tied[k]
      castVotes(ballot, k, queue.length, means[number], false)
      posting.runnable[k] = queue.length
      posting.staffed[k] = busy
    }
    posting.idle = this.idle
    if (!this.exhausted) return
    for (const { queue, busy, place } of this.line) {
      if (queue.length > 0 || busy > 0) return
      ballot.eligible[place] = 0
    }
  }

  private start(worker: number, stage: PlainStage): void {
    const job = stage.queue.take()
    const by = this.workers[worker]
    pushRow(this.journal.rows, this.now, STARTED, stage.number, worker, job)
    by.job = job
    by.began = this.now
    by.stage = stage
    stage.busy++
    this.status[worker] = BUSY
    this.stageOfWorker[worker] = stage.number
    this.idle--
    this.waiting--
    this.calendar.set(worker, this.now + this.services.at(stage.number, job))
  }
}
