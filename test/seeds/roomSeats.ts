import type { ConductedRun } from '../../src/engine/conductor/conductedRun.ts'
import { deviceOf } from '../../src/features/room/protocol/carrier.ts'
import { readDown } from '../../src/features/room/protocol/readMessages.ts'
import { BUSY, IDLE, isOutside } from '../../src/pipeline/counts.ts'
import type { Ending } from '../../src/pipeline/journal.ts'
import { LOST } from '../../src/pipeline/rows.ts'
import { isElastic } from '../../src/scenario/model/defaults.ts'
import { claim } from './claim.ts'
import { type Employed, isTaken } from './invariants.ts'
import { type MadeUpDevice, ROOM } from './madeUpDevice.ts'
import type { MadeUpThread, Parcel } from './madeUpThread.ts'

/** A seat as the conductor has it, kept from what it says to the devices. */
export class Seat implements Employed {
  readonly worker: number
  readonly device: MadeUpDevice
  /** The thread that serves, as soon as it does. */
  thread: MadeUpThread | null = null
  ended = false
  endedIn = 0
  /** Its end has been looked at. */
  isOver = false
  /** What had happened to its device before it; and whether that was still to be felt. */
  private readonly hits: number
  private readonly losses: number
  private readonly startedWell: boolean

  constructor(worker: number, device: MadeUpDevice) {
    this.worker = worker
    this.device = device
    this.hits = device.hits
    this.losses = device.losses
    this.startedWell = device.wellFrom <= device.time.passed
  }

  get parcels(): readonly Parcel[] {
    return this.thread?.parcels ?? []
  }

  /** Whether there is no reason to give it up: nothing is wrong with its thread, nothing has happened to its device, and one message was lost at most. */
  get isWell(): boolean {
    const { thread, device, hits, losses, startedWell } = this
    return startedWell && device.isThere && (thread === null || thread.isWell) && device.hits === hits && device.losses <= losses + 1
  }
}

/** All seats that a conductor has named, in turn, and the rules for them. */
export class RoomSeats {
  /** By worker, its seat and those before it. */
  readonly threads: Seat[][] = []
  private readonly seats: Seat[] = []
  private conductor = ''

  /** The conductor says something. */
  onMessage(topic: string, bytes: Uint8Array, devices: readonly MadeUpDevice[], event: number): void {
    // Only beginnings and ends are read: the kind stands first.
    if (bytes[14] !== E_SMALL && (bytes[14] !== H_SMALL || bytes[15] !== E_SMALL)) return
    const message = readDown(bytes)
    const lives = devices.filter(({ id }) => id === deviceOf(ROOM, topic, 'down'))
    const device = lives.at(-1)
    claim(message !== null && device !== undefined, () => `the conductor says to ${topic} what cannot be read`)
    this.conductor = message.conductor
    const seat = this.seats[message.seat]
    if (message.kind === 'hello' && seat === undefined) this.begin(message.seat, message.worker, lives, device)
    // A device that names the seat of another is told that it has none.
    if (message.kind === 'end' && seat?.device.id === device.id && !seat.ended) {
      seat.ended = true
      seat.endedIn = event
    }
  }

  private begin(number: number, worker: number, lives: readonly MadeUpDevice[], device: MadeUpDevice): void {
    const before = this.threads[worker] ?? []
    claim(number === this.seats.length, () => `seat ${number} is named after ${this.seats.length} others`)
    claim(
      before.every(({ ended }) => ended),
      () => `worker ${worker} is given a second thread beside its first`,
    )
    const used = this.seats.filter((seat) => seat.device.id === device.id && !seat.ended).length
    // The conductor may not have heard yet that the device has started again, with fewer threads.
    const lent = Math.max(...lives.map((life) => life.lent))
    claim(used < lent, () => `device ${device.id} lends ${lent} threads and is asked for more`)
    const seat = new Seat(worker, device)
    this.seats.push(seat)
    this.threads[worker] = [...before, seat]
  }

  /** A device has begun a thread: for a seat of this conductor that has none yet. */
  threadStarted(conductor: string, number: number, thread: MadeUpThread): void {
    if (conductor !== this.conductor) return
    const seat = this.seats[number]
    claim(seat?.worker === thread.worker, () => `a thread is begun for seat ${number}, which is not of worker ${thread.worker}`)
    // A device that has started again may hear what was meant for its life before.
    claim(seat.thread === null || seat.device.isDead, () => `seat ${number} begins a second thread`)
    seat.thread = thread
  }

  /** No worker that is well is given up. */
  nobodyWellIsGivenUp(run: ConductedRun, from: number, orders: number): void {
    const { rows } = run.journal
    for (let i = from; i < orders; i++) {
      const worker = rows.worker[i]
      const seat = rows.kind[i] === LOST ? this.threads[worker]?.at(-1) : undefined
      // For want of a free thread a worker may be lost that has no seat any more.
      if (seat === undefined || seat.isOver) continue
      claim(isTaken(run, worker) || !seat.isWell, () => `worker ${worker} of device ${seat.device.id} is given up at ${run.now} though it is well`)
    }
    for (const seats of this.threads) for (const seat of seats ?? []) if (seat.ended) seat.isOver = true
  }

  /** What a thread has been sent and nobody has counted is the first part of what the core believes to be in its hands. */
  workersHaveWhatTheyWereGiven({ core }: ConductedRun): void {
    const { counts, workerJobs } = core.state
    this.threads.forEach((seats, worker) => {
      const seat = seats.at(-1)
      const status = counts.status[worker]
      if (seat === undefined || seat.ended || (status !== BUSY && status !== IDLE)) return
      const sent = seat.parcels.filter(({ counted }) => !counted).flatMap(({ jobs }) => jobs)
      const hand = workerJobs[worker]
      claim(
        sent.every((job, k) => hand[k] === job),
        () => `worker ${worker} has been sent ${sent}, and the core believes ${hand}`,
      )
    })
  }

  /** A run is not stuck while a device that is well has a thread free, and a number is open for it. */
  nobodyIsForgotten(run: ConductedRun, ending: Ending | null, devices: readonly MadeUpDevice[]): void {
    const { counts } = run.core.state
    if (ending !== 'stuck' || counts.live > 0 || isElastic(run.scenario.policy)) return
    const open = run.wanted.findIndex((wanted, worker) => wanted === 1 && isOutside(counts.status[worker]))
    const free = devices.find((device) => device.isThere && device.wellFrom <= device.time.passed && device.threads.every(({ ill }) => ill === null))
    // The thread that holds the last number that is open may have never served, and is given up too late for another.
    if (this.threads[open]?.at(-1)?.isWell === false) return
    claim(open < 0 || free === undefined, () => `the run is stuck, though device ${free?.id} is there for worker ${open}`)
  }
}

const E_SMALL = 'e'.charCodeAt(0)
const H_SMALL = 'h'.charCodeAt(0)
