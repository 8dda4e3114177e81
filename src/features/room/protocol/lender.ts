import { reasonOf } from '../../../engine/conductor/callTracker.ts'
import type { Timer } from '../../../engine/conductor/environment.ts'
import type { StartThread } from '../../../engine/conductor/thread.ts'
import { wallMicros } from '../../../engine/conductor/wallClock.ts'
import { msg } from '../../../language/msg.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { type Carrier, deviceTopic } from './carrier.ts'
import { createLentSeat, type LentSeat } from './lentSeat.ts'
import { type Addressed, type Down, packPresence, packUp, type StageSign, type Up } from './messages.ts'
import { readDown, readPresence } from './readMessages.ts'

/** What a device lends, and how it introduces itself. */
export interface Loan {
  /** The room of the link. */
  readonly room: string
  /** The name in topics: `[A-Za-z0-9]{1,40}`. The carrier must have it as its client id, and `deviceTopic(room, device, 'is')` as its will. */
  readonly device: string
  /** What people call it; may be empty. */
  readonly name: string
  /** Which build of the page it runs. */
  readonly build: string
  /** How many threads it lends at most. */
  readonly threads: number
  /** What its browser lacks: `crypto.subtle`, say. */
  readonly lacks: readonly string[]
  readonly start: StartThread
  readonly every: Timer
  /** The clock of the device. */
  readonly now?: () => Micros
}

/** The state of a device, as its page shows it. */
export interface LoanState {
  /** Whether the connection to the broker is up. */
  readonly up: boolean
  /** The numbers of the workers that it is now, from 0, ascending; none: it waits in reserve, or nothing runs. */
  readonly workers: readonly number[]
  /** Where the last batch came from, and the index of its colour; null before the first. */
  readonly stage: StageSign | null
  /** How many jobs this device has served since it came. */
  readonly done: number
}

export interface Lender {
  /** Takes back all threads and says goodbye. It does not end the carrier. */
  leave(): void
}

/** So often a device says again that it is there. A conductor that believes it dead finds out that it lives. */
const PRESENCE_MILLISECONDS = 3000
/** A conductor that says nothing for so many of these times has left without a word. */
const SILENT_TIMES = 20
const nothing = new Uint8Array(0)

/** Lends threads to the conductors of a room until `leave` is called. Calls `changed` with each new state. */
export function lend(carrier: Carrier, loan: Loan, changed: (state: LoanState) => void): Lender {
  const { room, device, now = wallMicros } = loan
  const life = Math.random().toString(36).slice(2)
  const seats = new Map<number, LentSeat>()
  /** By conductor, the highest seat that it has named, and those before it whose hello is still on its way. */
  const named = new Map<string, { highest: number; readonly late: Set<number> }>()
  let conductor = ''
  let silence = 0
  let connection = 0
  // Stryker disable next-line BooleanLiteral: a carrier says how it is as soon as it is asked
  let state: LoanState = { up: false, workers: [], stage: null, done: 0 }
  let left = false
  /** When it said that it is there, NaN: it has heard that; and how long it took to hear it. */
  let said: Micros = Number.NaN
  let roundTrip: Micros | null = null

  function show(change: Partial<LoanState>): void {
    state = { ...state, ...change }
    if (!left) changed(state)
  }

  function showWorkers(): void {
    show({ workers: Array.from(seats.values(), ({ worker }) => worker).sort((a, b) => a - b) })
  }

  function send(message: Addressed<Up>): void {
    carrier.publish(deviceTopic(room, device, 'up'), packUp(message))
  }

  function present(): void {
    const { name, build, threads, lacks } = loan
    carrier.publish(deviceTopic(room, device, 'is'), packPresence({ life, connection, name, build, threads, lacks, roundTrip }), true)
    said = now()
  }

  /** Hears what the broker tells of this device. The will of an earlier connection may come late, and says that we are gone. */
  function hearOfMyself(bytes: Uint8Array): void {
    if (left) return
    if (bytes.length === 0) {
      present()
      return
    }
    const echo = readPresence(bytes)
    if (Number.isNaN(said) || echo?.life !== life || echo.connection !== connection) return
    roundTrip = Math.max(0, now() - said)
    said = Number.NaN
  }

  function endSeat(seat: number, words: string | null): void {
    const lent = seats.get(seat)
    if (lent === undefined) return
    seats.delete(seat)
    lent.end()
    if (words !== null) send({ kind: 'gone', conductor, seat, words })
    showWorkers()
  }

  /** A device serves one conductor at a time: the one that began last. */
  function serves(message: Addressed<Down>): boolean {
    if (message.conductor === conductor) return true
    if (message.kind !== 'hello') return false
    if (seats.size > 0 && message.conductor < conductor) return false
    for (const seat of [...seats.keys()]) endSeat(seat, msg('serves another conductor'))
    conductor = message.conductor
    return true
  }

  /** Ends the seats up to this one that the conductor has ended without our hearing it. */
  function keepOnly(seat: number, keep: readonly number[]): void {
    for (const mine of [...seats.keys()]) if (mine < seat && !keep.includes(mine)) endSeat(mine, null)
    const late = named.get(conductor)?.late
    for (const other of late ?? []) if (other < seat && !keep.includes(other)) late?.delete(other)
  }

  /** Whether the seat has not begun before: a hello may come twice, or after the hello of a later seat. */
  function isNew(seat: number, keep: readonly number[]): boolean {
    if (named.size > 8 && !named.has(conductor)) named.clear()
    const known = named.get(conductor) ?? { highest: -1, late: new Set<number>() }
    named.set(conductor, known)
    if (seat <= known.highest) return known.late.delete(seat)
    for (const other of keep) if (other > known.highest && other < seat) known.late.add(other)
    known.highest = seat
    return true
  }

  function sitDown({ seat, worker, keep, stages }: Extract<Down, { kind: 'hello' }>): void {
    keepOnly(seat, keep)
    const lent = seats.get(seat)
    if (lent !== undefined) {
      lent.hello()
      return
    }
    const refuse = (words: string) => send({ kind: 'gone', conductor, seat, words })
    if (!isNew(seat, keep)) {
      refuse(msg('has ended'))
      return
    }
    if (seats.size >= loan.threads) {
      refuse(msg('lends no more threads'))
      return
    }
    const mine = conductor
    try {
      const begun = createLentSeat(worker, loan.start, {
        send: (message) => mine === conductor && seats.get(seat) === begun && send({ ...message, conductor, seat }),
        working: (stage) => show({ stage: stages[stage] ?? null }),
        served: (jobs) => show({ done: state.done + jobs }),
        gone: (words) => endSeat(seat, words),
      })
      seats.set(seat, begun)
      begun.hello()
      showWorkers()
    } catch (error) {
      refuse(reasonOf(error))
    }
  }

  function hear(_: string, bytes: Uint8Array): void {
    const message = left ? null : readDown(bytes)
    if (message === null) return
    if (!serves(message)) {
      if (message.kind === 'hello') send({ kind: 'gone', conductor: message.conductor, seat: message.seat, words: msg('serves another conductor') })
      return
    }
    silence = 0
    if (message.kind === 'hello') sitDown(message)
    else if (message.kind === 'keep') keepOnly(message.seat + 1, message.keep)
    else if (message.kind === 'end') {
      named.get(conductor)?.late.delete(message.seat)
      endSeat(message.seat, null)
    } else {
      const lent = seats.get(message.seat)
      // Say so: the conductor still counts on it.
      if (lent === undefined) send({ kind: 'gone', conductor, seat: message.seat, words: msg('has ended') })
      else lent.take(message)
    }
  }

  function tick(): void {
    if (!state.up) return
    present()
    if (seats.size > 0 && ++silence >= SILENT_TIMES) for (const seat of [...seats.keys()]) endSeat(seat, msg('has not heard from the conductor'))
  }

  carrier.subscribe(deviceTopic(room, device, 'down'), hear)
  carrier.subscribe(deviceTopic(room, device, 'is'), (_, bytes) => hearOfMyself(bytes))
  carrier.onState((up) => {
    if (left) return
    if (up) {
      connection++
      present()
    }
    show({ up })
  })
  const stopTicking = loan.every(PRESENCE_MILLISECONDS, tick)
  return {
    leave() {
      if (left) return
      for (const seat of [...seats.keys()]) endSeat(seat, msg('has left the room'))
      left = true
      stopTicking()
      carrier.publish(deviceTopic(room, device, 'is'), nothing, true)
    },
  }
}
