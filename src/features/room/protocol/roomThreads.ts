import { createCappedClock } from '../../../engine/conductor/callTracker.ts'
import type { Comers, Environment } from '../../../engine/conductor/environment.ts'
import type { StartThread } from '../../../engine/conductor/thread.ts'
import { msg } from '../../../language/msg.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { type Carrier, deviceOf, deviceTopic } from './carrier.ts'
import { UNREADABLE } from './checkReply.ts'
import { conductorName, type Down, type Presence, packDown, type StageSign } from './messages.ts'
import { readPresence, readUp } from './readMessages.ts'
import { createSeat, type RoomSeat } from './seat.ts'

/** The threads that the devices of a room lend to one conductor. */
export interface RoomThreads {
  readonly start: StartThread
  readonly comers: Comers
  /** Gives all seats back. It does not end the carrier. */
  end(): void
}

interface Device {
  presence: Presence
  readonly seats: Map<number, RoomSeat>
  /** It did not answer, and has not been heard since: it is offered nothing. */
  suspect: boolean
  /** It broke the rules in this life. */
  refused: boolean
  /** It has said that it does not serve: it is offered nothing until so much has been waited. */
  restsUntil: Micros
  /** Our connection was down: if it is not heard until so much has been waited, it is gone. */
  dueBy: Micros
}

const TICK_MILLISECONDS = 250
/** So often devices hear which of their seats have not ended. */
const KEEP_TICKS = 12
const REST: Micros = 2_000_000
const RETURN: Micros = 10_000_000
/** A run without workers waits so long for one. */
const PATIENCE: Micros = 10_000_000
const MOST_DEVICES = 20_000

/** Listens to the devices of a room. */
export function createRoomThreads(carrier: Carrier, room: string, stages: readonly StageSign[], { now, every }: Environment): RoomThreads {
  const conductor = conductorName(now(), Math.random().toString(36).slice(2, 12))
  const devices = new Map<string, Device>()
  let lastSeat = -1
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

  function lose({ seats }: Device, reason: string): void {
    for (const seat of [...seats.values()]) seat.lose(reason)
  }

  function forget(id: string, reason: string): void {
    const device = devices.get(id)
    if (device === undefined) return
    devices.delete(id)
    lose(device, reason)
  }

  function hearOf(id: string, bytes: Uint8Array): void {
    if (bytes.length === 0) {
      forget(id, msg('has left the room'))
      return
    }
    const presence = readPresence(bytes)
    const known = devices.get(id)
    if (presence === null) {
      if (known !== undefined) refuse(known, UNREADABLE)
      return
    }
    if (known === undefined || known.presence.life !== presence.life) {
      forget(id, msg('has begun anew'))
      if (devices.size < MOST_DEVICES) devices.set(id, { presence, seats: new Map(), suspect: false, refused: false, restsUntil: -Infinity, dueBy: Infinity })
    } else {
      const returned = known.presence.connection !== presence.connection
      known.presence = presence
      heard(known)
      if (returned) for (const seat of known.seats.values()) seat.sendAgain()
    }
    ring()
  }

  function heard(device: Device): void {
    device.suspect = false
    device.dueBy = Infinity
  }

  function refuse(device: Device, reason: string): void {
    device.refused = true
    lose(device, reason)
  }

  function hear(id: string, bytes: Uint8Array): void {
    const device = devices.get(id)
    if (device === undefined || device.refused) return
    const message = readUp(bytes)
    if (message === null) {
      refuse(device, UNREADABLE)
      return
    }
    heard(device)
    if (message.conductor !== conductor) return
    const seat = device.seats.get(message.seat)
    if (message.kind === 'gone') device.restsUntil = waited() + REST
    if (seat !== undefined) seat.hear(message)
    else if (message.kind !== 'gone') send(id, { kind: 'end', seat: message.seat })
  }

  function tick(): void {
    if (!up) return
    ticks++
    const elapsed = waited() - ticked
    ticked += elapsed
    for (const [id, device] of [...devices]) {
      for (const seat of device.seats.values()) seat.tick(elapsed)
      if (ticks % KEEP_TICKS === 0 && device.seats.size > 0) send(id, { kind: 'keep', seat: lastSeat, keep: [...device.seats.keys()] })
      if (ticked >= device.dueBy) forget(id, msg('has not come back since the connection was lost'))
    }
    ring()
  }

  function freeOf({ presence, seats, suspect, refused, restsUntil }: Device): number {
    return suspect || refused || connected < restsUntil ? 0 : Math.max(0, presence.threads - seats.size)
  }

  function free(): number {
    let count = 0
    if (up && !over) for (const device of devices.values()) count += freeOf(device)
    return count
  }

  /** Returns a device that has a thread free: one of those who have lent fewest, the first that came. */
  function choose(): [string, Device] {
    let chosen: [string, Device] | null = null
    for (const [id, device] of devices) if (freeOf(device) > 0 && (chosen === null || device.seats.size < chosen[1].seats.size)) chosen = [id, device]
    if (chosen === null) throw new Error(msg('nobody in the room is free'))
    return chosen
  }

  carrier.subscribe(deviceTopic(room, '+', 'is'), (topic, bytes) => {
    const id = deviceOf(room, topic, 'is')
    if (id !== null && !over) hearOf(id, bytes)
  })
  carrier.subscribe(deviceTopic(room, '+', 'up'), (topic, bytes) => {
    const id = deviceOf(room, topic, 'up')
    if (id !== null && !over) hear(id, bytes)
  })
  carrier.onState((isUp) => {
    const returned = isUp && !up
    waited()
    up = isUp
    if (!returned || over) return
    for (const device of devices.values()) {
      device.dueBy = waited() + RETURN
      for (const seat of device.seats.values()) seat.sendAgain()
    }
  })
  const stopTicking = every(TICK_MILLISECONDS, tick)

  return {
    comers: {
      free,
      onComer(call) {
        ring = call
      },
      waited,
      patience: PATIENCE,
    },
    start(worker, events) {
      const [id, device] = choose()
      const number = ++lastSeat
      const seat = createSeat(number, worker, events, {
        now,
        stages,
        send: (message) => send(id, message),
        keep: () => [...device.seats.keys()],
        isCutOff: () => !up || device.dueBy < Infinity,
        refuse: (reason) => refuse(device, reason),
        ended(overdue) {
          device.seats.delete(number)
          if (overdue) device.suspect = true
        },
      })
      device.seats.set(number, seat)
      return seat
    },
    end() {
      if (over) return
      for (const { seats } of devices.values()) for (const seat of [...seats.values()]) seat.end()
      over = true
      stopTicking()
    },
  }
}
