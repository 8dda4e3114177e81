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

/** A seat as the conductor sees it, computed from its messages to the devices. */
export class Seat implements Employed {
  readonly worker: number
  readonly device: MadeUpDevice
  /** The thread of the seat, once it has started. */
  thread: MadeUpThread | null = null
  ended = false
  endedIn = 0
  /** Whether its end has been checked. */
  isOver = false
  /** The faults of its device before it, and whether the device had recovered. */
  private readonly hits: number
  private readonly losses: number
  private readonly startedHealthy: boolean

  constructor(worker: number, device: MadeUpDevice) {
    this.worker = worker
    this.device = device
    this.hits = device.hits
    this.losses = device.losses
    this.startedHealthy = device.healthyFrom <= device.time.passed
  }

  get parcels(): readonly Parcel[] {
    return this.thread?.parcels ?? []
  }

  /** Whether it must not be given up: its thread is healthy, its device had no fault, and at most one message was lost. */
  get isHealthy(): boolean {
    const { thread, device, hits, losses, startedHealthy } = this
    return (
      startedHealthy &&
      device.isThere &&
      (thread === null || thread.isHealthy) &&
      device.hits === hits &&
      device.losses <= losses + 1
    )
  }
}

/** All seats of a conductor, in order, and their rules. */
export class RoomSeats {
  /** By worker, its current seat and earlier ones. */
  readonly threads: Seat[][] = []
  private readonly seats: Seat[] = []
  private conductor = ''

  /** Reads a message of the conductor. */
  onMessage(topic: string, bytes: Uint8Array, devices: readonly MadeUpDevice[], event: number): void {
    // Only `end` and `hello` messages are read: the kind comes first.
    if (bytes[14] !== E_SMALL && (bytes[14] !== H_SMALL || bytes[15] !== E_SMALL)) return
    const message = readDown(bytes)
    const lives = devices.filter(({ id }) => id === deviceOf(ROOM, topic, 'down'))
    const device = lives.at(-1)
    claim(message !== null && device !== undefined, () => `the conductor sends an unreadable message to ${topic}`)
    this.conductor = message.conductor
    const seat = this.seats[message.seat]
    if (message.kind === 'hello' && seat === undefined) this.begin(message.seat, message.worker, lives, device)
    // The conductor sends `end` to a device that names a seat of another device.
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
    // The conductor may not know yet that the device has restarted with fewer threads.
    const lent = Math.max(...lives.map((life) => life.lent))
    claim(used < lent, () => `device ${device.id} lends ${lent} threads and is asked for more`)
    const seat = new Seat(worker, device)
    this.seats.push(seat)
    this.threads[worker] = [...before, seat]
  }

  /** Checks that a started thread belongs to a seat of this conductor that has none yet. */
  threadStarted(conductor: string, number: number, thread: MadeUpThread): void {
    if (conductor !== this.conductor) return
    const seat = this.seats[number]
    claim(
      seat?.worker === thread.worker,
      () => `a thread is begun for seat ${number}, which is not of worker ${thread.worker}`,
    )
    // A restarted device may receive messages for its earlier life.
    claim(seat.thread === null || seat.device.isDead, () => `seat ${number} begins a second thread`)
    seat.thread = thread
  }

  /** No healthy worker is given up. */
  noHealthyWorkerIsGivenUp(run: ConductedRun, from: number, orders: number): void {
    const { rows } = run.journal
    for (let i = from; i < orders; i++) {
      const worker = rows.worker[i]
      const seat = rows.kind[i] === LOST ? this.threads[worker]?.at(-1) : undefined
      // A worker without a seat may be lost when no thread is free.
      if (seat === undefined || seat.isOver) continue
      claim(
        isTaken(run, worker) || !seat.isHealthy,
        () => `worker ${worker} of device ${seat.device.id} is given up at ${run.now} though it is healthy`,
      )
    }
    for (const seats of this.threads) for (const seat of seats ?? []) if (seat.ended) seat.isOver = true
  }

  /** The uncounted jobs of a thread are the first jobs that the core counts as in service there. */
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

  /** A run is not stuck while a healthy device has a free thread and a worker number is open for it. */
  noWorkerIsForgotten(run: ConductedRun, ending: Ending | null, devices: readonly MadeUpDevice[]): void {
    const { counts } = run.core.state
    if (ending !== 'stuck' || counts.live > 0 || isElastic(run.scenario.policy)) return
    const open = run.wanted.findIndex((wanted, worker) => wanted === 1 && isOutside(counts.status[worker]))
    const free = devices.find(
      (device) =>
        device.isThere &&
        device.healthyFrom <= device.time.passed &&
        device.threads.every(({ defect }) => defect === null),
    )
    // The thread of the last open number may never have served, and may be given up too late for another.
    if (this.threads[open]?.at(-1)?.isHealthy === false) return
    claim(
      open < 0 || free === undefined,
      () => `the run is stuck, though device ${free?.id} is there for worker ${open}`,
    )
  }
}

const E_SMALL = 'e'.charCodeAt(0)
const H_SMALL = 'h'.charCodeAt(0)
