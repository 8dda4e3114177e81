import { bisectLeft, bisector } from 'd3-array'
import type { Frame } from '../../../measures/frame/frame.ts'
import { eachSeat } from '../../../pipeline/journal.ts'
import { FAILED, FINISHED, NONE, type Rows, STARTED } from '../../../pipeline/rows.ts'
import { createShards, passUnreachable } from '../../../pipeline/shards.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { followTrace, rowsUntil, type Trace, traceRow } from '../../../trace/trace.ts'
import { routingOf } from '../../../workload/service.ts'
import { type TicketPlace, tailAt, ticketPlaces } from './order.ts'
import type { OrderLog } from './orderLog.ts'

interface StageLog {
  /** How many shards there were after this number of rows, in order. */
  readonly counts: { readonly rows: number; readonly shards: number }[]
  maxShards: number
  /** By ticket: the row by which it had passed, and the row by which it and all before it had; AHEAD until then. */
  readonly passed: Uint32Array
  readonly all: Uint32Array
  /** `all` is known below this ticket. */
  least: number
}

const AHEAD = 0xffffffff

/**
 * Returns the shards that every stage had, and the row by which each ticket had passed it, with the code of the core, for a
 * run whose order is kept by shards. The trace may still grow. 8 bytes a service.
 */
export function createShardLog(trace: Trace) {
  const { scenario, topology } = trace
  const jobs = countJobs(scenario.source)
  const passedBy = () => new Uint32Array(jobs).fill(AHEAD)
  return {
    trace,
    stages: scenario.stages.map(
      (): StageLog => ({
        counts: [{ rows: 0, shards: 1 }],
        maxShards: 1,
        passed: passedBy(),
        all: passedBy(),
        least: 0,
      }),
    ),
    shards: createShards(topology, jobs, topology.slots, () => 0),
    routeOf: routingOf(scenario),
    rows: 0,
    decisions: 0,
  }
}

export type ShardLog = ReturnType<typeof createShardLog>

/** Reads at most `maxRows` new rows of the trace. Returns whether it is up to date. */
export function extendShardLog(log: ShardLog, maxRows = Infinity): boolean {
  const { trace } = log
  const upToDate = followTrace(trace, log, maxRows, (rows, i, row) => {
    deal(log, row)
    readRow(log, rows, i, row)
  })
  deal(log, log.rows)
  return upToDate
}

/** Gives the stages the seats of the decisions before a row. */
function deal(log: ShardLog, row: number): void {
  const { decisions } = log.trace
  for (; log.decisions < decisions.length && decisions.row[log.decisions] <= row; log.decisions++) {
    eachSeat(decisions, log.decisions, (stage, seats) => {
      log.shards.queues[stage].deal(seats)
      note(log, stage, row)
    })
  }
}

function readRow(log: ShardLog, { kind, stage: at, worker, job: jobs }: Rows, i: number, row: number): void {
  const { shards, stages, trace } = log
  const { topology } = trace
  const stage = at[i]
  const job = jobs[i]
  const pass = (where: number) => {
    shards.queues[where].pass(job)
    notePassed(log, where, job, row)
  }
  if (kind[i] === STARTED) shards.queues[stage].hold(job, worker[i])
  else if (kind[i] === FAILED) for (const where of stages.keys()) pass(where)
  else if (kind[i] === FINISHED) {
    pass(stage)
    if (topology.routes[stage] === 1)
      passUnreachable(shards, topology, stage, log.routeOf(stage, job), job, (where) =>
        notePassed(log, where, job, row),
      )
  }
}

function notePassed(log: ShardLog, stage: number, job: number, row: number): void {
  const { passed, all } = log.stages[stage]
  if (passed[job] === AHEAD) passed[job] = row
  for (const { least } = log.shards.queues[stage]; log.stages[stage].least < least; log.stages[stage].least++)
    all[log.stages[stage].least] = row
  note(log, stage, row + 1)
}

function note(log: ShardLog, stage: number, rows: number): void {
  const at = log.stages[stage]
  const { counts } = at
  const { shards } = log.shards.queues[stage]
  if (counts[counts.length - 1].shards === shards) return
  counts.push({ rows, shards })
  at.maxShards = Math.max(at.maxShards, shards)
}

/** The shards of one stage at an instant. */
export interface StageShards {
  /** In ascending order: shard k serves the tickets with number mod n = k. */
  readonly turns: readonly ShardTurn[]
  /** The maximum number so far. */
  readonly maxShards: number
  /** How many there will be, once all started tickets have passed. */
  readonly wanted: number
  /** Jobs that are here and wait for an earlier ticket of their shard. */
  readonly behind: number
}

/** The ticket that one shard serves next. */
export interface ShardTurn {
  /** The first ticket that has not passed. It may not have arrived. */
  readonly ticket: number
  /** Served: by a worker. Here: it has not begun. Missing: the job is elsewhere. Coming: it has not arrived. */
  readonly state: 'served' | 'here' | 'missing' | 'coming'
  readonly where: readonly TicketPlace[]
  /** At a last stage: the ticket that was served here and has not left, or NONE. At other stages null. */
  readonly held: number | null
}

const byRows = bisector(({ rows }: { rows: number }) => rows)

/**
 * Returns the shards by stage at the instant of `frame`. Both logs must have read the rows until then. Costs a few steps a
 * shard, and one for each ticket that it is ahead of the others.
 */
export function shardsAt(log: ShardLog, order: OrderLog, frame: Frame): StageShards[] {
  const { trace } = log
  const row = rowsUntil(trace, frame.time)
  const tail = tailAt(order, frame.time)
  return log.stages.map(({ counts, maxShards, passed, all }, stage) => {
    const n = counts[byRows.right(counts, row) - 1].shards
    const least = bisectLeft(all, row)
    const last = trace.topology.ways[stage].length === 0
    const turns: ShardTurn[] = []
    for (let first = least; first < least + n; first++) {
      let ticket = first
      while (passed[ticket] < row) ticket += n
      const previous = ticket - n
      const stands = previous >= tail && isServed(order, previous, stage, row)
      const held = last ? (stands ? previous : NONE) : null
      turns[first % n] = { ...turnOf(order, stage, ticket, frame), held }
    }
    const { waiting, seats } = frame.stages[stage]
    return {
      turns,
      maxShards,
      wanted: seats === 0 ? n : seats,
      behind: waiting - turns.filter(({ state }) => state === 'here').length,
    }
  })
}

/** Whether, after the first `rows` rows, a stage has served a job that has not failed. */
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
