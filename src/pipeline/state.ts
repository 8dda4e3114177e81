import type { Scenario } from '../scenario/model/scenario.ts'
import { countJobs } from '../scenario/model/sources.ts'
import { grown } from './column.ts'
import { createCounts } from './counts.ts'
import { createOpenQueue, createQueue, type JobQueue } from './discipline.ts'
import { createGroupQueue } from './groupQueue.ts'
import { createOrderBuffer } from './orderBuffer.ts'
import { createShards } from './shards.ts'
import { topologyOf, workersEver } from './topology.ts'
import { createResourceQueues, createWorkerJobs, waitsForResource } from './workerJobs.ts'

/** How often a job is tried by default. */
const TRIES = 3
/** A part at which this many threads ended has failed, where that counts and the run does not set another number. */
export const THREAD_ENDS = 3

/** Only `apply` changes it. Queues hold just what may start: gated tickets wait in `early`, others in GroupQueue and shards for their group or turn. */
export type State = ReturnType<typeof createState>

/** Returns the state before the first row. `sizeOf` tells what `shortest` and `priority` order a job by at a stage: its service time, or its class. */
export function createState(
  scenario: Scenario,
  sizeOf: (stage: number, job: number) => number,
  groupOf: (job: number) => number,
  routeOf: (stage: number, job: number) => number,
) {
  const topology = topologyOf(scenario)
  const counts = createCounts(scenario)
  const keyOf = scenario.stages.map(({ discipline, ageing }, i) =>
    discipline === 'priority' && ageing !== null
      ? (job: number) => sizeOf(i, job) * ageing + counts.time
      : (job: number) => sizeOf(i, job),
  )
  const skipping = scenario.stages.map(({ discipline, resource, whenTaken }, i) =>
    resource !== null && whenTaken === 'skip' ? createGroupQueue(discipline, keyOf[i], groupOf) : null,
  )
  const buffer = topology.slots > 0 ? createOrderBuffer<number>(topology.slots) : null
  const shards =
    buffer === null || scenario.order.kind !== 'shard'
      ? null
      : createShards(topology, countJobs(scenario.source), topology.slots, () => buffer.tail)
  /** The jobs that were never started, wherever they wait, and those outside; null where no client gives up. */
  const clients =
    scenario.source.retry === undefined
      ? null
      : { unstarted: new Set<number>(), outside: createOpenQueue('fifo', () => 0) }
  const queueOf = (i: number) =>
    (clients !== null && i === topology.first ? createOpenQueue : createQueue)(scenario.stages[i].discipline, keyOf[i])
  return {
    topology,
    counts,
    outside: (clients?.outside ?? createQueue('fifo', () => 0)) as JobQueue,
    queues: (shards?.queues ?? scenario.stages.map((_, i) => skipping[i] ?? queueOf(i))) as readonly JobQueue[],
    clients,
    early: scenario.stages.map(() => createQueue('shortest', (job) => job)),
    /** By stage: its queue as a GroupQueue where it skips taken resources, else null. */
    skipping,
    /** The queues as shards, where shards keep the order; else null. */
    shards,
    /** Null where no worker ever waits for a resource. */
    resourceQueues: createResourceQueues(scenario, workersEver(scenario), groupOf),
    /** Workers that got the resource they waited for, in order, until an engine starts them. They may have lost it again since. */
    granted: [] as number[],
    /** The jobs in each worker's hands, in the order in which it serves them; prefetched jobs last. */
    workerJobs: createWorkerJobs(counts.jobsInHand.length),
    /** The lease of the batch that a worker works at: a reply counts only under it. 0: no reply is expected. */
    leases: new Float64Array(counts.jobsInHand.length),
    /** The lease of its prefetched batch. 0: it has none. */
    prefetchLeases: new Float64Array(counts.jobsInHand.length),
    /** How often a job has thrown alone at a stage. A job listed here is served alone. */
    tries: new Map<number, number>(),
    triesAllowed: Int32Array.from(scenario.stages, (stage) => stage.fails?.tries ?? TRIES),
    threadEndsAllowed: new Int32Array(scenario.stages.length).fill(THREAD_ENDS),
    /** How many threads ended at a part of a job. Null where that does not count; where it does, each job that is put back after a throw threw itself. */
    threadEnds: null as Map<number, number> | null,
    buffer,
    /** Tickets of failed jobs that the order buffer does not reach yet. */
    failedTickets: createQueue('shortest', (job) => job),
    /** The parts of jobs, where jobs are copied; else null. */
    jobParts: topology.copies ? createJobParts(topology.joins) : null,
    routeOf,
    /** What follows from the applied facts: a job that leaves (job), or the row of another kind (-1 - job, `codeOf`). */
    due: createQueue('fifo', () => 0),
    batches: 0,
    /** Whether every waiting job may start, in the order of its queue: no queue is bounded, ordered or skips resources. */
    direct: buffer === null && !topology.bounded && skipping.every((queue) => queue === null),
  }
}

/** Whether a reply of this worker under this lease is the expected one. */
export function expectsReply(state: State, worker: number, lease: number): boolean {
  return lease > 0 && state.leases[worker] === lease
}

/** Returns how many jobs of a stage may start now. Jobs in hand at any stage that feeds a queue reserve room there, wherever they are routed. */
export function runnable(state: State, stage: number): number {
  return roomFor(state, stage, state.queues[stage].length)
}

/** Returns how many of the queued jobs have room in every next queue. */
export function roomFor(
  { topology, counts }: Pick<State, 'topology' | 'counts'>,
  stage: number,
  queued: number,
): number {
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

/** Batches of fewer jobs are moved one by one, which is faster then. */
export const MIN_AT_ONCE = 8

/** Whether the jobs of a batch at this stage can be counted and moved at once: none of them is in parts, has failed, or makes room for another. */
export function servesAtOnce({ topology, counts, shards, jobParts, tries }: State, stage: number): boolean {
  return (
    topology.exclusive[stage] === 0 && counts.outside === 0 && tries.size === 0 && shards === null && jobParts === null
  )
}

/** Whether a job must be served alone, because it has thrown before. */
export function servedAlone(state: State, stage: number, job: number): boolean {
  return state.tries.size > 0 && state.tries.has(partKey(stage, job))
}

/** Whether a part has been tried often enough, or has ended threads often enough. */
export function hasFailed(state: State, stage: number, job: number): boolean {
  const { tries, triesAllowed, threadEnds, threadEndsAllowed } = state
  const key = partKey(stage, job)
  return (tries.get(key) ?? 0) >= triesAllowed[stage] || (threadEnds?.get(key) ?? 0) >= threadEndsAllowed[stage]
}

/** Whether a worker waits for a resource, its job in hand. */
export function isWaiting({ resourceQueues }: State, worker: number): boolean {
  return resourceQueues !== null && waitsForResource(resourceQueues, worker)
}

/** The key of one part of a job: a copied job has a part at several stages. */
export function partKey(stage: number, job: number): number {
  return job * 256 + stage
}

export type JobParts = ReturnType<typeof createJobParts>

/** The parts of copied jobs: how many, which have arrived at a join, which jobs failed. `joins`: by stage how many parts it waits for, else 0. */
export function createJobParts(joins: Uint16Array) {
  /** By job: its parts beyond the first. */
  let others = new Uint16Array(64)
  /** By stage, then by job. */
  const gathered = Array.from(joins, (parts) => new Uint16Array(parts > 0 ? 64 : 0))
  const givenUp = new Set<number>()
  return {
    failed: new Set<number>(),
    /** Adds parts to a job, which has one from the beginning. */
    more(job: number, parts: number) {
      if (job >= others.length) others = grown(others, job)
      others[job] += parts
    },
    /** Removes parts of a job. Returns how many are left. */
    less(job: number, parts: number) {
      const left = (job < others.length ? others[job] : 0) + 1 - parts
      if (job < others.length) others[job] = Math.max(0, left - 1)
      return left
    },
    forget(job: number) {
      if (job < others.length) others[job] = 0
    },
    /** Adds a part that waits at a stage for the others. Returns how many there are now. */
    gather(stage: number, job: number) {
      if (job >= gathered[stage].length) gathered[stage] = grown(gathered[stage], job)
      return ++gathered[stage][job]
    },
    /** Clears the parts that wait at a stage for the others, or have just been joined. Returns how many there were. */
    scatter(stage: number, job: number) {
      const here = gathered[stage][job] ?? 0
      if (here > 0) gathered[stage][job] = 0
      return here
    },
    /** Notes that a job is given up. Returns false if it was given up before. */
    giveUp(job: number) {
      if (givenUp.has(job)) return false
      givenUp.add(job)
      return true
    },
  }
}
