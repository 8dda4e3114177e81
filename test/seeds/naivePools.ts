import { DISMISSED, HIRED, kinds, type Row, STARTED, TICK } from '../../src/pipeline/rows.ts'
import type { Policy } from '../../src/scenario/model/scenario.ts'
import type { Books } from './books.ts'
import { claim } from './claim.ts'
import { type KnownMemory, knownMemory, naiveKnownChange } from './naiveKnown.ts'
import { naiveMeans } from './naiveSeats.ts'

type Predictive = Extract<Policy, { kind: 'predictive' }>

/** Checks the hires and dismissals at a tick, from the books alone, by the formulas in the docs. */
export class NaivePools {
  private readonly books: Books
  /** By stage: arrivals at the last tick, and the smoothed actual and expected arrivals of a period. */
  private readonly memory: { error: number; integral: number; arrived: number; seen: number; predicted: number }[]
  /** What the controllers of known systems remember. */
  private readonly known: KnownMemory
  private ticked = -1
  private ticking = false
  private expected: string[] | null = null

  constructor(books: Books) {
    this.books = books
    this.known = knownMemory(books.queues.length)
    this.memory = books.queues.map(() => ({ error: 0, integral: 0, arrived: 0, seen: 0, predicted: 0 }))
  }

  /** Call this with each row before the books read it. The controllers decide after all facts and consequences. */
  see(row: Row, isFact: boolean): void {
    if (isFact) {
      this.ticking = row.kind === TICK
      return
    }
    if (row.kind === HIRED || row.kind === DISMISSED) {
      const first = this.ask()[0]
      claim(first === spelled(row), () => `${spelled(row)} instead of ${first ?? 'nobody'}`)
      this.expected?.shift()
    } else if (row.kind === STARTED) claim(this.ask().length === 0, () => `not ${this.expected?.[0]}`)
  }

  end(): void {
    claim(this.ask().length === 0, () => `not ${this.expected?.[0]}`)
    this.ticking = false
    this.expected = null
  }

  private ask(): string[] {
    this.expected ??= this.ticking && !this.books.stopped ? this.orders() : []
    return this.expected
  }

  /** Computes the whole tick on copies: the workers at each stage, and those that leave. */
  private orders(): string[] {
    const { books } = this
    const { policy, stages, workers } = books.scenario
    const { time } = books
    if (!('every' in policy)) return []
    const elapsed = (this.ticked < 0 ? policy.every : time - this.ticked) / 1e6
    this.ticked = time
    if (elapsed === 0) return []
    const live = [...books.live]
    const assigned = [...books.assigned]
    const orders: string[] = []
    const means = naiveMeans(books)
    const planned = naiveKnownChange(books, this.known)
    for (const s of [...stages.keys()].sort((a, b) => (stages[a].id < stages[b].id ? -1 : 1))) {
      const pool = [...live.keys()].filter((w) => live[w] && assigned[w] === s && !books.going.has(w))
      const idle = pool
        .filter((w) => books.hand(w).length === 0)
        .sort((a, b) => books.idleSince[a] - books.idleSince[b] || b - a)
      const waiting = books.waiting(s)
      const came = waiting + books.inHands(s) + books.measured[s].length
      const memory = this.memory[s]
      const fresh = Math.max(0, came - memory.arrived)
      memory.arrived = came
      const known = books.measured[s].length > 0 || books.scenario.estimator.prior === 'declared'
      // How many workers to hire, and how many to dismiss.
      let more = 0
      let fewer = 0
      if (planned !== null) {
        more = Math.max(0, planned[s])
        fewer = Math.max(0, -planned[s])
      } else if (policy.kind === 'threshold' || policy.kind === 'aimd') {
        const idles = idle.length > 0 && time - books.idleSince[idle[0]] >= policy.idle
        const [step, stay] =
          policy.kind === 'aimd' ? [policy.increase, Math.floor(pool.length * policy.decrease)] : [1, pool.length - 1]
        if (waiting > policy.high) more = step
        else if (idles) fewer = pool.length - stay
      } else if (policy.kind === 'predictive') {
        const wanted = this.wanted(policy, s, { fresh, waiting, elapsed: elapsed * 1e6, service: known ? means[s] : 0 })
        more = Math.max(0, wanted - pool.length)
        fewer = Math.max(0, pool.length - wanted)
      } else if (policy.kind === 'pid' || policy.kind === 'adaptive') {
        // A measured service time of 0 counts as unknown.
        const factor = policy.kind === 'adaptive' && known && means[s] > 0 ? means[s] / policy.tunedAt : 1
        const error = policy.setpoint - waiting
        const bound = policy.clamp ?? Infinity
        memory.integral = Math.max(-bound, Math.min(bound, memory.integral + factor * policy.ki * error * elapsed))
        const output =
          factor * policy.kp * error + memory.integral + (factor * policy.kd * (error - memory.error)) / elapsed
        memory.error = error
        more = output <= policy.up ? 1 : 0
        fewer = more === 0 && output >= policy.down ? 1 : 0
      }
      const free = Array.from({ length: workers }, (_, w) => w).filter((w) => !live[w] && !books.gone.has(w))
      for (const w of free.slice(0, Math.max(0, Math.min(more, (policy.max ?? Infinity) - pool.length)))) {
        orders.push(`hired w${w} at ${s}`)
        live[w] = true
        assigned[w] = s
      }
      const busy = pool.filter((w) => !idle.includes(w)).reverse()
      const mayGo = ['threshold', 'predictive', 'rayData', 'seda'].includes(policy.kind) ? idle : [...idle, ...busy]
      for (const victim of mayGo.slice(0, fewer)) {
        orders.push(`dismissed w${victim} at ${s}`)
        // A worker that waits for a resource returns its job and leaves at once.
        if (books.hand(victim).length === 0 || books.waitsSince(victim) >= 0) live[victim] = false
      }
    }
    return orders
  }

  /** The workers that a stage needs: by the profile, times actual over expected arrivals, and by the waiting jobs. */
  private wanted(
    policy: Predictive,
    s: number,
    { fresh, waiting, elapsed, service }: { fresh: number; waiting: number; elapsed: number; service: number },
  ) {
    const { profile, lead, utilisation, alpha } = policy
    const { time } = this.books
    const memory = this.memory[s]
    const gone = jobsBetween(profile, time - elapsed, time)
    if (memory.predicted === 0) memory.seen = memory.predicted = gone
    memory.seen += alpha * (fresh - memory.seen)
    memory.predicted += alpha * (gone - memory.predicted)
    const ratio = memory.predicted === 0 ? 1 : memory.seen / memory.predicted
    const work = (ratio * jobsBetween(profile, time, time + lead) + waiting) * service
    // Slightly less, so that a rounding error does not decide.
    return Math.max(waiting > 0 ? 1 : 0, Math.ceil(work / (lead * utilisation) - 1e-9))
  }
}

/** The jobs of a profile between two times: the area under its line, segment by segment. */
function jobsBetween(profile: Predictive['profile'], from: number, to: number): number {
  const rateAt = ([a, left]: readonly [number, number], [b, right]: readonly [number, number], time: number) =>
    left + ((right - left) * (time - a)) / (b - a)
  const [first, last] = [profile[0], profile[profile.length - 1]]
  const all = [[Math.min(from, first[0]), first[1]] as const, ...profile, [Math.max(to, last[0]), last[1]] as const]
  let area = 0
  for (let i = 1; i < all.length; i++) {
    const [begin, end] = [Math.max(from, all[i - 1][0]), Math.min(to, all[i][0])]
    if (end > begin)
      area += ((end - begin) * (rateAt(all[i - 1], all[i], begin) + rateAt(all[i - 1], all[i], end))) / 2e6
  }
  return area
}

function spelled({ kind, worker, stage }: Row): string {
  return `${kinds[kind]} w${worker} at ${stage}`
}
