import { t } from '../../language/translate.ts'
import type { Params, PolicyDescription } from './params.ts'

// A parameter has the name that it has in its system, which forms show. What it means: text/meanings.ts.
const whole = (byDefault: number, max: number | 'workers' = 1_000_000) => ({ is: 'whole', min: 0, max, byDefault }) as const
const atLeastOne = (byDefault: number) => ({ is: 'whole', min: 1, max: 'workers', byDefault }) as const
const real = (byDefault: number, max: number, min = 0) => ({ is: 'real', min, max, byDefault }) as const
const time = (byDefault: number, min = 0) => ({ is: 'micros', min, byDefault }) as const

/** How often the controllers look, and the most workers of a pool. */
const pool = (every: number, max: number | null = null) => ({
  every: { is: 'micros', min: 1000, byDefault: every, label: () => t('Period') } as const,
  max: { is: 'whole', min: 1, max: 'workers', orNone: true, byDefault: max, label: () => t('Most in a pool') } as const,
})

/** A policy of this group hires and dismisses. */
const known = <const P extends Params>(name: () => string, link: number, params: P) => ({ name, group: 'known', link, lends: false, params }) as const

/** How known systems decide who works where: see docs/known-systems.md for sources and versions, scheduler/knownPools.ts for the rules. */
export const knownPolicies = {
  /** Ray Data 2.56: default_actor_autoscaler.py, resource_manager.py (ReservationOpResourceAllocator). */
  rayData: known(() => t('Ray Data'), 28, {
    actor_pool_util_upscaling_threshold: real(1.75, 1000, 0.01),
    actor_pool_util_downscaling_threshold: real(0.5, 1000),
    actor_pool_max_upscaling_delta: atLeastOne(1),
    max_tasks_in_flight_per_actor: atLeastOne(2),
    op_resource_reservation_ratio: real(0.5, 1),
    min_size: atLeastOne(1),
    task_operators: whole(1, 100),
    ...pool(100_000),
  }),
  /** Kubernetes 1.33: replica_calculator.go, horizontal.go, the defaults of autoscaling/v2. */
  hpa: known(() => t('Kubernetes HPA'), 29, {
    averageUtilization: real(0.5, 1, 0.01),
    tolerance: real(0.1, 1),
    stabilizationWindow: time(300_000_000),
    minReplicas: atLeastOne(1),
    ...pool(15_000_000),
  }),
  /** Welsh 2002, "An Architecture for Highly Concurrent, Well-Conditioned Internet Services", section 4.4: the controller of thread pools. */
  seda: known(() => t('SEDA'), 30, { threshold: whole(100), idle: time(5_000_000), minThreads: atLeastOne(1), ...pool(2_000_000, 20) }),
} satisfies Readonly<Record<string, PolicyDescription>>
