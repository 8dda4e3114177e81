import { ARRIVED, FAILED, FINISHED, GAVE_UP, RELEASED, STARTED, THREW } from '../../pipeline/rows.ts'
import type { Topology } from '../../pipeline/topology.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type Trace, traceRow } from '../../trace/trace.ts'

/** The totals from which the metrics of a run are calculated. */
export interface Totals {
  /** Admitted; released; failed for good. */
  readonly jobs: number
  readonly released: number
  readonly failed: number
  /** Given up for good; sent, with all tries. */
  readonly gaveUp: number
  readonly tries: number
  /** By class, where jobs have classes; else null. */
  readonly classes: readonly ClassTotals[] | null
  /** The flow times of the jobs that left, in no order, and their sum. */
  readonly flow: Float64Array
  readonly flowTime: Micros
  readonly waited: Micros
  /** The time that all jobs were in the system, and that workers were alive. */
  readonly jobTime: Micros
  readonly workerTime: Micros
  readonly switches: number
  readonly reordered: number
  /** By stage. */
  readonly served: Float64Array
  readonly finished: Int32Array
  readonly queueTime: Float64Array
  readonly longest: Int32Array
  readonly waits: Float64Array
  readonly starts: Float64Array
  readonly contended: Float64Array
  /** The time of the workers who serve it. */
  readonly crewTime: Float64Array
  readonly workersOverTime: readonly (readonly [Micros, number])[]
}

/** Of the jobs of one class that left: their flow times, in no order, and how long they waited in all. */
export interface ClassTotals {
  readonly flow: Float64Array
  readonly waited: Micros
}

/** Returns the time of the last row of work; 0 for a run without any. */
export function makespanOf(trace: Trace): Micros {
  for (let row = trace.length - 1; row >= 0; row--) {
    const { kind, time } = traceRow(trace, row)
    if (
      kind === FINISHED ||
      kind === STARTED ||
      kind === RELEASED ||
      kind === FAILED ||
      kind === THREW ||
      kind === GAVE_UP
    )
      return time
  }
  return 0
}

/** Returns how many jobs have arrived: they do so in the order of their numbers. */
export function arrivedJobs(trace: Trace): number {
  for (let k = trace.chunks.length - 1; k >= 0; k--) {
    const { kind, job, length } = trace.chunks[k]
    const i = kind.lastIndexOf(ARRIVED, length - 1)
    if (i >= 0) return job[i] + 1
  }
  return 0
}

/** By job, from the services of a run. */
export interface JobTimes {
  readonly arrivedAt: Float64Array
  /** How long it was served at all stages. */
  readonly work: Float64Array
  /** How long it was served on its way: where it is copied, on the longest way of its parts. */
  readonly path: Float64Array
}

/** These times, while the services are added one by one. */
export interface ServedJobs extends JobTimes {
  /** Where jobs are copied: the longest way to each stage, job x stages + stage; else null. */
  readonly until: Float64Array | null
}

export function createServedJobs({ stages, copies }: Topology, arrivedAt: Float64Array): ServedJobs {
  const jobs = arrivedAt.length
  const work = new Float64Array(jobs)
  return {
    arrivedAt,
    work,
    path: copies ? new Float64Array(jobs) : work,
    until: copies ? new Float64Array(jobs * stages) : null,
  }
}

/** Adds the service of a job at a stage. Those at the stages before it on its way must have been added. */
export function addService(
  { work, path, until }: ServedJobs,
  { stages, ways }: Topology,
  stage: number,
  job: number,
  service: Micros,
): void {
  work[job] += service
  if (until === null) return
  const through = until[job * stages + stage] + service
  if (through > path[job]) path[job] = through
  // A routed job goes only one of these ways. It never comes to the other stages, or later, through that one.
  for (let i = 0; i < ways[stage].length; i++) {
    const part = job * stages + ways[stage][i]
    if (through > until[part]) until[part] = through
  }
}
