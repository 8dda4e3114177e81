import type { StartThread, Timer } from '../../src/engine/conductor/environment.ts'
import type { Carrier } from '../../src/features/room/protocol/carrier.ts'
import { packFrame, unpackFrame } from '../../src/features/room/protocol/frame.ts'
import { type Lender, type LenderState, lend } from '../../src/features/room/protocol/lender.ts'
import { readDown } from '../../src/features/room/protocol/readMessages.ts'
import type { Micros } from '../../src/scenario/model/scenario.ts'
import type { Chance } from '../fixtures/chance.ts'
import type { MemoryBroker, MemoryCarrier } from '../fixtures/memoryBroker.ts'
import { MadeUpThread, type ThreadWorld } from './madeUpThread.ts'
import type { MadeUpTime } from './madeUpTime.ts'

/** The room that all games use. */
export const ROOM = 'R'

/** The simulated world of the devices. */
export interface DeviceWorld extends ThreadWorld {
  readonly time: MadeUpTime
  readonly broker: MemoryBroker
  /** Called when a device starts the thread of a seat. */
  threadStarted(conductor: string, seat: number, thread: MadeUpThread): void
}

/** Returns the messages that a lying device sends instead of its own; an empty list sends nothing. */
export type Lie = (topic: string, bytes: Uint8Array) => readonly Uint8Array[]

/**
 * A device that lends simulated threads through the real lender. It may disconnect, die, freeze and thaw, leave, and lie. Its faults
 * are counted, because a device without faults must never be given up.
 */
export class MadeUpDevice implements ThreadWorld {
  readonly id: string
  readonly lent: number
  readonly carrier: MemoryCarrier
  readonly lender: Lender
  /** The clock of its threads: calls that are due while the device is frozen run when it thaws. */
  readonly time: ThreadWorld['time']
  readonly threads: MadeUpThread[] = []
  state: LenderState | null = null
  /** Number of faults, and of its messages that were lost or very late. */
  hits = 0
  losses = 0
  /** From this time on it has recovered from all faults. */
  healthyFrom: Micros
  lie: Lie | null = null
  isDead = false
  hasLeft = false
  private readonly world: DeviceWorld
  /** Calls that wait while it is frozen; null if it is not frozen. */
  private waiting: (() => void)[] | null = null
  /** The message that it is handling. */
  private reading: Uint8Array = new Uint8Array(0)

  constructor(id: string, threads: number, world: DeviceWorld) {
    this.id = id
    this.lent = threads
    this.world = world
    const { time } = world
    this.healthyFrom = time.passed
    this.time = {
      now: time.now,
      later: (micros, call) => time.later(micros, () => this.act(call)),
      get passed() {
        return time.passed
      },
    }
    this.carrier = world.broker.connect(id)
    this.lender = lend(
      this.wired(),
      { room: ROOM, device: id, name: id, build: 'made up', threads, lacks: [], start: this.start, every: this.every },
      (state) => {
        this.state = state
      },
    )
  }

  get chance() {
    return this.world.chance
  }

  get event() {
    return this.world.event
  }

  fault(percent: number): boolean {
    return this.world.fault(percent)
  }

  delay(): Micros {
    return this.world.delay()
  }

  /** Whether it is connected and behaves correctly. */
  get isThere(): boolean {
    return !this.isDead && !this.hasLeft && this.waiting === null && this.carrier.isUp && this.lie === null
  }

  get isFrozen(): boolean {
    return this.waiting !== null
  }

  /** Counts a fault from which it recovers within this time. */
  hit(over: Micros = 15_000_000): void {
    this.hits++
    this.healthyFrom = Math.max(this.healthyFrom, this.time.passed + over)
  }

  wronged(): void {
    this.hit()
  }

  freeze(): void {
    this.hit()
    this.waiting ??= []
  }

  thaw(): void {
    const all = this.waiting
    if (all === null) return
    this.hit()
    this.waiting = null
    for (const call of all) call()
  }

  /** Reconnects it, if it lives. */
  comeBack(): void {
    if (!this.isDead) this.carrier.comeBack()
  }

  /** Ends its process. The broker publishes its last will when it notices. */
  die(): void {
    this.hit()
    this.isDead = true
    this.carrier.cut()
    for (const thread of this.threads) thread.defect ??= 'is dead'
  }

  leave(): void {
    this.hit()
    this.hasLeft = true
    this.lender.leave()
  }

  /** The carrier that the lender sees. */
  private wired(): Carrier {
    const { carrier } = this
    return {
      publish: (topic, bytes, retain) => {
        for (const each of this.lie?.(topic, bytes) ?? [bytes]) carrier.publish(topic, each, retain)
      },
      subscribe: (filter, onMessage) =>
        carrier.subscribe(filter, (topic, bytes) =>
          this.act(() => {
            this.reading = bytes
            onMessage(topic, bytes)
          }),
        ),
      onState: (call) => carrier.onState((up) => this.act(() => call(up))),
      end: () => carrier.end(),
    }
  }

  private act(call: () => void): void {
    if (this.isDead) return
    if (this.waiting === null) call()
    else this.waiting.push(call)
  }

  private start: StartThread = (worker, news) => {
    if (this.world.fault(2)) {
      this.hit()
      throw new Error('cannot be started')
    }
    const message = readDown(this.reading)
    if (message === null) throw new Error('a thread is started and no message asks for one')
    const thread = new MadeUpThread(worker, this, news)
    this.threads.push(thread)
    this.world.threadStarted(message.conductor, message.seat, thread)
    return thread
  }

  private every: Timer = (milliseconds, call) =>
    this.world.time.every(milliseconds, () => this.waiting === null && !this.isDead && call())
}

type Head = Record<string, unknown>

const nonsense: readonly unknown[] = [
  null,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '__proto__',
  [],
  {},
  true,
  [[]],
  Number.MAX_SAFE_INTEGER,
]

/** Returns bytes that are no valid frame. */
export function noise(chance: Chance): Uint8Array {
  return Uint8Array.from({ length: chance.pick([0, 1, 3, 4, 5, 60]) }, () => chance.below(256))
}

/** Returns a message that is damaged in one place, so that it cannot be valid. */
export function damaged(bytes: Uint8Array, chance: Chance): Uint8Array {
  const frame = unpackFrame(bytes)
  if (frame === null) return bytes
  const head = { ...(frame.head as Head) }
  switch (chance.below(4)) {
    case 0:
      return bytes.slice(0, chance.below(bytes.length))
    case 1:
      return packFrame([head], frame.columns)
    case 2:
      return packFrame(
        { ...head, kind: chance.pick(['nothing', 'toString', 7]), life: chance.pick(nonsense), connection: -1 },
        frame.columns,
      )
    default: {
      // A different number in another field could still be a valid message.
      const key = chance.pick(
        Object.keys(head).filter((name) => name !== 'number' && name !== 'seat' && name !== 'kind' && name !== 'trip'),
      )
      return packFrame({ ...head, [key]: chance.pick(nonsense) }, frame.columns)
    }
  }
}

/** Returns how a device lies from now on. Every lie can be detected. */
export function drawLie(chance: Chance): Lie {
  const own = (bytes: Uint8Array): Head | null => unpackFrame(bytes)?.head as Head | null
  return chance.pick<Lie>([
    () => [noise(chance)],
    () => [],
    (_, bytes) => [damaged(bytes, chance)],
    (_, bytes) => (chance.percent(20) ? [damaged(bytes, chance)] : [bytes]),
    // Answers to questions that were never asked.
    (topic, bytes) => {
      const head = own(bytes)
      if (!topic.endsWith('/up') || head === null) return [bytes]
      const { conductor } = head
      const seat = chance.pick([0, 1, 2, 1000])
      const made = chance.pick([
        { kind: 'clock', conductor, seat: 1000, trip: chance.below(9), reading: 5 },
        { kind: 'hang', conductor, seat },
        { kind: 'error', conductor, seat, words: '\u202eevil\n'.repeat(500) },
        { kind: 'broken', conductor, seat: 1000, number: 0, words: '' },
      ])
      return [packFrame(made, []), bytes]
    },
    // Answers for fewer jobs.
    (_, bytes) => {
      const frame = unpackFrame(bytes)
      const [ended] = frame?.columns ?? []
      return frame !== null && ended instanceof Float64Array && ended.length > 1
        ? [packFrame(frame.head, [ended.slice(0, -1)])]
        : [bytes]
    },
    // Impossible times, and answers that are too long or reversed.
    (_, bytes) => {
      const frame = unpackFrame(bytes)
      const [ended] = frame?.columns ?? []
      if (frame === null || !(ended instanceof Float64Array) || ended.length === 0) return [bytes]
      const made = chance.pick([
        Float64Array.from([...ended, ended[ended.length - 1] + 1]),
        ended.slice(1),
        ended.map((time) => time - 1e15),
        ended.map((time, k) => (k === 0 ? time : Number.NaN)),
        Float64Array.from([...ended, ended[0]]),
      ])
      return [packFrame(frame.head, [made])]
    },
  ])
}
