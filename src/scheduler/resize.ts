import { apply } from '../pipeline/apply.ts'
import { ABSENT, BUSY, IDLE } from '../pipeline/counts.ts'
import type { Journal } from '../pipeline/journal.ts'
import { DISMISSED, HIRED, NONE, pushRow, type Rows, rowTime, TICK } from '../pipeline/rows.ts'
import { isWaiting, type State } from '../pipeline/state.ts'
import { isElastic } from '../scenario/model/defaults.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { type Elastic, type Memory, nextMemory, unmoved, wish } from './controllers.ts'

/** The pools of an elastic policy: one controller a stage. */
export interface Pools {
  policy: Elastic
  /** By stage. */
  readonly memory: Memory[]
  /** The time of the last tick; -1 before the first. */
  ticked: Micros
}

/** Null where the policy hires nobody. */
export function createPools({ policy, stages }: Scenario): Pools | null {
  return isElastic(policy) ? { policy, memory: stages.map(() => unmoved), ticked: -1 } : null
}

/** Other controllers take the pools over as they are, and what is remembered of them. */
export function retune(pools: Pools, { policy }: Scenario): void {
  if (isElastic(policy)) pools.policy = policy
}

/**
 * Asks every controller, in the order of ties, if the facts up to row `facts` end in a tick, and appends what follows: at
 * most one worker a stage is hired or dismissed. A worker hired is the absent one of least number, and a hire for which
 * there is none, or beyond `max`, is left undone. Dismissed is who has been idle longest, of equals the one of greatest
 * number; where nobody is idle a PID controller dismisses the busy one of greatest number, who finishes its batch first, or lays it back if
 * it waits for a resource.
 */
export function resize(pools: Pools, state: State, stageOf: Int16Array, { rows }: Journal, facts: number): void {
  if (!hasTicked(rows, facts)) return
  const { policy, memory } = pools
  const time = rowTime(rows, facts - 1)
  const elapsed = pools.ticked < 0 ? policy.every : time - pools.ticked
  pools.ticked = time
  // Two ticks at one time are one.
  if (elapsed <= 0) return
  for (const stage of stageOf) {
    const pool = poolOf(state, stage)
    const sample = { elapsed, waiting: state.counts.waiting[stage], idle: pool.idlest === NONE ? -1 : time - state.counts.since[pool.idlest] }
    memory[stage] = nextMemory(policy, memory[stage], sample)
    const by = wish(policy, memory[stage], sample)
    const worker = by > 0 ? newcomer(state, policy, pool.size) : by < 0 ? leaver(policy, pool) : NONE
    if (worker === NONE) continue
    if (by > 0) pushRow(rows, time, HIRED, stage, worker, NONE)
    else pushRow(rows, time, DISMISSED, stage, worker, isWaiting(state, worker) ? state.hands[worker][0] : NONE)
    apply(state, rows, rows.length - 1)
  }
}

function hasTicked({ kind }: Rows, facts: number): boolean {
  return facts > 0 && kind[facts - 1] === TICK
}

interface Pool {
  /** Workers that are not on their way out. */
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
