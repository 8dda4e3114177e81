import type { Books } from './books.ts'

/**
 * Which tickets may start where shards keep the order, computed from the books each time: a ticket waits while an earlier one
 * of its shard may still need the stage. Other rules apply to stages without feeders or successors.
 */
export class NaiveShards {
  private readonly books: Books
  private readonly shards: number[]
  private readonly wanted: number[]
  /** By stage, one more than the last ticket that started. */
  private readonly startedEnd: number[]
  private readonly served: Set<number>[]
  /** By stage and shard: the worker that served it last. */
  private readonly owners = new Map<string, number>()
  private readonly reach: boolean[][]

  /** The books must have read their links already. */
  constructor(books: Books) {
    this.books = books
    const { stages } = books.scenario
    this.shards = stages.map(() => 1)
    this.wanted = stages.map(() => 1)
    this.startedEnd = stages.map(() => 0)
    this.served = stages.map(() => new Set())
    this.reach = stages.map(() => stages.map(() => false))
    for (const s of [...books.line].reverse())
      for (const other of stages.keys())
        this.reach[s][other] = other === s || books.next[s].some((next) => this.reach[next][other])
  }

  /** Takes the seats of a decision. */
  deal(seats: readonly number[]): void {
    for (const [s, seat] of seats.entries()) {
      const before = this.count(s)
      this.wanted[s] = seat === 0 ? before : seat
    }
  }

  /** The number of shards: as many as were last wanted. Until earlier tickets are served the old number holds. */
  count(stage: number): number {
    if (this.wanted[stage] === this.shards[stage] || this.first(stage) < this.startedEnd[stage])
      return this.shards[stage]
    this.shards[stage] = this.wanted[stage]
    for (const key of this.owners.keys())
      if (key.startsWith(`${stage} `) && Number(key.split(' ')[1]) >= this.shards[stage]) this.owners.delete(key)
    return this.shards[stage]
  }

  /** The tickets of a queue that may start, ascending. */
  startable(stage: number): number[] {
    const { books } = this
    const n = this.count(stage)
    return books.queues[stage]
      .map(({ job }) => job)
      .filter(
        (job) =>
          !this.isBarred(stage, job) &&
          !this.before(job).some((other) => other % n === job % n && this.isExpected(stage, other)),
      )
      .sort((a, b) => a - b)
  }

  /** The tickets that a worker may take now. With jobs in the same batch already: the next of their shard. */
  turns(stage: number, hand: readonly number[]): number[] {
    const last = hand.at(-1)
    if (last === undefined) return this.startable(stage)
    const n = this.count(stage)
    const next = this.books.queues[stage]
      .map(({ job }) => job)
      .filter((job) => job > last && job % n === last % n && !this.isBarred(stage, job))
    const fits = (job: number) =>
      !this.before(job).some((other) => other > last && other % n === job % n && this.isExpected(stage, other))
    return next.filter(fits)
  }

  /** The number of jobs in a batch that starts with this one. */
  batch(stage: number, job: number, most: number): number {
    const jobs = [job]
    while (jobs.length < most) {
      const next = this.turns(stage, jobs).at(0)
      if (next === undefined) break
      jobs.push(next)
    }
    return jobs.length
  }

  begin(stage: number, worker: number, job: number): void {
    this.owners.set(`${stage} ${job % this.count(stage)}`, worker)
    this.startedEnd[stage] = Math.max(this.startedEnd[stage], job + 1)
  }

  serve(stage: number, job: number): void {
    this.served[stage].add(job)
  }

  owner(stage: number, job: number): number | undefined {
    return this.owners.get(`${stage} ${job % this.count(stage)}`)
  }

  /** The worker that served each shard of a stage last. */
  ownersAt(stage: number): number[] {
    return Array.from({ length: this.count(stage) }, (_, k) => this.owners.get(`${stage} ${k}`) ?? -1)
  }

  /** The first ticket that a stage must still serve. */
  private first(stage: number): number {
    for (let job = 0; job < this.books.arrived; job++) if (this.isExpected(stage, job)) return job
    return this.books.arrived
  }

  /** Whether a ticket must wait for a last stage, for a full queue, or for a change of the shards. */
  private isBarred(stage: number, job: number): boolean {
    const { books } = this
    const n = this.count(stage)
    if (this.wanted[stage] !== n && job >= this.startedEnd[stage]) return true
    if (books.next[stage].length === 0 && job >= books.tail + n) return true
    return books.next[stage].some(
      (next) => books.capacity[next] < Infinity && job >= this.firstUnbegun(next) + books.capacity[next],
    )
  }

  private firstUnbegun(stage: number): number {
    const { books } = this
    const held = books.hands.flatMap((hand, w) => (books.assigned[w] === stage ? hand : []))
    for (let job = 0; job < books.arrived; job++) if (!held.includes(job) && this.isExpected(stage, job)) return job
    return books.arrived
  }

  private before(job: number): number[] {
    return Array.from({ length: job }, (_, other) => other)
  }

  /** Whether a ticket is at a stage, or a part of its job may still come there. */
  private isExpected(stage: number, job: number): boolean {
    const { books, reach } = this
    if (this.served[stage].has(job) || books.failed.has(job) || job < books.tail) return false
    const reaches = (from: number) => reach[from][stage]
    if (books.outside.includes(job)) return books.firsts.some(reaches)
    if (books.queues.some((queue, s) => reaches(s) && queue.some((entry) => entry.job === job))) return true
    if (books.hands.some((hand, w) => hand.includes(job) && reaches(books.assigned[w]))) return true
    if (books.gathered.some((part) => part.endsWith(` ${job}`) && reaches(Number(part.split(' ')[0])))) return true
    return books.owed.some(
      (row) =>
        row.startsWith('routed ') && row.endsWith(` ${job}`) && reaches(books.routeOf(Number(row.split(' ')[1]), job)),
    )
  }
}
