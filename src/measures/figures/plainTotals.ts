import { ARRIVED, EXHAUSTED, FINISHED, NONE, RELEASED, type Rows, rowTime, STARTED } from '../../pipeline/rows.ts'
import type { Topology } from '../../pipeline/topology.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Trace } from '../../trace/trace.ts'
import { advance, createRunTotals, type RunTotals, rowsToCount, settleQueue } from './runTotals.ts'

/**
 * Adds up the rows until the makespan like `runTotalsInSteps`, but faster, where all that happens is that jobs
 * arrive, are started and finished, and leave. Returns null if anything else happens: then every row has to be counted.
 */
export function* plainTotalsInSteps(trace: Trace, makespan: Micros): Generator<void, RunTotals | null> {
  const { topology, chunks } = trace
  if (!topology.linear || topology.bounded || topology.exclusive.includes(1)) return null
  const run = createRunTotals(trace)
  const lastStage = new Int16Array(run.counts.status.length).fill(NONE)
  let left = rowsToCount(trace, makespan)
  for (const chunk of chunks) {
    const rows = Math.min(left, chunk.length)
    if (!addPlainRows(run, topology, chunk, rows, lastStage)) return null
    left -= rows
    yield
  }
  advance(run, makespan)
  for (let stage = 0; stage < topology.stages; stage++) settleQueue(run, stage, makespan)
  return run
}

/** Adds the first `length` rows of a chunk. Returns false at the first row of another kind. */
function addPlainRows(run: RunTotals, { first, next }: Topology, rows: Rows, length: number, lastStage: Int16Array): boolean {
  const { counts, arrivedAt, waitsSince, waited, flow, served, waits, starts } = run
  const { waiting, finished } = counts
  for (let i = 0; i < length; i++) {
    const time = rowTime(rows, i)
    const job = rows.job[i]
    const stage = rows.stage[i]
    if (time > counts.time) advance(run, time)
    switch (rows.kind[i]) {
      case ARRIVED:
        settleQueue(run, first, time)
        counts.arrived++
        waiting[first]++
        arrivedAt[job] = time
        waitsSince[job] = time
        break
      case STARTED: {
        const wait = time - waitsSince[job]
        const worker = rows.worker[i]
        settleQueue(run, stage, time)
        waiting[stage]--
        waited[job] += wait
        waits[stage] += wait
        starts[stage]++
        if (lastStage[worker] !== stage) {
          if (lastStage[worker] !== NONE) run.switches++
          lastStage[worker] = stage
        }
        break
      }
      case FINISHED:
        served[stage] += rows.lasted[i]
        finished[stage]++
        if (next[stage] < 0) break
        settleQueue(run, next[stage], time)
        waiting[next[stage]]++
        waitsSince[job] = time
        break
      case RELEASED:
        counts.released++
        flow[job] = time - arrivedAt[job]
        if (job < run.latestReleased) run.reordered++
        else run.latestReleased = job
        break
      case EXHAUSTED:
        break
      default:
        return false
    }
  }
  return true
}
