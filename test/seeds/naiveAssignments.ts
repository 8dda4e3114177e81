import type { Books } from './books.ts'
import { claim } from './claim.ts'
import { NaiveClaims, naiveSize } from './naiveSeats.ts'

/** Checks where one decision sends each worker, where all are assigned at once: unbounded queues, and no job that failed before. */
export class NaiveAssignments {
  private readonly books: Books
  private readonly seats: readonly number[]
  /** How many idle workers are held back by hand. */
  private readonly held: number
  private readonly claims: NaiveClaims
  private readonly idle: number[]
  /** Where shards keep the order: by stage, the worker that served each shard last. */
  private readonly owners: readonly (readonly number[])[]
  private readonly waiting: readonly number[]
  private readonly assigned: (number | undefined)[]
  private readonly given: {
    readonly worker: number
    readonly stage: number
    readonly size: number
    readonly owner: number | undefined
  }[] = []

  /** Must be created at the decision, before any order. */
  constructor(books: Books, seats: readonly number[], held: number) {
    this.books = books
    this.seats = seats
    this.held = held
    this.claims = new NaiveClaims(books, books.scenario.policy)
    this.idle = books.live.flatMap((live, w) => (live && books.hand(w).length === 0 && !books.isStarting(w) ? [w] : []))
    this.owners = seats.map((_, s) => books.shards?.ownersAt(s) ?? [])
    this.waiting = seats.map((_, s) => books.waiting(s))
    this.assigned = [...books.assigned]
  }

  static apply({ capacity, tries }: Books): boolean {
    return capacity.every((most) => most === Infinity) && tries.size === 0
  }

  /** Checks a new batch: it must go to the stage that lacks most workers. */
  start(worker: number, stage: number, job: number): void {
    const { books } = this
    const { stages } = books.scenario
    this.checkSize()
    const { shards } = books
    // A batch of a shard is a share of all jobs that wait at the decision.
    const most = naiveSize(
      books,
      stage,
      Math.max(this.seats[stage], books.busy(stage) + 1),
      shards === null ? undefined : this.waiting[stage],
    )
    const size = shards === null ? Math.min(most, books.runnable(stage)) : shards.batch(stage, job, most)
    this.given.push({ worker, stage, size, owner: shards?.owner(stage, job) })
    const open = [...this.seats.keys()].filter((s) => books.runnable(s) > 0)
    const comesBefore = (a: number, b: number) =>
      this.lacking(b) - this.lacking(a) ||
      this.claims.compare(b, books.busy(b), a, books.busy(a)) ||
      (stages[a].id < stages[b].id ? -1 : 1)
    const [best] = open.sort(comesBefore)
    claim(
      best === stage,
      () => `worker ${worker} is sent to stage ${stage} though stage ${best} lacks ${this.lacking(best)} workers`,
    )
  }

  /** Checks a second batch: no idle worker could take it, and this stage and worker are next. */
  ahead(worker: number, stage: number): void {
    const { books, seats } = this
    const { stages, policy } = books.scenario
    this.checkSize()
    const open = [...seats.keys()].filter((s) => books.runnable(s) > 0)
    const idlers = open.find((s) => policy.lend || this.lacking(s) > 0)
    claim(
      books.idle() <= this.held || idlers === undefined,
      () => `worker ${worker} gets a second batch before the idle are served at stage ${idlers}`,
    )
    const [turn] = open
      .filter((s) => this.lacking(s) >= 0 && books.takers(s).length > 0)
      .sort((a, b) => (stages[a].id < stages[b].id ? -1 : 1))
    claim(turn === stage, () => `worker ${worker} gets more of stage ${stage} though it is the turn of stage ${turn}`)
    claim(
      books.takers(stage)[0] === worker,
      () => `worker ${worker} gets a second batch though it is the turn of worker ${books.takers(stage)[0]}`,
    )
    const most = naiveSize(books, stage, seats[stage])
    this.second = { worker, stage, size: Math.min(most, books.runnable(stage)) }
  }
  private second: { readonly worker: number; readonly stage: number; readonly size: number } | null = null

  /** Checks the workers of all batches: those already at the stage stay, then the lowest numbers go. */
  end(): void {
    this.checkSize()
    const { policy } = this.books.scenario
    const free = [...this.idle]
    const matched = new Map<number, number>()
    const match = (fits: (worker: number, stage: number, owner: number | undefined) => boolean) =>
      this.given.forEach(({ stage, owner }, p) => {
        const worker = matched.has(p) ? undefined : free.find((w) => fits(w, stage, owner))
        if (worker === undefined) return
        matched.set(p, worker)
        free.splice(free.indexOf(worker), 1)
      })
    if (policy.kind !== 'single') {
      match((worker, stage, owner) => this.assigned[worker] === stage && worker === owner)
      if (this.books.shards !== null) {
        const free = (worker: number, stage: number) => !this.owners[stage].includes(worker)
        match((worker, stage) => this.assigned[worker] === stage && free(worker, stage))
        if (!policy.lend) match((worker, stage) => this.assigned[worker] === undefined && free(worker, stage))
      }
      match((worker, stage) => this.assigned[worker] === stage)
    }
    if (policy.kind !== 'single' && !policy.lend) match((worker) => this.assigned[worker] === undefined)
    match(() => true)
    this.given.forEach(({ worker, stage }, p) => {
      claim(matched.get(p) === worker, () => `stage ${stage} gets worker ${worker} instead of ${matched.get(p)}`)
    })
  }

  /** Checks the size of the last batch. */
  private checkSize(): void {
    const last = this.second ?? this.given.at(-1)
    if (last === undefined) return
    const { length } = this.second === null ? this.books.hand(last.worker) : this.books.second(last.worker)
    claim(
      length === last.size,
      () => `worker ${last.worker} is given ${length} jobs of stage ${last.stage} instead of ${last.size}`,
    )
  }

  private lacking(stage: number): number {
    return this.seats[stage] - this.books.busy(stage)
  }
}
