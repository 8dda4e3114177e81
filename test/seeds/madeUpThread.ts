import type { BatchAnswer, BatchOrder, BatchPort, BatchRequest, Reply } from '../../src/engine/conductor/batchPort.ts'
import type { ThreadEvents, WorkerThread } from '../../src/engine/conductor/environment.ts'
import type { Micros } from '../../src/scenario/model/scenario.ts'
import type { Chance } from '../fixtures/chance.ts'
import type { MadeUpTime } from './madeUpTime.ts'

/** A batch on its way through a thread. */
export interface Parcel {
  readonly number: number
  readonly jobs: readonly number[]
  /** When it was sent. */
  readonly sent: Micros
  /** What it should take. */
  readonly predicted: Micros
  /** Its answer has come, once or more; and what that was. */
  answered: 'not' | 'served' | 'threw'
  /** The core has heard of that. */
  counted: boolean
}

/** The world that threads are in: when a fault is due, and what comes of it. */
export interface ThreadWorld {
  readonly time: Pick<MadeUpTime, 'now' | 'later' | 'passed'>
  readonly chance: Chance
  /** The number of the event at hand. */
  readonly event: number
  /** Whether one more thing may go wrong. */
  fault(percent: number): boolean
  /** How long a message is on its way. */
  delay(): Micros
}

const never = <T>() => new Promise<T>(() => {})

/**
 * A thread that is made up, and serves as `WorkerApi` does until something goes wrong: it never starts, hangs, crashes with or
 * without a word, breaks down, answers twice, or long after it was given up. What it sends arrives later, in any order. `ill` says what is wrong
 * with it: a thread that is well must never be given up.
 */
export class MadeUpThread implements WorkerThread {
  readonly worker: number
  readonly parcels: Parcel[] = []
  ill: string | null = null
  ended: boolean
  /** In which event that was. */
  endedIn = 0
  /** When an answer of it came last. */
  received: Micros = 0
  readonly port: BatchPort = { postMessage: (message) => this.take(message), onmessage: null }
  private readonly world: ThreadWorld
  private readonly news: ThreadEvents
  /** Its clock is set forward by this much. */
  private readonly ahead: Micros
  private hangsAt: Micros = Infinity
  private freeAt: Micros = 0
  private hearEnd: (() => void) | null = null

  constructor(worker: number, world: ThreadWorld, news: ThreadEvents, started = true) {
    this.ended = !started
    this.worker = worker
    this.world = world
    this.news = news
    this.ahead = world.chance.percent(20) ? world.chance.between(-5_000_000, 5_000_000) : 0
    if (!started) this.ill = 'cannot be started'
    else this.beginBadly()
  }

  hello(): PromiseLike<boolean> {
    if (this.ill === 'never starts' || this.ill === 'cannot be loaded') return never()
    const { chance } = this.world
    if (this.world.fault(1)) {
      this.ill = 'throws at its start'
      return Promise.reject(new Error('throws at its start'))
    }
    // A thread that has started is a sign of life for the others: so a slow start is none only where it is too slow for anybody.
    const slow = this.world.fault(4) ? chance.below(1_500_000) : 0
    return this.answer(slow, () => chance.percent(90))
  }

  clock(): PromiseLike<Micros> {
    return this.answer(0, () => this.reading())
  }

  hangAt(time: Micros): PromiseLike<void> {
    this.hangsAt = time
    this.world.time.later(time - this.reading(), () => {
      this.ill ??= 'hangs'
    })
    return this.answer(0, () => {})
  }

  onEnd(call: () => void): void {
    this.hearEnd = call
  }

  end(): void {
    this.ended = true
    this.endedIn = this.world.event
    // What was on its way still comes, and what an end looks like from afar is heard as well.
    if (this.hearEnd !== null && this.world.chance.percent(30)) this.world.time.later(this.world.delay(), this.hearEnd)
    if (this.world.chance.percent(10)) this.world.time.later(this.world.delay(), () => this.news.error('too late to say so'))
    if (this.world.chance.percent(5)) this.world.time.later(this.world.delay(), () => this.news.lost('sent an unreadable message'))
  }

  /** Whether it serves whom it is given, by now. */
  get isWell(): boolean {
    return this.ill === null && this.reading() < this.hangsAt
  }

  private beginBadly(): void {
    const { world } = this
    if (world.fault(3)) {
      this.ill = 'cannot be loaded'
      this.send(() => this.news.error('cannot be loaded'))
    } else if (world.fault(2)) this.ill = 'never starts'
    if (world.fault(3)) world.time.later(world.chance.below(400_000), () => this.crash())
    if (world.fault(1)) this.unreadable()
  }

  private reading(): Micros {
    return this.world.time.now() + this.ahead
  }

  private take({ number, batch }: BatchRequest): void {
    const { world } = this
    const { time, chance } = world
    const predicted = batch.services.reduce((sum, service, k) => sum + service + batch.switchCosts[k], 0)
    const parcel: Parcel = { number, jobs: [...batch.jobs], sent: time.passed, predicted, answered: 'not', counted: false }
    this.parcels.push(parcel)
    const came = time.passed + world.delay()
    const startsAt = Math.max(came, this.freeAt)
    const slow = world.fault(4) ? chance.below(1_200_000) : 0
    const took = predicted + slow
    this.freeAt = startsAt + took
    time.later(startsAt - time.passed, () => {
      const began = this.reading()
      time.later(took, () => this.finish(parcel, batch, began, slow))
    })
  }

  private finish(parcel: Parcel, batch: BatchOrder, began: Micros, slow: Micros): void {
    const { world } = this
    const { time, chance } = world
    // It hangs for good, also if the clock runs back.
    if (this.reading() >= this.hangsAt) this.ill ??= 'hangs'
    if (this.ended || this.ill !== null) return
    const failing = batch.jobs.find((job) => batch.failing.includes(job))
    const answerFor = (threw: number | undefined) =>
      threw === undefined ? this.reply(batch, began, slow) : { reply: { began, ended: [], threw: { job: threw, reason: 'throws' }, payloads: null } }
    if (world.fault(2)) {
      this.ill = 'hangs'
      // By then it is long given up: what it says does not count any more.
      if (chance.percent(50)) time.later(chance.between(2_000_000, 60_000_000), () => this.deliver(parcel, answerFor(failing)))
      return
    }
    if (world.fault(1)) {
      this.crash()
      return
    }
    if (world.fault(1)) {
      this.unreadable()
      return
    }
    if (world.fault(1)) this.send(() => this.news.error('outside its work'))
    const threw = failing ?? (world.fault(2) ? chance.pick(batch.jobs) : undefined)
    const answer: Omit<BatchAnswer, 'number'> = world.fault(1) ? { broken: 'its work broke down' } : answerFor(threw)
    this.send(() => this.deliver(parcel, answer))
    if (world.fault(4)) time.later(chance.below(200_000), () => this.deliver(parcel, answer))
  }

  private reply({ jobs, services, switchCosts: changing }: BatchOrder, began: Micros, slow: Micros): { readonly reply: Reply } {
    let at = began + changing[0]
    const first = at
    const ended = jobs.map((_, k) => {
      at += services[k] + (k > 0 ? changing[k] : slow)
      return at
    })
    return { reply: { began: first, ended, threw: null, payloads: null } }
  }

  /** The answer arrives, as a copy of its own: its reader may write on it. */
  private deliver(parcel: Parcel, answer: Omit<BatchAnswer, 'number'>): void {
    const threw = 'broken' in answer || ('reply' in answer && (answer as { reply: Reply }).reply.threw !== null)
    if (!this.ended && parcel.answered === 'not') {
      parcel.answered = threw ? 'threw' : 'served'
      this.received = this.world.time.passed
    }
    const copy = 'reply' in answer ? { reply: { ...(answer as { reply: Reply }).reply, ended: [...(answer as { reply: Reply }).reply.ended] } } : answer
    this.port.onmessage?.({ data: { number: parcel.number, ...copy } } as MessageEvent<BatchAnswer>)
  }

  private crash(): void {
    if (this.ended) return
    this.ill = 'has crashed'
    if (this.hearEnd !== null) this.world.time.later(this.world.delay(), this.hearEnd)
  }

  private unreadable(): void {
    this.ill = 'sends what cannot be read'
    this.send(() => this.news.lost('sent an unreadable message'))
  }

  private answer<T>(after: Micros, value: () => T): PromiseLike<T> {
    return new Promise((resolve) => {
      this.world.time.later(this.world.delay() + after, () => {
        if (this.ended || this.ill !== null) return
        const result = value()
        this.send(() => resolve(result))
      })
    })
  }

  /** What a thread sends comes later, and not always in the order in which it was sent. */
  private send(call: () => void): void {
    this.world.time.later(this.world.delay(), call)
  }
}
