import { bisectRight } from 'd3-array'
import type { Frame } from '../../../measures/frame/frame.ts'
import { grown } from '../../../pipeline/column.ts'
import { FINISHED, type Rows, rowTime, STARTED } from '../../../pipeline/rows.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { followTrace, type Trace } from '../../../trace/trace.ts'

/** Times and the jobs that were taken then, in order of time. */
const createColumn = () => ({ time: [] as Micros[], job: [] as number[] })
type Column = ReturnType<typeof createColumn>

/**
 * Returns which jobs were started and served at one stage, and how far the first stage is in the stream of jobs. The trace
 * may still grow. 8 bytes a job and 16 a start.
 */
export function createStageProgress(trace: Trace, stage: number) {
  return {
    trace,
    stage,
    rows: 0,
    /** The time of the last row read. */
    time: 0,
    /** By job: when it was finished at the stage; Infinity until it is. */
    finishedAt: new Float64Array(0),
    /** By worker: the jobs that it took there, with the times, in order of time. */
    taken: [] as Column[],
    /** At the first stage: the jobs that were further on than all before, and when they were taken. */
    furthest: createColumn(),
  }
}

export type StageProgress = ReturnType<typeof createStageProgress>

/** Reads at most `most` new rows of the trace. Returns whether it is up to date. */
export function extendStageProgress(progress: StageProgress, most = Infinity): boolean {
  return followTrace(progress.trace, progress, most, (rows, i) => take(progress, rows, i))
}

/** Returns one more than the furthest job that the first stage has taken by time t. */
export function reachedAt({ furthest }: StageProgress, t: Micros): number {
  const k = bisectRight(furthest.time, t)
  return k === 0 ? 0 : furthest.job[k - 1] + 1
}

export const isServed = ({ finishedAt }: StageProgress, job: number, t: Micros): boolean => finishedAt[job] <= t

/** Returns the jobs in the hands of each worker at the stage at the instant of `frame`, the first one first; none for other workers. */
export function inHandsAt({ stage, taken }: StageProgress, { time, workers }: Frame): readonly (readonly number[])[] {
  return workers.map((worker, w) => {
    const column = taken[w]
    if (worker.status !== 'busy' || worker.stage !== stage || column === undefined) return []
    const end = bisectRight(column.time, time)
    return column.job.slice(Math.max(0, end - worker.jobsInHand), end)
  })
}

function take(progress: StageProgress, rows: Rows, i: number): void {
  const kind = rows.kind[i]
  progress.time = rowTime(rows, i)
  if (kind !== STARTED && kind !== FINISHED) return
  const job = rows.job[i]
  const here = rows.stage[i] === progress.stage
  if (kind === FINISHED) {
    if (!here) return
    if (job >= progress.finishedAt.length) progress.finishedAt = grown(progress.finishedAt, job + 1, Infinity)
    progress.finishedAt[job] = progress.time
    return
  }
  if (here) {
    const worker = rows.worker[i]
    while (progress.taken.length <= worker) progress.taken.push(createColumn())
    push(progress.taken[worker], progress.time, job)
  }
  const { furthest, trace } = progress
  if (rows.stage[i] === trace.topology.first && job > (furthest.job.at(-1) ?? -1)) push(furthest, progress.time, job)
}

function push(column: Column, time: Micros, job: number): void {
  column.time.push(time)
  column.job.push(job)
}
