import { NONE } from '../pipeline/rows.ts'
import { partKey, runnable } from '../pipeline/state.ts'
import type { Policy } from '../scenario/model/scenario.ts'
import {
  type Carrying,
  type CarryView,
  goOn,
  type Hands,
  type Start,
  type Stealing,
  startable,
  startOwn,
  steals,
  takeFree,
} from './carrying.ts'

/** Each idle worker goes on with jobs that it carries; one without such jobs gets free ones, or steals. */
export function carryOn(view: CarryView, carrying: Carrying, start: Start): void {
  const { roster, state, scenario } = view
  const { topology, shards } = state
  const hands = { view, carrying, start }
  const { policy } = scenario
  const mayFollow = topology.bounded || shards !== null
  for (;;) {
    if (steals(policy)) while (goOnAlone(hands, policy));
    else for (const stage of topology.nearest) if (carrying.at[stage] > 0) goOn(hands, stage)
    do {
      const worker = roster.first()
      if (worker === NONE || !takeOrSteal(hands, worker, policy)) return
    } while (!mayFollow)
  }
}

/** The first idle worker that has parts of its own goes on with them; under `goLike` it takes a free job instead in every `schedtick`-th round. Returns whether one began. */
function goOnAlone(hands: Hands, policy: Stealing): boolean {
  const { carrying, view } = hands
  const deques = dequesOf(hands)
  const go = policy.kind === 'goLike'
  if (deques.size === 0 && !go) return false
  for (let worker = view.roster.first(); worker !== NONE; worker = view.roster.first(worker + 1)) {
    const due = go && (carrying.ticks.get(worker) ?? 0) % policy.schedtick === 0
    if (due && takeShare(hands, worker, 1)) return true
    const parts = deques.get(worker)
    if (parts !== undefined)
      return startParts(
        hands,
        worker,
        go ? inTurn(carrying, worker, free(hands, worker, parts, policy.runq)) : [...parts].reverse(),
      )
  }
  return false
}

/** A worker without parts of its own takes free jobs; if there are none it steals. Returns whether it has begun something. */
function takeOrSteal(hands: Hands, worker: number, policy: Policy): boolean {
  if (policy.kind === 'goLike' && takeShare(hands, worker, policy.runq >> 1)) return true
  return takeFree(hands, worker) || (steals(policy) && steal(hands, worker, policy))
}

/** By worker: the parts in its deque that may start, the newest last. */
function dequesOf({ view: { state }, carrying }: Hands): Map<number, number[]> {
  const isOpen = (stage: number) => carrying.at[stage] > 0 && runnable(state, stage) > 0
  const open = state.queues.map((_, stage) => (isOpen(stage) ? new Set(startable(state, stage)) : null))
  const deques = new Map<number, number[]>()
  for (const [key, worker] of carrying.carriers) {
    if (open[key % 256]?.has(Math.floor(key / 256)) !== true) continue
    const deque = deques.get(worker)
    if (deque === undefined) deques.set(worker, [key])
    else deque.push(key)
  }
  return deques
}

/** The order in which a P of Go takes its parts: the one that its last service made ready, then the oldest first. */
function inTurn({ newest }: Hands['carrying'], worker: number, parts: readonly number[]): number[] {
  const next = newest.get(worker)
  return next === undefined || !parts.includes(next) ? [...parts] : [next, ...parts.filter((key) => key !== next)]
}

/** If more than `most` parts wait besides the newest, the older half and the excess become free. Returns the others. */
function free({ carrying }: Hands, worker: number, parts: readonly number[], most: number): readonly number[] {
  const queue = parts.filter((key) => key !== carrying.newest.get(worker))
  if (queue.length <= most) return parts
  const freed = queue.slice(0, queue.length - most + (most >> 1))
  for (const key of freed) carrying.free(key)
  return parts.filter((key) => !freed.includes(key))
}

/** Starts a batch with the first of these parts of a worker and with those at its stage, in this order. Returns whether it may start. */
function startParts(hands: Hands, worker: number, parts: readonly number[]): boolean {
  const { newest, ticks } = hands.carrying
  const stage = parts[0] % 256
  if (newest.get(worker) !== parts[0]) ticks.set(worker, (ticks.get(worker) ?? 0) + 1)
  const own = parts.filter((key) => key % 256 === stage).map((key) => Math.floor(key / 256))
  return startOwn(hands, worker, stage, own)
}

/** A worker takes its share of the free jobs, nearest the sink first, and begins with the first. Returns false if there are none, or with shards. */
function takeShare(hands: Hands, worker: number, most: number): boolean {
  const { view, carrying } = hands
  const { state } = view
  if (state.shards !== null) return false
  const jobs: number[] = []
  for (const stage of state.topology.nearest) {
    if (runnable(state, stage) === 0) continue
    for (const job of startable(state, stage))
      if (carrying.carrierOf(stage, job) === NONE) jobs.push(partKey(stage, job))
  }
  if (jobs.length === 0) return false
  const share = jobs.slice(0, Math.min(most, Math.floor(jobs.length / view.ballot.workers) + 1))
  for (const key of share) carrying.give(key, worker)
  return startParts(hands, worker, share)
}

/** A worker takes over parts from the old end of the first deque from a random worker on, by number: one, or half of them rounded up. Returns whether there is one. */
function steal(hands: Hands, worker: number, policy: Stealing): boolean {
  const { view, carrying } = hands
  const workers = view.state.counts.status.length
  const from = Math.floor(view.victimOf(worker, view.state.counts.time) * workers)
  const deques = dequesOf(hands)
  for (let i = 0; i < workers && deques.size > 0; i++) {
    const parts = deques.get((from + i) % workers)
    if (parts === undefined) continue
    const stolen = parts.slice(
      0,
      policy.kind === 'workStealing' && policy.steal === 'one' ? 1 : Math.ceil(parts.length / 2),
    )
    for (const key of stolen) carrying.give(key, worker)
    return startParts(hands, worker, stolen.reverse())
  }
  return false
}
