import type { Estimates } from '../allocation/estimate.ts'
import { enact } from '../pipeline/apply.ts'
import { ABSENT, BUSY, type Counts, IDLE, isOutside, markDone, nothingComes } from '../pipeline/counts.ts'
import type { Journal } from '../pipeline/journal.ts'
import { visitsOf } from '../pipeline/outlook.ts'
import { DISMISSED, HIRED, NONE, rowTime, TICK } from '../pipeline/rows.ts'
import { isWaiting, type State } from '../pipeline/state.ts'
import { createStartUps, type StartUpDraw, type StartUps } from '../pipeline/switchCosts.ts'
import { isElastic, isKnown } from '../scenario/model/defaults.ts'
import type { ElasticPolicy, KnownPolicy, Micros, Scenario } from '../scenario/model/scenario.ts'
import {
  createProfile,
  initialMemory,
  type Memory,
  nextMemory,
  type Profile,
  poolChange,
  type Sample,
  sparesBusy,
} from './controllers.ts'
import { type PoolPlan, type PoolSample, planPools } from './knownPools.ts'

/** The pools of an elastic policy: one controller a stage. */
export interface Pools {
  policy: ElasticPolicy
  profile: Profile | null
  readonly memory: Memory[]
  /** By stage: the jobs that had arrived by the last tick. */
  readonly came: Float64Array
  /** The time of the last tick; -1 before the first. */
  ticked: Micros
}

/** The hired workers that are starting up: they are in their pools, but get no job before the first instant at which they are ready. */
export class Starting {
  /** How many workers there are. */
  count = 0
  private readonly startUps: StartUps | null
  /** By worker: 1 while it starts up. */
  private readonly flags: Uint8Array

  constructor(startUps: StartUps | null, workers: number) {
    this.startUps = startUps
    this.flags = new Uint8Array(startUps === null ? 0 : workers)
  }

  get any(): boolean {
    return this.count > 0
  }

  is(worker: number): boolean {
    return this.count > 0 && this.flags[worker] === 1
  }

  /** A worker was hired. */
  begin(worker: number, stage: number, now: Micros): void {
    if (this.startUps === null) return
    this.startUps.forget(worker)
    // It may have been dismissed at this instant, while it started up elsewhere.
    this.set(worker, this.startUps.begin(worker, stage, now) > now ? 1 : 0)
  }

  /** Calls `ready` for each worker whose start-up has ended by now. */
  end(now: Micros, ready: (worker: number) => void): void {
    if (this.startUps === null) return
    for (let w = 0; w < this.flags.length && this.count > 0; w++) {
      if (this.flags[w] === 0 || this.startUps.until[w] > now) continue
      this.set(w, 0)
      ready(w)
    }
  }

  /** Whether the worker is still there and starts up. */
  isAt({ status }: Pick<Counts, 'status'>, worker: number): boolean {
    if (this.flags[worker] === 0) return false
    if (status[worker] !== IDLE) this.set(worker, 0)
    return this.flags[worker] === 1
  }

  /** Returns since when an idle worker has had nothing to do; a time to come while it starts up. */
  idleSince({ since }: Pick<Counts, 'since'>, worker: number): Micros {
    return this.startUps === null ? since[worker] : Math.max(since[worker], this.startUps.until[worker])
  }

  private set(worker: number, flag: 0 | 1): void {
    this.count += flag - this.flags[worker]
    this.flags[worker] = flag
  }
}

/** Workers of a pool start up when they are hired. Under other policies they start up with their first job: see SwitchCosts. */
export function startingOf(scenario: Scenario, workers: number, startUpOf: StartUpDraw): Starting {
  return new Starting(isElastic(scenario.policy) ? createStartUps(scenario, workers, startUpOf) : null, workers)
}

/** Returns the pools of the scenario's policy; null if it does not hire. */
export function createPools({ policy, stages }: Scenario): Pools | null {
  if (!isElastic(policy)) return null
  return {
    policy,
    profile: profileOf(policy),
    memory: stages.map(() => initialMemory),
    came: new Float64Array(stages.length),
    ticked: -1,
  }
}

/** Switches the controllers to the policy of a new phase. They keep their memory. */
export function retune(pools: Pools, { policy }: Scenario): void {
  if (!isElastic(policy) || policy === pools.policy) return
  pools.policy = policy
  pools.profile = profileOf(policy)
}

function profileOf(policy: ElasticPolicy): Profile | null {
  return policy.kind === 'predictive' ? createProfile(policy) : null
}

/** After a tick, runs every controller in tie order. Hires the lowest absent number; dismisses the longest idle, of equals the highest, or a busy one. */
export function resize(
  pools: Pools,
  starting: Starting,
  state: State,
  stageOf: Int16Array,
  estimates: Estimates,
  { rows }: Journal,
  facts: number,
): void {
  if (facts === 0 || rows.kind[facts - 1] !== TICK) return
  const { policy, profile, memory } = pools
  const time = rowTime(rows, facts - 1)
  const elapsed = pools.ticked < 0 ? policy.every : time - pools.ticked
  pools.ticked = time
  // Two ticks at one time count as one.
  if (elapsed <= 0) return
  const plans = isKnown(policy) ? plansOf(policy, pools, starting, state, stageOf, estimates, time, elapsed) : null
  for (let k = 0; k < stageOf.length; k++) {
    const stage = stageOf[k]
    let pool = poolOf(state, starting, stage)
    let by = 0
    if (plans !== null) {
      memory[stage] = plans[k].memory
      by = plans[k].by
    } else if (!isKnown(policy)) {
      const sample = sampleOf(pools, starting, state, estimates, stage, pool, time, elapsed)
      memory[stage] = nextMemory(policy, memory[stage], sample, profile)
      by = poolChange(policy, memory[stage], sample)
    }
    for (let left = Math.abs(by); left > 0; left--) {
      const worker = by > 0 ? workerToHire(state, policy, pool.size) : workerToDismiss(policy, pool)
      if (worker === NONE) break
      if (by > 0) {
        enact(state, rows, time, HIRED, stage, worker, NONE)
        starting.begin(worker, stage, time)
      } else
        enact(
          state,
          rows,
          time,
          DISMISSED,
          stage,
          worker,
          isWaiting(state, worker) ? state.workerJobs[worker][0] : NONE,
        )
      if (left > 1) pool = poolOf(state, starting, stage)
    }
  }
}

/** Known systems look at all stages before they change a pool. */
function plansOf(
  policy: KnownPolicy,
  pools: Pools,
  starting: Starting,
  state: State,
  stageOf: Int16Array,
  estimates: Estimates,
  time: Micros,
  elapsed: Micros,
): PoolPlan[] {
  const { counts, topology } = state
  const done = new Uint8Array(stageOf.length)
  markDone(topology, counts, done)
  const visits = visitsOf(topology)
  const samples = Array.from(stageOf, (stage): PoolSample => {
    const pool = poolOf(state, starting, stage)
    return {
      ...sampleOf(pools, starting, state, estimates, stage, pool, time, elapsed),
      running: pool.size - pool.starting,
      busy: counts.busy[stage],
      inHands: counts.inHands[stage],
      drained: counts.exhausted && counts.waiting[stage] === 0 && nothingComes(topology, counts, stage, done),
      first: topology.before[stage].length === 0,
      visits: visits[stage],
    }
  })
  return planPools(
    policy,
    samples,
    Array.from(stageOf, (stage) => pools.memory[stage]),
    counts.status.length,
  )
}

function sampleOf(
  pools: Pools,
  starting: Starting,
  state: State,
  estimates: Estimates,
  stage: number,
  { size, idlest }: Pool,
  time: Micros,
  elapsed: Micros,
): Sample {
  const { waiting, inHands, finished } = state.counts
  // Jobs that failed in the queue are missing.
  const came = waiting[stage] + inHands[stage] + finished[stage]
  const before = pools.came[stage]
  pools.came[stage] = came
  return {
    time,
    elapsed,
    waiting: waiting[stage],
    came: Math.max(0, came - before),
    size,
    idle: idlest === NONE ? -1 : Math.max(-1, time - starting.idleSince(state.counts, idlest)),
    service: knownService(estimates, stage),
  }
}

/** Returns the estimate of a stage that has been measured, or that tells its mean; 0 for another. */
function knownService({ count, mean, prior, declared }: Estimates, stage: number): number {
  if (count[stage] > 0) return mean[stage]
  return prior === 'declared' ? declared[stage] : 0
}

type Pool = Readonly<Record<'size' | 'starting' | 'idlest' | 'busiest', number>>

function poolOf({ counts }: State, starting: Starting, stage: number): Pool {
  const { status, leaving } = counts
  let size = 0
  let few = 0
  let idlest = NONE
  let busiest = NONE
  for (let w = 0; w < status.length; w++) {
    if (counts.stage[w] !== stage || leaving[w] === 1) continue
    if (status[w] === BUSY) busiest = w
    else if (status[w] !== IDLE) continue
    else if (idlest === NONE || starting.idleSince(counts, w) <= starting.idleSince(counts, idlest)) idlest = w
    size++
    if (starting.is(w)) few++
  }
  return { size, starting: few, idlest, busiest }
}

/** A worker that was lost leaves its number free only where another thread takes its place. */
function workerToHire({ counts: { status }, threadEnds }: State, { max }: ElasticPolicy, size: number): number {
  if (max !== null && size >= max) return NONE
  return threadEnds === null ? status.indexOf(ABSENT) : status.findIndex(isOutside)
}

function workerToDismiss(policy: ElasticPolicy, { idlest, busiest }: Pool): number {
  return idlest !== NONE || sparesBusy(policy) ? idlest : busiest
}
