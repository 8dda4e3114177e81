import type { Ballot } from '../allocation/ballot.ts'
import type { JobQueue } from '../pipeline/discipline.ts'
import { FAILED, FINISHED, GATHERED, LOST, NONE, ROUTED, type Rows, STARTED } from '../pipeline/rows.ts'
import { partKey, roomFor, runnable, type State, servedAlone } from '../pipeline/state.ts'
import { FORK } from '../pipeline/topology.ts'
import { MAX_BATCH } from '../scenario/model/limits.ts'
import type { Micros, Policy } from '../scenario/model/scenario.ts'
import { type Sizing, sizeAt } from './batches.ts'
import type { Roster } from './roster.ts'

/** Which worker carries which part of a job: the one that finished it at the stage before, until that worker finishes it here or is lost, or another one steals it. */
export class Carrying {
  /** By stage: how many parts are carried that wait there or are in service. */
  readonly at: Int32Array
  /** By part, from the one that has been carried longest: its worker. */
  readonly carriers = new Map<number, number>()
  /** By part, within one instant: the row in which it was finished, where several ways follow. */
  private readonly finishers = new Map<number, number>()
  private readonly gone = new Set<number>()

  constructor(stages: number) {
    this.at = new Int32Array(stages)
  }

  /** Returns the worker that carries a part, or NONE. */
  carrierOf(stage: number, job: number): number {
    return this.carriers.get(partKey(stage, job)) ?? NONE
  }

  /** From now on this worker carries the part. */
  give(key: number, worker: number): void {
    this.free(key)
    this.at[key % 256]++
    this.carriers.set(key, worker)
  }

  /** From now on no worker carries the part. */
  free(key: number): void {
    if (this.carriers.delete(key)) this.at[key % 256]--
  }

  /** Reads the rows from `from` on, which the state has applied. */
  take(
    { kind, stage, worker, job, length }: Rows,
    from: number,
    { topology, jobParts }: Pick<State, 'topology' | 'jobParts'>,
  ): void {
    const { next, queuesAfter, before } = topology
    for (let i = from; i < length; i++) {
      const [s, w, j] = [stage[i], worker[i], job[i]]
      switch (kind[i]) {
        case STARTED:
          if (this.at[s] > 0 && this.carrierOf(s, j) !== w) this.drop(s, j)
          break
        case FINISHED:
          this.drop(s, j)
          if (jobParts?.failed.has(j)) break
          if (next[s] >= 0) this.give(partKey(next[s], j), w)
          else if (next[s] === FORK) {
            for (const after of queuesAfter[s]) this.give(partKey(after, j), w)
            this.finishers.set(partKey(s, j), i)
          }
          break
        case ROUTED:
        case GATHERED:
          if (s !== NONE) {
            let last = NONE
            for (const feeder of before[s]) last = Math.max(last, this.finishers.get(partKey(feeder, j)) ?? NONE)
            if (last !== NONE && !this.gone.has(worker[last])) this.give(partKey(s, j), worker[last])
          }
          break
        case FAILED:
          for (let at = 0; at < next.length; at++) this.drop(at, j)
          break
        case LOST:
          this.forget(w)
          this.gone.add(w)
      }
    }
    this.finishers.clear()
    this.gone.clear()
  }

  private drop(stage: number, job: number): void {
    if (this.at[stage] > 0) this.free(partKey(stage, job))
  }

  private forget(worker: number): void {
    for (const [key, carrier] of this.carriers) if (carrier === worker) this.free(key)
  }
}

export type Stealing = Extract<Policy, { kind: 'workStealing' }>

/** Whether idle workers take over what others carry. */
export function steals(policy: Policy): policy is Stealing {
  return policy.kind === 'workStealing'
}

export interface CarryView extends Sizing {
  readonly state: State
  readonly roster: Roster
  readonly ballot: Ballot
  /** Jobs that may be started now, in tie order. */
  readonly runnable: Int32Array
  /** Null unless the scenario has a policy under which workers carry jobs. */
  readonly carrying: Carrying | null
  readonly victimOf: VictimDraw
}

/** Where a worker that steals at this instant begins to search: a share of the workers, above 0 and below 1. */
export type VictimDraw = (worker: number, time: Micros) => number

/** Seats where the workers are: busy, with jobs of their own to go on with, or about to take free jobs or to steal, nearest the sink first. */
export function carriedSeats(view: CarryView, seats: Int32Array): void {
  const { ballot, carrying, stageOf, state, roster } = view
  const { busy } = state.counts
  let left = ballot.workers
  for (let k = 0; k < stageOf.length; k++) {
    seats[k] = busy[stageOf[k]]
    left -= seats[k]
  }
  const isTaken = steals(view.scenario.policy)
  const counted = new Set<number>()
  const free = new Int32Array(stageOf.length)
  for (const stage of state.topology.nearest) {
    const k = stageOf.indexOf(stage)
    free[k] = ballot.waiting[k]
    if (carrying === null || carrying.at[stage] === 0) continue
    free[k] = 0
    const here = new Set<number>()
    state.queues[stage].forEach((job) => {
      const worker = carrying.carrierOf(stage, job)
      if (worker === NONE || (isTaken && !roster.isIdle(worker))) free[k]++
      else if (roster.isIdle(worker) && !counted.has(worker)) here.add(worker)
    })
    for (const worker of here) counted.add(worker)
    seats[k] += here.size
    left -= here.size
  }
  for (const stage of state.topology.nearest) {
    const k = stageOf.indexOf(stage)
    const jobs = state.shards === null ? Math.min(free[k], view.runnable[k]) : free[k]
    const more = jobs === 0 ? 0 : Math.min(left, Math.ceil(jobs / freshSize(view, k)))
    seats[k] += more
    left -= more
  }
}

/** Starts a batch: these jobs, or the first ones in the queue; with shards from this ticket on. */
export type Start = (
  worker: number,
  stage: number,
  size: number,
  ticket: number,
  jobs: readonly number[] | null,
) => void

/** What the steps of one decision share. */
export interface Hands {
  readonly view: CarryView
  readonly carrying: Carrying
  readonly start: Start
}

/** Each idle worker with jobs of its own at a stage goes on with them, in the order of the queue. */
export function goOn(hands: Hands, stage: number): void {
  const { state, roster } = hands.view
  const byWorker = new Map<number, number[]>()
  for (const job of startable(state, stage)) {
    const worker = hands.carrying.carrierOf(stage, job)
    if (worker === NONE || !roster.isIdle(worker)) continue
    const own = byWorker.get(worker)
    if (own === undefined) byWorker.set(worker, [job])
    else if (state.shards === null) own.push(job)
  }
  for (const [worker, own] of byWorker) startOwn(hands, worker, stage, own)
}

/** Starts a batch of a worker's own jobs at a stage, in this order. Returns whether one may start. */
export function startOwn(
  { view: { state, scenario }, carrying, start }: Hands,
  worker: number,
  stage: number,
  own: readonly number[],
): boolean {
  const size = scenario.stages[stage].resource === null ? (scenario.batch.size ?? MAX_BATCH) : 1
  const jobs = batchOf(state, stage, own, size, (job) => carrying.carrierOf(stage, job) === worker)
  if (jobs.length > 0) start(worker, stage, jobs.length, NONE, jobs)
  return jobs.length > 0
}

/** Gives a worker free jobs, which no worker carries, nearest the sink first. Returns whether there are any. */
export function takeFree({ view, carrying, start }: Hands, worker: number): boolean {
  const { state, stageOf } = view
  const { shards, queues } = state
  for (const stage of state.topology.nearest) {
    const room = runnable(state, stage)
    if (room === 0) continue
    const isFree = (job: number) => carrying.carrierOf(stage, job) === NONE
    const listed = carrying.at[stage] === 0 ? null : startable(state, stage).filter(isFree)
    if (listed?.length === 0) continue
    const waiting = shards === null ? (listed?.length ?? room) : listedIn(queues[stage]).filter(isFree).length
    const size = Math.min(freshSize(view, stageOf.indexOf(stage)), shards === null ? Math.min(waiting, room) : waiting)
    start(
      worker,
      stage,
      size,
      shards === null ? NONE : queues[stage].peek(),
      listed === null ? null : batchOf(state, stage, listed, size, isFree),
    )
    return true
  }
  return false
}

/** Returns the size of a batch of free jobs: a share of all that is under way, for each worker and one that waits. */
function freshSize(view: CarryView, k: number): number {
  const { waiting, inHands } = view.state.counts
  let jobs = 0
  for (let stage = 0; stage < waiting.length; stage++) jobs += waiting[stage] + inHands[stage]
  return sizeAt(view, k, jobs, view.ballot.workers + 1)
}

/** Returns the jobs that may start at a stage, in the order of its queue; with shards the first of each. */
export function startable({ shards, skipping, queues }: State, stage: number): number[] {
  return (shards?.queues[stage] ?? skipping[stage])?.startable() ?? listedIn(queues[stage])
}

function listedIn(queue: JobQueue): number[] {
  const jobs: number[] = []
  queue.forEach((job) => {
    jobs.push(job)
  })
  return jobs
}

/** Returns the first of these jobs that may go in one batch: what has thrown before goes alone. With shards those that follow the first. */
function batchOf(
  state: State,
  stage: number,
  jobs: readonly number[],
  size: number,
  fits: (job: number) => boolean,
): readonly number[] {
  const most = roomFor(state, stage, size)
  const shard = state.shards?.queues[stage]
  const batch: number[] = []
  for (
    let job = jobs[0];
    batch.length < most;
    job = shard === undefined ? (jobs[batch.length] ?? NONE) : shard.following(job)
  ) {
    if (job === NONE || !fits(job)) break
    const alone = servedAlone(state, stage, job)
    if (alone && batch.length > 0) break
    batch.push(job)
    if (alone) break
  }
  return batch
}
