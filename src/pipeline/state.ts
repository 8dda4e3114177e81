import { countJobs } from '../scenario/model/limits.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { type Counts, createCounts } from './counts.ts'
import { createQueue, type JobQueue } from './discipline.ts'
import { createGroupQueue, type GroupQueue } from './groupQueue.ts'
import { createHands, type Hands } from './hands.ts'
import { createJobParts, type JobParts } from './jobParts.ts'
import { createOrderBuffer, type OrderBuffer } from './orderBuffer.ts'
import { createResourceQueues, type ResourceQueues, waitsForResource } from './resourceQueues.ts'
import { createShards, type Shards } from './shards.ts'
import { type Topology, topologyOf, workersEver } from './topology.ts'

/** How often a job is tried where the scenario does not say. */
const TRIES = 3

/**
 * What is, in full: the counts, and which job is where. `apply` (apply.ts) is the only way to change it.
 *
 * At a gated stage (see Topology) a ticket too far ahead of the tail stands aside in `early`, and joins the queue when
 * the tail comes within reach: so whatever is in a queue may be started as far as order is concerned, and a full ring
 * never has to refuse anybody. At a stage that skips taken resources the queue holds no job either that may not start (see
 * GroupQueue); at one where workers wait for them every job may, and who is served is told by the `lines`. Where shards keep
 * the order it holds the jobs whose turn it is (see ShardQueue), and the buffer is where the others of the last stages stand.
 */
export interface State {
  readonly topology: Topology
  readonly counts: Counts
  readonly outside: JobQueue
  readonly queues: readonly JobQueue[]
  readonly early: readonly JobQueue[]
  /** By stage: its queue once more where it skips taken resources, else null. */
  readonly skipping: readonly (GroupQueue | null)[]
  /** The queues once more, where shards keep the order; else null. */
  readonly shards: Shards | null
  /** Null where no worker ever waits for a resource. */
  readonly resourceQueues: ResourceQueues | null
  /** Workers who have got the resource that they waited for, in order, until an engine sends them off; they may have lost it again since. */
  readonly granted: number[]
  /** The jobs in each worker's hands, in the order in which it serves them; those of a second batch stand behind. */
  readonly hands: Hands
  /** Names the batch that a worker works at: a reply counts only under it. 0: nothing is awaited. */
  readonly leases: Float64Array
  /** The same of its second batch, awaited when the first is through. 0: it has none. */
  readonly prefetchLeases: Float64Array
  /** How often a job has failed alone at the stage where it is; a job listed here is served alone. */
  readonly tries: Map<number, number>
  readonly triesAllowed: Int32Array
  readonly buffer: OrderBuffer<number> | null
  /** Tickets of failed jobs that the ring of the order buffer does not reach yet. */
  readonly failedTickets: JobQueue
  /** The parts of jobs, where jobs are copied; else null. */
  readonly jobParts: JobParts | null
  /** Which way a job goes behind a stage that routes. */
  readonly routeOf: (stage: number, job: number) => number
  /** What follows from the facts applied: a job leaves (job), or (-1 - job, `codeOf`) the row of another kind. */
  readonly due: number[]
  batches: number
}

/**
 * `sizeOf` tells the service time of a job at a stage, for the one discipline that looks at it (`shortest`); `groupOf` the
 * group of a job, for the stages where groups exclude each other; `routeOf` where a job goes behind a stage that routes.
 */
export function createState(
  scenario: Scenario,
  sizeOf: (stage: number, job: number) => Micros,
  groupOf: (job: number) => number,
  routeOf: (stage: number, job: number) => number,
): State {
  const topology = topologyOf(scenario)
  const counts = createCounts(scenario)
  const skipping = scenario.stages.map(({ discipline, resource, whenTaken }, i) =>
    resource !== null && whenTaken === 'skip' ? createGroupQueue(discipline, (job) => sizeOf(i, job), groupOf) : null,
  )
  const buffer = topology.slots > 0 ? createOrderBuffer<number>(topology.slots) : null
  const shards =
    buffer === null || scenario.order.kind !== 'shard' ? null : createShards(topology, countJobs(scenario.source), topology.slots, () => buffer.tail)
  return {
    topology,
    counts,
    outside: createQueue('fifo', () => 0),
    queues: shards?.queues ?? scenario.stages.map((stage, i) => skipping[i] ?? createQueue(stage.discipline, (job) => sizeOf(i, job))),
    early: scenario.stages.map(() => createQueue('shortest', (job) => job)),
    skipping,
    shards,
    resourceQueues: createResourceQueues(scenario, workersEver(scenario), groupOf),
    granted: [],
    hands: createHands(counts.hand.length),
    leases: new Float64Array(counts.hand.length),
    prefetchLeases: new Float64Array(counts.hand.length),
    tries: new Map(),
    triesAllowed: Int32Array.from(scenario.stages, (stage) => stage.fails?.tries ?? TRIES),
    buffer,
    failedTickets: createQueue('shortest', (job) => job),
    jobParts: topology.copies ? createJobParts() : null,
    routeOf,
    due: [],
    batches: 0,
  }
}

/** Whether a reply of this worker under this lease is the one awaited. */
export function awaits(state: State, worker: number, lease: number): boolean {
  return lease > 0 && state.leases[worker] === lease
}

/**
 * How many jobs of a stage may be started now: those in its queue (see `early` on order), as far as every next queue has
 * room that nobody else has reserved. Room is reserved by whatever is in hands on the way there, at all the stages that
 * feed it, also of a job that will be routed elsewhere or must wait there for its other parts.
 */
export function runnable(state: State, stage: number): number {
  return roomFor(state, stage, state.queues[stage].length)
}

/** As far as every next queue has room for so many jobs of a stage. */
export function roomFor({ topology, counts }: State, stage: number, queued: number): number {
  if (topology.narrow[stage] === 0) return queued
  const { linear, next: only, ways, before, capacity } = topology
  if (linear) {
    const room = capacity[only[stage]] - counts.waiting[only[stage]] - counts.inHands[stage]
    return room < queued ? Math.max(0, room) : queued
  }
  let least = queued
  for (let i = 0; i < ways[stage].length; i++) {
    const next = ways[stage][i]
    if (capacity[next] === 0) continue
    let room = capacity[next] - counts.waiting[next]
    for (let k = 0; k < before[next].length; k++) room -= counts.inHands[before[next][k]]
    if (room < least) least = room
  }
  return Math.max(0, least)
}

/** Whether a job goes alone: one that has failed before, so that it takes no other down with it. */
export function servedAlone(state: State, stage: number, job: number): boolean {
  return state.tries.size > 0 && state.tries.has(partKey(stage, job))
}

/** Whether a worker waits for a resource, its job in hand. */
export function isWaiting({ resourceQueues }: State, worker: number): boolean {
  return resourceQueues !== null && waitsForResource(resourceQueues, worker)
}

/** Of a job that is copied there is a part at several stages: what is kept of one part is kept under this. */
export function partKey(stage: number, job: number): number {
  return job * 256 + stage
}
