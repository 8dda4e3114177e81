import type { Books } from './books.ts'

/** By stage: what a controller wished at each tick. */
export type Wishes = { readonly at: number; readonly pods: number }[][]

/** By stage: how many workers the controllers of a known system hire (below 0: dismiss), by the formulas in docs/known-systems.md; null for other policies. */
export function naiveKnownChange(books: Books, wishes: Wishes): number[] | null {
  const { policy, stages } = books.scenario
  const { time } = books
  const all = [...stages.keys()]
  const pools = all.map((s) => [...books.live.keys()].filter((w) => books.live[w] && books.assigned[w] === s && !books.going.has(w)))
  const ready = pools.map((pool) => pool.filter((w) => !books.isStarting(w)).length)
  switch (policy.kind) {
    case 'rayData': {
      // No job waits, and none can come.
      const starved = all.map(
        (s) => books.exhausted && books.outside.length === 0 && books.waiting(s) === 0 && books.feeders[s].every((before) => books.done(before)),
      )
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
        if (use < policy.actor_pool_util_upscaling_threshold) return use <= policy.actor_pool_util_downscaling_threshold && size > policy.min_size ? -1 : 0
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
        wishes[s].push({ at: time, pods })
        if (pods >= size) return Math.min(pods, size < 4 ? size + 4 : 2 * size) - size
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
    default:
      return null
  }
}
