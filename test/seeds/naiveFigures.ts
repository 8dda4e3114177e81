import { FAILED, FINISHED, HIRED, JOINED, RELEASED, type Row, STARTED, THREW, WITHDRAWN } from '../../src/pipeline/rows.ts'
import type { Books } from './books.ts'
import { claim } from './claim.ts'

/** A stay in the queue of a stage. Only some end with a start: a part of a failed job is taken out. */
interface Stay {
  readonly stage: number
  readonly job: number
  readonly from: number
  readonly to: number
  readonly started: boolean
}

/** What is added up over time. */
interface Sums {
  readonly waiting: number[]
  readonly seats: number[]
  readonly contended: number[]
  readonly longest: number[]
  queued: number
  mostQueued: number
  jobs: number
  workers: number
}

/**
 * The figures of a game, computed a second time: from each row and the books after it, as plainly as can be, as they were at the last row of
 * work. It shares no code with the measures.
 */
export class NaiveFigures {
  private readonly books: Books
  private readonly seats: readonly number[]
  private now: Sums
  /** The same at the last row of work. */
  private atWork: Sums
  private time = 0
  makespan = 0
  private readonly stays: Stay[] = []
  /** Who waits in which queue, and since when. */
  private readonly open: Map<number, number>[]
  /** By job, how long it was outside, how long it took in all, and whether it left by failing. */
  private readonly outside: number[] = []
  private readonly flow: number[] = []
  private readonly released: number[] = []
  private failed = 0
  private readonly served: number[][]
  private switches = 0
  private readonly lastStage: number[] = []
  private readonly crew: [time: number, workers: number][]

  /** `seats`: by stage, as the last decision left them. */
  constructor(books: Books, seats: readonly number[]) {
    this.books = books
    this.seats = seats
    const zeros = () => seats.map(() => 0)
    const sums = () => ({ waiting: zeros(), seats: zeros(), contended: zeros(), longest: zeros(), queued: 0, mostQueued: 0, jobs: 0, workers: 0 })
    this.now = sums()
    this.atWork = sums()
    this.open = seats.map(() => new Map())
    this.served = seats.map(() => [])
    this.crew = [[0, books.alive()]]
  }

  /** Adds what has held since the last row. To be called before the books enter the row. */
  before({ time }: Row): void {
    const { books, now, seats } = this
    const lasted = time - this.time
    this.time = time
    if (lasted === 0) return
    let queued = 0
    for (let s = 0; s < seats.length; s++) {
      const waiting = books.waiting(s)
      queued += waiting
      now.waiting[s] += waiting * lasted
      now.longest[s] = Math.max(now.longest[s], waiting)
      now.seats[s] += (books.elastic ? books.posted(s) : seats[s]) * lasted
    }
    now.queued += queued * lasted
    now.mostQueued = Math.max(now.mostQueued, queued)
    now.jobs += (books.arrived - books.released.length - books.failed.size) * lasted
    now.workers += books.alive() * lasted
    for (const { worker } of books.orders) if (books.waitsSince(worker) >= 0) now.contended[books.post[worker]] += lasted
  }

  /** To be called when the books have entered the row. */
  after({ time, kind, stage, worker, job, began, ended }: Row): void {
    const { books, flow, lastStage } = this
    if (kind === STARTED || kind === FAILED || kind === WITHDRAWN) this.leave(stage, job, time, kind === STARTED)
    this.enter(time)
    if (kind === JOINED || kind === HIRED) lastStage[worker] = stage
    if (kind === STARTED) {
      if ((lastStage[worker] ?? -1) >= 0 && lastStage[worker] !== stage) this.switches++
      lastStage[worker] = stage
    }
    if (kind === FINISHED) this.served[stage].push(ended - began)
    if (kind === RELEASED || kind === FAILED) flow[job] = time - books.arrivedAt[job]
    if (kind === RELEASED) this.released.push(job)
    if (kind === FAILED) this.failed++
    this.crew.push([time, books.alive()])
    if (kind !== FINISHED && kind !== STARTED && kind !== RELEASED && kind !== FAILED && kind !== THREW) return
    this.makespan = time
    const { now } = this
    this.atWork = { ...now, waiting: [...now.waiting], seats: [...now.seats], contended: [...now.contended], longest: [...now.longest] }
  }

  /** Returns the figures by the names that the measures give them. */
  figures() {
    const { books, makespan, atWork, served, flow, released } = this
    const left = [...flow.keys()].filter((job) => flow[job] !== undefined)
    const flows = left.map((job) => flow[job])
    const stays = this.stays.filter(({ to }) => to <= makespan)
    const waits = left.map((job) => (this.outside[job] ?? 0) + sum(stays.filter((stay) => stay.job === job).map(({ from, to }) => to - from)))
    return {
      jobs: books.arrived,
      completed: released.length,
      failed: this.failed,
      makespan,
      throughput: share(released.length * 1e6, makespan),
      meanWait: share(sum(waits), left.length),
      meanFlowTime: share(sum(flows), left.length),
      p50FlowTime: nearestRank(flows, 50),
      p99FlowTime: nearestRank(flows, 99),
      meanJobsInSystem: share(atWork.jobs, makespan),
      utilisation: share(sum(served.flat()), atWork.workers),
      switches: this.switches,
      reordered: released.filter((job, i) => released.slice(0, i).some((before) => before > job)).length,
      contendedTime: sum(atWork.contended),
      workersOverTime: this.workersOverTime(),
      meanQueued: share(atWork.queued, makespan),
      mostQueued: atWork.mostQueued,
      seats: atWork.seats.map((time) => share(time, makespan)),
      stages: books.scenario.stages.map(({ id }, s) => {
        const started = stays.filter((stay) => stay.stage === s && stay.started)
        return {
          id,
          utilisation: share(sum(served[s]), atWork.workers),
          meanQueue: share(atWork.waiting[s], makespan),
          maxQueue: atWork.longest[s],
          meanWait: share(sum(started.map(({ from, to }) => to - from)), started.length),
          meanService: share(sum(served[s]), served[s].length),
          contendedTime: atWork.contended[s],
        }
      }),
    }
  }

  /** Who stands in a queue now and did not before has come now; who has come from outside was there since its arrival. */
  private enter(time: number): void {
    const { books, open, outside } = this
    for (const s of open.keys()) {
      if (books.waiting(s) === open[s].size) continue
      for (const job of [...books.queues[s].map((entry) => entry.job), ...books.early[s]]) {
        if (open[s].has(job)) continue
        open[s].set(job, time)
        if (books.firsts.includes(s)) outside[job] ??= time - books.arrivedAt[job]
      }
    }
  }

  private leave(stage: number, job: number, time: number, started: boolean): void {
    const from = this.open[stage].get(job)
    if (from === undefined) return
    this.stays.push({ stage, job, from, to: time, started })
    this.open[stage].delete(job)
  }

  private workersOverTime(): readonly (readonly [number, number])[] {
    const lasting = this.crew.filter(([time], i) => time <= this.makespan && !(this.crew[i + 1]?.[0] === time))
    return lasting.filter(([, workers], i) => i === 0 || workers !== lasting[i - 1][1])
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const share = (part: number, of: number): number => (of > 0 ? part / of : 0)

/** The least of the values that so many of a hundred do not exceed; 0 of none. */
function nearestRank(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted.find((_, i) => (i + 1) * 100 >= percent * sorted.length) ?? 0
}

/** Each figure that was computed here is what the measures say, to the last bit: both divide the same whole numbers. */
export function figuresAreTrue(measured: unknown, figures: unknown, name = ''): void {
  if (typeof figures !== 'object' || figures === null) {
    claim(measured === figures, () => `${name} is ${measured} instead of ${figures}`)
    return
  }
  const others = measured as Record<string, unknown>
  if (Array.isArray(figures)) claim(Array.isArray(measured) && measured.length === figures.length, () => `${name} is ${measured} instead of ${figures}`)
  for (const [key, value] of Object.entries(figures)) figuresAreTrue(others[key], value, name === '' ? key : `${name}.${key}`)
}
