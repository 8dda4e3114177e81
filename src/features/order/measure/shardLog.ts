import { eachSeat } from '../../../pipeline/journal.ts'
import { FAILED, FINISHED, type Rows, STARTED } from '../../../pipeline/rows.ts'
import { createShards, passUnreachable } from '../../../pipeline/shards.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { followTrace, type Trace } from '../../../trace/trace.ts'
import { routingOf } from '../../../workload/routes.ts'

interface StageLog {
  /** How many shards there were after so many rows, in order. */
  readonly counts: { readonly rows: number; readonly shards: number }[]
  most: number
  /** By ticket: the row by which it had passed, and the row by which it and all before it had; AHEAD until then. */
  readonly passed: Uint32Array
  readonly all: Uint32Array
  /** `all` is known below this ticket. */
  least: number
}

const AHEAD = 0xffffffff

/**
 * Returns how many shards every stage had, and which tickets had passed it by which row, by the same code as the core's, for a
 * run whose order is kept by shards. The trace may still grow. 8 bytes a service.
 */
export function createShardLog(trace: Trace) {
  const { scenario, topology } = trace
  const jobs = countJobs(scenario.source)
  const passedBy = () => new Uint32Array(jobs).fill(AHEAD)
  return {
    trace,
    /** By stage. */
    stages: scenario.stages.map((): StageLog => ({ counts: [{ rows: 0, shards: 1 }], most: 1, passed: passedBy(), all: passedBy(), least: 0 })),
    shards: createShards(topology, jobs, topology.slots, () => 0),
    routeOf: routingOf(scenario),
    /** Rows and decisions taken in. */
    rows: 0,
    decisions: 0,
  }
}

export type ShardLog = ReturnType<typeof createShardLog>

/** Takes in at most `most` new rows of the trace. Returns whether it is up to date. */
export function extendShardLog(log: ShardLog, most = Infinity): boolean {
  const { trace } = log
  const upToDate = followTrace(trace, log, most, (rows, i, row) => {
    deal(log, row)
    take(log, rows, i, row)
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

function take(log: ShardLog, { kind, stage: at, worker, job: jobs }: Rows, i: number, row: number): void {
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
    if (topology.routes[stage] === 1) passUnreachable(shards, topology, stage, log.routeOf(stage, job), job, (where) => notePassed(log, where, job, row))
  }
}

function notePassed(log: ShardLog, stage: number, job: number, row: number): void {
  const { passed, all } = log.stages[stage]
  if (passed[job] === AHEAD) passed[job] = row
  for (const { least } = log.shards.queues[stage]; log.stages[stage].least < least; log.stages[stage].least++) all[log.stages[stage].least] = row
  note(log, stage, row + 1)
}

function note(log: ShardLog, stage: number, rows: number): void {
  const at = log.stages[stage]
  const { counts } = at
  const { shards } = log.shards.queues[stage]
  if (counts[counts.length - 1].shards === shards) return
  counts.push({ rows, shards })
  if (shards > at.most) at.most = shards
}
