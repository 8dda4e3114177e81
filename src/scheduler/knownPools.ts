import type { KnownPolicy, Micros } from '../scenario/model/scenario.ts'
import type { Memory, Observation, Sample } from './controllers.ts'

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
  /** How often a job of the source comes to this stage, by the weights of the routes. */
  readonly visits: number
}

/** A pool, and how many workers it hires (above 0) or dismisses (below 0). */
export interface PoolPlan {
  readonly by: number
  readonly memory: Memory
}

/** Returns what each pool does at this tick, in the order of the samples. */
export function planPools(
  policy: KnownPolicy,
  samples: readonly PoolSample[],
  memory: readonly Memory[],
  workers: number,
): PoolPlan[] {
  if (policy.kind === 'xenna') return xenna(policy, samples, memory, workers)
  if (policy.kind === 'flinkAutoscaler') return flink(policy, samples, memory)
  return samples.map((sample, k): PoolPlan => {
    if (policy.kind === 'hpa') return hpa(policy, sample, memory[k])
    const by =
      policy.kind === 'seda' ? seda(policy, sample) : rayData(policy, sample, budgetOf(policy, samples, k, workers))
    return { by, memory: memory[k] }
  })
}

type Of<K> = Extract<KnownPolicy, { kind: K }>

/**
 * Returns how many actors a pool may still add: what is left of its own reservation, and its part of what is left of the shared CPUs.
 * Each operator that is not done has the share `ratio / operators` for itself. `task_operators` is how many run as tasks beside the stages, such as Read:
 * they count until the first stages have all their input.
 */
function budgetOf(
  { op_resource_reservation_ratio: ratio, task_operators: others }: Of<'rayData'>,
  samples: readonly PoolSample[],
  k: number,
  cpus: number,
) {
  const eligible = samples.filter(({ drained, inHands }) => !drained || inHands > 0)
  const reading = samples.some(({ first, drained }) => first && !drained) ? others : 0
  const operators = eligible.length + reading
  if (operators === 0) return 0
  const reserved = (ratio * cpus) / operators
  const borrowed = samples.reduce(
    (sum, sample) => sum + Math.max(0, sample.size - (eligible.includes(sample) ? reserved : 0)),
    0,
  )
  const shared = Math.max(0, cpus - operators * reserved - borrowed)
  return Math.floor(Math.max(0, reserved - samples[k].size) + shared / operators)
}

/** One pool of Ray Data 2.56: `_derive_target_scaling_config` of its default autoscaler, without memory, GPUs and the pause after a change. */
function rayData(
  policy: Of<'rayData'>,
  { size, running, waiting, inHands, drained }: PoolSample,
  budget: number,
): number {
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

/** The period of the default growth limits of `autoscaling/v2`: within it a pool at most doubles, or gets four more. */
const SCALE_UP_PERIOD = 15_000_000

/**
 * One pool of the autoscaler of Kubernetes: desired = ceil(current x utilisation / target), unless within the tolerance; at most twice as many, or four
 * more, in 15 s; and fewer only when the greatest wish of the stabilisation window is lower. The metric is that of the instant.
 */
function hpa(policy: Of<'hpa'>, { time, size, running, busy }: PoolSample, before: Memory): PoolPlan {
  const least = policy.minReplicas
  if (size === 0) return { by: least, memory: before }
  const wished = Math.max(least, desired(policy, size, running, busy))
  // Entries that cannot matter beside the newest one are dropped. So the first is the largest wish, or the smallest size, and the lists stay short.
  const recent = [
    ...(before.wishes ?? []).filter(([at, wish]) => at > time - policy.stabilizationWindow && wish > wished),
    [time, wished] as const,
  ]
  const sizes = [
    ...(before.sizes ?? []).filter(([at, pods]) => at > time - SCALE_UP_PERIOD && pods < size),
    [time, size] as const,
  ]
  const memory = { ...before, wishes: recent, sizes, output: wished }
  const [[, stable], [, start]] = [recent[0], sizes[0]]
  const target =
    wished >= size ? Math.max(size, Math.min(wished, Math.max(2 * start, start + 4))) : Math.min(size, stable)
  return { by: target - size, memory }
}

/** Pods that are not ready count as idle where the pool is to grow, which must not turn the direction. */
function desired(
  { averageUtilization: target, tolerance }: Of<'hpa'>,
  size: number,
  running: number,
  busy: number,
): number {
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

/** What a stage could pass on in a second with this many workers, by the measured mean service. Xenna takes one a second for a stage without measurements. */
function throughput(workers: number, { service }: PoolSample): number {
  return workers / (service > 0 ? service : 1_000_000)
}

/**
 * The pools of cosmos-xenna (`run_fragmentation_autoscaler`): each stage has a worker; the stage of the least throughput gets one more while CPUs are free.
 * Then it gets one from the stage that has the greatest throughput without it, as long as that stays above the least.
 */
function xenna(
  policy: Of<'xenna'>,
  samples: readonly PoolSample[],
  memory: readonly Memory[],
  cpus: number,
): PoolPlan[] {
  const [{ time }] = samples
  const { since: last = Number.NEGATIVE_INFINITY } = memory[0]
  const due = time - last >= policy.autoscale_interval
  const isActive = (k: number) => !samples[k].drained || samples[k].inHands > 0
  const targets = samples.map(({ size }, k) => (isActive(k) ? Math.max(1, memory[k].target ?? size) : 0))
  if (due) balance(samples, targets, cpus, policy.max ?? cpus, isActive)
  return samples.map(({ size }, k) => ({
    by: targets[k] - size,
    memory: { ...memory[k], target: targets[k], since: due ? time : last },
  }))
}

function balance(
  samples: readonly PoolSample[],
  targets: number[],
  cpus: number,
  max: number,
  isActive: (k: number) => boolean,
): void {
  const rate = (k: number, more = 0) => throughput(targets[k] + more, samples[k])
  const active = [...targets.keys()].filter(isActive)
  for (;;) {
    const growing = active.filter((k) => targets[k] < max)
    if (growing.length === 0) return
    const slowest = growing.reduce((least, k) => (rate(k) < rate(least) ? k : least))
    if (targets.reduce((sum, n) => sum + n, 0) >= cpus) {
      const givers = active.filter((k) => k !== slowest && targets[k] > 1 && rate(k, -1) > rate(slowest))
      if (givers.length === 0) return
      targets[givers.reduce((best, k) => (rate(k, -1) > rate(best, -1) ? k : best))]--
    }
    targets[slowest]++
  }
}

/** Sums of rates are not exact. A rounding error asks for no worker. */
const ROUNDING = 1e-9

/**
 * The vertices of Flink's autoscaler (`JobVertexScaler`, `ScalingMetricEvaluator`): parallelism x target capacity / true processing rate. A change of one
 * vertex restarts the job: all measure again. Rates are jobs per second.
 */
function flink(policy: Of<'flinkAutoscaler'>, samples: readonly PoolSample[], memory: readonly Memory[]): PoolPlan[] {
  const [{ time }] = samples
  const { since = time } = memory[0]
  const seen = memory.map((before, k) => seenBy(policy, samples[k], before, since))
  const targets = memory.map(({ target }, k) => target ?? Math.max(samples[k].size, policy.vertexMinParallelism))
  const kept = (k: number, more: Partial<Memory>) => ({
    by: targets[k] - samples[k].size,
    memory: { ...memory[k], ...seen[k], target: targets[k], since, ...more },
  })
  // All vertices are observed at the same times.
  if (time - since < policy.stabilizationInterval + policy.metricsWindow || seen[0].history.length - seen[0].oldest < 2)
    return samples.map((_, k) => kept(k, {}))
  let [arrivals, lag, behind] = [0, 0, false]
  samples.forEach(({ first, waiting }, k) => {
    if (!first) return
    const { came, taken } = ratesOf(seen[k])
    arrivals = Math.max(arrivals, came)
    lag = Math.max(lag, waiting)
    behind ||= waiting * 1e6 > taken * policy.backlogLagThreshold
  })
  const catchUp = policy.catchUpDuration / 1e6
  // What a vertex must be able to process so that its utilisation is this: AutoScalerUtils.getTargetProcessingCapacity.
  const capacity = (k: number, utilisation: number, restart: number) => {
    const more = catchUp === 0 ? 0 : (lag + (arrivals * restart) / 1e6) / catchUp
    return utilisation <= 0
      ? Number.POSITIVE_INFINITY
      : samples[k].visits * (more + arrivals / Math.min(1, utilisation))
  }
  const { utilizationTarget: aim, targetUtilizationBoundary: boundary, restartTime } = policy
  let outside = false
  const wanted = samples.map(({ service, drained }, k) => {
    const parallelism = targets[k]
    if (service === 0 || drained) return { parallelism, wishes: [] }
    const rate = (parallelism * 1e6) / service
    const factor = Math.min(
      1 + policy.scaleUpMaxFactor,
      Math.max(1 - policy.scaleDownMaxFactor, capacity(k, aim, restartTime) / rate),
    )
    const wish = Math.max(
      Math.min(parallelism, policy.vertexMinParallelism),
      Math.min(policy.max ?? Number.POSITIVE_INFINITY, Math.ceil(factor * parallelism - ROUNDING)),
    )
    const from = time - policy.scaleDownInterval
    // The first wish tells since when the vertex asks. Of the others only those matter that are greater than all later ones.
    const matters = (memory[k].wishes ?? []).filter(([at, before], i) => i === 0 || (before > wish && at >= from))
    const wishes = wish < parallelism ? [...matters, [time, wish] as const] : []
    const next = wishes.length === 0 ? wish : delayed(wishes, from, parallelism)
    if (next !== parallelism)
      outside ||=
        rate < capacity(k, behind ? 1 : aim + boundary, 0) ||
        rate > capacity(k, behind ? 0 : aim - boundary, restartTime)
    return { parallelism: next, wishes }
  })
  if (!outside || wanted.every(({ parallelism }, k) => parallelism === targets[k]))
    return samples.map((_, k) => kept(k, { wishes: wanted[k].wishes }))
  wanted.forEach(({ parallelism }, k) => {
    targets[k] = parallelism
  })
  return samples.map((_, k) => kept(k, { since: time, history: [], oldest: 0, wishes: [] }))
}

/** A vertex shrinks when the first wish is an interval old: to the greatest wish since. */
function delayed(
  wishes: readonly (readonly [at: Micros, workers: number])[],
  from: Micros,
  parallelism: number,
): number {
  return wishes[0][0] > from
    ? parallelism
    : wishes.reduce((most, [at, wish]) => (at >= from ? Math.max(most, wish) : most), 0)
}

/**
 * The jobs so far, and what was observed since the job has been stable: `history` from `oldest` on is within the window. A look adds to the list of the
 * look before, because a copy of a window of minutes at each millisecond would be slow.
 */
function seenBy(policy: Of<'flinkAutoscaler'>, { time, came, waiting }: PoolSample, before: Memory, since: Micros) {
  const total = (before.came ?? 0) + came
  if (time - since < policy.stabilizationInterval) return { came: total, history: [], oldest: 0 }
  let { history = [], oldest = 0 } = before
  while (oldest < history.length && history[oldest][0] < time - policy.metricsWindow) oldest++
  if (2 * oldest > history.length) [history, oldest] = [history.slice(oldest), 0]
  history.push([time, total, total - waiting])
  return { came: total, history, oldest }
}

/** Jobs per second that came and that were taken between the first and the last observation. */
function ratesOf({ history, oldest }: { readonly history: readonly Observation[]; readonly oldest: number }) {
  const [[from, cameFirst, takenFirst], [to, came, taken]] = [history[oldest], history[history.length - 1]]
  const seconds = (to - from) / 1e6
  return { came: (came - cameFirst) / seconds, taken: (taken - takenFirst) / seconds }
}
