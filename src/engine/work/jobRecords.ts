import { SINK, topologyOf } from '../../pipeline/topology.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { routingOf } from '../../workload/service.ts'
import { bytesOf, type Json, joinedBytes, type Payload } from './kernels.ts'

/** The records of the jobs on their way through the stages. */
export interface JobRecords {
  /** Returns what comes to a stage, or to SINK. */
  at(job: number, stage: number): Payload
  /** Sets what leaves a stage; null: the stage changes nothing. */
  put(job: number, stage: number, payload: Payload | null): void
  /** Drops the records of a job that is no longer under way. */
  forget(job: number): void
}

/** Returns records without parts: each stage changes the one record of a job in turn. */
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
 * Returns records with parts: behind a stage that copies, each next stage gets a part of its own. Where the parts meet, at a
 * stage that waits for all or at the sink, they are combined into one record.
 */
export function recordsInParts(scenario: Scenario, lines: (job: number) => string): JobRecords {
  const { ways, routes } = topologyOf(scenario)
  const routeOf = routingOf(scenario)
  const ids = scenario.stages.map(({ id }) => id)
  const out = [SINK]
  /** By place (the sink is last) and job: the parts that have arrived, by the stage they left. */
  const arrived = Array.from({ length: ids.length + 1 }, () => new Map<number, Map<number, Payload>>())
  const placeOf = (stage: number) => (stage === SINK ? ids.length : stage)
  function at(job: number, stage: number): Payload {
    const parts = arrived[placeOf(stage)].get(job)
    if (parts === undefined) return lines(job)
    const from = [...parts.keys()].sort((a, b) => a - b)
    return combined(from.map((s) => [ids[s], parts.get(s) as Payload]))
  }
  return {
    at,
    put(job, stage, payload) {
      const left = payload ?? at(job, stage)
      arrived[stage].delete(job)
      for (const next of routes[stage] === 1 ? [routeOf(stage, job)] : ways[stage].length > 0 ? ways[stage] : out) {
        const jobs = arrived[placeOf(next)]
        const parts = jobs.get(job)
        if (parts === undefined) jobs.set(job, new Map([[stage, left]]))
        else parts.set(stage, left)
      }
    },
    forget(job) {
      for (const jobs of arrived) jobs.delete(job)
    },
  }
}

/**
 * Returns one part alone as it is, and several as an object with each part under the id of the stage that it left. Bytes are
 * joined in the order of the stages, as the members of a .gz file are.
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
