import { type BatchAnswer, type BatchOrder, type BatchPort, onOurClock } from '../../../engine/conductor/batchPort.ts'
import type { ThreadEvents, WorkerThread } from '../../../engine/conductor/thread.ts'
import { clockOffset } from '../../../engine/conductor/wallClock.ts'
import { msg } from '../../../language/msg.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { checkReply } from './checkReply.ts'
import type { Down, StageSign, Up } from './messages.ts'

/** What a seat needs of the room. */
export interface SeatSurroundings {
  now(): Micros
  send(message: Down): void
  /** The seats of the device that have not ended, this one among them. */
  keep(): readonly number[]
  readonly stages: readonly StageSign[]
  /** Whether our connection is lost, or the device has not been heard since it was. */
  isCutOff(): boolean
  /** The device sent what cannot be true: it is lost with all its seats. */
  refuse(reason: string): void
  /** The seat has ended. `overdue`: something was sent again, and is still not answered. */
  ended(overdue: boolean): void
}

/** A thread of a device, as the conductor has it on loan. */
export interface RoomSeat extends WorkerThread {
  hear(message: Up): void
  /** Sends again all that is not answered. */
  sendAgain(): void
  /** Lets this time pass: what becomes overdue is sent again. */
  tick(elapsed: Micros): void
  /** Reports that the device is gone, or breaks the rules. */
  lose(reason: string): void
}

/** A request without an answer. It is sent again after `wait`, and then after twice as long each time. */
interface Asked {
  readonly message: Down
  /** On our clock. */
  sent: Micros
  /** How long it has waited, by ticks; below 0 until the first of them, which is shorter. */
  waited: Micros
  wait: Micros
  again: boolean
  answer(message: Up, asked: Asked): void
}

const TRIPS = 5
const FIRST_WAIT: Micros = 500_000
const LONGEST_WAIT: Micros = 4_000_000

/** Begins a seat. Nothing is sent before `hello`. */
export function createSeat(seat: number, worker: number, events: ThreadEvents, surroundings: SeatSurroundings): RoomSeat {
  const { now, send } = surroundings
  const open = new Map<string, Asked>()
  /** Work on the answers before: they are reported in their order. */
  let checking: Promise<void> | null = null
  let offset: Micros = 0
  let over = false

  function ask(key: string, message: Down, wait: Micros, answer: Asked['answer']): void {
    if (over) return
    open.set(key, { message, sent: now(), waited: -1, wait, again: false, answer })
    send(message)
  }

  function repeat(asked: Asked): void {
    asked.again = true
    asked.sent = now()
    asked.waited = -1
    asked.wait = Math.min(LONGEST_WAIT, 2 * asked.wait)
    send(asked.message)
  }

  function measureTrip(trip: number, good: number, quickest: Micros, resolve: (time: Micros) => void): void {
    ask(`clock ${trip}`, { kind: 'clock', seat, trip }, FIRST_WAIT, (message, { sent, again }) => {
      if (message.kind !== 'clock') return
      const heard = now()
      // Of a question that was asked twice nobody knows which one is answered.
      const took = again ? Infinity : heard - sent
      if (took < quickest) offset = clockOffset(sent, message.reading, heard)
      if (!again && good + 1 === TRIPS) resolve(heard)
      else measureTrip(trip + 1, again ? good : good + 1, Math.min(took, quickest), resolve)
    })
  }

  function takeAnswer(message: Extract<Up, { kind: 'answer' | 'broken' }>, order: BatchOrder): void {
    if (message.kind === 'broken') {
      report({ number: message.number, broken: message.words })
      return
    }
    const { number, reply } = message
    const tell = (objection: string | null) => {
      if (objection === null) report({ number, reply: onOurClock(reply, offset) })
      else if (!over) surroundings.refuse(objection)
    }
    const objection = checkReply(order, reply)
    if (checking === null && !(objection instanceof Promise)) {
      tell(objection)
      return
    }
    const before = checking ?? Promise.resolve()
    const mine = before.then(async () => tell(await objection))
    checking = mine
    void mine.then(() => {
      if (checking === mine) checking = null
    })
  }

  function report(data: BatchAnswer): void {
    if (!over) port.onmessage?.({ data } as MessageEvent<BatchAnswer>)
  }

  function end(): void {
    if (over) return
    over = true
    const overdue = [...open.values()].some(({ again }) => again)
    open.clear()
    send({ kind: 'end', seat })
    surroundings.ended(overdue)
  }

  function lose(reason: string): void {
    if (over) return
    events.lost(reason)
    end()
  }

  const port: BatchPort = {
    onmessage: null,
    postMessage({ number, batch }) {
      let wait = FIRST_WAIT
      for (const { message } of open.values()) if (message.kind === 'batch') wait += foretold(message.batch)
      ask(`batch ${number}`, { kind: 'batch', seat, number, batch }, wait + foretold(batch), (message) => {
        if (message.kind === 'answer' || message.kind === 'broken') takeAnswer(message, batch)
      })
    },
  }

  return {
    port,
    hello: () =>
      new Promise((resolve) => {
        ask('hello', { kind: 'hello', seat, worker, keep: surroundings.keep(), stages: surroundings.stages }, FIRST_WAIT, () => resolve(false))
      }),
    // The pool hears our own time: what comes from the seat is put on our clock here.
    clock: () => new Promise((resolve) => measureTrip(0, 0, Infinity, resolve)),
    hangAt: (time) => new Promise((resolve) => ask('hang', { kind: 'hang', seat, at: time - offset }, FIRST_WAIT, () => resolve())),
    isCutOff: surroundings.isCutOff,
    // `lose` tells it.
    onEnd: () => {},
    end,
    lose,
    hear(message) {
      if (message.kind === 'gone') {
        lose(message.words === '' ? msg('has ended of its own accord') : message.words)
        return
      }
      if (message.kind === 'error') {
        events.error(message.words)
        return
      }
      const key = keyOf(message)
      const asked = open.get(key)
      if (asked === undefined) return
      open.delete(key)
      asked.answer(message, asked)
    },
    sendAgain() {
      for (const asked of open.values()) repeat(asked)
    },
    tick(elapsed) {
      for (const asked of open.values()) {
        asked.waited = asked.waited < 0 ? 0 : asked.waited + elapsed
        if (asked.waited >= asked.wait) repeat(asked)
      }
    },
  }
}

function keyOf(message: Exclude<Up, { kind: 'gone' | 'error' }>): string {
  switch (message.kind) {
    case 'clock':
      return `clock ${message.trip}`
    case 'answer':
    case 'broken':
      return `batch ${message.number}`
    default:
      return message.kind
  }
}

/** How long the batch should take, and half as long again. */
function foretold({ services, switchCosts }: BatchOrder): Micros {
  let time = 0
  for (let k = 0; k < services.length; k++) time += services[k] + switchCosts[k]
  return Math.round(1.5 * time)
}
