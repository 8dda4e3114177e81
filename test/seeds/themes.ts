import { type Chance, createChance } from '../fixtures/chance.ts'

/** What one game in sixteen is about. It takes branches that other games hardly ever take. */
export const themes = [
  'pools',
  'pools',
  'pools',
  'gaps',
  'gaps',
  'gaps',
  'carriers',
  'carriers',
  'carriers',
  'parts',
  'crowd',
  'crowdedQueue',
  'instant',
] as const
export type Theme = (typeof themes)[number]

/** Returns the theme of a game; null for most. The pieces of a theme have their own random draws, so the rest of a game stays as it was. */
export function themeOf(seed: number): Theme | null {
  const chance = createChance(seed ^ 0x7e3a)
  return chance.below(16) === 0 ? chance.pick(themes) : null
}

/** Returns how many jobs a game of a theme has at most. */
export function themedJobs(theme: Theme): number {
  return theme === 'crowd' ? 40 : theme === 'crowdedQueue' ? 70 : 16
}

/** Returns when the jobs arrive: many at once, or in bursts between which pools have nothing to do. */
export function themedArrivals(theme: Theme, seed: number): number[] {
  const chance = createChance(seed ^ 0x1a07)
  switch (theme) {
    case 'pools':
    case 'gaps':
      return Array.from({ length: 4 }, (_, burst) =>
        Array.from({ length: chance.pick([1, 3, 4]) }, () => burst * 8000),
      ).flat()
    case 'crowd':
      return Array.from({ length: chance.between(34, 40) }, () => 0)
    // More than the places that arrays of jobs have at first.
    case 'crowdedQueue':
      return Array.from({ length: chance.between(65, 70) }, (_, job) => job * chance.pick([0, 1, 9])).sort(
        (a, b) => a - b,
      )
    default:
      return Array.from({ length: chance.between(8, 16) }, () => 0)
  }
}

export function themedWorkers(theme: Theme, seed: number, usual: number): number {
  const chance = createChance(seed ^ 0x3b11)
  if (theme === 'crowd') return chance.pick([32, 34, 40])
  if (theme === 'parts') return chance.between(4, 8)
  if (theme === 'pools') return chance.pick([4, 5, 9, 9])
  if (theme === 'gaps') return chance.between(6, 9)
  if (theme === 'carriers') return chance.between(1, 3)
  return usual
}

/** Returns how many stages a theme has at most. */
export function themedStageCount(theme: Theme | null): number {
  return theme === 'crowd' ? 1 : theme === 'crowdedQueue' || theme === 'gaps' ? 2 : 6
}

/** Returns the policy of a theme; null: as usual. */
export function themedPolicy(
  theme: Theme,
  seed: number,
): { readonly elastic: object } | { readonly other: object } | null {
  const chance = createChance(seed ^ 0x51f3)
  if (theme === 'pools' || theme === 'gaps') return { elastic: poolPolicy(chance, theme === 'gaps') }
  if (theme === 'parts')
    return { elastic: { kind: 'pid', every: 1000, kp: 1, ki: 0, kd: 0, setpoint: 2, up: -1, down: 0, max: null } }
  if (theme === 'carriers')
    return {
      other: chance.pick([
        { kind: 'workStealing', steal: 'one' },
        { kind: 'workStealing', steal: 'half' },
        { kind: 'perJob' },
        { kind: 'goLike', runq: 2, schedtick: chance.pick([1, 1, 2, 61]) },
        { kind: 'goLike', runq: 3, schedtick: chance.pick([1, 3]) },
      ]),
    }
  if (theme === 'crowd')
    return {
      other: chance.pick([
        { kind: 'leastScore', lend: true },
        { kind: 'workStealing' },
        { kind: 'goLike', runq: 4, schedtick: 2 },
      ]),
    }
  if (theme === 'instant')
    return {
      other: chance.pick([
        { kind: 'power', p: 2, lend: true },
        { kind: 'huntingtonHill', lend: true },
      ]),
    }
  if (theme === 'crowdedQueue')
    return {
      other: chance.percent(70)
        ? { kind: 'deadline', due: chance.pick([50, 2000]), lend: true }
        : { kind: 'longestQueue', lend: true },
    }
  return null
}

/** Controllers of known systems that decide often; if workers start up, those that look at start-ups. */
function poolPolicy(chance: Chance, startsUp: boolean): object {
  const every = chance.pick([1000, 1000, 2000])
  const pool = { every, max: chance.pick([null, null, 3]) }
  switch (chance.pick(startsUp ? [0, 0, 1, 1, 1, 2] : [0, 1, 3, 3, 4, 4, 4])) {
    case 0:
      return {
        kind: 'rayData',
        ...pool,
        actor_pool_util_upscaling_threshold: chance.pick([0.5, 1]),
        actor_pool_util_downscaling_threshold: chance.pick([0, 0.5]),
        actor_pool_max_upscaling_delta: chance.pick([1, 3]),
        max_tasks_in_flight_per_actor: chance.pick([2, 4]),
        op_resource_reservation_ratio: chance.pick([0, 0.5, 1]),
        min_size: 1,
        task_operators: chance.pick([0, 1]),
      }
    case 1:
      return {
        kind: 'hpa',
        ...pool,
        averageUtilization: startsUp ? chance.pick([0.1, 0.1, 0.5]) : chance.pick([0.1, 0.3, 0.9]),
        tolerance: chance.pick([0, 0.1, 0.4]),
        stabilizationWindow: chance.pick([0, 3 * every]),
        minReplicas: 1,
      }
    case 2:
      return { kind: 'seda', ...pool, threshold: chance.pick([0, 1]), idle: chance.pick([0, every]), minThreads: 1 }
    case 3:
      return { kind: 'xenna', ...pool, autoscale_interval: chance.pick([1, 3 * every]) }
    default:
      return {
        kind: 'flinkAutoscaler',
        ...pool,
        utilizationTarget: chance.pick([0.1, 0.4, 0.9]),
        targetUtilizationBoundary: chance.pick([0, 0, 0.4]),
        scaleUpMaxFactor: chance.pick([1, 100_000]),
        scaleDownMaxFactor: chance.pick([0.6, 1]),
        scaleDownInterval: chance.pick([0, 3 * every, 8 * every]),
        catchUpDuration: chance.pick([0, 0, 2000]),
        restartTime: chance.pick([0, 2000]),
        stabilizationInterval: chance.pick([0, every]),
        metricsWindow: chance.pick([every, 4 * every]),
        backlogLagThreshold: chance.pick([0, 1_000_000_000]),
        vertexMinParallelism: 1,
      }
  }
}

/** Returns the stages of a theme: jobs that throw at most of them where workers carry batches and where parts fail; start-ups in pools. */
export function themedStages<T extends object>(theme: Theme, seed: number, stages: readonly T[]): readonly T[] {
  const chance = createChance(seed ^ 0x2c9d)
  return stages.map((stage) => {
    if (theme === 'crowd' || theme === 'crowdedQueue' || theme === 'pools')
      return { ...stage, capacity: null, fails: null }
    if (theme === 'gaps')
      return chance.percent(80) ? { ...stage, startUp: { kind: 'constant', mean: chance.pick([900, 3000]) } } : stage
    if (theme === 'instant') return { ...stage, fails: null }
    if (!chance.percent(70)) return stage
    return {
      ...stage,
      fails: {
        jobs: Array.from({ length: chance.between(1, 4) }, () => chance.below(16)),
        tries: theme === 'parts' ? 1 : chance.between(2, 3),
      },
    }
  })
}

export function themedBatch(theme: Theme, seed: number): object | null {
  const chance = createChance(seed ^ 0x70cd)
  if (theme === 'carriers')
    return chance.pick([
      { size: 3, inHand: 1 },
      { size: 8, inHand: 1 },
      { size: 4, inHand: 1 },
      { adaptive: true, inHand: 1 },
    ])
  return theme === 'crowd' ? { size: 1, inHand: 1 } : null
}

/** Groups of jobs whose parts exclude each other at most stages, so that a dismissed worker often waits for a resource. */
export function themedGroups(theme: Theme, seed: number, jobs: number) {
  if (theme !== 'parts') return null
  const chance = createChance(seed ^ 0x90e1)
  const groups = Array.from({ length: chance.between(1, 3) }, () => 0)
  for (let job = 0; job < jobs; job++) groups[chance.below(groups.length)]++
  return {
    source: { kind: 'groups', groups, order: 'shuffled', feeders: 2, window: 2 },
    stages: Array.from({ length: 6 }, () => ({
      resource: chance.pick([null, 'group', 'group', 'group']),
      whenTaken: 'wait',
    })),
    policy: null,
  }
}
