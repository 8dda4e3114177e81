import type { FromThread, ThreadReply, ToThread } from '../../src/features/runner/protocol.ts'
import { type StageFunctions, serveOn } from '../../src/features/runner/serve.ts'
import type { WorkerLike } from '../../src/features/runner/workerThread.ts'
import type { Micros } from '../../src/scenario/model/scenario.ts'
import type { MadeUpTime } from './madeUpTime.ts'

/** What happens to a thread while a function of it runs. */
export type Blow = 'dies' | 'hangs'

export interface WorkerWorld {
  readonly time: MadeUpTime
  /** Whether a message may come in one event with the next ones. */
  readonly together: boolean
  delay(): Micros
  /** A thread ended by itself, or was given up, while these were the jobs of its first batch that was not answered. */
  lost(stage: number, jobs: readonly number[]): void
}

/** A batch that is not answered. The thread may have answered for earlier stages, and may go on by itself. */
interface Away {
  readonly number: number
  readonly stage: number
  readonly jobs: readonly number[]
  through: readonly number[]
  readonly replies: number
  /** When it was sent, or the thread went on with it. */
  readonly at: Micros
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
  private away: Away[] = []
  private readonly sent: FromThread[] = []

  constructor(world: WorkerWorld, functionsOf: (strike: (blow: Blow) => void) => StageFunctions) {
    this.world = world
    const functions = functionsOf((blow) => (blow === 'dies' ? this.die() : this.hang()))
    // Once it is struck, nothing of it runs any more.
    const whileAlive = Object.entries(functions).map(([id, call]) => [
      id,
      (...given: Parameters<typeof call>) => (this.dead || this.hung ? 0 : call(...given)),
    ])
    const port = {
      post: (message: FromThread) => this.post(message),
      listen: (listener: (data: unknown) => void) => (this.listener = listener),
    }
    serveOn(port, Object.fromEntries(whileAlive), () => world.time.now())
  }

  on(event: string, call: (value: unknown) => void): void {
    this.heard.set(event, call)
  }

  postMessage(message: ToThread): void {
    if (this.ended) throw new Error('a thread that was ended gets a message')
    if (message.apportion === 'batch') this.send(message)
    // It is told to end, and ended a little later: by then it counts as lost.
    if (message.apportion === 'end' && this.hung) this.tellLost()
    const copy = copied(message)
    this.toThread = Math.max(this.toThread, this.world.time.passed + this.world.delay())
    this.world.time.later(this.toThread - this.world.time.passed, () => {
      if (!this.ended && !this.dead && !this.hung) this.listener?.(copy)
    })
  }

  private send({ number, stage, jobs, through }: Extract<ToThread, { apportion: 'batch' }>): void {
    // An order that is sent ends what the thread goes on with. Orders that were not sent, since the thread goes on by itself, have numbers too.
    const last = this.away.at(-1)
    if (last !== undefined && last.replies > 0 && number - last.number - 1 < last.replies) this.away.pop()
    else if (last !== undefined) last.through = []
    this.away.push({ number, stage, jobs: [...jobs], through, replies: 0, at: this.world.time.passed })
  }

  private answered({ number, thrown }: ThreadReply): void {
    const at = this.away.findIndex((one) => one.number === number)
    if (at < 0) return
    const one = this.away[at]
    const [stage, ...through] = one.through
    const jobs = one.jobs.filter((job) => !thrown.some((each) => each.job === job))
    if (stage === undefined || jobs.length === 0) this.away.splice(at, 1)
    else this.away[at] = { number, stage, jobs, through, replies: one.replies + 1, at: this.world.time.passed }
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
    // What was sent in this very instant may not have reached it.
    if (this.away.length > 0 && this.away[0].at < this.world.time.passed)
      this.world.lost(this.away[0].stage, this.away[0].jobs)
  }

  private post(message: FromThread): void {
    if (this.dead || this.hung || this.ended) return
    this.sent.push(copied(message))
    this.fromThread = Math.max(this.fromThread, this.world.time.passed + this.world.delay())
    this.world.time.later(this.fromThread - this.world.time.passed, () => {
      for (const copy of this.sent.splice(0, this.world.together ? Infinity : 1)) {
        if (this.ended) return
        if (copy.apportion === 'done') this.answered(copy)
        this.heard.get('message')?.(copy)
      }
    })
  }
}

/** Returns a copy of a message. What holds only numbers is copied by hand, since structuredClone takes as long as the rest of the game. */
function copied<M extends ToThread | FromThread>(message: M): M {
  if (!('values' in message) || message.values === null) return { ...message }
  const values = message.values.slice()
  if (!values.every((value) => typeof value === 'number') || ('thrown' in message && message.thrown.length > 0))
    return structuredClone(message)
  return 'jobs' in message
    ? { ...message, values, jobs: message.jobs.slice() }
    : { ...message, values, ended: message.ended.slice() }
}
