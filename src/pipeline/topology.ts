import { crewOf } from '../scenario/defaults.ts'
import { isLine } from '../scenario/line.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** Stands where a stage's output leaves the pipeline. */
export const SINK = -1

/** The shape of a pipeline by stage number, worked out once from a parsed scenario. */
export interface Topology {
  readonly stages: number
  /** The stage that takes the arrivals. */
  readonly first: number
  /** Where a stage's finished jobs go: a stage, or SINK. */
  readonly next: Int16Array
  /** Stages so that each stands behind all that feed it. */
  readonly order: Int16Array
  /** The most jobs a queue holds; 0: without bound. */
  readonly capacity: Int32Array
  /** Whether any queue is bounded. */
  readonly bounded: boolean
  /** Slots of the order buffer at the sink; 0: the sink takes jobs as they come. */
  readonly slots: number
  /**
   * 1 where a job may start only if its ticket is within the ring: the stage that feeds the ordered sink, and every stage
   * that feeds a bounded queue of such a stage. Else late tickets could fill that queue, and the one the ring waits for
   * would find no room: ring 1, capacity 2, tickets 1 and 2 queued at the last stage, ticket 0 overtaken before it.
   */
  readonly gated: Uint8Array
  /** 1 where the jobs of a group exclude each other. */
  readonly exclusive: Uint8Array
}

/** The scenario must have come out of `parse`: its links are one line over all its stages. */
export function topologyOf(scenario: Scenario): Topology {
  if (!isLine(scenario)) throw new RangeError('a graph cannot be played yet')
  const number = new Map(scenario.stages.map((stage, i) => [stage.id, i]))
  const follower = new Map(scenario.links.map(([from, to]) => [from, to]))
  const next = new Int16Array(scenario.stages.length).fill(SINK)
  const order = new Int16Array(scenario.stages.length)
  let id = follower.get('source')
  for (let k = 0; id !== undefined && id !== 'sink'; k++) {
    const stage = number.get(id)
    if (stage === undefined) throw new RangeError(`links name the unknown stage ${id}`)
    order[k] = stage
    id = follower.get(id)
    if (id !== undefined) next[stage] = number.get(id) ?? SINK
  }
  const capacity = Int32Array.from(scenario.stages, (stage) => stage.capacity ?? 0)
  const slots = scenario.order.kind === 'buffer' ? scenario.order.slots : 0
  const gated = new Uint8Array(scenario.stages.length)
  for (let k = order.length - 1; k >= 0; k--) {
    const after = next[order[k]]
    gated[order[k]] = slots > 0 && (after === SINK || (capacity[after] > 0 && gated[after] === 1)) ? 1 : 0
  }
  return {
    stages: scenario.stages.length,
    first: order[0],
    next,
    order,
    capacity,
    bounded: capacity.some((most) => most > 0),
    slots,
    gated,
    exclusive: Uint8Array.from(scenario.stages, ({ resource }) => (resource === null ? 0 : 1)),
  }
}

/** The most workers that ever take part: those at the start and those who join, who continue the numbering. */
export function workersEver(scenario: Scenario): number {
  return scenario.workerEvents.reduce((most, event) => Math.max(most, event.worker + 1), crewOf(scenario))
}
