import type { FromThread, ToThread } from '../../src/features/runner/protocol.ts'
import { type StageFunctions, serveOn } from '../../src/features/runner/serve.ts'
import type { WorkerLike } from '../../src/features/runner/threads.ts'
import type { Micros } from '../../src/scenario/model/scenario.ts'
import type { MadeUpTime } from './madeUpTime.ts'

/** What happens to a thread while a function of it runs. */
export type Blow = 'dies' | 'hangs'

export interface WorkerWorld {
  readonly time: MadeUpTime
  delay(): Micros
  /** A thread ended by itself, or was given up, while these were the jobs of its first batch that was not answered. */
  lost(stage: number, jobs: readonly number[]): void
}

/** A Worker that is made up around the real `serve`: what it sends and gets comes later, in order; it dies or hangs when a function says so. */
export class MadeUpWorker implements WorkerLike {
  ended = false
  hung = false
  private dead = false
  private readonly world: WorkerWorld
  private readonly heard = new Map<string, (value: unknown) => void>()
  private listener: ((data: unknown) => void) | null = null
  private toThread: Micros = 0
  private fromThread: Micros = 0
  private readonly away: { readonly number: number; readonly stage: number; readonly jobs: readonly number[] }[] = []

  constructor(world: WorkerWorld, functionsOf: (strike: (blow: Blow) => void) => StageFunctions) {
    this.world = world
    const functions = functionsOf((blow) => (blow === 'dies' ? this.die() : this.hang()))
    serveOn({ post: (message) => this.post(message), listen: (listener) => (this.listener = listener) }, functions, () => world.time.now())
  }

  on(event: string, call: (value: unknown) => void): void {
    this.heard.set(event, call)
  }

  postMessage(message: ToThread): void {
    if (this.ended) throw new Error('a thread that was ended gets a message')
    if (message.apportion === 'batch') this.away.push({ number: message.number, stage: message.stage, jobs: [...message.jobs] })
    // It is told to end, and ended a little later: by then it counts as lost.
    if (message.apportion === 'end' && this.hung) this.tellLost()
    const copy = copied(message)
    this.toThread = Math.max(this.toThread, this.world.time.passed + this.world.delay())
    this.world.time.later(this.toThread - this.world.time.passed, () => {
      if (!this.ended && !this.dead && !this.hung) this.listener?.(copy)
    })
  }

  terminate(): void {
    this.ended = true
  }

  /** Ends by itself, after what it has sent. The first blow counts: what hangs does not get as far as to die. */
  die(): void {
    if (this.dead || this.hung || this.ended) return
    this.dead = true
    this.fromThread = Math.max(this.fromThread, this.world.time.passed + this.world.delay())
    this.world.time.later(this.fromThread - this.world.time.passed, () => {
      if (this.ended) return
      this.tellLost()
      this.ended = true
      this.heard.get('exit')?.(1)
    })
  }

  private hang(): void {
    if (!this.dead) this.hung = true
  }

  private tellLost(): void {
    if (this.away.length > 0) this.world.lost(this.away[0].stage, this.away[0].jobs)
  }

  private post(message: FromThread): void {
    if (this.dead || this.hung || this.ended) return
    const copy = copied(message)
    this.fromThread = Math.max(this.fromThread, this.world.time.passed + this.world.delay())
    this.world.time.later(this.fromThread - this.world.time.passed, () => {
      if (this.ended) return
      if (copy.apportion === 'done')
        this.away.splice(
          this.away.findIndex(({ number }) => number === copy.number),
          1,
        )
      this.heard.get('message')?.(copy)
    })
  }
}

/** Returns a copy of a message. What holds only numbers is copied by hand, since structuredClone takes as long as the rest of the game. */
function copied<M extends ToThread | FromThread>(message: M): M {
  if (!('values' in message) || message.values === null) return { ...message }
  const values = message.values.slice()
  if (!values.every((value) => typeof value === 'number') || ('thrown' in message && message.thrown.length > 0)) return structuredClone(message)
  return 'jobs' in message ? { ...message, values, jobs: message.jobs.slice() } : { ...message, values, ended: message.ended.slice() }
}
