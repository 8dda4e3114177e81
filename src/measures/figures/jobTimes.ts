import type { Topology } from '../../pipeline/topology.ts'
import type { Micros } from '../../scenario/model/scenario.ts'

/** By job, from the services of a run. */
export interface JobTimes {
  readonly arrivedAt: Float64Array
  /** How long it was served at all stages. */
  readonly work: Float64Array
  /** The same on its way; of its parts, where it is copied, the longest way. */
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
  return { arrivedAt, work, path: copies ? new Float64Array(jobs) : work, until: copies ? new Float64Array(jobs * stages) : null }
}

/** Adds the service of a job at a stage. Those at the stages before it on its way must have been added. */
export function addService({ work, path, until }: ServedJobs, { stages, ways }: Topology, stage: number, job: number, service: Micros): void {
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
