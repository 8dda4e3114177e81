import { SINK, topologyOf } from '../../pipeline/topology.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { routingOf } from '../../workload/routes.ts'
import { bytesOf, type Json, joinedBytes, type Payload } from './kernels.ts'

/** Records on their way through the stages, by job. */
export interface JobRecords {
  /** What comes to a stage, or to SINK. */
  at(job: number, stage: number): Payload
  /** What leaves a stage; null: what came to it. */
  put(job: number, stage: number, payload: Payload | null): void
  /** The job is no more under way. */
  forget(job: number): void
}

/** One record a job, which each stage changes in turn. */
export function wholeRecords(lines: (job: number) => string): JobRecords {
  const jobRecords = new Map<number, Payload>()
  return {
    at: (job) => jobRecords.get(job) ?? lines(job),
    put(job, _, payload) {
      if (payload !== null) jobRecords.set(job, payload)
    },
    forget: (job) => jobRecords.delete(job),
  }
}

/**
 * A record for every part of a job: behind a stage that copies each stage gets what left it as its own. Where the parts
 * meet, at a stage that waits for all or at the sink, there is one again: see `combined`.
 */
export function recordsInParts(scenario: Scenario, lines: (job: number) => string): JobRecords {
  const { ways, routes } = topologyOf(scenario)
  const routeOf = routingOf(scenario)
  const ids = scenario.stages.map(({ id }) => id)
  const out = [SINK]
  /** By place, the sink last, and by job: what has come there, by the stage that it left. */
  const come = Array.from({ length: ids.length + 1 }, () => new Map<number, Map<number, Payload>>())
  const placeOf = (stage: number) => (stage === SINK ? ids.length : stage)
  function at(job: number, stage: number): Payload {
    const parts = come[placeOf(stage)].get(job)
    if (parts === undefined) return lines(job)
    const from = [...parts.keys()].sort((a, b) => a - b)
    return combined(from.map((s) => [ids[s], parts.get(s) as Payload]))
  }
  return {
    at,
    put(job, stage, payload) {
      const left = payload ?? at(job, stage)
      come[stage].delete(job)
      for (const next of routes[stage] === 1 ? [routeOf(stage, job)] : ways[stage].length > 0 ? ways[stage] : out) {
        const jobs = come[placeOf(next)]
        const parts = jobs.get(job)
        if (parts === undefined) jobs.set(job, new Map([[stage, left]]))
        else parts.set(stage, left)
      }
    },
    forget(job) {
      for (const jobs of come) jobs.delete(job)
    },
  }
}

/**
 * The record that parts of one job make: one part alone as it is; several as an object with what each carried under the id
 * of the stage that it left. Bytes are laid behind each other in the order of the stages, as the members of a .gz file are.
 */
function combined(parts: readonly (readonly [id: string, part: Payload])[]): Payload {
  if (parts.length === 1) return parts[0][1]
  const fields: Record<string, Json> = {}
  for (const [id, part] of parts) {
    if (typeof part === 'string') fields[id] = part
    else if ('record' in part) fields[id] = part.record
    else return joinedBytes(parts.map(([, each]) => bytesOf(each)))
  }
  return { record: fields }
}
