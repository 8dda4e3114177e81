import { leavesInParts } from '../scenario/graph/jobParts.ts'
import { crewOf } from '../scenario/model/defaults.ts'
import { isLinear, stageNumbers, waysOf } from '../scenario/model/linearStages.ts'
import type { Scenario } from '../scenario/model/scenario.ts'

/** Stands where a stage's output leaves the pipeline. */
export const SINK = -1
/** Stands where a stage's output does not simply go to one stage or to the sink: see `ways`. */
export const FORK = -2

/**
 * The shape of a pipeline by stage number, worked out once from a parsed scenario.
 *
 *   copies      A finishes a job: each of the stages behind has a part of it, at once
 *   routes      A finishes a job: a row `routed` says which stage behind has it
 *   joins       a part comes and gathers; a row `gathered` says that all parts of the job have come, and the job enters the queue
 *   the sink    where jobs may leave in parts, a row `gathered` says that all parts of the job have come
 */
export interface Topology {
  readonly stages: number
  /** Whether it is one line, as most are: what is asked all the time has a shorter answer then. */
  readonly linear: boolean
  /** The stages that take the arrivals; most often one. Each gets a part of the job. */
  readonly firsts: Int16Array
  /** The first of these, which is all of them on a line. */
  readonly first: number
  /** Where a stage's finished jobs simply go: a stage, or SINK; else FORK. */
  readonly next: Int16Array
  /** All the stages behind; none before the sink. */
  readonly ways: readonly Int16Array[]
  /** Those of them whose queues a finished job enters at once: none where it is routed, and none where parts of jobs meet. */
  readonly queuesAfter: readonly Int16Array[]
  /** What share of the jobs goes each way: 1 where they are copied. */
  readonly shares: readonly Float64Array[]
  /** All the stages before; none behind the source. */
  readonly before: readonly Int16Array[]
  /** 1 where a job goes one of several ways. */
  readonly routes: Uint8Array
  /** How many parts of a job are waited for, where it is more than one; else 0. */
  readonly joins: Uint16Array
  /** Whether a job may be in several places at once. */
  readonly copies: boolean
  /** Whether a job may come to the sink in several parts. */
  readonly leavesInParts: boolean
  /** Stages so that each stands behind all that feed it. */
  readonly order: Int16Array
  /** Stages by the longest way that is left to the sink, the nearest first; of equals the last in `order`. On a line, `order` backwards. */
  readonly nearest: Int16Array
  /** The most jobs a queue holds; 0: without bound. Parts that gather do not count. */
  readonly capacity: Int32Array
  /** Whether any queue is bounded. */
  readonly bounded: boolean
  /** 1 where a queue behind is bounded. */
  readonly narrow: Uint8Array
  /** Slots of the order buffer at the sink; of shards as many as there may ever be at a stage; 0: the sink takes jobs as they come. */
  readonly slots: number
  /**
   * 1 where a job may start only if its ticket is within the ring: the stages that feed the ordered sink, and every stage
   * that feeds a bounded queue of such a stage. Else late tickets could fill that queue, and the one the ring waits for
   * would find no room: ring 1, capacity 2, tickets 1 and 2 queued at the last stage, ticket 0 overtaken before it.
   */
  readonly gated: Uint8Array
  /** 1 where the jobs of a group exclude each other. */
  readonly exclusive: Uint8Array
}

/** The scenario must have come out of `parse`: its links are a graph without circles over all its stages. */
export function topologyOf(scenario: Scenario): Topology {
  const { stages, links } = scenario
  const number = new Map(stages.map((stage, i) => [stage.id, i]))
  const { next, before: from } = waysOf(links)
  const numbered = (ids: readonly string[] = []) => Int16Array.from(ids.flatMap((id) => number.get(id) ?? []))
  const ways = stages.map(({ id }) => numbered(next.get(id)))
  const before = stages.map(({ id }) => numbered(from.get(id)))
  const firsts = numbered(next.get('source'))
  const routes = Uint8Array.from(stages, ({ fanOut }, s) => (fanOut !== 'copy' && ways[s].length > 1 ? 1 : 0))
  const joins = Uint16Array.from(stages, ({ join }, s) => (join === 'all' && before[s].length > 1 ? before[s].length : 0))
  const inParts = leavesInParts(stages, links)
  const order = Int16Array.from(stageNumbers(scenario))
  const capacity = Int32Array.from(stages, (stage) => stage.capacity ?? 0)
  const { order: leaving } = scenario
  const slots = leaving.kind === 'buffer' ? leaving.slots : leaving.kind === 'shard' ? workersEver(scenario) : 0
  const gated = new Uint8Array(stages.length)
  const left = new Int32Array(stages.length)
  for (let k = order.length - 1; k >= 0; k--) {
    const stage = order[k]
    const behind = ways[stage]
    gated[stage] = leaving.kind === 'buffer' && (behind.length === 0 || behind.some((next) => capacity[next] > 0 && gated[next] === 1)) ? 1 : 0
    for (const next of behind) left[stage] = Math.max(left[stage], left[next] + 1)
  }
  return {
    stages: stages.length,
    linear: isLinear(scenario),
    firsts,
    first: firsts[0],
    next: Int16Array.from(ways, (behind) => {
      if (behind.length === 0) return inParts ? FORK : SINK
      return behind.length === 1 && joins[behind[0]] === 0 ? behind[0] : FORK
    }),
    ways,
    queuesAfter: ways.map((behind, s) => behind.filter((next) => routes[s] === 0 && joins[next] === 0)),
    shares: ways.map((behind, s) => sharesOf(scenario, s, behind)),
    before,
    routes,
    joins,
    copies: firsts.length > 1 || ways.some((behind, s) => behind.length > 1 && routes[s] === 0),
    leavesInParts: inParts,
    order,
    nearest: order
      .slice()
      .reverse()
      .sort((a, b) => left[a] - left[b]),
    capacity,
    bounded: capacity.some((most) => most > 0),
    narrow: Uint8Array.from(ways, (behind) => (behind.some((next) => capacity[next] > 0) ? 1 : 0)),
    slots,
    gated,
    exclusive: Uint8Array.from(stages, ({ resource }) => (resource === null ? 0 : 1)),
  }
}

function sharesOf({ stages }: Scenario, stage: number, behind: Int16Array): Float64Array {
  const { fanOut } = stages[stage]
  if (fanOut === 'copy' || behind.length < 2) return new Float64Array(behind.length).fill(1)
  const weights = Float64Array.from(behind, (next) => fanOut.route[stages[next].id])
  const total = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / total)
}

/** The most workers that ever take part: those at the start and those who join, who continue the numbering. */
export function workersEver(scenario: Scenario): number {
  return scenario.workerEvents.reduce((most, event) => Math.max(most, event.worker + 1), crewOf(scenario))
}
