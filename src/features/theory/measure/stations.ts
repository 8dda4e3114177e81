import { t } from '../../../language/translate.ts'
import { topologyOf } from '../../../pipeline/topology.ts'
import { serviceMean, serviceVariance } from '../../../scenario/model/distributions.ts'
import { isLinear } from '../../../scenario/model/linearStages.ts'
import { policies, policyKinds } from '../../../scenario/model/policies.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'

/** A scenario as queueing theory sees it: servers that never change place, in the order of the links. */
export interface Station {
  /** The numbers of the stages served here: one, or all where one worker runs each job to its end. */
  readonly stages: readonly number[]
  readonly name: string
  /** The share of the jobs that arrive here: 1 unless they are routed. */
  readonly share: number
  readonly servers: number
  /** Of the service of a job here. */
  readonly mean: Micros
  readonly variance: number
  readonly exponential: boolean
  /** Under `priority`, where jobs have classes: the share of each of the jobs, and whether they age; else null. */
  readonly classes: { readonly shares: readonly number[]; readonly age: boolean } | null
  /** Whether jobs continue to other stations. */
  readonly hasSuccessor: boolean
}

/** Returns the reasons that apply: an operand is false if it does not. */
export const applying = (...reasons: readonly (string | false)[]): readonly string[] =>
  reasons.filter((reason) => reason !== false)

/** Services below this many microseconds are too coarse in whole microseconds to follow their distribution. */
const COARSE: Micros = 50

/** The policies that keep all workers at a single stage. */
const gather: ReadonlySet<string> = new Set(
  policyKinds.filter((kind) => ['rules', 'queues', 'ahead'].includes(policies[kind].group)),
)

/** Returns the stations of a scenario, and the reasons why theory does not know them. */
export function stationsOf(scenario: Scenario) {
  const servers = serversOf(scenario)
  const apart = stationsApart(scenario, servers)
  const stations = scenario.policy.kind === 'single' ? [together(apart)] : apart
  const reasons = [
    ...changeReasons(scenario),
    ...stageReasons(scenario),
    ...policyReasons(scenario, servers),
    ...graphReasons(scenario, stations),
    ...crowdReasons(scenario, stations),
    ...stations.flatMap(({ mean, variance, name }) =>
      applying(
        variance > 0 && mean < COARSE && t('Services of {name} are too short for whole microseconds.', { name }),
      ),
    ),
  ]
  return { stations, reasons }
}

/** Returns how many workers serve each stage, by its number. */
function serversOf({ policy, stages, workers }: Scenario): readonly number[] {
  if (policy.kind === 'fixed') return stages.map(({ id }) => policy.allocation[id] ?? 0)
  return stages.map(() => (policy.kind === 'single' || policy.kind === 'onePerStage' ? 1 : workers))
}

function policyReasons({ policy: { kind }, stages }: Scenario, servers: readonly number[]): readonly string[] {
  if (kind === 'single' || kind === 'onePerStage') return []
  if (kind === 'fixed')
    return stages.flatMap(({ name }, s) =>
      applying(servers[s] === 0 && t('The fixed allocation gives {name} no worker.', { name })),
    )
  return applying((!gather.has(kind) || stages.length > 1) && t('The policy moves workers between stages.'))
}

function stationsApart(scenario: Scenario, servers: readonly number[]): Station[] {
  const { order, ways, shares, firsts } = topologyOf(scenario)
  const visits = new Float64Array(order.length)
  for (const first of firsts) visits[first] = 1
  for (const s of order) for (const [i, next] of ways[s].entries()) visits[next] += visits[s] * shares[s][i]
  const { classes = [] } = scenario.source
  const total = classes.reduce((sum, weight) => sum + weight, 0)
  return Array.from(order, (s): Station => {
    const { name, service, discipline, ageing } = scenario.stages[s]
    return {
      stages: [s],
      name,
      share: visits[s],
      servers: servers[s],
      mean: serviceMean(service),
      variance: serviceVariance(service),
      exponential: service.kind === 'exponential',
      classes:
        classes.length > 0 && discipline === 'priority'
          ? { shares: classes.map((weight) => weight / total), age: ageing !== null }
          : null,
      hasSuccessor: ways[s].length > 0,
    }
  })
}

/** Returns one station for a worker that runs each job through all stages: its service is the sum of theirs. */
function together(stations: readonly Station[]): Station {
  if (stations.length === 1) return stations[0]
  return {
    ...stations[0],
    hasSuccessor: false,
    stages: stations.flatMap(({ stages }) => stages),
    name: stations.map(({ name }) => name).join(' + '),
    mean: stations.reduce((sum, { mean }) => sum + mean, 0),
    variance: stations.reduce((sum, { variance }) => sum + variance, 0),
    exponential: false,
  }
}

/** Returns the reasons due to changes during the run, and to what workers do besides serving. */
function changeReasons(scenario: Scenario): readonly string[] {
  const { source, stages, workerEvents, batch, switchCost, groupSwitchCost, policy, later, network } = scenario
  const changes =
    later.length > 0 ||
    workerEvents.length > 0 ||
    stages.some(({ changes, startUp }) => changes.length > 0 || startUp !== null)
  // Pinned workers pay nothing: only one that runs jobs to their end changes stage all the time.
  const switches = switchCost > 0 && policy.kind === 'single' && stages.length > 1
  return applying(
    source.retry !== undefined && t('Clients give up a job that waits too long'),
    network !== null && t('Network'),
    changes && t('Workers or services change during the run.'),
    (batch.size !== 1 || batch.inHand > 1) && t('Batches'),
    (switches || (groupSwitchCost > 0 && source.kind === 'groups')) && t('Switch cost'),
  )
}

function stageReasons({ stages }: Scenario): readonly string[] {
  return stages.flatMap(({ name, fails, resource, capacity, discipline }) =>
    applying(
      fails !== null && fails.jobs.length > 0 && `${name}: ${t('Failures')}`,
      resource !== null && `${name}: ${t('Same group')}`,
      capacity !== null && `${name}: ${t('Bounded queue')}`,
      discipline === 'shortest' && `${name}: ${t('Shortest first (sees sizes)')}`,
    ),
  )
}

/** Returns the reasons due to a graph that is not a line. */
function graphReasons(scenario: Scenario, stations: readonly Station[]): readonly string[] {
  if (isLinear(scenario)) return []
  return applying(
    topologyOf(scenario).copies && t('A copy to each'),
    stations.some(({ stages }) => stages.length > 1) && t('One worker takes jobs different ways.'),
  )
}

/** Returns the reasons due to workers that wait for each other. */
function crowdReasons(scenario: Scenario, stations: readonly Station[]): readonly string[] {
  const { stages, cores, order, workers } = scenario
  const computing = stations.filter(({ stages: served }) => served.some((s) => stages[s].work !== 'wait'))
  const places = computing.reduce((sum, { servers }) => sum + servers, 0)
  const overtake =
    !isLinear(scenario) ||
    stations.some(({ servers, stages: served }) => servers > 1 || served.some((s) => stages[s].discipline !== 'fifo'))
  return applying(
    // Where every worker may go to every stage there are more places than workers.
    Math.min(workers, places) > cores && t('Cores'),
    order.kind !== 'none' &&
      overtake &&
      (order.kind === 'buffer' ? t('In order, by a buffer') : t('In order, by shards')),
  )
}
