import { leavesInParts } from '../scenario/graph/partProblems.ts'
import { isLinear, stageNumbers, waysOf } from '../scenario/model/linearStages.ts'
import type { Scenario } from '../scenario/model/scenario.ts'

/** The next stage of a stage whose jobs leave the pipeline. */
export const SINK = -1
/** The next stage of a stage whose jobs do not all go to one stage or to the sink: see `ways`. */
export const FORK = -2

/** A pipeline by stage number. A copying stage feeds all behind it at once; a row `routed` names the chosen way, `gathered` means that all parts met. */
export type Topology = ReturnType<typeof findTopology>

const known = new WeakMap<Scenario, Topology>()

/** Returns the topology of a scenario from `parse`, computed once, because engine, trace and bounds of a small run all need it. */
export function topologyOf(scenario: Scenario): Topology {
  const found = known.get(scenario) ?? findTopology(scenario)
  known.set(scenario, found)
  return found
}

function findTopology(scenario: Scenario) {
  const { stages, links } = scenario
  const number = new Map(stages.map((stage, i) => [stage.id, i]))
  const { next, before: from } = waysOf(links)
  const numbered = (ids: readonly string[] = []) => Int16Array.from(ids.flatMap((id) => number.get(id) ?? []))
  const ways = stages.map(({ id }) => numbered(next.get(id)))
  const before = stages.map(({ id }) => numbered(from.get(id)))
  const firsts = numbered(next.get('source'))
  const routes = Uint8Array.from(stages, ({ fanOut }, s) => (fanOut !== 'copy' && ways[s].length > 1 ? 1 : 0))
  const joins = Uint16Array.from(stages, ({ join }, s) =>
    join === 'all' && before[s].length > 1 ? before[s].length : 0,
  )
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
    gated[stage] =
      leaving.kind === 'buffer' &&
      (behind.length === 0 || behind.some((next) => capacity[next] > 0 && gated[next] === 1))
        ? 1
        : 0
    for (const next of behind) left[stage] = Math.max(left[stage], left[next] + 1)
  }
  return {
    stages: stages.length,
    /** Whether the pipeline is linear. Most are, and hot code has a shorter path for them. */
    linear: isLinear(scenario),
    /** The stages that take arrivals, mostly one. Each gets a part of the job. */
    firsts,
    /** The first of these; in a linear pipeline the only one. */
    first: firsts[0],
    /** Where a stage's finished jobs go: a stage, SINK, or FORK where it is not that simple. */
    next: Int16Array.from(ways, (behind) => {
      if (behind.length === 0) return inParts ? FORK : SINK
      return behind.length === 1 && joins[behind[0]] === 0 ? behind[0] : FORK
    }),
    /** The stages after each stage; none before the sink. */
    ways,
    /** Those of them whose queues a finished job enters at once: none where it is routed, and none where parts meet. */
    queuesAfter: ways.map((behind, s) => behind.filter((next) => routes[s] === 0 && joins[next] === 0)),
    /** The share of the jobs that goes each way: 1 where they are copied. */
    shares: ways.map((behind, s) => sharesOf(scenario, s, behind)),
    /** The stages before each stage; none after the source. */
    before,
    /** 1 where a job goes one of several ways. */
    routes,
    /** How many parts of a job a stage waits for; 0 where it is not more than one. */
    joins,
    /** Whether a job may be in several places at once. */
    copies: firsts.length > 1 || ways.some((behind, s) => behind.length > 1 && routes[s] === 0),
    /** Whether a job may come to the sink in several parts. */
    leavesInParts: inParts,
    /** All stages, each after those that feed it. */
    order,
    /** All stages by their longest way to the sink, the nearest first; of equals the last in `order`. In a linear pipeline `order` backwards. */
    nearest: order
      .slice()
      .reverse()
      .sort((a, b) => left[a] - left[b]),
    /** The most jobs a queue holds; 0: no bound. Parts that gather do not count. */
    capacity,
    bounded: capacity.some((most) => most > 0),
    /** 1 where a next queue is bounded. */
    narrow: Uint8Array.from(ways, (behind) => (behind.some((next) => capacity[next] > 0) ? 1 : 0)),
    /** Slots of the order buffer at the sink, or the most shards of a stage; 0: jobs leave when they are done. */
    slots,
    /** 1 where a ticket must be within the ring: at feeders of the ordered sink and of their bounded queues, which late tickets could fill. */
    gated,
    /** 1 where the jobs of a group exclude each other. */
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

/** Returns the most workers that ever take part: those at the start, and those that join later under higher numbers. */
export function workersEver(scenario: Scenario): number {
  return scenario.workerEvents.reduce((most, event) => Math.max(most, event.worker + 1), scenario.workers)
}
