import { BUSY, IDLE, markDone } from '../../../src/pipeline/counts.ts'
import { applySeats } from '../../../src/pipeline/journal.ts'
import { FINISHED, JOINED, PREFETCH, STARTED, THREW } from '../../../src/pipeline/rows.ts'
import { decisionTime } from '../../../src/trace/follow.ts'
import { stateBefore, type Trace, traceRow } from '../../../src/trace/trace.ts'

/** A batch from a decision, with the busy workers and the waiting jobs by stage at that moment. */
export interface PlainOrder {
  readonly worker: number
  readonly from: number
  readonly stage: number
  readonly prefetch: boolean
  readonly busy: readonly number[]
}

/** The content of a decision, counted row by row. */
export interface PlainRecord {
  readonly targetsBefore: readonly number[]
  readonly targets: readonly number[]
  readonly waiting: readonly number[]
  readonly waitingAfter: readonly number[]
  readonly busyAfter: readonly number[]
  readonly done: readonly boolean[]
  readonly workers: number
  readonly orders: readonly PlainOrder[]
  /** The workers that finished, threw or joined at this time, or were idle before the orders. */
  readonly free: readonly number[]
}

export function plainRecord(trace: Trace, d: number): PlainRecord {
  const { scenario, decisions, topology } = trace
  const row = decisions.row[d]
  const time = decisionTime(trace, d)
  const { counts, seats } = stateBefore(trace, row)
  const targetsBefore = Array.from(seats)
  const after = seats.slice()
  applySeats(decisions, d, after)
  const done = new Uint8Array(scenario.stages.length)
  markDone(topology, counts, done)
  const where = Array.from(counts.stage)
  const busy = scenario.stages.map(
    (_, s) => where.filter((stage, w) => stage === s && counts.status[w] === BUSY).length,
  )
  const waiting = scenario.stages.map((_, s) => counts.waiting[s])
  const waitingAfter = waiting.slice()
  const orders: PlainOrder[] = []
  let ahead = false
  let last = -1
  for (let i = row; i < trace.length; i++) {
    const { kind, worker, stage, time: at } = traceRow(trace, i)
    if (at !== time || (kind !== STARTED && kind !== PREFETCH)) break
    if (kind === PREFETCH) {
      ahead = true
      last = -1
      continue
    }
    waitingAfter[stage]--
    if (worker === last && orders.at(-1)?.stage === stage) continue
    orders.push({ worker, from: where[worker], stage, prefetch: ahead, busy: busy.slice() })
    if (!ahead) busy[stage]++
    ahead = false
    last = worker
  }
  const freed = new Set<number>()
  for (let i = row - 1; i >= (d > 0 ? decisions.row[d - 1] : 0); i--) {
    const { kind, worker, time: at } = traceRow(trace, i)
    if (at !== time) break
    if ((kind === FINISHED || kind === THREW || kind === JOINED) && counts.status[worker] === IDLE) freed.add(worker)
  }
  return {
    targetsBefore,
    targets: Array.from(after),
    waiting,
    waitingAfter,
    busyAfter: busy,
    done: Array.from(done, (n) => n === 1),
    workers: counts.live,
    orders,
    free: [...freed],
  }
}
