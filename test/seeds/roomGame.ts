import type { ConductedRun } from '../../src/engine/conductor/conductedRun.ts'
import type { ConductorOptions } from '../../src/engine/conductor/conductor.ts'
import type { Environment } from '../../src/engine/conductor/environment.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { type Carrier, deviceTopic } from '../../src/features/room/protocol/carrier.ts'
import { conductorName, packDown } from '../../src/features/room/protocol/messages.ts'
import { createRoomEngine } from '../../src/features/room/protocol/roomEngine.ts'
import type { Micros, Scenario } from '../../src/scenario/model/scenario.ts'
import type { Chance } from '../fixtures/chance.ts'
import { MemoryBroker, type MemoryCarrier } from '../fixtures/memoryBroker.ts'
import { claim } from './claim.ts'
import { ConductedGame, playConducted, startsNothing } from './conductedGame.ts'
import { aReplyCountsOnce } from './invariants.ts'
import { type DeviceWorld, drawLie, MadeUpDevice, noise, ROOM } from './madeUpDevice.ts'
import type { MadeUpThread } from './madeUpThread.ts'
import type { Plan } from './plans.ts'
import type { Referee } from './referee.ts'
import { RoomSeats } from './roomSeats.ts'
import type { Game } from './world.ts'

/**
 * Plays one game in a room: the real engine and the real lenders, with a broker between them that loses, doubles, delays and reorders messages, and
 * restarts. Connections break and recover; devices join late, leave, die, freeze, restart and lie; a second conductor interferes. Throws
 * at the first broken rule.
 */
export function playRoom(plan: Plan, watch?: (game: Game) => void): Promise<Game> {
  return playConducted(RoomGame, plan, watch)
}

/** A device ends the threads of a conductor that was silent for a minute. */
const FORGOTTEN: Micros = 75_000_000

class RoomGame extends ConductedGame implements DeviceWorld {
  readonly broker: MemoryBroker
  private readonly devices: MadeUpDevice[] = []
  private readonly seats = new RoomSeats()
  private readonly stranger: MemoryCarrier
  private host: MemoryCarrier | null = null
  /** How likely a fault between two events is, and a lost, doubled or late message, in percent. */
  private readonly faultPercent: number
  private readonly lossPercent: number
  /** Whether messages to the broker arrive at once. */
  private readonly isNear: boolean

  constructor(plan: Plan, scenario: Scenario, chance: Chance, referee: Referee) {
    super(plan, scenario, chance, referee)
    this.faultPercent = chance.pick([0, 1, 3])
    this.lossPercent = chance.pick([0, 1, 5])
    this.isNear = chance.percent(75)
    this.broker = new MemoryBroker({
      later: (micros, call) => void this.time.later(micros, call),
      ways: (topic, toBroker) => this.ways(topic, toBroker),
    })
    this.stranger = this.broker.connect('hostile')
    // Few workers, because each start takes a dozen messages.
    for (let k = chance.pick([1, 2, 2, 3, 4]); k > 0; k--) this.expect(chance.percent(80) ? 0 : chance.below(2_000_000))
  }

  threadStarted(conductor: string, seat: number, thread: MadeUpThread): void {
    this.guard(() => this.seats.threadStarted(conductor, seat, thread))
  }

  protected engine(environment: Omit<Environment, 'start'>, options: ConductorOptions): Engine {
    const openCarrier = async (_: unknown, asked: string): Promise<Carrier> => {
      const carrier = this.broker.connect(asked)
      this.host = carrier
      return {
        publish: (topic, bytes, retain) => {
          this.guard(() => this.seats.onMessage(topic, bytes, this.devices, this.event))
          carrier.publish(topic, bytes, retain)
        },
        subscribe: (filter, received) => carrier.subscribe(filter, received),
        onState: (call) => carrier.onState(call),
        end: () => carrier.end(),
      }
    }
    const address = { broker: '', room: ROOM, role: 'host', token: '' } as const
    return createRoomEngine(address, openCarrier, { ...environment, start: startsNothing }, options)
  }

  protected inspect(run: ConductedRun, from: number, orders: number): void {
    this.seats.noHealthyWorkerIsGivenUp(run, from, orders)
    aReplyCountsOnce({ threads: this.seats.threads, time: this.time, event: this.event, longest: 0 }, run, from, orders)
    this.referee.check(run.core, run.journal, from, orders)
    claim(
      run.core.state.granted.length === 0,
      () => 'a worker got the resource that it waited for, and was not notified',
    )
    this.seats.workersHaveWhatTheyWereGiven(run)
  }

  protected causeFaults(): void {
    if (this.faultPercent === 0 || !this.fault(this.faultPercent)) return
    const there = this.devices.filter(({ isDead, hasLeft }) => !isDead && !hasLeft)
    const device = there.length === 0 ? null : this.chance.pick(there)
    switch (this.chance.below(12)) {
      case 0:
        this.expect(0)
        return
      case 1:
        this.cutHost()
        return
      case 2:
        this.restart()
        return
      default:
        if (device !== null) this.strikeDevice(device)
    }
  }

  protected async afterwards(): Promise<void> {
    const { run, devices } = this
    if (run !== null) this.seats.noWorkerIsForgotten(run, this.ending, devices)
    for (const device of devices) {
      device.lie = null
      device.thaw()
      device.comeBack()
    }
    await this.runEvents(100_000, 100_000)
    // A device may miss the end of the run, or receive it before the start.
    if (devices.some(({ isDead, threads }) => !isDead && threads.some(({ ended }) => !ended)))
      await this.runEvents(100_000, FORGOTTEN)
    for (const { id, isDead, threads, state, time: mine } of devices) {
      const left = threads.filter(({ ended }) => !ended)
      claim(
        isDead || left.length === 0,
        () => `${left.length} threads of device ${id} are left running at ${mine.passed}`,
      )
      claim(
        isDead || state === null || state.workers.length === 0,
        () => `device ${id} believes to be worker ${state?.workers}`,
      )
    }
  }

  /** Adds a device after a time; with an `id`, a restarted device. */
  private expect(after: Micros, id?: string): void {
    const { chance, devices } = this
    const begin = () => {
      const device = new MadeUpDevice(id ?? `d${devices.length}`, chance.pick([1, 1, 1, 2, 2, 4]), this)
      // The last will of its earlier connection may still arrive.
      if (id !== undefined) device.hit()
      devices.push(device)
    }
    if (after === 0) begin()
    else this.time.later(after, begin)
  }

  private ways(topic: string, toBroker: boolean): readonly Micros[] {
    if (toBroker && this.isNear) return [0]
    if (this.lossPercent === 0) return [this.delay()]
    if (this.fault(this.lossPercent)) {
      const device = this.devices.filter(({ id }) => topic.split('/')[4] === id).at(-1)
      if (device !== undefined) device.losses++
      return this.chance.percent(60) ? [] : [this.chance.below(1_500_000)]
    }
    return this.fault(this.lossPercent) ? [this.delay(), this.delay() + this.chance.below(400_000)] : [this.delay()]
  }

  private cutHost(): void {
    const { host, chance } = this
    if (host === null) return
    host.cut()
    for (const device of this.devices) device.hit()
    this.time.later(chance.pick([1_000, 300_000, 1_000_000, 6_000_000, 30_000_000]), () => {
      host.comeBack()
      for (const device of this.devices) device.hit()
    })
  }

  private restart(): void {
    this.cutHost()
    this.broker.restart()
    for (const device of this.devices)
      this.time.later(this.chance.pick([1_000, 1_000_000, 8_000_000, 20_000_000]), () => device.comeBack())
    this.stranger.comeBack()
  }

  private strikeDevice(device: MadeUpDevice): void {
    const { chance, time, broker } = this
    const { carrier } = device
    const notice = () => broker.notice(carrier)
    device.hit()
    switch (chance.below(8)) {
      case 0:
      case 1:
        carrier.cut()
        if (chance.percent(70)) time.later(chance.pick([0, 20_000, 3_000_000]), () => carrier.isUp || notice())
        if (chance.percent(80))
          time.later(chance.pick([1_000, 500_000, 5_000_000, 25_000_000]), () => {
            device.hit()
            device.comeBack()
          })
        return
      case 2:
      case 3:
        device.die()
        time.later(chance.pick([0, 20_000, 3_000_000]), notice)
        if (chance.percent(60)) this.expect(1 + chance.below(3_000_000), chance.percent(50) ? device.id : undefined)
        return
      case 4:
        device.freeze()
        if (chance.percent(40)) {
          // Its keepalive expires.
          time.later(3_000_000, () => {
            if (!device.isFrozen) return
            carrier.cut()
            notice()
          })
        }
        if (chance.percent(80))
          time.later(chance.pick([10_000, 800_000, 4_000_000, 20_000_000]), () => {
            device.thaw()
            device.comeBack()
          })
        return
      case 5:
        device.leave()
        return
      case 6:
        device.lie = drawLie(chance)
        return
      default:
        this.intrude(device)
    }
  }

  /** A second conductor, or a client that poses as one, sends to a device. */
  private intrude(device: MadeUpDevice): void {
    const { chance, stranger, time } = this
    const topic = deviceTopic(ROOM, device.id, 'down')
    if (chance.percent(40)) {
      stranger.publish(topic, noise(chance))
      return
    }
    device.hit(FORGOTTEN)
    const conductor = conductorName(time.now() + chance.pick([-10_000_000, 1_000_000]), 'other')
    stranger.publish(
      topic,
      packDown({ kind: 'hello', conductor, seat: chance.below(3), worker: 0, keep: [], stages: [] }),
    )
  }
}
