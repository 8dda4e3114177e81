import { t } from '../../language/translate.ts'
import type { Param, Params, PolicyDescription } from './params.ts'

/** Of a controller. With these bounds no sum over a run leaves the range of numbers. */
export const MAX_GAIN = 1_000_000
const MAX_OUTPUT = 1_000_000_000

const gain = { is: 'real', min: 0, max: MAX_GAIN } as const
const output = { is: 'real', min: -MAX_OUTPUT, max: MAX_OUTPUT, by: 5 } as const
const period = { is: 'micros', min: 1000, start: 10_000, label: () => t('Period') } as const satisfies Param
const largestPool = {
  is: 'whole',
  min: 1,
  max: 'workers',
  orNone: true,
  byDefault: null,
  label: () => t('Most in a pool'),
  hint: () => t('Empty: no limit'),
} as const satisfies Param

/** e = setpoint - jobs waiting; output = kp e + sum of ki e dt + kd (change of e) / dt, dt in seconds. With `up` -2 and `down` -1 every run ends. */
const pidParams = {
  kp: { ...gain, start: 1, by: 0.1, label: () => t('Proportional') },
  ki: { ...gain, start: 0.5, by: 0.01, label: () => t('Integral') },
  kd: { ...gain, start: 0.005, by: 0.01, label: () => t('Derivative') },
  every: period,
  setpoint: {
    is: 'real',
    min: 0,
    max: 'jobs',
    start: 0,
    label: () => t('Queue aimed at'),
    unit: () => t('jobs'),
  },
  up: { ...output, start: -2, label: () => t('Hire at') },
  down: { ...output, start: -1, label: () => t('Dismiss at') },
  max: largestPool,
  clamp: {
    is: 'real',
    min: 0,
    max: MAX_OUTPUT,
    orNone: true,
    byDefault: null,
    start: 1,
    label: () => t('Clamp integral'),
    hint: () => t('Empty: no limit'),
  },
} as const satisfies Params

/** When a controller that looks at its queue and its idle workers hires and dismisses. */
const queueBounds = {
  high: {
    is: 'whole',
    min: 0,
    max: 'jobs',
    start: 0,
    label: () => t('Hire above'),
    unit: () => t('waiting'),
    slider: [0, 200],
  },
  idle: { is: 'micros', min: 0, start: 200_000, label: () => t('Dismiss after') },
} as const satisfies Params

function policy<const P extends Params, const G extends 'elastic' | 'known'>(
  group: G,
  name: () => string,
  link: number,
  params: P,
) {
  return { name, group, link, lends: false, params } as const
}

/** The policies that hire and dismiss workers themselves: rows of the table in policies.ts. */
export const elasticPolicies = {
  pid: policy('elastic', () => t('PID controller'), 16, pidParams),
  /** The controller of SEDA (Welsh, Culler and Brewer 2001): hires where more than `high` jobs wait, dismisses workers idle for `idle`. */
  threshold: policy('elastic', () => t('Threshold controller'), 17, {
    ...queueBounds,
    every: period,
    max: largestPool,
  }),
  /** Chiu and Jain 1989: hires `increase` where more than `high` jobs wait; after `idle` without work keeps the share `decrease`, rounded down. */
  aimd: policy('elastic', () => t('AIMD controller'), 24, {
    ...queueBounds,
    increase: {
      is: 'whole',
      min: 1,
      max: 'workers',
      byDefault: 1,
      label: () => t('Hire at once'),
      unit: () => t('workers'),
      slider: [1, 16],
    },
    decrease: {
      is: 'real',
      min: 0,
      max: 0.99,
      byDefault: 0.5,
      by: 0.05,
      label: () => t('Keep'),
      hint: () => t('Share that stays when it shrinks'),
    },
    every: period,
    max: largestPool,
  }),
  /** Gains scheduled (Astrom and Wittenmark 1995, chapter 9): times s / `tunedAt`, s the estimated service, since the loop's gain is as gain / s. */
  adaptive: policy('elastic', () => t('Adaptive PID controller'), 25, {
    ...pidParams,
    tunedAt: {
      is: 'micros',
      min: 1,
      start: 1000,
      label: () => t('Gains tuned at'),
    },
  }),
  /** Forecasts the jobs of the next `lead`: profile x seen / profile so far, smoothed (Brown 1956); Winters (1960) with a known season, no trend. */
  predictive: policy('elastic', () => t('Predictive controller'), 26, {
    profile: {
      is: 'rates',
      start: [[0, 100]],
      label: () => t('Profile'),
    },
    lead: { is: 'micros', min: 1000, start: 500_000, label: () => t('Look ahead') },
    utilisation: {
      is: 'real',
      min: 0.01,
      max: 1,
      start: 0.8,
      by: 0.05,
      label: () => t('Keep busy'),
    },
    alpha: {
      is: 'real',
      min: 0,
      max: 1,
      start: 0.05,
      by: 0.01,
      label: () => t('Newest weighs'),
    },
    every: period,
    max: largestPool,
  }),
} satisfies Readonly<Record<string, PolicyDescription>>

// A parameter has the name that it has in its system, which forms show. What it means: text/meanings.ts.
const whole = (byDefault: number, max: number | 'workers' = 1_000_000) =>
  ({ is: 'whole', min: 0, max, byDefault }) as const
const atLeastOne = (byDefault: number) => ({ is: 'whole', min: 1, max: 'workers', byDefault }) as const
const real = (byDefault: number, max: number, min = 0) => ({ is: 'real', min, max, byDefault }) as const
const time = (byDefault: number, min = 0) => ({ is: 'micros', min, byDefault }) as const

const smallestPool = { ...atLeastOne(1), notAbove: 'max' } as const

/** How often the controllers look, and the most workers of a pool. */
const pool = (every: number, max: number | null = null) => ({
  every: { ...period, start: every, byDefault: every } as const,
  max: { ...largestPool, byDefault: max } as const,
})

/** How known systems size their pools: see docs/known-systems.md for sources and versions, scheduler/knownPools.ts for the rules. */
export const knownPools = {
  /** Ray Data 2.56: default_actor_autoscaler.py, resource_manager.py (ReservationOpResourceAllocator). */
  rayData: policy('known', () => t('Ray Data'), 28, {
    actor_pool_util_upscaling_threshold: real(1.75, 1000, 0.01),
    actor_pool_util_downscaling_threshold: real(0.5, 1000),
    actor_pool_max_upscaling_delta: atLeastOne(1),
    max_tasks_in_flight_per_actor: atLeastOne(2),
    op_resource_reservation_ratio: real(0.5, 1),
    min_size: smallestPool,
    task_operators: whole(1, 100),
    ...pool(100_000),
  }),
  /** Kubernetes 1.33: replica_calculator.go, horizontal.go, the defaults of autoscaling/v2. */
  hpa: policy('known', () => t('Kubernetes HPA'), 29, {
    averageUtilization: real(0.5, 1, 0.01),
    tolerance: real(0.1, 1),
    stabilizationWindow: time(300_000_000),
    minReplicas: smallestPool,
    ...pool(15_000_000),
  }),
  /** Welsh 2002, "An Architecture for Highly Concurrent, Well-Conditioned Internet Services", section 4.4: the controller of thread pools. */
  seda: policy('known', () => t('SEDA'), 30, {
    threshold: whole(100),
    idle: time(5_000_000),
    minThreads: smallestPool,
    ...pool(2_000_000, 20),
  }),
  /** NVIDIA cosmos-xenna, August 2026: autoscaling_algorithms.rs. */
  xenna: policy('known', () => t('Xenna'), 31, { autoscale_interval: time(180_000_000, 1), ...pool(1_000_000) }),
  /** Apache Flink Kubernetes operator 1.16: ScalingMetricEvaluator, JobVertexScaler. */
  flinkAutoscaler: policy('known', () => t('Flink autoscaler'), 32, {
    utilizationTarget: real(0.7, 1, 0.01),
    targetUtilizationBoundary: real(0.3, 1),
    scaleUpMaxFactor: real(100_000, 100_000),
    scaleDownMaxFactor: real(0.6, 1),
    scaleDownInterval: time(3_600_000_000),
    catchUpDuration: time(1_800_000_000),
    restartTime: time(300_000_000),
    stabilizationInterval: time(300_000_000),
    metricsWindow: time(900_000_000, 1),
    backlogLagThreshold: time(300_000_000),
    vertexMinParallelism: smallestPool,
    ...pool(60_000_000),
  }),
} satisfies Readonly<Record<string, PolicyDescription>>
