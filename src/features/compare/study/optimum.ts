/** Jobs as chains of services, and workers that can each do every service. All times in whole microseconds. */
export interface Chains {
  readonly workers: number
  /** By job. */
  readonly arrivals: readonly number[]
  /** By job, its services in order. */
  readonly services: readonly (readonly number[])[]
  /** Whether, of the jobs that wait for the same place, the one that arrived first is served first; else any may be. */
  readonly inOrder?: boolean
}

/** What is to be least: the end of the last job, or the sum of the times at which the jobs leave. */
export type OptimumGoal = 'makespan' | 'flow'

export type PlannedStart = { readonly time: number; readonly job: number; readonly place: number }

export interface Optimum {
  /** The makespan, or the sum of the leaving times. */
  readonly cost: number
  readonly starts: readonly PlannedStart[]
  /** Whether every other schedule was ruled out; false if the search was cut off. */
  readonly proven: boolean
}

type Seen = { readonly cost: number; readonly deadline: number }

/**
 * Returns the best schedule of all, by branch and bound over every choice of job at every instant at which a job arrives or a service ends,
 * and of letting workers wait. Starting at other instants gains nothing: a service that starts later than it can may as well start sooner. The search is cut
 * off after `mostSteps` steps, and remembers at most one state per step. Only schedules that cost less than `below` are looked for; the cost is Infinity if there is none.
 */
export function bestSchedule(
  { workers, arrivals, services, inOrder = false }: Chains,
  goal: OptimumGoal,
  mostSteps: number,
  below = Infinity,
): Optimum {
  const jobs = arrivals.length
  /** By job: its next service, and when that may begin. */
  const place = new Int32Array(jobs)
  const ready = Float64Array.from(arrivals)
  const running = new Uint8Array(jobs)
  const work = Float64Array.from(services, (chain) => chain.reduce((sum, time) => sum + time, 0))
  const starts: PlannedStart[] = []
  const seen = new Map<string, Seen>()
  let best: Pick<Optimum, 'cost' | 'starts'> = { cost: below, starts: [] }
  let steps = 0
  const ranked = Array.from({ length: jobs }, (_, job) => job)

  /** Returns a bound that no schedule from here on can beat. */
  function bound(now: number, left: number): number {
    let total = 0
    let end = left
    const ends: number[] = []
    const rests: number[] = []
    for (let job = 0; job < jobs; job++) {
      const rest = work[job] + (running[job] === 1 ? ready[job] - now : 0)
      if (rest === 0) continue
      total += rest
      const soonest = Math.max(ready[job], now) + work[job]
      end = Math.max(end, soonest)
      ends.push(soonest)
      rests.push(rest)
    }
    if (goal === 'makespan') return Math.max(end, now + total / workers)
    ends.sort((a, b) => a - b)
    rests.sort((a, b) => a - b)
    let sum = left
    let done = 0
    for (let k = 0; k < ends.length; k++) {
      done += rests[k]
      sum += Math.max(ends[k], now + done / workers)
    }
    return sum
  }

  /** Returns whether this state was reached before at the same or lower cost, and remembers it. */
  function isKnown(now: number, left: number, deadline: number): boolean {
    let key = ''
    let open = 0
    for (const job of ranked) {
      if (work[job] > 0 || running[job] === 1) open++
      // The order of the jobs in a queue matters.
      const turn = inOrder && work[job] > 0 ? ahead(job) : 0
      key += ` ${place[job]},${ready[job] > now ? ready[job] - now : -turn}`
    }
    const cost = goal === 'makespan' ? now : left + open * now
    const wait = deadline - now
    const known = seen.get(key)
    if (known !== undefined && known.cost <= cost && known.deadline >= wait) return true
    seen.set(key, { cost, deadline: wait })
    return false
  }

  /**
   * Chooses at one instant: a job of rank `from` or later, or none. In order of the queues, where one job lets another begin, `from` is the
   * place of the job. `left`: the makespan or leaving times so far. `deadline`: a worker that waits must start a job before it, or it
   * would have been better to start the waiting job at once.
   */
  function choose(now: number, from: number, free: number, left: number, deadline: number): void {
    if (++steps > mostSteps || bound(now, left) >= best.cost || isKnown(now, left, deadline)) return
    if (free > 0)
      for (let rank = inOrder ? 0 : from; rank < jobs; rank++) {
        const job = ranked[rank]
        const time = services[job][place[job]]
        if (time === undefined || ready[job] > now || hasEqualJob(job, rank, from, now)) continue
        if (inOrder && (place[job] < from || ahead(job) > 0)) continue
        const before = ready[job]
        place[job]++
        running[job] = 1
        ready[job] = now + time
        work[job] -= time
        starts.push({ time: now, job, place: place[job] - 1 })
        choose(now, inOrder ? place[job] - 1 : rank + 1, free - 1, left, free === 1 ? Infinity : deadline)
        starts.pop()
        work[job] += time
        ready[job] = before
        running[job] = 0
        place[job]--
      }
    pass(now, free, left, deadline)
  }

  /** How many jobs wait for the same place and arrived there before this waiting job. */
  function ahead(job: number): number {
    return ranked.filter((other) => work[other] > 0 && place[other] === place[job] && ready[other] < ready[job]).length
  }

  /** Whether an equal job of an earlier rank could begin instead. */
  function hasEqualJob(job: number, rank: number, from: number, now: number): boolean {
    for (let r = inOrder ? 0 : from; r < rank; r++) {
      const other = ranked[r]
      if (ready[other] > now || place[other] !== place[job] || (inOrder && ready[other] > ready[job])) continue
      const [a, b] = [services[other], services[job]]
      if (a.length === b.length && a.every((time, k) => k < place[job] || time === b[k])) return true
    }
    return false
  }

  /** Lets the time pass until a job arrives or a service ends. */
  function pass(now: number, free: number, left: number, deadline: number): void {
    let next = Infinity
    let shortest = Infinity
    for (const job of ranked) {
      // A job that has left was ready before.
      if (ready[job] > now) next = Math.min(next, ready[job])
      if (ready[job] <= now && work[job] > 0) shortest = Math.min(shortest, services[job][place[job]])
    }
    if (next === Infinity) {
      if (shortest === Infinity) best = { cost: left, starts: starts.slice() }
      return
    }
    // In order of the queues a job that begins sooner may let another pass later.
    const until = free > 0 && !inOrder ? Math.min(deadline, now + shortest) : Infinity
    if (next >= until) return
    const ended: number[] = []
    let leaving = left
    for (const job of ranked) {
      if (running[job] === 0 || ready[job] !== next) continue
      ended.push(job)
      if (work[job] === 0) leaving = goal === 'makespan' ? Math.max(leaving, next) : leaving + next
    }
    for (const job of ended) running[job] = 0
    choose(next, 0, free + ended.length, leaving, until)
    for (const job of ended) running[job] = 1
  }

  // Long chains first make a short makespan, short ones early departures.
  ranked.sort((a, b) => (goal === 'makespan' ? work[b] - work[a] : work[a] - work[b]))
  choose(0, 0, workers, 0, Infinity)
  return {
    starts: best.starts,
    cost: best.starts.length === 0 && jobs > 0 ? Infinity : best.cost,
    proven: steps <= mostSteps,
  }
}
