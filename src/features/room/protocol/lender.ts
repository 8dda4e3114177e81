import { reasonOf } from '../../../engine/conductor/callTracker.ts'
import { type StartThread, type Timer, wallMicros } from '../../../engine/conductor/environment.ts'
import { msg } from '../../../language/msg.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { type Carrier, deviceTopic } from './carrier.ts'
import { createLentThread, type LentThread } from './lentThread.ts'
import { type Addressed, type Down, type Presence, packPresence, packUp, type StageSign, type Up } from './messages.ts'
import { readDown, readPresence } from './readMessages.ts'

export interface Offer extends Pick<Presence, 'name' | 'build' | 'threads' | 'lacks'> {
  readonly room: string
  /** The name in topics: `[A-Za-z0-9]{1,40}`. The carrier must have it as its id. */
  readonly device: string
  /** Starts a thread, which serves as one of the page does. */
  readonly start: StartThread
  readonly every: Timer
  readonly now?: () => Micros
}

export interface LenderState {
  /** Whether the connection to the broker is up. */
  readonly up: boolean
  /** The zero-based numbers of its present workers, ascending; empty: it is in reserve, or nothing runs. */
  readonly workers: readonly number[]
  /** The stage of the last batch; null before the first. */
  readonly stage: StageSign | null
  /** How many jobs this device has served since it joined. */
  readonly done: number
}

export interface Lender {
  /** Ends all loans and the presence in the room. Does not end the carrier. */
  leave(): void
}

/** How often a device repeats that it is present, so that a conductor notices its return. */
const PRESENCE_MILLISECONDS = 3000
/** After this many presences without a message, the conductor counts as gone. */
const SILENT_TIMES = 20

/** Lends threads to the conductors of a room until `leave` is called. Calls `changed` with each new state. */
export function lend(carrier: Carrier, offer: Offer, changed: (state: LenderState) => void): Lender {
  const { room, device, now = wallMicros, start } = offer
  const life = Math.random().toString(36).slice(2)
  const lent = new Map<number, LentThread>()
  /** By conductor: its highest loan so far, and earlier loans whose hello has not arrived yet. */
  const named = new Map<string, { highest: number; readonly late: Set<number> }>()
  let conductor = ''
  let silence = 0
  let connection = 0
  let state: LenderState = { up: false, workers: [], stage: null, done: 0 }
  let left = false
  /** When the last presence was sent (NaN: its echo has arrived), and how long the echo took. */
  let sent: Micros = Number.NaN
  let roundTrip: Micros | null = null

  function show(change: Partial<LenderState>): void {
    state = { ...state, ...change }
    if (!left) changed(state)
  }

  function showWorkers(): void {
    show({ workers: Array.from(lent.values(), ({ worker }) => worker).sort((a, b) => a - b) })
  }

  function send(message: Up, to = conductor): void {
    carrier.publish(deviceTopic(room, device, 'up'), packUp({ ...message, conductor: to }))
  }

  function refuse(seat: number, words: string, to = conductor): void {
    send({ kind: 'gone', seat, words }, to)
  }

  function present(): void {
    const { name, build, threads, lacks } = offer
    carrier.publish(
      deviceTopic(room, device, 'is'),
      packPresence({ life, connection, name, build, threads, lacks, roundTrip }),
      true,
    )
    sent = now()
  }

  /** Takes the echo of our presence. The will of an earlier connection may come late and clears it. */
  function receiveEcho(bytes: Uint8Array): void {
    if (left) return
    const echo = readPresence(bytes)
    if (bytes.length === 0) present()
    else if (!Number.isNaN(sent) && echo?.life === life && echo.connection === connection) {
      roundTrip = Math.max(0, now() - sent)
      sent = Number.NaN
    }
  }

  function endLoan(loan: number, words: string | null): void {
    const thread = lent.get(loan)
    if (thread === undefined) return
    lent.delete(loan)
    thread.end()
    if (words !== null) refuse(loan, words)
    showWorkers()
  }

  function endAll(words: string): void {
    for (const loan of [...lent.keys()]) endLoan(loan, words)
  }

  /** Returns whether the device serves the sender: one conductor at a time, the latest. */
  function serves(message: Addressed<Down>): boolean {
    if (message.conductor === conductor) return true
    if (message.kind !== 'hello') return false
    if (lent.size > 0 && message.conductor < conductor) return false
    endAll(msg('serves another conductor'))
    conductor = message.conductor
    return true
  }

  /** Ends the loans below this number that the conductor has ended: its message was lost. */
  function keepOnly(below: number, keep: readonly number[]): void {
    for (const loan of [...lent.keys()]) if (loan < below && !keep.includes(loan)) endLoan(loan, null)
    const late = named.get(conductor)?.late
    for (const loan of late ?? []) if (loan < below && !keep.includes(loan)) late?.delete(loan)
  }

  /** Returns whether the loan has not begun before: a hello may come twice, or after that of a later loan. */
  function isNew(loan: number, keep: readonly number[]): boolean {
    if (named.size > 8 && !named.has(conductor)) named.clear()
    const known = named.get(conductor) ?? { highest: -1, late: new Set<number>() }
    named.set(conductor, known)
    if (loan <= known.highest) return known.late.delete(loan)
    for (const other of keep) if (other > known.highest && other < loan) known.late.add(other)
    known.highest = loan
    return true
  }

  function begin({ seat: loan, worker, keep, stages }: Extract<Down, { kind: 'hello' }>): void {
    keepOnly(loan, keep)
    const known = lent.get(loan)
    if (known !== undefined) known.hello()
    else if (!isNew(loan, keep)) refuse(loan, msg('has ended'))
    else if (lent.size >= offer.threads) refuse(loan, msg('lends no more threads'))
    else {
      const mine = conductor
      try {
        const thread = createLentThread(worker, start, {
          send: (message) => mine === conductor && lent.get(loan) === thread && send({ ...message, seat: loan }),
          working: (stage) => show({ stage: stages[stage] ?? null }),
          served: (jobs) => show({ done: state.done + jobs }),
          gone: (words) => endLoan(loan, words),
        })
        lent.set(loan, thread)
        thread.hello()
        showWorkers()
      } catch (error) {
        refuse(loan, reasonOf(error))
      }
    }
  }

  function receive(_: string, bytes: Uint8Array): void {
    const message = left ? null : readDown(bytes)
    if (message === null) return
    if (!serves(message)) {
      if (message.kind === 'hello') refuse(message.seat, msg('serves another conductor'), message.conductor)
      return
    }
    silence = 0
    if (message.kind === 'hello') begin(message)
    else if (message.kind === 'keep') keepOnly(message.seat + 1, message.keep)
    else if (message.kind === 'end') {
      named.get(conductor)?.late.delete(message.seat)
      endLoan(message.seat, null)
    } else {
      const thread = lent.get(message.seat)
      // The conductor still relies on it.
      if (thread === undefined) refuse(message.seat, msg('has ended'))
      else thread.take(message)
    }
  }

  function tick(): void {
    if (!state.up) return
    present()
    if (lent.size > 0 && ++silence >= SILENT_TIMES) endAll(msg('has not heard from the conductor'))
  }

  carrier.subscribe(deviceTopic(room, device, 'down'), receive)
  carrier.subscribe(deviceTopic(room, device, 'is'), (_, bytes) => receiveEcho(bytes))
  carrier.onState((up) => {
    if (left) return
    if (up) {
      connection++
      present()
    }
    show({ up })
  })
  const stopTicking = offer.every(PRESENCE_MILLISECONDS, tick)
  return {
    leave() {
      if (left) return
      endAll(msg('has left the room'))
      left = true
      stopTicking()
      carrier.publish(deviceTopic(room, device, 'is'), new Uint8Array(0), true)
    },
  }
}
