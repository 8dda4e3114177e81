import { type Lender, type LoanState, lend } from '../../../src/engine/room/lender.ts'
import { createRoomEngine } from '../../../src/engine/room/roomEngine.ts'
import { deviceTopic } from '../../../src/engine/room/topics.ts'
import type { Micros, Scenario } from '../../../src/scenario/model/scenario.ts'
import { type Chance, createChance } from '../../fixtures/chance.ts'
import { MemoryBroker, type MemoryCarrier } from '../../fixtures/memoryBroker.ts'
import { MadeUpThread, type ThreadWorld } from '../../seeds/madeUpThread.ts'
import { MadeUpTime } from '../../seeds/madeUpTime.ts'
import { type Heard, listen } from '../threads/heard.ts'

/** One device of a made-up room. */
export interface MadeUpDevice {
  readonly carrier: MemoryCarrier
  readonly lender: Lender
  readonly states: LoanState[]
  readonly threads: MadeUpThread[]
  /** Frozen, it hears nothing and does nothing. */
  freeze(): void
}

/** A room whose broker, clock and threads are made up: the devices run the real lender, and the host the real engine. */
export class MadeUpRoom implements ThreadWorld {
  readonly chance: Chance = createChance(1)
  readonly time = new MadeUpTime(this.chance)
  readonly broker: MemoryBroker
  readonly devices = new Map<string, MadeUpDevice>()
  event = 0
  /** How long a message is on its way to the broker, and from it. */
  way: Micros = 300
  host: MemoryCarrier | null = null

  constructor() {
    this.broker = new MemoryBroker({ later: (micros, call) => this.time.later(micros, call), ways: () => [this.way] })
  }

  fault(): boolean {
    return false
  }

  delay(): Micros {
    return 20
  }

  /** A device comes. */
  join(device: string, threads = 1): MadeUpDevice {
    const carrier = this.broker.connect({ clientId: device, willTopic: deviceTopic('R', device, 'is') })
    const states: LoanState[] = []
    const made: MadeUpThread[] = []
    let frozen = false
    const lender = lend(
      {
        publish: (topic, bytes, retain) => frozen || carrier.publish(topic, bytes, retain),
        subscribe: (filter, heard) => carrier.subscribe(filter, (topic, bytes) => frozen || heard(topic, bytes)),
        onState: (call) => carrier.onState(call),
        end: () => carrier.end(),
      },
      {
        room: 'R',
        device,
        name: device,
        build: 'test',
        threads,
        lacks: [],
        start: (worker, events) => {
          const thread = new MadeUpThread(worker, this, events)
          made.push(thread)
          return thread
        },
        every: this.time.every,
      },
      (state) => states.push(state),
    )
    const joined: MadeUpDevice = {
      carrier,
      lender,
      states,
      threads: made,
      freeze() {
        frozen = true
        for (const thread of made) thread.ill = 'is frozen'
      },
    }
    this.devices.set(device, joined)
    return joined
  }

  /** The process of a device is killed: the broker notices at once, and publishes its will. */
  kill(device: string): void {
    const { carrier, threads } = this.devices.get(device) as MadeUpDevice
    carrier.cut()
    this.broker.notice(carrier)
    for (const thread of threads) thread.ill = 'is dead'
    this.devices.delete(device)
  }

  /** Plays a run, and calls what is due at these times after its start. */
  async play(scenario: Scenario, due: readonly (readonly [Micros, () => void])[] = [], most: Micros = 600_000_000): Promise<Heard & { stop(): void }> {
    const heard = listen(scenario, 'room')
    const engine = createRoomEngine(
      { broker: '', room: 'R', role: 'host', token: '' },
      async (_, options) => {
        this.host = this.broker.connect(options)
        return this.host
      },
      { now: this.time.now, after: this.time.after, every: this.time.every, cores: 2, start: () => unused() },
    )
    let over = false
    let problem: unknown = null
    engine
      .start(scenario, heard.listener)
      .catch((error) => {
        problem = error
      })
      .finally(() => {
        over = true
      })
    const begun = this.time.passed
    for (const [at, call] of due) this.time.later(at, call)
    while (!over) {
      await settled()
      if (over) break
      if (this.time.passed - begun > most || !this.time.step()) throw new Error(`the run has not ended after ${this.time.passed - begun} us`)
      this.event++
    }
    if (problem !== null) throw problem
    return { ...heard, stop: () => engine.stop() }
  }

  /** Lets this time pass. */
  async pass(micros: Micros): Promise<void> {
    let over = false
    this.time.later(micros, () => {
      over = true
    })
    while (!over && this.time.step()) await settled()
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 24; i++) await null
}

function unused(): never {
  throw new Error('the room starts the threads')
}
