import type { KnownPolicy } from '../scenario/model/scenario.ts'
import type { Memory, Sample } from './controllers.ts'

/** What a known system sees of one stage at a tick. `size` counts the workers that start up too. */
export interface PoolSample extends Sample {
  /** Workers that are ready, and those of them at work. */
  readonly running: number
  readonly busy: number
  /** Jobs in the hands of the workers. */
  readonly inHands: number
  /** No job waits, and none can come: upstream all is done. Jobs may still be in hands. */
  readonly drained: boolean
  /** Whether this is a first stage of the pipeline. */
  readonly first: boolean
}

/** A pool, and how many workers it hires (above 0) or dismisses (below 0). */
export interface PoolPlan {
  readonly by: number
  readonly memory: Memory
}

/** Returns what each pool does at this tick, in the order of the samples. */
export function planPools(policy: KnownPolicy, samples: readonly PoolSample[], memory: readonly Memory[], workers: number): PoolPlan[] {
  return samples.map((sample, k): PoolPlan => {
    if (policy.kind === 'hpa') return hpa(policy, sample, memory[k])
    const by = policy.kind === 'seda' ? seda(policy, sample) : rayData(policy, sample, budgetOf(policy, samples, k, workers))
    return { by, memory: memory[k] }
  })
}

type Of<K> = Extract<KnownPolicy, { kind: K }>

/**
 * Returns how many actors a pool may still add: what is left of its own reservation, and its part of what is left of the shared CPUs.
 * Each operator that is not done has the share `ratio / operators` for itself. `task_operators` is how many run as tasks beside the stages, such as Read:
 * they count until the first stages have all their input.
 */
function budgetOf({ op_resource_reservation_ratio: ratio, task_operators: others }: Of<'rayData'>, samples: readonly PoolSample[], k: number, cpus: number) {
  const eligible = samples.filter(({ drained, inHands }) => !drained || inHands > 0)
  const reading = samples.some(({ first, drained }) => first && !drained) ? others : 0
  const operators = eligible.length + reading
  if (operators === 0) return 0
  const reserved = (ratio * cpus) / operators
  const borrowed = samples.reduce((sum, sample) => sum + Math.max(0, sample.size - (eligible.includes(sample) ? reserved : 0)), 0)
  const shared = Math.max(0, cpus - operators * reserved - borrowed)
  return Math.floor(Math.max(0, reserved - samples[k].size) + shared / operators)
}

/** One pool of Ray Data 2.56: `_derive_target_scaling_config` of its default autoscaler, without memory, GPUs and the pause after a change. */
function rayData(policy: Of<'rayData'>, { size, running, waiting, inHands, drained }: PoolSample, budget: number): number {
  const { min_size: least, max_tasks_in_flight_per_actor: most, actor_pool_util_upscaling_threshold: up } = policy
  if (drained) return size > 0 ? -1 : 0
  if (size < least) return least - size
  // Actors take jobs ahead, so they may be used by more than 100%.
  const inFlight = Math.min(most * running, waiting + inHands)
  const utilisation = running === 0 ? 0 : inFlight / running
  if (utilisation >= up) {
    // While an actor starts up, no other is asked for.
    if (size > running || budget < 1) return 0
    const wanted = Math.max(1, Math.ceil(size * (utilisation / up - 1)))
    return Math.min(wanted, policy.actor_pool_max_upscaling_delta, budget)
  }
  return utilisation <= policy.actor_pool_util_downscaling_threshold && size > least ? -1 : 0
}

/**
 * One pool of the autoscaler of Kubernetes: desired = ceil(current x utilisation / target), unless within the tolerance; at most twice as many, or four
 * more, in a period; and fewer only when the greatest wish of the stabilisation window is lower. The metric is that of the instant.
 */
function hpa(policy: Of<'hpa'>, { time, size, running, busy }: PoolSample, before: Memory): PoolPlan {
  const least = policy.minReplicas
  if (size === 0) return { by: least, memory: before }
  const wished = Math.max(least, desired(policy, size, running, busy))
  const recent = [...(before.wishes ?? []).filter(([at]) => at > time - policy.stabilizationWindow), [time, wished] as const]
  const memory = { ...before, wishes: recent, output: wished }
  const stable = recent.reduce((most, [, wish]) => Math.max(most, wish), 0)
  const target = wished >= size ? Math.min(wished, Math.max(2 * size, size + 4)) : Math.min(size, stable)
  return { by: target - size, memory }
}

/** Pods that are not ready count as idle where the pool is to grow, which must not turn the direction. */
function desired({ averageUtilization: target, tolerance }: Of<'hpa'>, size: number, running: number, busy: number): number {
  if (running === 0) return size
  const ratio = busy / running / target
  if (Math.abs(ratio - 1) <= tolerance) return size
  if (ratio < 1 || size === running) return Math.ceil(ratio * running)
  const damped = busy / size / target
  return damped - 1 <= tolerance ? size : Math.ceil(damped * size)
}

/** The controller of thread pools in SEDA: one more where the queue is longer than the threshold, one fewer where a thread has been idle. */
function seda({ threshold, idle, minThreads }: Of<'seda'>, sample: PoolSample): number {
  if (sample.size < minThreads) return minThreads - sample.size
  if (sample.waiting > threshold) return 1
  return sample.idle >= idle && sample.size > minThreads ? -1 : 0
}
