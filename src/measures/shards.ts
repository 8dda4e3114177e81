import { ARRIVED, FINISHED, GATHERED, NONE, ROUTED, STARTED } from '../pipeline/rows.ts'
import { rowsUntil, timeOf, traceRow } from '../trace/trace.ts'
import type { Frame } from './frame.ts'
import { afterRow, tailAt, type Where, whereIs } from './order.ts'
import type { OrderLog } from './orderLog.ts'
import type { ShardLog } from './shardLog.ts'

/** The shards of one stage at an instant. */
export interface StageShards {
  /** In ascending order: shard k serves the tickets with number mod n = k. */
  readonly turns: readonly Turn[]
  /** The most there have been so far. */
  readonly most: number
  /** How many there are to be, when all that is begun has passed. */
  readonly wanted: number
  /** Jobs that are here and wait for an earlier ticket of their shard. */
  readonly behind: number
}

/** Whose turn it is in one shard. */
export interface Turn {
  /** The first ticket that has not passed; it may still be to come. */
  readonly ticket: number
  /** Served: by the worker. Here: nobody has begun it yet. Missing: the job is elsewhere. To come: it has not arrived. */
  readonly state: 'served' | 'here' | 'missing' | 'coming'
  readonly where: Where
  /** Before the sink: the ticket that has been served here and has not left, NONE where there is none. Elsewhere null. */
  readonly held: number | null
}

/** By stage, at the instant of `frame`. Both logs must have taken in the rows until then. Costs a few steps a shard, and one for each ticket by which it is ahead of the others. */
export function shardsAt(log: ShardLog, order: OrderLog, frame: Frame): StageShards[] {
  const { trace } = log
  const row = rowsUntil(trace, frame.time)
  const tail = tailAt(order, frame.time)
  return log.stages.map(({ counts, most, passed, all }, stage) => {
    const n = counts[after(counts.length, (c) => counts[c].rows > row) - 1].shards
    const least = after(all.length, (ticket) => all[ticket] >= row)
    const last = trace.topology.ways[stage].length === 0
    const turns: Turn[] = []
    for (let first = least; first < least + n; first++) {
      let ticket = first
      while (passed[ticket] < row) ticket += n
      const before = ticket - n
      const stands = before >= tail && order.trashed[before] === 0 && passed[before] < row
      const held = last ? (stands ? before : NONE) : null
      turns[first % n] = { ...turnOf(order, stage, ticket, frame), held }
    }
    const { waiting, seats } = frame.stages[stage]
    return { turns, most, wanted: seats === 0 ? n : seats, behind: waiting - turns.filter(({ state }) => state === 'here').length }
  })
}

function turnOf(order: OrderLog, stage: number, ticket: number, frame: Frame): Omit<Turn, 'held'> {
  if (ticket >= frame.arrived) return { ticket, state: 'coming', where: { at: 'coming' } }
  const here = placeAt(order, ticket, stage, frame)
  const where = here ?? whereIs(order, ticket, frame)
  return { ticket, state: here === null ? 'missing' : here.at === 'hands' ? 'served' : 'here', where }
}

/** Where the part of a job is that has come to the queue of a stage; null: it has not come there. */
function placeAt(log: OrderLog, job: number, stage: number, frame: Frame): Where | null {
  const { trace, latest, before } = log
  const { ways, joins, routes } = trace.topology
  for (let row = latest[job]; row !== NONE; row = before[row]) {
    if (timeOf(trace, row) > frame.time) continue
    const { kind, stage: at } = traceRow(trace, row)
    if (kind === STARTED && at === stage) return afterRow(log, row, frame)
    const comes = kind === FINISHED && routes[at] === 0 && joins[stage] === 0 && ways[at].includes(stage)
    if (comes || ((kind === ROUTED || kind === GATHERED) && at === stage)) return { at: 'waiting', stage }
    if (kind !== ARRIVED || !trace.topology.firsts.includes(stage)) continue
    return afterRow(log, row, frame).at === 'outside' ? null : { at: 'waiting', stage }
  }
  return null
}

/** The first of so many that the predicate holds for, and for all that follow; `length` where it holds for none. */
function after(length: number, holds: (i: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
