import { bisectLeft, bisector } from 'd3-array'
import type { Frame } from '../../../measures/frame/frame.ts'
import { FAILED, FINISHED, NONE } from '../../../pipeline/rows.ts'
import { rowsUntil, traceRow } from '../../../trace/trace.ts'
import type { OrderLog } from './orderLog.ts'
import type { ShardLog } from './shardLog.ts'
import { type TicketPlace, tailAt, ticketPlaces } from './ticket.ts'

/** The shards of one stage at an instant. */
export interface StageShards {
  /** In ascending order: shard k serves the tickets with number mod n = k. */
  readonly turns: readonly ShardTurn[]
  /** The most there have been so far. */
  readonly most: number
  /** How many there will be, when all that is begun has passed. */
  readonly wanted: number
  /** Jobs that are here and wait for an earlier ticket of their shard. */
  readonly behind: number
}

/** The ticket that one shard serves next. */
export interface ShardTurn {
  /** The first ticket that has not passed. It may not have arrived. */
  readonly ticket: number
  /** Served: by a worker. Here: nobody has begun it. Missing: the job is elsewhere. Coming: it has not arrived. */
  readonly state: 'served' | 'here' | 'missing' | 'coming'
  readonly where: readonly TicketPlace[]
  /** At a last stage: the ticket that was served here and has not left, or NONE. At other stages null. */
  readonly held: number | null
}

const byRows = bisector(({ rows }: { rows: number }) => rows)

/**
 * Returns the shards by stage at the instant of `frame`. Both logs must have taken in the rows until then. Costs a few steps a
 * shard, and one for each ticket that it is ahead of the others.
 */
export function shardsAt(log: ShardLog, order: OrderLog, frame: Frame): StageShards[] {
  const { trace } = log
  const row = rowsUntil(trace, frame.time)
  const tail = tailAt(order, frame.time)
  return log.stages.map(({ counts, most, passed, all }, stage) => {
    const n = counts[byRows.right(counts, row) - 1].shards
    const least = bisectLeft(all, row)
    const last = trace.topology.ways[stage].length === 0
    const turns: ShardTurn[] = []
    for (let first = least; first < least + n; first++) {
      let ticket = first
      while (passed[ticket] < row) ticket += n
      const before = ticket - n
      const stands = before >= tail && isServed(order, before, stage, row)
      const held = last ? (stands ? before : NONE) : null
      turns[first % n] = { ...turnOf(order, stage, ticket, frame), held }
    }
    const { waiting, seats } = frame.stages[stage]
    return { turns, most, wanted: seats === 0 ? n : seats, behind: waiting - turns.filter(({ state }) => state === 'here').length }
  })
}

/** Whether, after so many rows, a stage has served a job that has not failed. */
function isServed({ trace, latest, before }: OrderLog, job: number, stage: number, rows: number): boolean {
  let served = false
  for (let i = latest[job]; i !== NONE; i = before[i]) {
    const { kind, stage: at } = traceRow(trace, i)
    if (i >= rows) continue
    if (kind === FAILED) return false
    served ||= kind === FINISHED && at === stage
  }
  return served
}

function turnOf(order: OrderLog, stage: number, ticket: number, frame: Frame): Omit<ShardTurn, 'held'> {
  const where = ticketPlaces(order, ticket, frame)
  if (ticket >= frame.arrived) return { ticket, state: 'coming', where }
  const here = where.find((place) => 'stage' in place && place.stage === stage)
  if (here === undefined) return { ticket, state: 'missing', where }
  return { ticket, state: here.at === 'hands' ? 'served' : 'here', where: [here] }
}
