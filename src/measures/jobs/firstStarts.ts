import { grown } from '../../pipeline/column.ts'
import { ARRIVED, type Rows, rowTime, STARTED } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { eachRow, followTrace, rowsUntil, type Trace } from '../../trace/trace.ts'

/** Returns when each job first started at one stage. The trace may still grow. Takes 8 bytes per job. */
export function createFirstStarts(trace: Trace, stage: number) {
  return {
    trace,
    stage,
    rows: 0,
    /** One more than the greatest number of a job that has started here. */
    jobs: 0,
    /** By job; Infinity until it starts. */
    startedAt: new Float64Array(0),
  }
}

export type FirstStarts = ReturnType<typeof createFirstStarts>

/** Reads at most `most` new rows of the trace. Returns whether it is up to date. */
export function extendFirstStarts(begins: FirstStarts, most = Infinity): boolean {
  return followTrace(begins.trace, begins, most, (rows, i) => take(begins, rows, i))
}

function take(begins: FirstStarts, rows: Rows, i: number): void {
  const { kind, stage, job } = rows
  if (kind[i] !== STARTED || stage[i] !== begins.stage) return
  const k = job[i]
  if (k >= begins.startedAt.length) begins.startedAt = grown(begins.startedAt, k + 1, Infinity)
  if (k >= begins.jobs) begins.jobs = k + 1
  const time = rowTime(rows, i)
  if (time < begins.startedAt[k]) begins.startedAt[k] = time
}

/** Returns when the job first started; Infinity if it has not. */
export function firstStartOf({ startedAt: beganAt }: FirstStarts, job: number): Micros {
  return beganAt[job] ?? Infinity
}

/** Returns one more than the greatest number of a job that started before `t`. */
export function firstUnstartedJob({ startedAt: beganAt, jobs }: FirstStarts, t: Micros): number {
  for (let job = jobs - 1; job >= 0; job--) if (beganAt[job] < t) return job + 1
  return 0
}

/** Returns by stage the first job whose service time has not influenced the run before `at`: not started or, where the shortest job goes first, not queued. */
export function firstUntouchedJobs(trace: Trace, at: Micros): readonly number[] {
  const { stages } = trace.scenario
  const started = new Array<number>(stages.length).fill(0)
  let arrived = 0
  eachRow(trace, 0, rowsUntil(trace, at - 1), ({ kind, stage, job }, i) => {
    if (kind[i] === STARTED && job[i] >= started[stage[i]]) started[stage[i]] = job[i] + 1
    else if (kind[i] === ARRIVED && job[i] >= arrived) arrived = job[i] + 1
  })
  return started.map((jobs, s) => (stages[s].discipline === 'shortest' ? arrived : jobs))
}
