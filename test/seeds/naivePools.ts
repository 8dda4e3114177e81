import { DISMISSED, HIRED, kinds, type Row, STARTED, TICK } from '../../src/pipeline/rows.ts'
import type { Books } from './books.ts'
import { claim } from './claim.ts'

/** Checks who is hired and dismissed at a tick, from the books alone and by the formulas as they stand in the docs. */
export class NaivePools {
  private readonly books: Books
  private readonly errors: number[]
  private readonly integrals: number[]
  private ticked = -1
  private ticking = false
  private expected: string[] | null = null

  constructor(books: Books) {
    this.books = books
    this.errors = books.queues.map(() => 0)
    this.integrals = books.queues.map(() => 0)
  }

  /** To be called with each row before the books enter it. The controllers look when all facts and consequences are in. */
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

  /** Plays the whole tick on copies: who is there, where, and on the way out. */
  private orders(): string[] {
    const { books } = this
    const { policy, stages, workers } = books.scenario
    const { time } = books
    if (policy.kind !== 'pid' && policy.kind !== 'threshold') return []
    const elapsed = (this.ticked < 0 ? policy.every : time - this.ticked) / 1e6
    this.ticked = time
    if (elapsed === 0) return []
    const live = [...books.live]
    const post = [...books.post]
    const orders: string[] = []
    for (const s of [...stages.keys()].sort((a, b) => (stages[a].id < stages[b].id ? -1 : 1))) {
      const pool = [...live.keys()].filter((w) => live[w] && post[w] === s && !books.going.has(w))
      const idle = pool.filter((w) => books.hand(w).length === 0).sort((a, b) => books.idleSince[a] - books.idleSince[b] || b - a)
      const waiting = books.waiting(s)
      let more = false
      let fewer = false
      if (policy.kind === 'threshold') {
        more = waiting > policy.high
        fewer = !more && idle.length > 0 && time - books.idleSince[idle[0]] >= policy.idle
      } else {
        const error = policy.setpoint - waiting
        const bound = policy.clamp ?? Infinity
        this.integrals[s] = Math.max(-bound, Math.min(bound, this.integrals[s] + policy.ki * error * elapsed))
        const output = policy.kp * error + this.integrals[s] + (policy.kd * (error - this.errors[s])) / elapsed
        this.errors[s] = error
        more = output <= policy.up
        fewer = output >= policy.down
      }
      const free = Array.from({ length: workers }, (_, w) => w).find((w) => !live[w] && !books.gone.has(w))
      if (more && free !== undefined && pool.length < (policy.max ?? Infinity)) {
        orders.push(`hired w${free} at ${s}`)
        live[free] = true
        post[free] = s
      }
      const victim = idle[0] ?? pool.at(-1)
      if (!fewer || victim === undefined) continue
      orders.push(`dismissed w${victim} at ${s}`)
      // Who waits for a resource lays its job back and is gone as well.
      if (books.hand(victim).length === 0 || books.waitsSince(victim) >= 0) live[victim] = false
    }
    return orders
  }
}

function spelled({ kind, worker, stage }: Row): string {
  return `${kinds[kind]} w${worker} at ${stage}`
}
