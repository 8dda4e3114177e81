import {
  ARRIVED,
  FAILED,
  FINISHED,
  GAVE_UP,
  HIRED,
  JOINED,
  RELEASED,
  RENEGED,
  RETRIED,
  type Row,
  STARTED,
  THREW,
  WITHDRAWN,
} from '../../src/pipeline/rows.ts'
import type { Books } from './books.ts'
import { claim } from './claim.ts'
import { naiveClassOf } from './naiveWorkload.ts'

/** The state between two rows: by stage the waiting jobs, the seats, the workers who serve it, and how many wait for a resource. */
interface Moment {
  readonly from: number
  readonly to: number
  readonly waiting: readonly number[]
  readonly seats: readonly number[]
  readonly crews: readonly number[]
  readonly contended: readonly number[]
  readonly jobs: number
  readonly workers: number
}

/** The time of a job in the queue of a stage. It ends with a start, or when its job fails. */
interface Stay {
  readonly stage: number
  readonly job: number
  readonly from: number
  readonly to: number
  readonly started: boolean
}

/**
 * Computes the results of a game a second time, from each row and the books after it. It shares no code with the
 * measures.
 */
export class NaiveFigures {
  private readonly books: Books
  private readonly seats: readonly number[]
  private readonly moments: Moment[] = []
  private readonly stays: Stay[] = []
  /** By stage, the waiting jobs and since when they wait. */
  private readonly open: Map<number, number>[]
  /** By job, how long it was outside the first queue. */
  private readonly outside: number[] = []
  /** By job, since when it has been outside; left out while it is not. And how often jobs were sent. */
  private readonly outSince: number[] = []
  private sent = 0
  private readonly departures: {
    readonly job: number
    readonly at: number
    readonly flow: number
    readonly failed: boolean
    readonly gaveUp: boolean
  }[] = []
  private readonly services: { readonly stage: number; readonly began: number; readonly ended: number }[] = []
  private readonly moves: number[] = []
  private readonly decisions: number[] = []
  private readonly lastStage: number[] = []
  private readonly crew: [time: number, workers: number][]
  private time = 0
  private makespan = 0

  /** `seats`: by stage, from the last decision. */
  constructor(books: Books, seats: readonly number[]) {
    this.books = books
    this.seats = seats
    this.open = seats.map(() => new Map())
    this.crew = [[0, books.alive()]]
  }

  /** Records the state since the last row. Call this before the books read the row. */
  before({ time }: Row): void {
    const { books, seats } = this
    if (time === this.time) return
    const contended = seats.map(() => 0)
    for (const { worker } of books.orders) if (books.waitsSince(worker) >= 0) contended[books.assigned[worker]]++
    this.moments.push({
      from: this.time,
      to: time,
      waiting: seats.map((_, s) => books.waiting(s)),
      seats: seats.map((given, s) => (books.elastic ? books.posted(s) : given)),
      crews: this.crews(),
      contended,
      jobs: books.arrived - books.released.length - books.failed.size - books.gaveUp.size,
      workers: books.alive(),
    })
    this.time = time
  }

  /** Call this after the books have read the row. */
  after({ time, kind, stage, worker, job, began, ended }: Row): void {
    const { books, lastStage } = this
    if (kind === ARRIVED || kind === RETRIED) {
      this.outSince[job] = time
      this.sent++
    }
    if ((kind === RENEGED || kind === GAVE_UP) && stage >= 0) this.leave(stage, job, time, false)
    else if (kind === RENEGED || kind === GAVE_UP) this.comeIn(job, time)
    if (kind === STARTED || kind === FAILED || kind === WITHDRAWN) this.leave(stage, job, time, kind === STARTED)
    this.enter(time)
    if (kind === JOINED || kind === HIRED) lastStage[worker] = stage
    if (kind === STARTED) {
      if ((lastStage[worker] ?? -1) >= 0 && lastStage[worker] !== stage) this.moves.push(time)
      lastStage[worker] = stage
    }
    if (kind === FINISHED) this.services.push({ stage, began, ended })
    if (kind === RELEASED || kind === FAILED || kind === GAVE_UP)
      this.departures.push({
        job,
        at: time,
        flow: time - books.arrivedAt[job],
        failed: kind === FAILED,
        gaveUp: kind === GAVE_UP,
      })
    this.crew.push([time, books.alive()])
    if (
      kind === FINISHED ||
      kind === STARTED ||
      kind === RELEASED ||
      kind === FAILED ||
      kind === THREW ||
      kind === GAVE_UP
    )
      this.makespan = time
  }

  /** Call this when the scheduler has decided, after the last row. */
  decided(): void {
    this.decisions.push(this.books.time)
  }

  private classFigures(classes: readonly number[]) {
    const classOf = naiveClassOf(this.books.scenario)
    return classes.map((_, k) => {
      const own = this.departures.filter(({ job }) => classOf(job) === k)
      const flows = own.map(({ flow }) => flow)
      return {
        jobs: own.length,
        meanWait: share(sum(own.map(({ job }) => this.waited(job))), own.length),
        meanFlowTime: share(sum(flows), own.length),
        p99FlowTime: nearestRank(flows, 99),
      }
    })
  }

  /** Returns the results of the whole run, until its last row of work, under the names of the measures. */
  ofRun() {
    const { books, makespan, departures } = this
    const sums = this.sumsWithin(0, makespan)
    const served = books.scenario.stages.map((_, s) =>
      this.services.filter(({ stage }) => stage === s).map(({ began, ended }) => ended - began),
    )
    const released = departures.filter(({ failed, gaveUp }) => !failed && !gaveUp).map(({ job }) => job)
    const flows = departures.map(({ flow }) => flow)
    return {
      jobs: books.arrived,
      completed: released.length,
      failed: departures.filter(({ failed }) => failed).length,
      ...(books.scenario.source.retry && { gaveUp: books.gaveUp.size, tries: this.sent }),
      ...(books.scenario.source.classes && { classes: this.classFigures(books.scenario.source.classes) }),
      makespan,
      throughput: share(released.length * 1e6, makespan),
      meanWait: share(sum(departures.map(({ job }) => this.waited(job))), departures.length),
      meanFlowTime: share(sum(flows), departures.length),
      p50FlowTime: nearestRank(flows, 50),
      p99FlowTime: nearestRank(flows, 99),
      meanJobsInSystem: share(sums.jobs, makespan),
      utilisation: share(sum(served.flat()), sums.workers),
      switches: this.moves.length,
      reordered: released.filter((job, i) => released.slice(0, i).some((earlier) => earlier > job)).length,
      contendedTime: sum(sums.contended),
      workersOverTime: this.workersOverTime(),
      meanQueued: share(sum(sums.waiting), makespan),
      mostQueued: greatest(sums.moments.map(({ waiting }) => sum(waiting))),
      seats: sums.seats.map((time) => share(time, makespan)),
      stages: books.scenario.stages.map(({ id }, s) => {
        const waits = this.stays.filter(({ stage, started }) => stage === s && started).map(({ from, to }) => to - from)
        return {
          id,
          utilisation: share(sum(served[s]), sums.workers),
          meanQueue: share(sums.waiting[s], makespan),
          maxQueue: greatest(sums.moments.map(({ waiting }) => waiting[s])),
          meanWait: share(sum(waits), waits.length),
          meanService: share(sum(served[s]), served[s].length),
          contendedTime: sums.contended[s],
          workers: share(sums.crews[s], makespan),
          ownUtilisation: share(sum(served[s]), sums.crews[s]),
        }
      }),
    }
  }

  /** Returns the results within [from, to), where the mean of an empty list is NaN. The end of the run belongs to its last stretch. */
  ofStretch(from: number, to: number) {
    const { books } = this
    const within = (at: number) => at >= from && (at < to || to >= this.time)
    const sums = this.sumsWithin(from, to)
    const left = this.departures.filter(({ at }) => within(at))
    const [failed, gaveUp] = [left.filter((one) => one.failed).length, left.filter((one) => one.gaveUp).length]
    const completed = left.length - failed - gaveUp
    const served = books.scenario.stages.map((_, s) =>
      sum(
        this.services
          .filter(({ stage }) => stage === s)
          .map(({ began, ended }) => Math.max(0, Math.min(ended, to) - Math.max(began, from))),
      ),
    )
    return {
      arrivals: books.arrivedAt.filter(within).length,
      completed,
      failed,
      gaveUp,
      decisions: this.decisions.filter(within).length,
      moves: this.moves.filter(within).length,
      throughput: (completed * 1e6) / (to - from),
      utilisation: sum(served) / sums.workers,
      meanWait: sum(left.map(({ job }) => this.waited(job))) / left.length,
      meanFlowTime: sum(left.map(({ flow }) => flow)) / left.length,
      stages: served.map((time, s) => {
        const waits = this.stays
          .filter(({ stage, started, to: at }) => stage === s && started && within(at))
          .map((stay) => stay.to - stay.from)
        return {
          workers: sums.crews[s] / (to - from),
          ownUtilisation: time / sums.crews[s],
          meanQueue: sums.waiting[s] / (to - from),
          meanSeats: sums.seats[s] / (to - from),
          starts: waits.length,
          meanWait: sum(waits) / waits.length,
        }
      }),
    }
  }

  /** Records jobs that are new in a queue. A job from outside counts from its arrival. */
  private enter(time: number): void {
    const { books, open } = this
    for (const s of open.keys()) {
      if (books.waiting(s) === open[s].size) continue
      for (const job of [...books.queues[s].map((entry) => entry.job), ...books.early[s]]) {
        if (open[s].has(job)) continue
        open[s].set(job, time)
        if (books.firsts.includes(s)) this.comeIn(job, time)
      }
    }
  }

  private comeIn(job: number, time: number): void {
    this.outside[job] = (this.outside[job] ?? 0) + time - (this.outSince[job] ?? time)
    delete this.outSince[job]
  }

  private leave(stage: number, job: number, time: number, started: boolean): void {
    const from = this.open[stage].get(job)
    if (from === undefined) return
    this.stays.push({ stage, job, from, to: time, started })
    this.open[stage].delete(job)
  }

  /** The total wait of a job and its parts, in queues and outside. */
  private waited(job: number): number {
    return (
      (this.outside[job] ?? 0) + sum(this.stays.filter((stay) => stay.job === job).map(({ from, to }) => to - from))
    )
  }

  /** Integrals over time within [from, to). */
  private sumsWithin(from: number, to: number) {
    const moments = this.moments.filter((moment) => moment.from < to && moment.to > from)
    const over = (value: (moment: Moment) => number) =>
      sum(moments.map((moment) => value(moment) * (Math.min(moment.to, to) - Math.max(moment.from, from))))
    const byStage = (values: (moment: Moment) => readonly number[]) =>
      this.seats.map((_, s) => over((moment) => values(moment)[s]))
    return {
      moments,
      waiting: byStage(({ waiting }) => waiting),
      seats: byStage(({ seats }) => seats),
      crews: byStage(({ crews }) => crews),
      contended: byStage(({ contended }) => contended),
      jobs: over(({ jobs }) => jobs),
      workers: over(({ workers }) => workers),
    }
  }

  /** By stage, the workers that are there or that the policy keeps for it; all where workers move. */
  private crews(): readonly number[] {
    const { books } = this
    const { policy, stages } = books.scenario
    const keeps = ['fixed', 'onePerStage'].includes(policy.kind)
    let left = books.alive()
    const kept = new Map<number, number>()
    for (const s of books.line) {
      const wanted = policy.kind === 'fixed' ? (policy.allocation[stages[s].id] ?? 0) : 1
      kept.set(s, Math.min(left, wanted))
      left -= Math.min(left, wanted)
    }
    return stages.map((_, s) =>
      books.elastic ? books.posted(s) : keeps ? Math.max(books.posted(s), kept.get(s) ?? 0) : books.alive(),
    )
  }

  private workersOverTime(): readonly (readonly [number, number])[] {
    const lasting = this.crew.filter(([time], i) => time <= this.makespan && !(this.crew[i + 1]?.[0] === time))
    return lasting.filter(([, workers], i) => i === 0 || workers !== lasting[i - 1][1])
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const greatest = (values: readonly number[]): number => values.reduce((most, value) => (value > most ? value : most), 0)

const share = (part: number, of: number): number => (of > 0 ? part / of : 0)

/** The percentile by nearest rank; 0 of an empty list. */
function nearestRank(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted.find((_, i) => (i + 1) * 100 >= percent * sorted.length) ?? 0
}

/** Compares measured values with computed ones: exactly, or within a relative tolerance. */
export function figuresMatch(measured: unknown, figures: unknown, within = 0, name = ''): void {
  const differs = () => `${name} is ${measured} instead of ${figures}`
  if (typeof figures === 'number')
    claim(Object.is(measured, figures) || Math.abs(Number(measured) - figures) <= within * Math.abs(figures), differs)
  else if (typeof figures === 'string') claim(measured === figures, differs)
  else {
    const others = measured as Record<string, unknown>
    if (Array.isArray(figures)) claim(Array.isArray(measured) && measured.length === figures.length, differs)
    for (const [key, value] of Object.entries(figures as object))
      figuresMatch(others[key], value, within, name === '' ? key : `${name}.${key}`)
  }
}
