import { grown } from '../../pipeline/column.ts'
import { ARRIVED, type Rows, rowTime, STARTED } from '../../pipeline/rows.ts'
import { serviceMean } from '../../scenario/model/distributions.ts'
import type { Micros, Service } from '../../scenario/model/scenario.ts'
import { eachRow, followTrace, rowsUntil, type Trace } from '../../trace/trace.ts'
import type { Frame } from '../frame/frame.ts'
import type { Chart } from '../series/chart.ts'

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

/** The service time of a stage at one instant. */
export interface ServiceNow {
  readonly service: Service
  /** The declared means: at the start of the run, and now. */
  readonly before: Micros
  readonly now: Micros
  /** The mean of the services that ended since the last change, and how many there are. */
  readonly measured: Micros
  readonly services: number
}

/** Returns the service time of a stage at the time of a frame, as far as the chart has read the run. */
export function serviceIn({ trace, changed }: Chart, { time, stages: now }: Frame, stage: number): ServiceNow {
  const { service, changes } = trace.scenario.stages[stage]
  const last = changed[stage].reduce((latest, change, k) => (change !== null && change.since <= time ? k : latest), -1)
  const { services, sum } = changed[stage][last] ?? { services: 0, sum: 0 }
  const { finished, meanService } = now[stage]
  const present = changes[last]?.service ?? service
  const measured = (finished * meanService - sum) / (finished - services)
  return { service: present, before: serviceMean(service), now: serviceMean(present), measured, services: finished - services }
}
