import { NONE } from '../pipeline/rows.ts'
import { runnable } from '../pipeline/state.ts'
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
    if (steals(policy)) while (goOnAlone(hands));
    else for (const stage of topology.nearest) if (carrying.at[stage] > 0) goOn(hands, stage)
    do {
      const worker = roster.first()
      if (worker === NONE || !takeOrSteal(hands, worker, policy)) return
    } while (!mayFollow)
  }
}

/** The first idle worker that has parts of its own goes on with the newest. Returns whether one began. */
function goOnAlone(hands: Hands): boolean {
  const deques = dequesOf(hands)
  if (deques.size === 0) return false
  const { roster } = hands.view
  for (let worker = roster.first(); worker !== NONE; worker = roster.first(worker + 1)) {
    const parts = deques.get(worker)
    if (parts !== undefined) return startParts(hands, worker, [...parts].reverse())
  }
  return false
}

/** A worker without parts of its own takes free jobs; if there are none it steals. Returns whether it has begun something. */
function takeOrSteal(hands: Hands, worker: number, policy: Policy): boolean {
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

/** Starts a batch with the first of these parts of a worker and with those at its stage, in this order. Returns whether it may start. */
function startParts(hands: Hands, worker: number, parts: readonly number[]): boolean {
  const stage = parts[0] % 256
  const own = parts.filter((key) => key % 256 === stage).map((key) => Math.floor(key / 256))
  return startOwn(hands, worker, stage, own)
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
    const stolen = parts.slice(0, policy.steal === 'one' ? 1 : Math.ceil(parts.length / 2))
    for (const key of stolen) carrying.give(key, worker)
    return startParts(hands, worker, stolen.reverse())
  }
  return false
}
