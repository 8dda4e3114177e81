import { isDivisorRule } from '../../src/allocation/rules.ts'
import { policies, policyKinds } from '../../src/scenario/model/policies.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { parse } from '../../src/scenario/parse/parse.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { graphOver } from '../fixtures/graphs.ts'
import { codes } from './codes.ts'
import {
  type Theme,
  themedArrivals,
  themedBatch,
  themedGroups,
  themedJobs,
  themedPolicy,
  themedStageCount,
  themedStages,
  themedWorkers,
  themeOf,
  themes,
} from './themes.ts'

/**
 * The description of one game. `jobs` and `faults` limit what the seed would draw, so the same seed can play a smaller game
 * when a failure is shrunk.
 */
export interface Plan {
  readonly seed: number
  readonly jobs: number
  readonly faults: number
  /** Whether the stages form a graph; otherwise a line. */
  readonly graph?: boolean
  /** Whether shards keep the order; features that do not work with shards are then left out. */
  readonly shards?: boolean
  /** Whether the conductor plays it on simulated threads; otherwise the core alone. */
  readonly threads?: boolean
  /** Whether the conductor plays it on threads that simulated devices lend over a simulated broker. */
  readonly room?: boolean
  /** Whether the core for plain scenarios plays it; it then has plain features only. */
  readonly plain?: boolean
  /** What it is about, in the core, on threads and in the simulation: see themes.ts. */
  readonly theme?: Theme
  /** Whether the simulation plays it, with the services, arrivals and troubles of the scenario; otherwise the world chooses them. */
  readonly simulated?: boolean
  /** Name of the code (see codes.ts) that is the policy of the whole game. Code needs the sandbox, so code.test.ts plays these games alone. */
  readonly code?: string
  /** Whether clients give up jobs and send them again, where one stage follows the source. */
  readonly clients?: boolean
  /** Whether the final check compares only the orders with the trace, not all results. */
  readonly brief?: boolean
}

const ALL = 1_000_000

/**
 * The usual plan of a seed: of twenty games four are lines, one is plain, one is simulated, six are graphs, two have shards, four
 * run on threads, and two in a room. Most games are small, since small games show as many faults. One in sixteen, and each game with a theme, may be large.
 */
export function planOf(seed: number): Plan {
  const plan = usualPlanOf(seed)
  if (Math.floor(seed / 10) % 3 > 0 || (plan.graph && seed < OTHERS) || plan.shards) return plan
  const { plain, ...rest } = plan
  return { ...rest, ...(plain && { simulated: true }), clients: true }
}

/** From this seed on clients also give up in graphs, and jobs without classes have priorities. The checksums of the first games are kept. */
const OTHERS = 3000

function usualPlanOf(seed: number): Plan {
  const kind = seed % 10
  const large = Math.floor(seed / 10) % 16 === 0
  const plain = kind === 1 && Math.floor(seed / 10) % 16 < 8
  const theme = plain || kind === 7 ? null : themeOf(seed)
  return {
    seed,
    jobs: large ? ALL : theme !== null ? themedJobs(theme) : kind === 1 ? 20 : 5,
    faults: ALL,
    ...(theme === null ? {} : { theme }),
    ...((kind >= 3 && kind < 6) || kind === 8 || (kind === 6 && seed % 20 === 6) ? { graph: true } : {}),
    ...(kind === 6 || (kind === 9 && seed % 20 === 9) || shardsSimulated(seed) ? { shards: true } : {}),
    ...(kind >= 8 ? { threads: true } : {}),
    ...(kind === 7 ? { room: true } : {}),
    ...(kind === 1 ? (plain ? { plain: true } : { simulated: true, ...(seed % 20 === 1 ? { graph: true } : {}) }) : {}),
    ...(large ? {} : { brief: true }),
  }
}

/** Whether the simulation plays a game with shards. */
const shardsSimulated = (seed: number) => seed % 20 === 11 && Math.floor(seed / 10) % 16 >= 8

/** The plan of a seed for a game in a room. */
export function roomPlanOf(seed: number): Plan {
  const { jobs, faults, brief = false } = planOf(seed)
  return {
    seed,
    jobs,
    faults,
    room: true,
    ...(seed % 3 === 1 ? { graph: true } : {}),
    ...(seed % 10 === 9 ? { shards: true } : {}),
    ...(brief ? { brief } : {}),
  }
}

/** Returns the plan of a game of the simulation, which may be large. */
export function simulatedPlanOf(seed: number): Plan {
  const theme = themeOf(seed)
  return {
    seed,
    jobs: ALL,
    faults: ALL,
    simulated: true,
    ...(theme === null ? {} : { theme }),
    ...(seed % 3 === 1 ? { graph: true } : seed % 3 === 2 ? { clients: true } : {}),
    ...(seed % 10 === 9 && seed % 3 < 2 ? { shards: true } : {}),
    brief: true,
  }
}

/** Returns the plan of a game with a theme, which the core plays. */
export function themePlanOf(seed: number): Plan {
  const theme = themes[seed % themes.length]
  return {
    seed,
    jobs: themedJobs(theme),
    faults: ALL,
    theme,
    ...(theme === 'parts' || seed % 3 === 1 ? { graph: true } : {}),
    brief: true,
  }
}

/** A scenario and its arrival times; for a source of groups the world chooses the times. */
export interface Drawn {
  readonly scenario: Scenario
  readonly at: readonly number[]
}

/** The scenario of a plan. The world decides the service times (see `costOf`); the declared ones are only used as priors. */
export function draw(plan: Plan): Drawn {
  const chance = createChance(plan.seed)
  const theme = themeFor(plan)
  // A graph needs at least three stages.
  const count = Math.max(plan.graph === true ? 3 : 1, Math.min(themedStageCount(theme), chance.between(1, 6)))
  const ids = Array.from({ length: count }, (_, i) => `${chance.pick(['a', 'B', 'z', 'M'])}${i}`)
  const stages = ids.map((id) => stageOf(id, chance))
  const line = ['source', ...shuffled(ids, chance), 'sink']
  const links = line.slice(1).map((to, i) => [line[i], to])
  const usualWorkers = chance.between(1, 8)
  const workers = theme === null ? usualWorkers : themedWorkers(theme, plan.seed, usualWorkers)
  const usualTimes = arrivals(Math.min(plan.jobs, chance.pick([0, 1, 3, 8, 20, 40])), chance)
  const at = theme === null ? usualTimes : themedArrivals(theme, plan.seed).slice(0, plan.jobs)
  const grouped = theme === null ? groupedOf(plan.seed, at.length) : themedGroups(theme, plan.seed, at.length)
  const given = theme === null ? null : themedPolicy(theme, plan.seed)
  const elastic =
    given === null || theme === null ? elasticOf(plan.seed, grouped) : 'elastic' in given ? given.elastic : null
  const green = elastic === null && given === null ? greenPolicyOf(plan.seed) : null
  const starts = theme === null ? startUpsIn(plan.seed, stages) : themedStages(theme, plan.seed, stages)
  const all = grouped === null ? starts : starts.map((stage, i) => ({ ...stage, ...grouped.stages[i] }))
  const drawing = plan.graph === true ? graphOver(all, createChance(plan.seed ^ 0x91)) : { stages: all, links }
  const uniform = {
    version: 1,
    seed: plan.seed,
    source: grouped?.source ?? { kind: 'times', at },
    ...drawing,
    workers,
    workerEvents:
      elastic === null
        ? renumbered(joins(workers, chance), workers, green === null ? workers : green.perStage * count)
        : joins(workers, chance).slice(0, 0),
    policy:
      elastic ??
      (given !== null && 'other' in given ? given.other : null) ??
      green ??
      perJobOf(plan.seed) ??
      placingOf(plan.seed) ??
      handOf(plan.seed, count, workers) ??
      aheadPolicyOf(plan.seed) ??
      laterPolicyOf(plan.seed) ??
      policyOf(ids, workers, chance),
    estimator: estimatorOf(chance),
    batch:
      (theme === null ? null : themedBatch(theme, plan.seed)) ??
      batchOf(plan.seed, { size: chance.pick([1, 1, 2, 3, 8]) }),
    switchCost: plan.seed % 5 === 0 ? 40 : 0,
    network: networkOf(plan.seed),
    order: chance.percent(50) ? { kind: 'none' } : { kind: 'buffer', slots: chance.pick([1, 2, 3, 5, 64]) },
    later: turnsOf(plan.seed, ids, workers, elastic !== null ? 'elastic' : green !== null ? 'green' : 'crew'),
  }
  const drawn = classed(plan.seed, uniform)
  const parsed = parse(
    plan.plain === true
      ? plainly(plan.seed, ids, at, drawn)
      : plan.shards === true
        ? sharded(drawn)
        : plan.code === undefined
          ? plan.clients === true
            ? impatient(plan.seed, drawn)
            : drawn
          : coded(drawn, plan.code),
  )
  if ('problems' in parsed) throw new Error(`seed ${plan.seed} draws no scenario: ${JSON.stringify(parsed.problems)}`)
  return { scenario: parsed.scenario, at }
}

/** The theme of a plan. Without a graph no part of a job is elsewhere when another fails. */
function themeFor({ graph = false, theme = null }: Pick<Plan, 'graph'> & { readonly theme?: Theme | null }) {
  return theme === 'parts' && !graph ? 'carriers' : theme
}

function elasticOf(seed: number, grouped: { readonly policy: object | null } | null) {
  return grouped?.policy ?? planningOf(seed) ?? knownOf(seed) ?? laterElasticOf(seed) ?? elasticPolicyOf(seed)
}

interface Drawing {
  readonly stages: readonly object[]
  readonly policy: object
  readonly batch: object
  readonly later: readonly Partial<Drawing>[]
}

/** The same game with shards. */
function sharded<T extends Drawing>(drawn: T): object {
  return {
    ...drawn,
    stages: drawn.stages.map((stage) => ({ ...stage, discipline: 'fifo', whenTaken: 'wait' })),
    ...suited(drawn),
    later: drawn.later.map((turn) => ({ ...turn, ...suited(turn) })),
    order: { kind: 'shard' },
  }
}

/** In some games jobs have classes, and stages serve the most urgent where they would serve the shortest. Everything else is drawn as it always was. */
function classed<T extends { readonly source: object; readonly stages: readonly object[] }>(seed: number, drawn: T): T {
  if (seed % 8 !== 3 && (seed < OTHERS || seed % 16 !== 6)) return drawn
  const chance = createChance(seed ^ 0x5c1a)
  const other = createChance(seed ^ 0x11c5)
  const keeps = seed >= OTHERS && other.percent(50)
  const classes = chance.pick([[1, 1], [1, 3, 9], [0.2, 0.3, 0.1, 0.4], Array.from({ length: 8 }, () => 1)])
  const prior = (stage: object) => ({
    ...stage,
    discipline: 'priority',
    ageing: chance.pick([null, null, 1, 40, 900, 20_000]),
  })
  const stages = drawn.stages.map((stage) =>
    'discipline' in stage && stage.discipline === 'shortest' && !(keeps && other.percent(40)) ? prior(stage) : stage,
  )
  return keeps && other.percent(50) ? { ...drawn, stages } : { ...drawn, source: { ...drawn.source, classes }, stages }
}

/** The same game with clients that give up, if one stage follows the source. */
function impatient<
  T extends {
    readonly source: object
    readonly stages: readonly { readonly id: string }[]
    readonly links: readonly (readonly string[])[]
  },
>(seed: number, drawn: T): object {
  const firsts = drawn.links.flatMap(([from, to]) => (from === 'source' ? [to] : []))
  if (firsts.length > 1) return drawn
  const chance = createChance(seed ^ 0x3c1)
  const mean = chance.pick([1, 60, 400, 3000])
  const after = chance.pick([mean, { kind: 'exponential', mean }, { kind: 'uniform', min: 1, max: 2 * mean }])
  const retry = { after, limit: chance.pick([0, 0, 1, 3, 6]), backoff: chance.pick([0, 0, 30, 500]) }
  const waits = (id: string) => seed < OTHERS || id === firsts[0]
  const stages = drawn.stages.map((stage) => ({ ...stage, ...(waits(stage.id) && { whenTaken: 'wait' }) }))
  return { ...drawn, source: { ...drawn.source, retry }, stages, order: { kind: 'none' } }
}

/** The same game under user code. */
function coded<T extends Drawing>(drawn: T, name: string): object {
  const later = drawn.later.map(({ policy: _, ...turn }) => turn).filter((turn) => Object.keys(turn).length > 1)
  // Under green threads the workers have other numbers.
  const green = 'perStage' in drawn.policy ? { workerEvents: [] } : {}
  return { ...drawn, ...green, policy: { kind: 'code', name, source: codes[name].source }, later }
}

/** A game of plain features: FIFO queues in a line, one job at a time, constant workers, and any divisor rule. */
function plainly(
  seed: number,
  ids: readonly string[],
  at: readonly number[],
  { workers, estimator }: { workers: number; estimator: object },
): object {
  const chance = createChance(seed ^ 0x71)
  const kind = chance.pick(policyKinds.filter((kind) => isDivisorRule(kind) && policies[kind].group !== 'ahead'))
  // Either a few distinct times, so that many events coincide, or any times.
  const services = [
    { kind: 'constant', mean: chance.pick([1, 50, 400]) },
    { kind: 'exponential', mean: chance.pick([2, 300]) },
  ]
  return {
    version: 1,
    seed,
    source: { kind: 'times', at },
    stages: ids.map((id) => ({ id, service: chance.pick(services) })),
    workers,
    ...(chance.percent(25)
      ? { cores: 1, stages: ids.map((id) => ({ id, service: chance.pick(services), work: 'wait' })) }
      : { cores: workers }),
    policy: { kind, lend: chance.percent(70), ...(kind === 'power' ? { p: chance.pick([1, 2, 3]) } : {}) },
    estimator,
    batch: { size: 1 },
  }
}

/** Features that work with shards. */
function suited({ policy, batch }: Partial<Drawing>): object {
  return {
    ...(policy && { policy: 'lend' in policy ? { ...policy, lend: true } : policy }),
    ...(batch && { batch: { ...batch, inHand: 1 } }),
  }
}

/** The service time of a job at a stage: coarse, so that many events coincide. */
export function costOf(plan: Pick<Plan, 'seed' | 'graph' | 'theme'>): (stage: number, job: number) => number {
  const { seed } = plan
  const theme = themeFor(plan)
  // Most services take less than a clock can tell.
  if (theme === 'instant') return (stage, job) => Number((job + stage) % 5 === 0)
  // Pools decide every millisecond or two, and look at how the stages differ.
  const pools = theme === 'pools' || theme === 'gaps' || theme === 'parts'
  const grain = pools ? 60 : [1, 10, 100][seed % 3]
  return (stage, job) =>
    (1 + ((job * 7919 + stage * 104_729 + seed * 31) % 13)) * grain * (pools ? [1, 3, 8][stage % 3] : 1)
}

function stageOf(id: string, chance: Chance) {
  const stage: Record<string, unknown> & { readonly id: string } = {
    id,
    service: { kind: 'constant', mean: chance.pick([1, 50, 400]) },
    discipline: chance.pick(['fifo', 'lifo', 'shortest']),
  }
  if (chance.percent(35)) stage.capacity = chance.pick([1, 1, 2, 3, 10])
  if (chance.percent(20))
    stage.fails = {
      jobs: Array.from({ length: chance.between(1, 4) }, () => chance.below(40)),
      tries: chance.between(1, 3),
    }
  return stage
}

function arrivals(jobs: number, chance: Chance): number[] {
  const gap = chance.pick([0, 0, 5, 100, 1000])
  let time = chance.percent(20) ? chance.below(500) : 0
  return Array.from({ length: jobs }, () => {
    time += chance.percent(40) ? 0 : chance.below(gap + 1)
    return time
  })
}

function joins(workers: number, chance: Chance) {
  const many = chance.percent(30) ? chance.between(1, 3) : 0
  const at = Array.from({ length: many }, () => chance.below(4000)).sort((a, b) => a - b)
  return at.map((time, i) => ({ at: time, kind: 'join', worker: workers + i }))
}

function renumbered(events: ReturnType<typeof joins>, from: number, to: number) {
  return events.map((event) => ({ ...event, worker: event.worker - from + to }))
}

function policyOf(ids: readonly string[], workers: number, chance: Chance) {
  const rule = { kind: chance.pick(['leastScore', 'leastScore', 'jefferson', 'webster']), lend: chance.percent(70) }
  switch (chance.below(6)) {
    case 0:
      return workers >= ids.length ? { kind: 'onePerStage' } : rule
    case 1: {
      const allocation: Record<string, number> = {}
      for (let w = 0; w < workers; w++) {
        const id = ids[(w + chance.below(2)) % ids.length]
        allocation[id] = (allocation[id] ?? 0) + 1
      }
      return { kind: 'fixed', allocation }
    }
    case 2:
      return { kind: 'single' }
    case 3:
      // Trying all allocations is slow, and a few seats test as much.
      return ids.length <= 3 && workers <= 5 ? { kind: 'exhaustive', lend: chance.percent(70) } : rule
    default:
      return rule
  }
}

const first: readonly string[] = ['leastScore', 'exhaustive', 'jefferson', 'webster', 'power']
const laterKinds = policyKinds
  .filter((kind) => ['rules', 'queues'].includes(policies[kind].group) && !first.includes(kind))
  .flatMap((kind) => (kind === 'backpressure' ? [kind, kind] : [kind]))

/** Newer policies have their own random draws, so that each seed keeps the rest of its game; pinned games do not change at all. */
function laterPolicyOf(seed: number) {
  const chance = createChance(seed ^ 0x2f)
  if (chance.percent(55)) return null
  const lend = chance.percent(70)
  return chance.pick([
    ...laterKinds.map((kind) => ({ kind, lend })),
    { kind: 'power', p: chance.pick([1, 2, 3, 20, 64]), lend },
  ])
}

/** Policies that look ahead, with their own random draws. */
function aheadPolicyOf(seed: number) {
  const chance = createChance(seed ^ 0xc7)
  if (!chance.percent(12)) return null
  const lend = chance.percent(70)
  return chance.pick([
    { kind: 'preallocate', hops: chance.pick([1, 1, 2, 8]), lend },
    { kind: 'switchAware', horizon: chance.pick([1, 100, 4000, 1_000_000]), lend },
    { kind: 'deadline', due: chance.pick([1, 50, 2000, 1_000_000]), lend },
  ])
}

/** Workers that carry their jobs through, with its own random draws. */
function perJobOf(seed: number) {
  return createChance(seed ^ 0x17a).percent(8) ? { kind: 'perJob' } : null
}

/** Later policies of known systems that keep their workers, with their own random draws. */
function placingOf(seed: number) {
  const chance = createChance(seed ^ 0x4e3)
  if (!chance.percent(12)) return null
  return chance.percent(65)
    ? createChance(seed ^ 0x60).percent(45)
      ? { kind: 'goLike', runq: chance.pick([2, 2, 3, 256]), schedtick: chance.pick([1, 2, 3, 61]) }
      : { kind: 'workStealing', steal: chance.pick(['one', 'half', 'half']) }
    : { kind: 'morsels', morselSize: chance.pick([1, 2, 3, 20]), lend: chance.percent(70) }
}

/** In one game of six some stages need a start-up; with its own random draws. */
function startUpsIn<T extends object>(seed: number, stages: readonly T[]): readonly T[] {
  const chance = createChance(seed ^ 0x5b1)
  if (!chance.percent(16)) return stages
  return stages.map((stage) =>
    chance.percent(60)
      ? {
          ...stage,
          startUp: chance.pick([
            { kind: 'constant', mean: 70 },
            { kind: 'uniform', min: 1, max: 3000 },
            { kind: 'exponential', mean: 900 },
          ]),
        }
      : stage,
  )
}

/** Pools that often hire, and often dismiss busy workers; with their own random draws. */
function elasticPolicyOf(seed: number) {
  const chance = createChance(seed ^ 0x3b)
  if (!chance.percent(20)) return null
  return pidOrThreshold(chance, { every: 1000, max: chance.pick([null, null, 1, 2]) })
}

/** Newer controllers, with their own random draws. */
function laterElasticOf(seed: number) {
  const chance = createChance(seed ^ 0x9d)
  if (!chance.percent(8)) return null
  const pool = { every: 1000, max: chance.pick([null, null, 1, 3]) }
  switch (chance.below(3)) {
    case 0:
      return {
        kind: 'aimd',
        ...pool,
        high: chance.pick([0, 0, 1, 4]),
        idle: chance.pick([0, 500, 3000]),
        increase: chance.pick([1, 2, 5]),
        decrease: chance.pick([0, 0.3, 0.5, 0.9]),
      }
    case 1:
      return { ...pidOrThreshold(chance, pool, 0), kind: 'adaptive', tunedAt: chance.pick([1, 20, 300]) }
    default: {
      const corners = Array.from({ length: chance.between(1, 4) }, () => [
        chance.below(chance.pick([50, 20_000])),
        chance.pick([0, 40, 700, 5000]),
      ])
      const profile = corners.sort(([a], [b]) => a - b)
      return {
        kind: 'predictive',
        ...pool,
        profile,
        lead: chance.pick([1000, 7000]),
        utilisation: chance.pick([0.3, 1]),
        alpha: chance.pick([0, 0.2, 1]),
      }
    }
  }
}

/** Controllers that plan for all stages at intervals, with their own random draws. */
function planningOf(seed: number) {
  const chance = createChance(seed ^ 0x2f7)
  if (!chance.percent(8)) return null
  const pool = { every: chance.pick([1000, 1000, 4000]), max: chance.pick([null, null, null, 3]) }
  if (chance.percent(45)) return { kind: 'xenna', ...pool, autoscale_interval: chance.pick([1, 5000, 20_000]) }
  return {
    kind: 'flinkAutoscaler',
    ...pool,
    utilizationTarget: chance.pick([0.1, 0.1, 0.7]),
    targetUtilizationBoundary: chance.pick([0, 0, 0.3]),
    scaleUpMaxFactor: chance.pick([1, 100_000, 100_000]),
    scaleDownMaxFactor: chance.pick([0, 0.6, 1]),
    scaleDownInterval: chance.pick([0, 0, 3000]),
    catchUpDuration: chance.pick([0, 30, 300, 2000]),
    restartTime: chance.pick([0, 2000]),
    stabilizationInterval: chance.pick([0, 0, 2000]),
    metricsWindow: chance.pick([1, 1000, 4000]),
    backlogLagThreshold: chance.pick([0, 50_000, 1_000_000_000]),
    vertexMinParallelism: chance.pick([1, 1, 2]),
  }
}

/** Controllers of known systems, with their own random draws. */
function knownOf(seed: number) {
  const chance = createChance(seed ^ 0x6e1)
  if (!chance.percent(8)) return null
  const pool = { every: chance.pick([1000, 1000, 4000]), max: chance.pick([null, null, 1, 3]) }
  const least = Math.min(chance.pick([1, 1, 2]), pool.max ?? 2)
  switch (chance.below(3)) {
    case 0:
      return {
        kind: 'rayData',
        ...pool,
        actor_pool_util_upscaling_threshold: chance.pick([0.5, 1.75, 2]),
        actor_pool_util_downscaling_threshold: chance.pick([0, 0.5, 1]),
        actor_pool_max_upscaling_delta: chance.pick([1, 1, 3]),
        max_tasks_in_flight_per_actor: chance.pick([1, 2, 4]),
        op_resource_reservation_ratio: chance.pick([0, 0.5, 0.9, 1]),
        min_size: least,
        task_operators: chance.pick([0, 1, 2]),
      }
    case 1:
      return {
        kind: 'hpa',
        ...pool,
        averageUtilization: chance.pick([0.1, 0.5, 1]),
        tolerance: chance.pick([0, 0.1, 0.4]),
        stabilizationWindow: chance.pick([0, 3000, 9000]),
        minReplicas: least,
      }
    default:
      return {
        kind: 'seda',
        ...pool,
        threshold: chance.pick([0, 1, 4]),
        idle: chance.pick([0, 500, 3000]),
        minThreads: least,
      }
  }
}

function pidOrThreshold(
  chance: Chance,
  pool: { readonly every: number; readonly max: number | null },
  thresholds = 40,
) {
  if (thresholds > 0 && chance.percent(thresholds))
    return { kind: 'threshold', ...pool, high: chance.pick([0, 0, 1, 4]), idle: chance.pick([0, 500, 3000]) }
  const gain = () => chance.pick([0, 0.01, 1, 1, 30])
  const up = -chance.between(1, 8)
  return {
    kind: 'pid',
    ...pool,
    kp: gain(),
    ki: gain(),
    kd: gain(),
    setpoint: chance.pick([0, 0, 2, 5]),
    up,
    down: up + chance.between(1, 9),
    clamp: chance.pick([null, 0, 3]),
  }
}

/** Jobs in groups that exclude each other at some stages, with their own random draws. */
function groupedOf(seed: number, jobs: number) {
  const chance = createChance(seed ^ 0x5d)
  if (!chance.percent(50)) return null
  const groups = Array.from({ length: chance.between(1, 5) }, () => 0)
  for (let job = 0; job < jobs; job++) groups[chance.below(chance.pick([1, groups.length]))]++
  const order = chance.pick(['asProduced', 'shuffled', 'window', 'spread', 'largestFirst'])
  const stages = Array.from({ length: 6 }, () => ({
    resource: chance.pick([null, 'group', 'group']),
    whenTaken: chance.pick(['wait', 'wait', 'skip']),
  }))
  // Hires when three jobs wait and dismisses when fewer do, so that it often dismisses a worker that waits for a resource.
  const policy = chance.percent(15)
    ? { kind: 'pid', every: 1000, kp: 1, ki: 0, kd: 0, setpoint: 2, up: -1, down: 0 }
    : null
  return {
    source: { kind: 'groups', groups, order, feeders: chance.between(1, 4), window: chance.between(1, 3) },
    stages,
    policy,
  }
}

/** A few threads per stage, with their own random draws. */
function greenPolicyOf(seed: number) {
  const chance = createChance(seed ^ 0x43)
  return chance.percent(8) ? { kind: 'greenThreads', perStage: chance.between(1, 4) } : null
}

/** Seats given by hand for a while, often too few of them, or at empty stages; with their own random draws. */
function handOf(seed: number, stages: number, workers: number) {
  const chance = createChance(seed ^ 0xab)
  if (!chance.percent(10)) return null
  const allocations = Array.from({ length: chance.pick([1, 3, 10, 40]) }, () => {
    const seats = Array.from({ length: stages }, () => 0)
    for (let w = chance.between(0, workers); w > 0; w--) seats[chance.below(stages)]++
    return seats
  })
  return { kind: 'byHand', allocations, lend: chance.percent(70) }
}

/** Newer batch sizes, with their own random draws. */
function batchOf(seed: number, before: { readonly size: number }) {
  const chance = createChance(seed ^ 0x60)
  const batch = chance.percent(25) ? { adaptive: true } : before
  return { ...batch, inHand: chance.percent(35) ? 2 : 1 }
}

/** A network, which the games of the conductor do not use although their scenario has it; with its own random draws. */
function networkOf(seed: number) {
  const chance = createChance(seed ^ 0xe5)
  return chance.percent(25)
    ? { roundTrip: chance.pick([0, 1, 75, 2000, 40_000]), loss: chance.pick([0, 0, 0.1, 0.6]) }
    : null
}

/** Up to three phases with other settings; with their own random draws, so that pinned games do not change. */
function turnsOf(seed: number, ids: readonly string[], workers: number, crew: 'elastic' | 'green' | 'crew') {
  const chance = createChance(seed ^ 0x83)
  if (!chance.percent(35)) return []
  const times = new Set(Array.from({ length: chance.between(1, 3) }, () => 1 + chance.below(chance.pick([200, 3000]))))
  return [...times]
    .sort((a, b) => a - b)
    .map((at, i) => {
      const other = seed * 8 + i
      const policy = {
        crew:
          perJobOf(other) ??
          placingOf(other) ??
          handOf(other, ids.length, workers) ??
          aheadPolicyOf(other) ??
          laterPolicyOf(other) ??
          policyOf(ids, workers, chance),
        elastic: laterElasticOf(other) ??
          elasticPolicyOf(other) ?? { kind: 'threshold', every: 2000, high: 1, idle: 300 },
        green: undefined,
      }[crew]
      const batch = batchOf(other, { size: chance.pick([1, 2, 3, 8]) })
      const more = { estimator: estimatorOf(chance), batch, switchCost: chance.pick([0, 40]) }
      const keys = (Object.keys(more) as (keyof typeof more)[]).filter(() => chance.percent(30))
      const some = Object.fromEntries(keys.map((key) => [key, more[key]]))
      return policy !== undefined && chance.percent(80) ? { at, policy, ...some } : { at, batch, ...some }
    })
}

function estimatorOf(chance: Chance) {
  const prior = chance.pick(['neighbours', 'declared', 'one'])
  return chance.pick([
    { kind: 'mean', prior },
    { kind: 'window', n: chance.between(1, 5), prior },
    { kind: 'ewma', alpha: 0.25, prior },
  ])
}

function shuffled<T>(list: readonly T[], chance: Chance): T[] {
  const rest = [...list]
  return list.map(() => rest.splice(chance.below(rest.length), 1)[0])
}
