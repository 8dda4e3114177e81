import { FINISHED, GATHERED, LOST, ROUTED, type Row, STARTED } from '../../src/pipeline/rows.ts'
import { workersEver } from '../../src/pipeline/topology.ts'
import { victimsOf } from '../../src/workload/service.ts'
import type { Books } from './books.ts'
import { claim } from './claim.ts'
import { naiveSize } from './naiveSeats.ts'

interface Given {
  readonly worker: number
  readonly stage: number
  readonly jobs: readonly number[]
  /** The parts that the worker takes over from another worker. */
  readonly stolen?: readonly Part[]
  /** The most jobs of the batch: its shard may get another one while the batch begins. */
  readonly most?: number
}

type Part = { readonly stage: number; readonly job: number }

/** Who carries which jobs, computed from the latest services of each job each time. */
export class NaiveCarrying {
  private readonly books: Books
  private rows = 0
  /** By stage and job: who served it last and when, and who was last given it. By worker: when it was lost. */
  private readonly served = new Map<string, { readonly worker: number; readonly at: number }>()
  private readonly taken = new Map<string, { readonly worker: number; readonly at: number }>()
  private readonly lostAt = new Map<number, number>()
  /** By stage and job: who has stolen it, and when. Thefts within one row keep their order. */
  private readonly stolen = new Map<string, { readonly worker: number; readonly at: number }>()
  private thefts = 0
  /** By stage and job: when it was routed there or its parts had met. */
  private readonly entered = new Map<string, number>()

  constructor(books: Books) {
    this.books = books
  }

  enter({ kind, stage, worker, job }: Row): void {
    const at = this.rows++
    if (kind === FINISHED) this.served.set(`${stage} ${job}`, { worker, at })
    else if (kind === STARTED) this.taken.set(`${stage} ${job}`, { worker, at })
    else if (kind === ROUTED || kind === GATHERED) this.entered.set(`${stage} ${job}`, at)
    else if (kind === LOST) this.lostAt.set(worker, at)
  }

  /** What a batch does to who carries what, before it begins. */
  take({ worker, stolen = [] }: Given): void {
    for (const { stage, job } of stolen)
      this.stolen.set(`${stage} ${job}`, { worker, at: this.rows - 1 + ++this.thefts / 1e9 })
  }

  /** Who was the last to serve a part before this stage or to steal it, and when. */
  private last(stage: number, job: number) {
    const served = this.books.feeders[stage].flatMap((feeder) => this.served.get(`${feeder} ${job}`) ?? [])
    return [...served, ...[this.stolen.get(`${stage} ${job}`) ?? []].flat()].sort((a, b) => a.at - b.at).at(-1)
  }

  /** The worker that served a part last before this stage or stole it, unless it was lost or another one was given the part since. */
  carrier(stage: number, job: number): number | undefined {
    const last = this.last(stage, job)
    if (last === undefined || (this.lostAt.get(last.worker) ?? -1) > last.at) return undefined
    const given = this.taken.get(`${stage} ${job}`)
    return given !== undefined && given.at > last.at && given.worker !== last.worker ? undefined : last.worker
  }

  /** The batch that is given next, or null. */
  next(): Given | null {
    const { books } = this
    const { policy, seed } = books.scenario
    const idle = books.live.flatMap((live, w) => (live && books.hand(w).length === 0 ? [w] : []))
    const open = books.nearest().filter((s) => books.runnable(s) > 0)
    if (policy.kind === 'workStealing')
      for (const worker of idle) {
        const own = this.newest(worker, this.deque(worker))
        if (own !== null) return own
      }
    else
      for (const stage of open)
        for (const job of books.ready(stage)) {
          const worker = this.carrier(stage, job) ?? -1
          if (idle.includes(worker))
            return { worker, stage, jobs: this.batch(stage, job, worker, books.batchSize(stage) ?? 10_000) }
        }
    for (const stage of open) {
      const job = books.ready(stage).find((one) => this.carrier(stage, one) === undefined)
      if (job === undefined || idle.length === 0) continue
      const all = books.shards === null ? books.ready(stage) : books.queues[stage].map((entry) => entry.job)
      const free = all.filter((one) => this.carrier(stage, one) === undefined).length
      const offer = books.shards === null ? Math.min(free, books.runnable(stage)) : free
      const most = Math.min(offer, this.fresh(stage))
      return { worker: idle[0], stage, jobs: this.batch(stage, job, undefined, most), most }
    }
    if (policy.kind !== 'workStealing' || idle.length === 0) return null
    const [thief] = idle
    const one = policy.steal === 'one'
    const workers = workersEver(books.scenario)
    const from = Math.floor(victimsOf({ seed })(thief, books.time) * workers)
    for (let step = 0; step < workers; step++) {
      const deque = this.deque((from + step) % workers)
      if (deque.length === 0) continue
      const stolen = deque.slice(0, one ? 1 : deque.length - Math.floor(deque.length / 2))
      return { ...(this.newest(thief, stolen) as Given), stolen }
    }
    return null
  }

  /** The parts of a worker that may start, oldest first. */
  private deque(worker: number): Part[] {
    const { books } = this
    const parts = books.queues.flatMap((_, stage) =>
      books.runnable(stage) > 0 ? books.ready(stage).map((job) => ({ stage, job })) : [],
    )
    const age = ({ stage, job }: Part) =>
      Math.max(this.last(stage, job)?.at ?? 0, this.entered.get(`${stage} ${job}`) ?? 0)
    // Copies that were made in one row are as old as each other: they come in the order of the links.
    const copies = (a: Part, b: Part) => {
      const from = books.feeders[a.stage].find((feeder) => this.served.get(`${feeder} ${a.job}`)?.at === age(a)) ?? 0
      return books.next[from].indexOf(a.stage) - books.next[from].indexOf(b.stage)
    }
    return parts
      .filter(({ stage, job }) => this.carrier(stage, job) === worker)
      .sort((a, b) => age(a) - age(b) || copies(a, b))
  }

  /** A batch from the newest of these parts on. */
  private newest(worker: number, parts: readonly Part[]): Given | null {
    const part = parts.at(-1)
    if (part === undefined) return null
    const { stage } = part
    const own = parts.filter((one) => one.stage === stage).map(({ job }) => job)
    return {
      worker,
      stage,
      jobs: this.fill(
        stage,
        own.reverse(),
        (job) => own.includes(job) || this.carrier(stage, job) === worker,
        this.books.batchSize(stage) ?? 10_000,
      ),
    }
  }

  private batch(stage: number, first: number, carrier: number | undefined, size: number): number[] {
    const { books } = this
    const fits = (job: number) => this.carrier(stage, job) === carrier
    return this.fill(stage, [first, ...books.ready(stage).filter((job) => job !== first && fits(job))], fits, size)
  }

  private fill(
    stage: number,
    [first, ...others]: readonly number[],
    fits: (job: number) => boolean,
    size: number,
  ): number[] {
    const { books } = this
    const most = Math.min(size, ...books.next[stage].map((next) => books.capacity[next] - books.load(next)))
    const alone = (job: number) => books.tries.has(`${stage} ${job}`)
    const jobs = [first]
    while (jobs.length < most && !alone(first)) {
      const next = books.shards === null ? others.shift() : books.shards.turns(stage, jobs)[0]
      if (next === undefined || !fits(next) || alone(next)) break
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
      const takes = books.scenario.policy.kind === 'workStealing'
      free[s] = carriers.filter((worker) => worker === undefined || (takes && books.hand(worker).length > 0)).length
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
  private expected: Given | null = null
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
    if (expected !== null) this.books.carrying.take(expected)
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
    // A job that starts may let one from outside into the queue, and so into the batch of its shard.
    const grows =
      books.shards !== null && hand.length <= (expected.most ?? 0) && expected.jobs.every((job, k) => hand[k] === job)
    const same = this.admits ? grows || hand.length === expected.jobs.length : hand.join() === expected.jobs.join()
    claim(same, () => `worker ${expected.worker} is given ${hand} instead of ${expected.jobs}`)
  }
}
