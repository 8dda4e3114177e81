import type { BatchAnswer, BatchOrder, BatchPort, BatchRequest, Reply } from '../../src/engine/conductor/batchPort.ts'
import type { ThreadEvents, WorkerThread } from '../../src/engine/conductor/environment.ts'
import type { Micros } from '../../src/scenario/model/scenario.ts'
import type { Chance } from '../fixtures/chance.ts'
import type { MadeUpTime } from './madeUpTime.ts'

/** A batch that was sent to a thread. */
export interface Parcel {
  readonly number: number
  readonly jobs: readonly number[]
  /** When it was sent. */
  readonly sent: Micros
  /** The predicted time in all. */
  readonly predicted: Micros
  /** Whether its answer has arrived, and which. */
  answered: 'not' | 'served' | 'threw'
  /** The core has counted the answer. */
  counted: boolean
}

/** The world of the threads: decides about faults and delays. */
export interface ThreadWorld {
  readonly time: Pick<MadeUpTime, 'now' | 'later' | 'passed'>
  readonly chance: Chance
  /** The number of the current event. */
  readonly event: number
  /** Whether one more fault may happen. */
  fault(percent: number): boolean
  /** The delay of a message. */
  delay(): Micros
  /** Called when a thread fails at work that others can do: a room loses such a device. */
  wronged?(): void
}

const never = <T>() => new Promise<T>(() => {})

/**
 * A simulated thread. It serves like `WorkerApi` until a fault: it never starts, hangs, crashes with or without
 * an error, breaks down, answers twice, or answers long after it was given up. Its messages arrive late and in any order. `defect` names
 * the fault: a thread without one must never be given up.
 */
export class MadeUpThread implements WorkerThread {
  readonly worker: number
  readonly parcels: Parcel[] = []
  defect: string | null = null
  ended: boolean
  /** The event at which it ended. */
  endedIn = 0
  /** When its last answer arrived. */
  received: Micros = 0
  readonly port: BatchPort = { postMessage: (message) => this.take(message), onmessage: null }
  private readonly world: ThreadWorld
  private readonly events: ThreadEvents
  /** How far its clock is ahead. */
  private readonly ahead: Micros
  private hangsAt: Micros = Infinity
  private freeAt: Micros = 0
  private hearEnd: (() => void) | null = null

  constructor(worker: number, world: ThreadWorld, events: ThreadEvents, started = true) {
    this.ended = !started
    this.worker = worker
    this.world = world
    this.events = events
    this.ahead = world.chance.percent(20) ? world.chance.between(-5_000_000, 5_000_000) : 0
    if (!started) this.defect = 'cannot be started'
    else this.drawStartFaults()
  }

  hello(): PromiseLike<boolean> {
    if (this.defect === 'never starts' || this.defect === 'cannot be loaded') return never()
    const { chance } = this.world
    if (this.world.fault(1)) {
      this.defect = 'throws at its start'
      return Promise.reject(new Error('throws at its start'))
    }
    // Every thread that starts is a sign of life for the others, so a slow start counts only if it is longer than the limit.
    const slow = this.world.fault(4) ? chance.below(1_500_000) : 0
    return this.answer(slow, () => chance.percent(90))
  }

  clock(): PromiseLike<Micros> {
    return this.answer(0, () => this.reading())
  }

  hangAt(time: Micros): PromiseLike<void> {
    this.hangsAt = time
    this.world.time.later(time - this.reading(), () => {
      this.defect ??= 'hangs'
    })
    return this.answer(0, () => {})
  }

  onEnd(call: () => void): void {
    this.hearEnd = call
  }

  end(): void {
    this.ended = true
    this.endedIn = this.world.event
    // Messages on the way still arrive, and so does the notice of its own end.
    if (this.hearEnd !== null && this.world.chance.percent(30)) this.world.time.later(this.world.delay(), this.hearEnd)
    if (this.world.chance.percent(10))
      this.world.time.later(this.world.delay(), () => this.events.error('too late to say so'))
    if (this.world.chance.percent(5))
      this.world.time.later(this.world.delay(), () => this.events.lost('sent an unreadable message'))
  }

  /** Whether it still serves its batches. */
  get isHealthy(): boolean {
    return this.defect === null && this.reading() < this.hangsAt
  }

  private drawStartFaults(): void {
    const { world } = this
    if (world.fault(3)) {
      this.defect = 'cannot be loaded'
      this.send(() => this.events.error('cannot be loaded'))
    } else if (world.fault(2)) this.defect = 'never starts'
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
    const parcel: Parcel = {
      number,
      jobs: [...batch.jobs],
      sent: time.passed,
      predicted,
      answered: 'not',
      counted: false,
    }
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
    // It hangs for good, even if the clock runs back.
    if (this.reading() >= this.hangsAt) this.defect ??= 'hangs'
    if (this.ended || this.defect !== null) return
    const failing = batch.jobs.find((job) => batch.failing.includes(job))
    const answerFor = (threw: number | undefined) =>
      threw === undefined
        ? this.reply(batch, began, slow)
        : { reply: { began, ended: [], threw: { job: threw, reason: 'throws' }, payloads: null } }
    if (world.fault(2)) {
      this.defect = 'hangs'
      // By then it was given up long ago, so this answer does not count.
      if (chance.percent(50))
        time.later(chance.between(2_000_000, 60_000_000), () => this.deliver(parcel, answerFor(failing)))
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
    if (world.fault(1)) this.send(() => this.events.error('outside its work'))
    const threw = failing ?? (world.fault(2) ? chance.pick(batch.jobs) : undefined)
    const answer: Omit<BatchAnswer, 'number'> = world.fault(1) ? { broken: 'its work broke down' } : answerFor(threw)
    if ('broken' in answer || threw !== failing) world.wronged?.()
    this.send(() => this.deliver(parcel, answer))
    if (world.fault(4)) time.later(chance.below(200_000), () => this.deliver(parcel, answer))
  }

  private reply(
    { jobs, services, switchCosts: changing }: BatchOrder,
    began: Micros,
    slow: Micros,
  ): { readonly reply: Reply } {
    let at = began + changing[0]
    const first = at
    const ended = jobs.map((_, k) => {
      at += services[k] + (k > 0 ? changing[k] : slow)
      return at
    })
    return { reply: { began: first, ended, threw: null, payloads: null } }
  }

  /** Delivers the answer as a copy, because its reader may change it. */
  private deliver(parcel: Parcel, answer: Omit<BatchAnswer, 'number'>): void {
    const threw = 'broken' in answer || ('reply' in answer && (answer as { reply: Reply }).reply.threw !== null)
    if (!this.ended && parcel.answered === 'not') {
      parcel.answered = threw ? 'threw' : 'served'
      this.received = this.world.time.passed
    }
    const copy =
      'reply' in answer
        ? { reply: { ...(answer as { reply: Reply }).reply, ended: [...(answer as { reply: Reply }).reply.ended] } }
        : answer
    this.port.onmessage?.({ data: { number: parcel.number, ...copy } } as MessageEvent<BatchAnswer>)
  }

  private crash(): void {
    if (this.ended) return
    this.defect = 'has crashed'
    if (this.hearEnd !== null) this.world.time.later(this.world.delay(), this.hearEnd)
  }

  private unreadable(): void {
    this.defect = 'sends what cannot be read'
    this.send(() => this.events.lost('sent an unreadable message'))
  }

  private answer<T>(after: Micros, value: () => T): PromiseLike<T> {
    return new Promise((resolve) => {
      this.world.time.later(this.world.delay() + after, () => {
        if (this.ended || this.defect !== null) return
        const result = value()
        this.send(() => resolve(result))
      })
    })
  }

  /** Messages of a thread arrive later, and not always in the order in which they were sent. */
  private send(call: () => void): void {
    this.world.time.later(this.world.delay(), call)
  }
}
