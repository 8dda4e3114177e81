import { enact } from '../pipeline/apply.ts'
import { ABSENT, BUSY, IDLE } from '../pipeline/counts.ts'
import type { Journal } from '../pipeline/journal.ts'
import { DISMISSED, HIRED, NONE, type Rows, rowTime, TICK } from '../pipeline/rows.ts'
import { isWaiting, type State } from '../pipeline/state.ts'
import { isElastic } from '../scenario/model/defaults.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { type Elastic, initialMemory, type Memory, nextMemory, poolChange } from './controllers.ts'

/** The pools of an elastic policy: one controller a stage. */
export interface Pools {
  policy: Elastic
  /** By stage. */
  readonly memory: Memory[]
  /** The time of the last tick; -1 before the first. */
  ticked: Micros
}

/** Returns the pools of the scenario's policy; null if it does not hire. */
export function createPools({ policy, stages }: Scenario): Pools | null {
  return isElastic(policy) ? { policy, memory: stages.map(() => initialMemory), ticked: -1 } : null
}

/** Switches the controllers to the policy of a new phase. They keep their memory. */
export function retune(pools: Pools, { policy }: Scenario): void {
  if (isElastic(policy)) pools.policy = policy
}

/**
 * If the facts up to row `facts` end in a tick, asks every controller in tie order and appends what follows: at most one worker of a stage
 * is hired or dismissed. The absent worker with the lowest number is hired, if there is one and `max` allows. The worker idle longest is
 * dismissed, of equals the highest number. If none is idle, a PID controller dismisses the busy one with the highest number: it finishes
 * its batch, or returns it if it waits for a resource.
 */
export function resize(pools: Pools, state: State, stageOf: Int16Array, { rows }: Journal, facts: number): void {
  if (!hasTicked(rows, facts)) return
  const { policy, memory } = pools
  const time = rowTime(rows, facts - 1)
  const elapsed = pools.ticked < 0 ? policy.every : time - pools.ticked
  pools.ticked = time
  // Two ticks at one time count as one.
  if (elapsed <= 0) return
  for (const stage of stageOf) {
    const pool = poolOf(state, stage)
    const sample = { elapsed, waiting: state.counts.waiting[stage], idle: pool.idlest === NONE ? -1 : time - state.counts.since[pool.idlest] }
    memory[stage] = nextMemory(policy, memory[stage], sample)
    const by = poolChange(policy, memory[stage], sample)
    const worker = by > 0 ? newcomer(state, policy, pool.size) : by < 0 ? leaver(policy, pool) : NONE
    if (worker === NONE) continue
    if (by > 0) enact(state, rows, time, HIRED, stage, worker, NONE)
    else enact(state, rows, time, DISMISSED, stage, worker, isWaiting(state, worker) ? state.workerJobs[worker][0] : NONE)
  }
}

function hasTicked({ kind }: Rows, facts: number): boolean {
  return facts > 0 && kind[facts - 1] === TICK
}

interface Pool {
  /** Workers that are not leaving. */
  readonly size: number
  readonly idlest: number
  readonly busiest: number
}

function poolOf({ counts }: State, stage: number): Pool {
  const { status, since, leaving } = counts
  let size = 0
  let idlest = NONE
  let busiest = NONE
  for (let w = 0; w < status.length; w++) {
    if (counts.stage[w] !== stage || leaving[w] === 1) continue
    if (status[w] === BUSY) busiest = w
    else if (status[w] !== IDLE) continue
    else if (idlest === NONE || since[w] <= since[idlest]) idlest = w
    size++
  }
  return { size, idlest, busiest }
}

function newcomer({ counts }: State, { max }: Elastic, size: number): number {
  return max !== null && size >= max ? NONE : counts.status.indexOf(ABSENT)
}

function leaver({ kind }: Elastic, { idlest, busiest }: Pool): number {
  return idlest !== NONE || kind === 'threshold' ? idlest : busiest
}
