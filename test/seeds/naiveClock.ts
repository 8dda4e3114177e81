import {
  ARRIVED,
  FINISHED,
  GAVE_UP,
  HIRED,
  LOST,
  PHASE,
  PREFETCH,
  RENEGED,
  RETRIED,
  type Row,
  STARTED,
  THREW,
} from '../../src/pipeline/rows.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { phasesOf } from '../../src/scenario/model/schedule.ts'
import { groupingOf } from '../../src/workload/groups.ts'
import { patienceOf, startUpsOf } from '../../src/workload/service.ts'
import type { Books } from './books.ts'
import { claim } from './claim.ts'

/** Checks the times of a simulated run with the books before each instant: service times, crashes and departures. */
export class NaiveClock {
  private readonly books: Books
  private readonly scenario: Scenario
  private readonly cost: (stage: number, job: number) => number
  /** Whether no worker waits for cores; by stage: whether none waits for cores or resources there, so that starts are known. */
  private readonly alone: boolean
  private readonly free: readonly boolean[]
  /** By worker: when its batch began, the time lost before the first job, and its last stage. */
  private readonly since: number[] = []
  private readonly lost: number[] = []
  private readonly lastStage: number[] = []
  /** Start-ups of workers that no policy hired: those paid, "worker stage", and how many each worker has had. */
  private readonly startUpOf: (stage: number, worker: number, nth: number) => number
  private readonly paid = new Set<string>()
  private readonly begun: number[] = []
  /** The current cost of a change of stage: the books read a phase only after its instant. */
  private switchCost: number
  /** What a change of group costs now, and what it costs within the batch of each worker; by worker: the group of its last job. */
  private groupCost: number
  private readonly groupCosts: number[] = []
  private readonly lastGroup: (number | undefined)[] = []
  private readonly groupOf: (job: number) => number
  /** The total work of burning workers, and the most cores in any phase. */
  private burnt = 0
  private readonly cores: number

  constructor(books: Books, scenario: Scenario, cost: (stage: number, job: number) => number) {
    this.books = books
    this.scenario = scenario
    this.cost = cost
    this.switchCost = scenario.switchCost
    this.groupCost = scenario.groupSwitchCost
    this.groupOf = groupingOf(scenario)
    this.startUpOf = startUpsOf(scenario)
    this.cores = Math.max(...phasesOf(scenario).map(({ cores }) => cores))
    const most = scenario.workers + scenario.workerEvents.length
    this.alone =
      scenario.network !== null ||
      scenario.stages.every(({ work }) => work === 'wait') ||
      phasesOf(scenario).every(({ cores }) => most <= cores)
    this.free = scenario.stages.map(({ resource }) => this.alone && scenario.network === null && resource === null)
  }

  /** Call this with the facts of an instant before the books read them. */
  facts(rows: readonly Row[]): void {
    const { books, scenario } = this
    for (const row of rows) {
      const { kind, time, stage, worker, job } = row
      if (kind === ARRIVED && scenario.source.kind === 'times')
        claim(time === scenario.source.at[job], () => `job ${job} arrives at ${time}`)
      if (kind === RENEGED || kind === GAVE_UP) {
        claim(
          time === this.givesUpAt(job),
          () => `the client of job ${job} gives up at ${time} instead of ${this.givesUpAt(job)}`,
        )
        this.leftAt[job] = time
      }
      if (kind === RETRIED) {
        const due = this.leftAt[job] + (scenario.source.retry?.backoff ?? 0) * 2 ** (this.tries(job) - 1)
        claim(time === due, () => `job ${job} is sent again at ${time} instead of ${due}`)
      }
      if (kind === PHASE) {
        claim(time === scenario.later[job].at, () => `phase ${job} begins at ${time}`)
        this.switchCost = scenario.later[job].switchCost ?? this.switchCost
        this.groupCost = scenario.later[job].groupSwitchCost ?? this.groupCost
      }
      if (kind === LOST) {
        const due = scenario.workerEvents.some(
          (event) => event.worker === worker && (event.kind === 'crash' ? event.at === time : event.at <= time),
        )
        claim(due, () => `worker ${worker} is lost at ${time} without a cause`)
      }
      if (kind === THREW) this.threw(row)
      if (kind === FINISHED)
        claim(
          !(scenario.stages[stage].fails?.jobs.includes(job) ?? false),
          () => `job ${job} should throw at stage ${stage}`,
        )
    }
    const done = rows.filter(({ kind }) => kind === FINISHED)
    for (const worker of new Set(done.map((row) => row.worker)))
      this.finished(done.filter((row) => row.worker === worker).sort((a, b) => a.began - b.began))
    // A second batch begins when the first ends.
    const begun = new Set<number>()
    for (const { kind, time, worker } of rows) {
      const [first, ...others] = books.second(worker)
      if ((kind !== FINISHED && kind !== THREW) || first === undefined || begun.has(worker)) continue
      begun.add(worker)
      this.begin(worker, time, this.regroup(worker, first))
      for (const job of others) this.lastGroup[worker] = this.groupOf(job)
    }
  }

  private readonly leftAt: number[] = []

  /** When the client of a waiting job gives it up. */
  private givesUpAt(job: number): number {
    return this.books.sentAt[job] + patienceOf(this.scenario)(job, this.tries(job) - 1)
  }

  private tries(job: number): number {
    return this.books.sent[job]
  }

  /** Call this with the orders of an instant before the books read them. */
  orders(rows: readonly Row[]): void {
    /** The worker that gets a second batch by the current rows, or -1. */
    let opening = -1
    for (const { kind, time, stage, worker, job } of rows) {
      if (kind === PREFETCH) opening = worker
      else if (kind !== STARTED || worker !== opening) opening = -1
      if (kind === HIRED) {
        delete this.lastStage[worker]
        this.lastGroup[worker] = undefined
      }
      if (kind !== STARTED || opening === worker) continue
      const before = this.lastStage[worker]
      if (this.since[worker] === time && before === stage) {
        this.lastGroup[worker] = this.groupOf(job)
        continue
      }
      this.begin(
        worker,
        time,
        (before === undefined || before === stage ? 0 : this.switchCost) +
          this.startUp(worker, stage) +
          this.regroup(worker, job),
      )
      this.lastStage[worker] = stage
    }
  }

  /** What a worker loses because its next batch begins with this job, and from now on between two jobs of the batch. */
  private regroup(worker: number, job: number): number {
    const [before, group] = [this.lastGroup[worker], this.groupOf(job)]
    this.lastGroup[worker] = group
    this.groupCosts[worker] = this.groupCost
    return before === undefined || before === group ? 0 : this.groupCost
  }

  private between(worker: number, job: number, next: number | undefined): number {
    return next === undefined || this.groupOf(job) === this.groupOf(next) ? 0 : this.groupCosts[worker]
  }

  private startUp(worker: number, stage: number): number {
    const key = `${worker} ${stage}`
    if (this.books.elastic || this.paid.has(key)) return 0
    this.paid.add(key)
    const lasts = this.startUpOf(stage, worker, this.begun[worker] ?? 0)
    if (lasts > 0) this.begun[worker] = (this.begun[worker] ?? 0) + 1
    return lasts
  }

  /** Call this at the end of an instant. */
  settled(time: number): void {
    const { books, scenario } = this
    if (scenario.source.retry !== undefined && !books.stopped)
      for (let job = 0; job < books.arrived; job++)
        claim(
          !books.unstarted(job) || this.givesUpAt(job) > time,
          () => `job ${job} still waits at ${time}, and its client should give up at ${this.givesUpAt(job)}`,
        )
    if (books.elastic || books.stopped) return
    for (const { at, kind, worker } of scenario.workerEvents) {
      if (at > time || (kind !== 'crash' && kind !== 'leave')) continue
      const stays = books.live[worker] && (kind === 'crash' || books.hand(worker).length === 0)
      claim(!stays, () => `worker ${worker} is still there at ${time}, and should ${kind} at ${at}`)
    }
  }

  private begin(worker: number, time: number, lost: number): void {
    this.since[worker] = time
    this.lost[worker] = lost
  }

  private finished(rows: readonly Row[]): void {
    const { scenario, since, lost } = this
    const [{ worker, time }] = rows
    const away = scenario.network?.roundTrip ?? 0
    let at = since[worker] + lost[worker]
    for (const [k, { stage, job, began, ended }] of rows.entries()) {
      const cost = this.cost(stage, job)
      const describeService = () =>
        `worker ${worker} serves job ${job} at stage ${stage} from ${began} to ${ended}, reported at ${time}`
      if (this.alone) claim(ended - began === cost, () => `${describeService()}, but it needs ${cost}`)
      else claim(ended - began >= cost - 1, () => `${describeService()}, but it needs at least ${cost}`)
      if (this.free[stage]) claim(began === at, () => `${describeService()}, but it was free at ${at}`)
      if (scenario.stages[stage].work === 'burn') this.burnt += cost - 1
      claim(
        this.alone || this.burnt <= this.cores * time,
        () => `by ${time} workers have burnt ${this.burnt} on ${this.cores} cores`,
      )
      claim(time >= ended + away - Math.floor(away / 2), () => `${describeService()}, before the message can have come`)
      at = ended + this.between(worker, job, rows[k + 1]?.job)
    }
    if (scenario.network === null)
      claim(time === at, () => `worker ${worker} finishes at ${at}, but reports at ${time}`)
  }

  private threw({ time, stage, worker, job }: Row): void {
    const { books, scenario } = this
    const failing = scenario.stages[stage].fails?.jobs ?? []
    const hand = books.hand(worker)
    const place = hand.findIndex((one) => failing.includes(one))
    claim(place >= 0 && hand[place] === job, () => `job ${job} throws at stage ${stage}, and should not`)
    this.lastGroup[worker] = this.groupOf(job)
    if (!this.free[stage]) return
    const served = hand.slice(0, place + 1)
    const at = served.reduce(
      (sum, one, k) => sum + this.cost(stage, one) + this.between(worker, one, served[k + 1]),
      this.since[worker] + this.lost[worker],
    )
    claim(time === at, () => `job ${job} throws at ${time} instead of ${at}`)
  }
}
