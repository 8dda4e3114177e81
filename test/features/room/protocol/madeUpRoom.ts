import type { BatchAnswer, BatchOrder, BatchPort, Reply } from '../../../../src/engine/conductor/batchPort.ts'
import type { WorkerThread } from '../../../../src/engine/conductor/environment.ts'
import { kernelOf, type Payload } from '../../../../src/engine/work/kernels.ts'
import { type Lender, type LenderState, lend } from '../../../../src/features/room/protocol/lender.ts'
import { createRoomEngine } from '../../../../src/features/room/protocol/roomEngine.ts'
import type { Micros, Scenario } from '../../../../src/scenario/model/scenario.ts'
import { listen, type RunRecording } from '../../../engine/threads/runRecording.ts'
import { type Chance, createChance } from '../../../fixtures/chance.ts'
import { MemoryBroker, type MemoryCarrier } from '../../../fixtures/memoryBroker.ts'
import { MadeUpThread, type ThreadWorld } from '../../../seeds/madeUpThread.ts'
import { MadeUpTime } from '../../../seeds/madeUpTime.ts'

export interface MadeUpDevice {
  readonly carrier: MemoryCarrier
  readonly lender: Lender
  readonly states: LenderState[]
  readonly threads: MadeUpThread[]
  /** Frozen, it receives nothing, sends nothing and does nothing. */
  freeze(): void
  /** It continues, with threads that have lost their jobs. */
  thaw(): void
}

/** How a device joins, if different from the default. */
export interface Coming {
  readonly name?: string
  /** What is wrong with its threads from the start: see `MadeUpThread.defect`. */
  readonly defect?: string
  /** Changes the messages that it sends. */
  readonly altered?: (topic: string, bytes: Uint8Array) => Uint8Array
  /** Its threads do the real work, in made-up time. What they answer is this. */
  readonly answer?: (order: BatchOrder, reply: Reply) => { readonly reply: Reply } | { readonly broken: string }
}

export interface MadeUpRun extends RunRecording {
  /** When time 0 of the run was, in time that has passed; Infinity before. */
  startedAt(): Micros
  over(): boolean
  stop(): void
}

/** An event in a run: how long after its time 0, and what happens. */
export type Due = readonly (readonly [Micros, () => void])[]

/** A room whose broker, clock and threads are made up: the devices run the real lender, and the host the real engine. */
export class MadeUpRoom implements ThreadWorld {
  readonly chance: Chance
  readonly time: MadeUpTime
  readonly broker: MemoryBroker
  readonly devices = new Map<string, MadeUpDevice>()
  event = 0
  /** How long a message is on its way to the broker, and from it. */
  way: Micros = 300
  /** The same for each message; none: it is lost; several: it comes more than once. */
  ways: () => readonly Micros[] = () => [this.way]
  /** The connection of the last conductor. */
  host: MemoryCarrier | null = null
  private problem: unknown = null
  private works = false
  /** How many orders are being worked on. */
  working = 0

  constructor(seed = 1) {
    this.chance = createChance(seed)
    this.time = new MadeUpTime(this.chance)
    this.broker = new MemoryBroker({ later: (micros, call) => this.time.later(micros, call), ways: () => this.ways() })
  }

  fault(): boolean {
    return false
  }

  delay(): Micros {
    return 20
  }

  join(
    device: string,
    threads = 1,
    { name = device, defect, answer, altered = (_, bytes) => bytes }: Coming = {},
  ): MadeUpDevice {
    const carrier = this.broker.connect(device)
    const states: LenderState[] = []
    const made: MadeUpThread[] = []
    let frozen = false
    this.works ||= answer !== undefined
    const lender = lend(
      {
        publish: (topic, bytes, retain) => frozen || carrier.publish(topic, altered(topic, bytes), retain),
        subscribe: (filter, onMessage) =>
          carrier.subscribe(filter, (topic, bytes) => frozen || onMessage(topic, bytes)),
        onState: (call) => carrier.onState(call),
        end: () => carrier.end(),
      },
      {
        room: 'R',
        device,
        name,
        build: 'test',
        threads,
        lacks: [],
        start: (worker, events) => {
          if (answer !== undefined) return workingThread(this, answer)
          const thread = new MadeUpThread(worker, this, events)
          if (defect !== undefined) thread.defect = defect
          made.push(thread)
          return thread
        },
        every: this.time.every,
        now: this.time.now,
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
        for (const thread of made) thread.defect = 'is frozen'
      },
      thaw() {
        frozen = false
      },
    }
    this.devices.set(device, joined)
    return joined
  }

  device(name: string): MadeUpDevice {
    return this.devices.get(name) as MadeUpDevice
  }

  /** The process of a device is killed: the broker notices at once, and publishes its will. */
  kill(device: string): void {
    const { carrier, threads } = this.device(device)
    carrier.cut()
    this.broker.notice(carrier)
    for (const thread of threads) thread.defect = 'is dead'
    this.devices.delete(device)
  }

  /** Starts a run of a new conductor, and calls what is due in it. */
  begin(scenario: Scenario, due: Due = []): MadeUpRun {
    const recording = listen(scenario, 'room')
    let startedAt = Infinity
    let over = false
    const engine = createRoomEngine(
      { broker: '', room: 'R', role: 'host', token: '' },
      async (_, id) => {
        this.host = this.broker.connect(id)
        return this.host
      },
      { now: this.time.now, after: this.time.after, every: this.time.every, cores: 2, start: () => unused() },
    )
    const listener: typeof recording.listener = {
      ...recording.listener,
      journal: (journal) => {
        // The first message sets time 0 to now.
        if (startedAt === Infinity) for (const [at, call] of due) this.time.later(at, call)
        startedAt = Math.min(startedAt, this.time.passed)
        recording.listener.journal(journal)
      },
    }
    engine
      .start(scenario, listener)
      .catch((error) => {
        this.problem = error
      })
      .finally(() => {
        over = true
      })
    return Object.assign(recording, {
      startedAt: () => startedAt,
      stop: () => engine.stop(),
      over: () => over,
    })
  }

  /** Lets time pass until something holds. Throws if that takes too long. */
  async until(holds: () => boolean, most: Micros = 600_000_000): Promise<void> {
    const from = this.time.passed
    await this.settled()
    while (!holds()) {
      if (this.time.passed - from > most || !this.time.step()) {
        if (this.works && (await inRealTime(holds))) return
        throw new Error(`waited in vain for ${this.time.passed - from} us`)
      }
      this.event++
      await this.settled()
      if (this.problem !== null) throw this.problem
    }
  }

  /** Real work waits for the machine too. */
  private async settled(): Promise<void> {
    for (let i = 0; i < 24; i++) await null
    if (!this.works) return
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.working > 0)
  }

  async play(scenario: Scenario, due: Due = [], most?: Micros): Promise<MadeUpRun> {
    const run = this.begin(scenario, due)
    await this.until(run.over, most)
    return run
  }

  async pass(micros: Micros): Promise<void> {
    const until = this.time.passed + micros
    this.time.later(micros, () => {})
    await this.until(() => this.time.passed >= until)
  }
}

/** A thread that works with the kernels, each job as long as the order says. A lie comes at once. */
function workingThread(room: MadeUpRoom, answer: NonNullable<Coming['answer']>): WorkerThread {
  const { time } = room
  const soon = <T>(value: () => T) => new Promise<T>((resolve) => time.later(20, () => resolve(value())))
  let over = false
  let freeAt: Micros = 0
  const port: BatchPort = {
    onmessage: null,
    async postMessage({ number, batch }) {
      const began = Math.max(freeAt, time.passed + 20)
      const kernel = kernelOf(batch.work)
      let at = time.now() + began - time.passed
      const ended = batch.jobs.map((_, k) => (at += batch.services[k] + batch.switchCosts[k]))
      const failing = batch.jobs.find((job) => batch.failing.includes(job))
      const payloads: Payload[] = []
      room.working++
      if (kernel !== null && failing === undefined)
        for (const payload of batch.payloads ?? []) payloads.push(await kernel(payload))
      room.working--
      const honest: Reply =
        failing === undefined
          ? { began: ended[0] - batch.services[0], ended, threw: null, payloads: kernel === null ? null : payloads }
          : { began: ended[0], ended: [], threw: { job: failing, reason: 'as declared' }, payloads: null }
      const told = answer(batch, honest)
      const lies = 'broken' in told || told.reply !== honest
      freeAt = lies ? began : at - time.now() + time.passed
      time.later(
        freeAt - time.passed,
        () => over || port.onmessage?.({ data: { number, ...told } } as MessageEvent<BatchAnswer>),
      )
    },
  }
  return {
    hello: () => soon(() => false),
    clock: () => soon(time.now),
    hangAt: () => soon(() => {}),
    port,
    onEnd() {},
    end() {
      over = true
    },
  }
}

/** What the host itself works on at the end of a run takes real time, and made-up time may be over before. Returns whether it holds within ten seconds. */
async function inRealTime(holds: () => boolean): Promise<boolean> {
  for (let k = 0; k < 1000 && !holds(); k++) await new Promise((resolve) => setTimeout(resolve, 10))
  return holds()
}

function unused(): never {
  throw new Error('the room starts the threads')
}
