import type { Books } from './books.ts'
import { visits } from './naiveOutlook.ts'
import { naiveMeans } from './naiveSeats.ts'

/** By stage, what the controllers of known systems remember. */
export interface KnownMemory {
  /** What was wished, how many pods there were, and what had come and been taken, at each tick. */
  readonly wishes: { readonly at: number; readonly pods: number; readonly size: number }[][]
  readonly looks: { readonly at: number; readonly came: number; readonly taken: number }[][]
  readonly arrived: number[]
  readonly came: number[]
  /** The workers planned, and when; before the first plan none. */
  readonly plan: (number | null)[]
  planned: number | null
}

export function knownMemory(stages: number): KnownMemory {
  const each = <T>(value: () => T) => Array.from({ length: stages }, value)
  return {
    wishes: each(() => []),
    looks: each(() => []),
    arrived: each(() => 0),
    came: each(() => 0),
    plan: each(() => null),
    planned: null,
  }
}

/** By stage: how many workers the controllers of a known system hire (below 0: dismiss), by the formulas in docs/known-systems.md; null for other policies. */
export function naiveKnownChange(books: Books, memory: KnownMemory): number[] | null {
  const { wishes } = memory
  const { policy, stages } = books.scenario
  const { time } = books
  const all = [...stages.keys()]
  const pools = all.map((s) =>
    [...books.live.keys()].filter((w) => books.live[w] && books.assigned[w] === s && !books.going.has(w)),
  )
  const ready = pools.map((pool) => pool.filter((w) => !books.isStarting(w)).length)
  // No job waits, and none can come.
  const starved = all.map(
    (s) =>
      books.exhausted &&
      books.outside.length === 0 &&
      books.waiting(s) === 0 &&
      books.feeders[s].every((before) => books.done(before)),
  )
  for (const s of all) {
    const arrived = books.waiting(s) + books.inHands(s) + books.measured[s].length
    memory.came[s] += Math.max(0, arrived - memory.arrived[s])
    memory.arrived[s] = arrived
  }
  switch (policy.kind) {
    case 'rayData': {
      const sharing = all.filter((s) => !starved[s] || books.inHands(s) > 0)
      const readers = books.firsts.some((s) => !starved[s]) ? policy.task_operators : 0
      const parties = sharing.length + readers
      const cpus = books.scenario.workers
      const own = parties === 0 ? 0 : (policy.op_resource_reservation_ratio * cpus) / parties
      const beyond = all.map((s) => (sharing.includes(s) ? Math.max(0, pools[s].length - own) : pools[s].length))
      const free = Math.max(0, cpus - parties * own - beyond.reduce((sum, n) => sum + n, 0))
      return all.map((s) => {
        const size = pools[s].length
        if (starved[s]) return size === 0 ? 0 : -1
        if (size < policy.min_size) return policy.min_size - size
        const tasks = Math.min(ready[s] * policy.max_tasks_in_flight_per_actor, books.waiting(s) + books.inHands(s))
        const use = ready[s] === 0 ? 0 : tasks / ready[s]
        if (use < policy.actor_pool_util_upscaling_threshold)
          return use <= policy.actor_pool_util_downscaling_threshold && size > policy.min_size ? -1 : 0
        const budget = Math.floor(Math.max(0, own - size) + free / parties)
        if (ready[s] < size || budget === 0) return 0
        const missing = Math.ceil(size * (use / policy.actor_pool_util_upscaling_threshold - 1))
        return Math.min(budget, policy.actor_pool_max_upscaling_delta, Math.max(missing, 1))
      })
    }
    case 'hpa':
      return all.map((s) => {
        const size = pools[s].length
        const busy = books.busy(s)
        if (size === 0) return policy.minReplicas
        const use = (pods: number) => busy / pods / policy.averageUtilization
        let pods = size
        if (ready[s] > 0 && Math.abs(use(ready[s]) - 1) > policy.tolerance) {
          if (use(ready[s]) < 1 || ready[s] === size) pods = Math.ceil(use(ready[s]) * ready[s])
          else if (use(size) > 1 + policy.tolerance) pods = Math.ceil(use(size) * size)
        }
        pods = Math.max(pods, policy.minReplicas)
        wishes[s].push({ at: time, pods, size })
        if (pods >= size) {
          // The growth of the last 15 s counts.
          const start = Math.min(...wishes[s].filter(({ at }) => at > time - 15_000_000).map((wish) => wish.size))
          return Math.max(0, Math.min(pods, start < 4 ? start + 4 : 2 * start) - size)
        }
        const window = wishes[s].filter(({ at }) => at > time - policy.stabilizationWindow || at === time)
        return Math.min(size, Math.max(...window.map((wish) => wish.pods))) - size
      })
    case 'seda':
      return all.map((s) => {
        const size = pools[s].length
        if (size < policy.minThreads) return policy.minThreads - size
        if (books.waiting(s) > policy.threshold) return 1
        const rests = pools[s].filter((w) => books.hand(w).length === 0 && time - books.idleSince[w] >= policy.idle)
        return rests.length > 0 && size > policy.minThreads ? -1 : 0
      })
    case 'xenna': {
      const over = all.map((s) => starved[s] && books.inHands(s) === 0)
      const plan = all.map((s) => (over[s] ? 0 : Math.max(1, memory.plan[s] ?? pools[s].length)))
      if (memory.planned === null || time >= memory.planned + policy.autoscale_interval) {
        memory.planned = time
        const mean = serviceTimes(books).map((service) => service || 1_000_000)
        // In the order in which equal stages are asked.
        const active = all.filter((s) => !over[s]).sort((a, b) => (stages[a].id < stages[b].id ? -1 : 1))
        const by = (more: number, sign: number) => (a: number, b: number) =>
          sign * ((plan[a] + more) / mean[a] - (plan[b] + more) / mean[b])
        for (;;) {
          const [poorest] = active.filter((s) => plan[s] < (policy.max ?? books.scenario.workers)).sort(by(0, 1))
          if (poorest === undefined) break
          if (plan.reduce((sum, n) => sum + n) >= books.scenario.workers) {
            const [giver] = active
              .filter((s) => s !== poorest && plan[s] > 1 && (plan[s] - 1) / mean[s] > plan[poorest] / mean[poorest])
              .sort(by(-1, -1))
            if (giver === undefined) break
            plan[giver] -= 1
          }
          plan[poorest] += 1
        }
      }
      for (const s of all) memory.plan[s] = plan[s]
      return all.map((s) => plan[s] - pools[s].length)
    }
    case 'flinkAutoscaler': {
      memory.planned ??= time
      const plan = all.map((s) => memory.plan[s] ?? Math.max(pools[s].length, policy.vertexMinParallelism))
      const change = () => {
        for (const s of all) memory.plan[s] = plan[s]
        return all.map((s) => plan[s] - pools[s].length)
      }
      if (time < memory.planned + policy.stabilizationInterval) return change()
      for (const s of all)
        memory.looks[s].push({ at: time, came: memory.came[s], taken: memory.came[s] - books.waiting(s) })
      const windows = memory.looks.map((looks) => looks.filter(({ at }) => at >= time - policy.metricsWindow))
      if (time < memory.planned + policy.stabilizationInterval + policy.metricsWindow || windows[0].length === 1)
        return change()
      const rate = (s: number, what: 'came' | 'taken') =>
        (windows[s][windows[s].length - 1][what] - windows[s][0][what]) / ((time - windows[s][0].at) / 1e6)
      const arrivals = Math.max(...books.firsts.map((s) => rate(s, 'came')))
      const lag = Math.max(...books.firsts.map((s) => books.waiting(s)))
      const late = books.firsts.some((s) => books.waiting(s) * 1e6 > rate(s, 'taken') * policy.backlogLagThreshold)
      const needed = (s: number, use: number, restart: number) => {
        if (use <= 0) return Infinity
        const backlog =
          policy.catchUpDuration > 0 ? (lag + (arrivals * restart) / 1e6) / (policy.catchUpDuration / 1e6) : 0
        return visits(books, s) * (backlog + arrivals / (use > 1 ? 1 : use))
      }
      const service = serviceTimes(books)
      let acts = false
      const next = plan.map((n, s) => {
        if (service[s] === 0 || starved[s]) {
          wishes[s].length = 0
          return n
        }
        const able = (n * 1e6) / service[s]
        let ratio = needed(s, policy.utilizationTarget, policy.restartTime) / able
        if (ratio < 1 - policy.scaleDownMaxFactor) ratio = 1 - policy.scaleDownMaxFactor
        if (ratio > 1 + policy.scaleUpMaxFactor) ratio = 1 + policy.scaleUpMaxFactor
        const pods = Math.max(
          Math.min(Math.ceil(ratio * n - 1e-9), policy.max ?? Infinity),
          Math.min(n, policy.vertexMinParallelism),
        )
        let to = pods
        if (pods >= n) wishes[s].length = 0
        else {
          wishes[s].push({ at: time, pods, size: n })
          const from = time - policy.scaleDownInterval
          to =
            wishes[s][0].at > from ? n : Math.max(...wishes[s].filter(({ at }) => at >= from).map((wish) => wish.pods))
        }
        const high = late ? 1 : policy.utilizationTarget + policy.targetUtilizationBoundary
        const low = late ? 0 : policy.utilizationTarget - policy.targetUtilizationBoundary
        if (to !== n && (able < needed(s, high, 0) || able > needed(s, low, policy.restartTime))) acts = true
        return to
      })
      if (!acts) return change()
      // The job restarts: everything is measured again.
      for (const s of all) {
        plan[s] = next[s]
        memory.looks[s].length = 0
        wishes[s].length = 0
      }
      memory.planned = time
      return change()
    }
    default:
      return null
  }
}

/** Estimated service times; 0 while a stage has not been measured. */
function serviceTimes(books: Books): number[] {
  return naiveMeans(books).map((mean, s) =>
    books.measured[s].length > 0 || books.scenario.estimator.prior === 'declared' ? mean : 0,
  )
}
