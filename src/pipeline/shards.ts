import type { JobQueue } from './discipline.ts'
import { NONE } from './rows.ts'
import type { Topology } from './topology.ts'

export interface Shards {
  readonly queues: readonly ShardQueue[]
  /** For each stage with several feeders: on how many of the incoming links a job cannot come. */
  readonly missed: readonly Uint8Array[]
}

/** Returns the shards of all stages. `tail` is the first ticket that has not left; last stages begin none n ahead, bounded queues hold the next ones only. */
export function createShards(
  { stages, ways, before, capacity }: Topology,
  jobs: number,
  workers: number,
  tail: () => number,
): Shards {
  const queues: ShardQueue[] = Array.from({ length: stages }, (_, stage) => {
    const bounded = ways[stage].filter((next) => capacity[next] > 0)
    const reach = (shards: number) =>
      bounded.reduce(
        (most, next) => Math.min(most, queues[next].firstOpen + capacity[next]),
        ways[stage].length === 0 ? tail() + shards : jobs,
      )
    return new ShardQueue(jobs, workers, reach)
  })
  return { queues, missed: before.map((feeders) => new Uint8Array(feeders.length > 1 ? jobs : 0)) }
}

/** Passes the ticket of a routed job at every stage that the job can no longer reach. Calls `passes` with each of them. */
export function passUnreachable(
  shards: Shards,
  topology: Topology,
  stage: number,
  to: number,
  job: number,
  passes: (stage: number) => void = () => {},
): void {
  for (const way of topology.ways[stage]) {
    const feeders = topology.before[way].length
    if (way === to || (feeders > 1 && ++shards.missed[way][job] < feeders)) continue
    shards.queues[way].pass(job)
    passes(way)
    passUnreachable(shards, topology, way, NONE, job, passes)
  }
}

const WAITS = 1
const HELD = 2
const PASSED = 3

/** Shard k of n serves tickets with number mod n = k, ascending, once here. A ticket passes when it is served, failed or unreachable. A new n waits for started ones. */
export class ShardQueue implements JobQueue {
  /** The number of shards in force, and the number that is wanted. */
  shards = 1
  wanted = 1
  /** The first ticket that has not passed. */
  least = 0
  /** By ticket; 0: it has not arrived. */
  private readonly standing: Uint8Array
  /** By shard: its first ticket that has not passed, and the worker that served it last. */
  private readonly heads: Int32Array
  private readonly owners: Int16Array
  private readonly reach: (shards: number) => number
  /** One more than the last started ticket, and than the last ticket that ever waited. */
  private startedEnd = 0
  private end = 0
  private first = 0

  constructor(jobs: number, workers: number, reach: (shards: number) => number) {
    this.standing = new Uint8Array(jobs)
    this.heads = new Int32Array(workers)
    this.owners = new Int16Array(workers).fill(NONE)
    this.reach = reach
  }

  /** How many jobs may be taken now. */
  get length(): number {
    const { standing, heads, shards } = this
    const limit = this.limit()
    let count = 0
    for (let k = 0; k < shards; k++) if (standing[heads[k]] === WAITS && heads[k] < limit) count++
    return count
  }

  /** The first ticket that has neither started nor passed. */
  get firstOpen(): number {
    while (this.standing[this.first] >= HELD) this.first++
    return this.first
  }

  /** Asks for this many shards. With 0 the shards stay as they are, for workers that help out. */
  deal(workers: number): void {
    this.wanted = workers === 0 ? this.shards : workers
    this.change()
  }

  hold(ticket: number, worker: number): void {
    this.standing[ticket] = HELD
    this.owners[ticket % this.shards] = worker
    if (ticket >= this.startedEnd) this.startedEnd = ticket + 1
  }

  pass(ticket: number): void {
    const { standing, heads, shards } = this
    standing[ticket] = PASSED
    while (standing[this.least] === PASSED) this.least++
    const k = ticket % shards
    while (standing[heads[k]] === PASSED) heads[k] += shards
    this.change()
  }

  /** Returns the next ticket of the same shard that may start in one batch with this one; NONE if there is none. */
  following(ticket: number): number {
    const { standing, shards } = this
    let next = ticket + shards
    while (standing[next] === PASSED) next += shards
    return standing[next] === WAITS && next < this.limit() ? next : NONE
  }

  /** Returns the worker that last served the shard of this ticket; NONE before the first. */
  ownerOf(ticket: number): number {
    return this.owners[ticket % this.shards]
  }

  /** Whether a worker was the last to serve any of its shards. */
  isOwner(worker: number): boolean {
    return this.owners.includes(worker)
  }

  /** Returns the jobs that may be taken now, ascending. */
  startable(): number[] {
    const { standing, heads, shards } = this
    const limit = this.limit()
    const tickets: number[] = []
    for (let k = 0; k < shards; k++) if (standing[heads[k]] === WAITS && heads[k] < limit) tickets.push(heads[k])
    return tickets.sort((a, b) => a - b)
  }

  push(ticket: number): void {
    this.standing[ticket] = WAITS
    if (ticket >= this.end) this.end = ticket + 1
  }

  peek(): number {
    return this.startable()[0] ?? NONE
  }

  take(): number {
    const ticket = this.peek()
    if (ticket !== NONE) this.standing[ticket] = 0
    return ticket
  }

  putBack(tickets: readonly number[]): void {
    for (const ticket of tickets) {
      this.standing[ticket] = WAITS
      if (ticket < this.first) this.first = ticket
    }
  }

  remove(ticket: number): boolean {
    if (this.standing[ticket] !== WAITS) return false
    this.standing[ticket] = 0
    return true
  }

  forEach(visit: (ticket: number) => void): void {
    for (let ticket = this.least; ticket < this.end; ticket++) if (this.standing[ticket] === WAITS) visit(ticket)
  }

  /** Tickets from here on may not start yet. */
  private limit(): number {
    const reach = this.reach(this.shards)
    return this.wanted === this.shards ? reach : Math.min(reach, this.startedEnd)
  }

  /** Puts the wanted number of shards in force, once all tickets below the last started one have passed. */
  private change(): void {
    const { wanted, standing, heads, owners, least } = this
    if (wanted === this.shards || least < this.startedEnd) return
    this.shards = wanted
    owners.fill(NONE, wanted)
    for (let ticket = least; ticket < least + wanted; ticket++) {
      let head = ticket
      while (standing[head] === PASSED) head += wanted
      heads[ticket % wanted] = head
    }
  }
}
