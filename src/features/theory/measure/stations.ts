import { t } from '../../../language/translate.ts'
import { topologyOf } from '../../../pipeline/topology.ts'
import { batchSizeOf, initialWorkerCount } from '../../../scenario/model/defaults.ts'
import { serviceMean, serviceVariance } from '../../../scenario/model/distributions.ts'
import { isLinear } from '../../../scenario/model/linearStages.ts'
import { policies, policyKinds } from '../../../scenario/model/policies.ts'
import type { Discipline, Micros, Scenario, Service, Source } from '../../../scenario/model/scenario.ts'
import type { Retry } from '../../../scenario/model/sources.ts'

/** A scenario as queueing theory sees it: servers that never change place, in the order of the links. */
export interface Station {
  /** The numbers of the stages served here: one, or all where one worker runs each job to its end. */
  readonly stages: readonly number[]
  readonly name: string
  /** The share of the jobs that arrive here: 1 unless they are routed. */
  readonly share: number
  /** Workers; where they share the cores, cores. */
  readonly servers: number
  /** How many threads share the cores evenly; 0 where every worker has a core or needs none. */
  readonly threads: number
  /** Of the service of a job here. */
  readonly mean: Micros
  readonly variance: number
  readonly shape: 'constant' | 'exponential' | 'general'
  /** Of a job here; null where one worker runs it through several stages. */
  readonly service: Service | null
  /** Of its first stage: which job is next, and how many jobs its queue holds (null: no limit). */
  readonly discipline: Discipline
  /** Under `priority`, where jobs have classes: the share of each of the jobs, and whether they age; else null. */
  readonly classes: { readonly shares: readonly number[]; readonly age: boolean } | null
  readonly room: number | null
  /** Whether jobs continue to other stations. */
  readonly hasSuccessor: boolean
  /** How long clients wait on average before they give up for good; Infinity: they never do. */
  readonly patience: Micros
}

export type Stations = { readonly stations: readonly Station[] } | { readonly reasons: readonly string[] }

/** Services below this many microseconds are too coarse in whole microseconds to follow their distribution. */
const COARSE: Micros = 50

/** Shared cores release a job at a whole microsecond, up to one late: little for services of this many. */
const COARSE_SHARED: Micros = 500

/** The policies that keep all workers at a single stage. */
const gather: ReadonlySet<string> = new Set(
  policyKinds.filter((kind) => ['rules', 'queues', 'ahead'].includes(policies[kind].group)),
)

/** Returns the stations of a scenario, or the reasons why it has none. */
export function stationsOf(scenario: Scenario): Stations {
  const reasons: string[] = []
  const servers = serversOf(scenario, reasons)
  const { policy, stages, cores } = scenario
  // Green threads that only compute, more of them than cores: one station that serves all jobs at once, as long as each finds a thread.
  const shared =
    policy.kind === 'greenThreads' &&
    initialWorkerCount(scenario) > cores &&
    stages.every(({ work }) => work !== 'wait')
  const sharing = shared && [{ ...together(scenario), servers: cores, threads: policy.perStage }]
  const stations = sharing || (policy.kind === 'single' ? [together(scenario)] : apart(scenario, servers))
  if (scenario.network !== null) reasons.push(t('Messages over the network keep workers waiting.'))
  reasons.push(...branchReasons(scenario, stations), ...unsteadyReasons(scenario), ...crowdReasons(scenario, stations))
  for (const { mean, name, shape } of stations) {
    const values = { name, COARSE, COARSE_SHARED }
    if (shared && mean < COARSE_SHARED)
      reasons.push(
        t(
          'Shared cores let jobs go at whole microseconds, too coarse for the services of {name}; from a mean of {COARSE_SHARED} µs on it hardly shows.',
          values,
        ),
      )
    else if (shape !== 'constant' && mean < COARSE)
      reasons.push(
        t(
          'Times are whole microseconds, too coarse for the services of {name}; from a mean of {COARSE} µs on they follow their law.',
          values,
        ),
      )
  }
  return reasons.length > 0 ? { reasons } : { stations }
}

/** Returns how many workers serve each stage, by its number. */
function serversOf({ policy, stages, workers }: Scenario, reasons: string[]): readonly number[] {
  if (policy.kind === 'single' || policy.kind === 'onePerStage') return stages.map(() => 1)
  if (policy.kind === 'greenThreads') return stages.map(() => policy.perStage)
  if (policy.kind === 'fixed') {
    const { allocation } = policy
    const servers = stages.map(({ id }) => allocation[id] ?? 0)
    stages.forEach(({ name }, s) => {
      if (servers[s] === 0) reasons.push(t('The fixed allocation gives {name} no worker.', { name }))
    })
    return servers
  }
  if (!gather.has(policy.kind)) reasons.push(t('The policy changes how many workers serve a stage.'))
  else if (stages.length > 1)
    reasons.push(t('The policy moves workers between the stages; pin them with Fixed or One per stage.'))
  return stages.map(() => workers)
}

function apart(scenario: Scenario, servers: readonly number[]): Station[] {
  const shares = visitsOf(scenario)
  const { classes = [] } = scenario.source
  const total = classes.reduce((sum, weight) => sum + weight, 0)
  const { order, ways } = topologyOf(scenario)
  return Array.from(order, (s): Station => {
    const { name, service, discipline, ageing, capacity } = scenario.stages[s]
    return {
      stages: [s],
      name,
      share: shares[s],
      servers: servers[s],
      threads: 0,
      mean: serviceMean(service),
      variance: serviceVariance(service),
      shape: service.kind === 'constant' || service.kind === 'exponential' ? service.kind : 'general',
      service,
      discipline,
      classes:
        classes.length > 0 && discipline === 'priority'
          ? { shares: classes.map((weight) => weight / total), age: ageing !== null }
          : null,
      room: capacity,
      hasSuccessor: ways[s].length > 0,
      patience: scenario.source.retry === undefined ? Infinity : serviceMean(scenario.source.retry.after),
    }
  })
}

/** Returns one station for a worker that runs each job through all stages: its service is the sum of theirs. */
function together(scenario: Scenario): Station {
  const alone = scenario.stages.map(() => 1)
  const each = apart(scenario, alone)
  if (each.length === 1) return each[0]
  return {
    ...each[0],
    hasSuccessor: false,
    service: null,
    discipline: each.find(({ discipline }) => discipline === 'shortest')?.discipline ?? each[0].discipline,
    room: each.find(({ room }) => room !== null)?.room ?? null,
    stages: each.flatMap(({ stages }) => stages),
    name: each.map(({ name }) => name).join(' + '),
    mean: each.reduce((sum, { mean }) => sum + mean, 0),
    variance: each.reduce((sum, { variance }) => sum + variance, 0),
    shape: each.every(({ shape }) => shape === 'constant') ? 'constant' : 'general',
  }
}

const byShards = () => t('A job waits for its own worker though others are free, which the laws do not know.')

/** Returns the reasons due to a graph that is not a line. */
function branchReasons(scenario: Scenario, stations: readonly Station[]): string[] {
  if (isLinear(scenario)) return []
  const reasons: string[] = []
  if (stations.some(({ stages }) => stages.length > 1))
    reasons.push(t('Jobs go different ways; one law for all stages together needs a line.'))
  if (scenario.source.kind !== 'poisson')
    reasons.push(t('Jobs go different ways; without arrivals at random (Poisson) a closed form needs a line.'))
  if (scenario.order.kind === 'buffer')
    reasons.push(t('Jobs overtake each other on different ways, and the exit in order holds them back.'))
  if (scenario.order.kind === 'shard') reasons.push(byShards())
  return reasons
}

/** Returns the share of the jobs that arrive at each stage: where nothing is copied, the sum over the ways there. */
function visitsOf(scenario: Scenario): Float64Array {
  const { order, ways, shares, firsts } = topologyOf(scenario)
  const visits = new Float64Array(order.length)
  for (const first of firsts) visits[first] = 1
  for (const s of order) for (const [i, next] of ways[s].entries()) visits[next] += visits[s] * shares[s][i]
  return visits
}

/** Returns the reasons due to changes during the run. */
function unsteadyReasons(scenario: Scenario): string[] {
  const { source, stages, workerEvents, batch, switchCost, groupSwitchCost, policy, later } = scenario
  const reasons: string[] = []
  if (source.retry !== undefined) reasons.push(...impatienceReasons(source, source.retry, stages))
  if (later.length > 0) reasons.push(t('What the scheduler does changes midway.'))
  if (workerEvents.length > 0) reasons.push(t('Workers come and go.'))
  if (batchSizeOf(scenario) !== 1) reasons.push(t('Workers take jobs in batches; the laws know them one by one.'))
  if (batch.inHand > 1)
    reasons.push(
      t('A job may be given to a worker who is still busy while another becomes free, which the laws do not know.'),
    )
  // Pinned workers pay nothing: only one that runs jobs to their end changes stage all the time.
  if (stages.some(({ startUp }) => startUp !== null)) reasons.push(t('Workers start up, which the laws do not know.'))
  if (switchCost > 0 && policy.kind === 'single' && stages.length > 1)
    reasons.push(t('Changing stage costs time, which the laws do not know.'))
  if (groupSwitchCost > 0 && source.kind === 'groups')
    reasons.push(t('Changing group costs time, which the laws do not know.'))
  for (const { name, changes, fails, resource } of stages) {
    if (changes.length > 0) reasons.push(t('The service times of {name} change midway.', { name }))
    if (fails !== null && fails.jobs.length > 0) reasons.push(t('Jobs fail at {name}.', { name }))
    if (resource !== null) reasons.push(t('At {name} the jobs of a group exclude each other.', { name }))
  }
  return reasons
}

/** With more jobs than this in a mean patience, the sum of Erlang A has too many terms. */
const MAX_IN_PATIENCE = 5_000_000

/** Returns why clients that give up have no known law here. */
function impatienceReasons(source: Source, { limit, after }: Retry, stages: Scenario['stages']): string[] {
  const rate = source.kind === 'poisson' ? source.rate / 1e6 : 0
  const [{ service, discipline, capacity }] = stages
  const known =
    stages.length === 1 &&
    service.kind === 'exponential' &&
    discipline !== 'shortest' &&
    capacity === null &&
    after.kind === 'exponential' &&
    after.mean * rate <= MAX_IN_PATIENCE
  if (limit === 0 && known) return []
  return [
    t(
      'Clients give up. A law is known only where they never try again, jobs come at random (Poisson) to one stage without a bound, not the shortest first, and services and patience are exponential.',
    ),
  ]
}

/** Returns the reasons due to workers that wait for each other. */
function crowdReasons({ stages, cores, order, policy, workers }: Scenario, stations: readonly Station[]): string[] {
  const reasons: string[] = []
  const places = stations.reduce(
    (sum, { stages: own, servers }) => sum + (own.some((s) => stages[s].work !== 'wait') ? servers : 0),
    0,
  )
  // Where every worker may go to every stage there are more places than workers.
  const burning = Math.min(initialWorkerCount({ policy, stages, workers }), places)
  // Green threads have as many servers as cores on purpose: they have a law of their own.
  if (burning > cores)
    reasons.push(
      t(
        'Up to {burning} workers burn at once on {cores, plural, =1 {one core} one {# core} other {# cores}} and slow each other down.',
        { burning, cores },
      ),
    )
  if (
    order.kind !== 'none' &&
    stations.some(({ servers, threads, discipline }) => servers > 1 || threads > 1 || discipline !== 'fifo')
  )
    reasons.push(
      order.kind === 'shard' ? byShards() : t('Jobs overtake each other, and the exit in order holds them back.'),
    )
  return reasons
}
