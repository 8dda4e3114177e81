import { createCappedClock } from '../../../engine/conductor/callTracker.ts'
import type { Environment, ThreadEvents } from '../../../engine/conductor/environment.ts'
import { msg } from '../../../language/msg.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { type Carrier, deviceOf, deviceTopic } from './carrier.ts'
import { UNREADABLE } from './checkReply.ts'
import { createLoan, type Loan, type LoanContext } from './loan.ts'
import { conductorName, type Down, type Presence, packDown, type StageSign } from './messages.ts'
import { readPresence, readUp } from './readMessages.ts'

interface Device {
  presence: Presence
  readonly loans: Map<number, Loan>
  /** It did not answer, and has sent nothing since: it is not asked for a thread. */
  suspect: boolean
  /** It broke the rules in this life. */
  refused: boolean
  /** It has refused: before this time on the wait clock it is not asked for a thread. */
  restsUntil: Micros
  /** Our connection was down: if it sends nothing until this time on the wait clock, it is gone. */
  dueBy: Micros
}

const TICK_MILLISECONDS = 250
/** Every this many ticks, devices learn which of their loans have not ended. */
const KEEP_TICKS = 12
const REST: Micros = 2_000_000
const RETURN: Micros = 10_000_000
/** How long a run without workers waits for one. */
const PATIENCE: Micros = 10_000_000
const MAX_ROOM_DEVICES = 20_000

/** Returns the threads that the devices of a room lend to one conductor. */
export function createRoomThreads(
  carrier: Carrier,
  room: string,
  stages: readonly StageSign[],
  { now, every }: Pick<Environment, 'now' | 'every'> & Partial<Environment>,
) {
  const conductor = conductorName(now(), Math.random().toString(36).slice(2, 12))
  const devices = new Map<string, Device>()
  let lastLoan = -1
  let up = true
  let ticks = 0
  /** How long there has been a connection: see `waited`. */
  let connected: Micros = 0
  let ticked: Micros = 0
  const tickOf = createCappedClock()
  let over = false
  let ring = () => {}

  /** Returns how long there has been a connection, without the time that this machine was asleep. */
  function waited(): Micros {
    const elapsed = tickOf(now())
    if (up) connected += elapsed
    return connected
  }

  function send(device: string, message: Down): void {
    carrier.publish(deviceTopic(room, device, 'down'), packDown({ ...message, conductor }))
  }

  function lose({ loans }: Device, reason: string): void {
    for (const loan of [...loans.values()]) loan.lose(reason)
  }

  function forget(id: string, reason: string): void {
    const device = devices.get(id)
    if (device === undefined) return
    devices.delete(id)
    lose(device, reason)
  }

  function receivePresence(id: string, bytes: Uint8Array): void {
    const presence = readPresence(bytes)
    const known = devices.get(id)
    if (bytes.length === 0) forget(id, msg('has left the room'))
    else if (presence === null) refuse(known, UNREADABLE)
    else {
      if (known?.presence.life === presence.life) {
        const returned = known.presence.connection !== presence.connection
        known.presence = presence
        markAlive(known)
        if (returned) for (const loan of known.loans.values()) loan.sendAgain()
      } else {
        forget(id, msg('has started again'))
        if (devices.size < MAX_ROOM_DEVICES)
          devices.set(id, {
            presence,
            loans: new Map(),
            suspect: false,
            refused: false,
            restsUntil: -Infinity,
            dueBy: Infinity,
          })
      }
      ring()
    }
  }

  function markAlive(device: Device): void {
    device.suspect = false
    device.dueBy = Infinity
  }

  function refuse(device: Device | undefined, reason: string): void {
    if (device === undefined || device.refused) return
    device.refused = true
    const { name } = device.presence
    lose(device, name !== '' ? `${reason}: ${name}` : reason)
  }

  function receive(id: string, bytes: Uint8Array): void {
    const device = devices.get(id)
    if (device === undefined || device.refused) return
    const message = readUp(bytes)
    if (message === null) refuse(device, UNREADABLE)
    else markAlive(device)
    if (message?.conductor !== conductor) return
    const loan = device.loans.get(message.seat)
    if (message.kind === 'gone') device.restsUntil = waited() + REST
    if (loan !== undefined) loan.receive(message)
    else if (message.kind !== 'gone') send(id, { kind: 'end', seat: message.seat })
  }

  function tick(): void {
    if (!up) return
    ticks++
    const elapsed = waited() - ticked
    ticked += elapsed
    for (const [id, device] of [...devices]) {
      for (const loan of device.loans.values()) loan.tick(elapsed)
      if (ticks % KEEP_TICKS === 0 && device.loans.size > 0)
        send(id, { kind: 'keep', seat: lastLoan, keep: [...device.loans.keys()] })
      if (ticked >= device.dueBy) forget(id, msg('has not come back since the connection was lost'))
    }
    ring()
  }

  function freeOf({ presence, loans, suspect, refused, restsUntil }: Device): number {
    return suspect || refused || connected < restsUntil ? 0 : Math.max(0, presence.threads - loans.size)
  }

  /** Returns a device with a free thread: of those with the fewest loans the first that joined. */
  function choose(): [string, Device] {
    let chosen: [string, Device] | null = null
    for (const [id, device] of devices)
      if (freeOf(device) > 0 && (chosen === null || device.loans.size < chosen[1].loans.size)) chosen = [id, device]
    if (chosen === null) throw new Error(msg('no device in the room is free'))
    return chosen
  }

  for (const [kind, call] of [['is', receivePresence] as const, ['up', receive] as const])
    carrier.subscribe(deviceTopic(room, '+', kind), (topic, bytes) => {
      const id = deviceOf(room, topic, kind)
      if (id !== null && !over) call(id, bytes)
    })
  carrier.onState((isUp) => {
    const returned = isUp && !up
    waited()
    up = isUp
    if (!returned || over) return
    for (const device of devices.values()) {
      device.dueBy = waited() + RETURN
      for (const loan of device.loans.values()) loan.sendAgain()
    }
  })
  const stopTicking = every(TICK_MILLISECONDS, tick)

  return {
    newWorkers: {
      free: () => (up && !over ? [...devices.values()].reduce((count, device) => count + freeOf(device), 0) : 0),
      onNewWorker(call: () => void): void {
        ring = call
      },
      waited,
      patience: PATIENCE,
    },
    start(worker: number, events: ThreadEvents): Loan {
      const [id, device] = choose()
      const number = ++lastLoan
      const context: LoanContext = {
        now,
        stages,
        send: (message) => send(id, message),
        keep: () => [...device.loans.keys()],
        isCutOff: () => !up || device.dueBy < Infinity,
        refuse: (reason) => refuse(device, reason),
        ended(overdue) {
          device.loans.delete(number)
          if (overdue) device.suspect = true
        },
      }
      const loan = createLoan(number, worker, events, context)
      device.loans.set(number, loan)
      return loan
    },
    /** Gives all borrowed threads back. Does not end the carrier. */
    end(): void {
      if (over) return
      for (const { loans } of devices.values()) for (const loan of [...loans.values()]) loan.end()
      over = true
      stopTicking()
    },
  }
}
