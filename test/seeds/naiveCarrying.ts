import { FINISHED, LOST, type Row, STARTED } from '../../src/pipeline/rows.ts'
import type { Books } from './books.ts'
import { claim } from './claim.ts'
import { naiveSize } from './naiveSeats.ts'

/** Who carries which jobs under `perJob`, computed from the latest services of each job each time. */
export class NaiveCarrying {
  private readonly books: Books
  private rows = 0
  /** By stage and job: who served it last and when, and who was last given it. By worker: when it was lost. */
  private readonly served = new Map<string, { readonly worker: number; readonly at: number }>()
  private readonly taken = new Map<string, { readonly worker: number; readonly at: number }>()
  private readonly lostAt = new Map<number, number>()

  constructor(books: Books) {
    this.books = books
  }

  enter({ kind, stage, worker, job }: Row): void {
    const at = this.rows++
    if (kind === FINISHED) this.served.set(`${stage} ${job}`, { worker, at })
    else if (kind === STARTED) this.taken.set(`${stage} ${job}`, { worker, at })
    else if (kind === LOST) this.lostAt.set(worker, at)
  }

  /** The worker that served a part last before this stage, unless it was lost or another one was given the part since. */
  carrier(stage: number, job: number): number | undefined {
    const last = this.books.feeders[stage]
      .flatMap((feeder) => this.served.get(`${feeder} ${job}`) ?? [])
      .sort((a, b) => a.at - b.at)
      .at(-1)
    if (last === undefined || (this.lostAt.get(last.worker) ?? -1) > last.at) return undefined
    const given = this.taken.get(`${stage} ${job}`)
    return given !== undefined && given.at > last.at && given.worker !== last.worker ? undefined : last.worker
  }

  /** The batch that is given next, or null. */
  next(): { readonly worker: number; readonly stage: number; readonly jobs: readonly number[] } | null {
    const { books } = this
    const idle = books.live.flatMap((live, w) => (live && books.hand(w).length === 0 ? [w] : []))
    const open = books.nearest().filter((s) => books.runnable(s) > 0)
    for (const stage of open)
      for (const job of books.ready(stage)) {
        const worker = this.carrier(stage, job) ?? -1
        if (idle.includes(worker)) return { worker, stage, jobs: this.batch(stage, job, worker, books.batchSize(stage) ?? 10_000) }
      }
    for (const stage of open) {
      const job = books.ready(stage).find((one) => this.carrier(stage, one) === undefined)
      if (job === undefined || idle.length === 0) continue
      const all = books.shards === null ? books.ready(stage) : books.queues[stage].map((entry) => entry.job)
      const free = all.filter((one) => this.carrier(stage, one) === undefined).length
      const offer = books.shards === null ? Math.min(free, books.runnable(stage)) : free
      return { worker: idle[0], stage, jobs: this.batch(stage, job, undefined, Math.min(offer, this.fresh(stage))) }
    }
    return null
  }

  private batch(stage: number, first: number, carrier: number | undefined, size: number): number[] {
    const { books } = this
    const most = Math.min(size, ...books.next[stage].map((next) => books.capacity[next] - books.load(next)))
    const alone = (job: number) => books.tries.has(`${stage} ${job}`)
    const jobs = [first]
    const others = books.ready(stage).filter((job) => job !== first && this.carrier(stage, job) === carrier)
    while (jobs.length < most && !alone(first)) {
      const next = books.shards === null ? others.shift() : books.shards.turns(stage, jobs)[0]
      if (next === undefined || this.carrier(stage, next) !== carrier || alone(next)) break
      jobs.push(next)
    }
    return jobs
  }

  /** The size of a batch of free jobs: a share of all jobs at the stages, as if there were one worker more. */
  private fresh(stage: number): number {
    const { books } = this
    const jobs = books.queues.reduce((sum, _, s) => sum + books.waiting(s) + books.inHands(s), 0)
    return naiveSize(books, stage, books.alive() + 1, jobs)
  }

  /** Seats where the workers are, with the idle ones where they go on, or where free jobs wait. */
  seats(): number[] {
    const { books } = this
    const seats = books.queues.map((_, s) => books.busy(s))
    let left = books.idle()
    const counted = new Set<number>()
    const free = seats.map(() => 0)
    for (const s of books.nearest()) {
      const carriers = books.queues[s].map(({ job }) => this.carrier(s, job))
      free[s] = carriers.filter((worker) => worker === undefined).length
      for (const worker of new Set(carriers)) {
        if (worker === undefined || counted.has(worker) || books.hand(worker).length > 0) continue
        counted.add(worker)
        seats[s]++
        left--
      }
    }
    for (const s of books.nearest()) {
      const jobs = books.shards === null ? Math.min(free[s], books.runnable(s)) : free[s]
      const more = jobs === 0 ? 0 : Math.min(left, Math.ceil(jobs / this.fresh(s)))
      seats[s] += more
      left -= more
    }
    return seats
  }
}

/** Checks the batches of one decision. */
export class CarriedBatches {
  private readonly books: Books
  private expected: ReturnType<NaiveCarrying['next']> = null
  private admits = false

  constructor(books: Books) {
    this.books = books
  }

  start(worker: number, stage: number, job: number): void {
    this.checkJobs()
    this.expected = this.books.carrying.next()
    this.admits = this.books.outside.length > 0
    const { expected } = this
    claim(
      expected?.worker === worker && expected.stage === stage && expected.jobs[0] === job,
      () => `worker ${worker} is given job ${job} of stage ${stage} instead of ${JSON.stringify(expected)}`,
    )
  }

  end(): void {
    this.checkJobs()
    const left = this.books.stopped ? null : this.books.carrying.next()
    claim(left === null, () => `nobody is given ${JSON.stringify(left)}`)
  }

  private checkJobs(): void {
    const { expected, books } = this
    if (expected === null) return
    const hand = books.hand(expected.worker)
    // A job that starts may let one from outside into the queue.
    const same = this.admits ? hand.length === expected.jobs.length : hand.join() === expected.jobs.join()
    claim(same, () => `worker ${expected.worker} is given ${hand} instead of ${expected.jobs}`)
  }
}
