import { type BatchAnswer, type BatchOrder, type BatchPort, onOurClock } from '../../../engine/conductor/batchPort.ts'
import { clockOffset, type ThreadEvents, type WorkerThread } from '../../../engine/conductor/environment.ts'
import { msg } from '../../../language/msg.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { ALONE, checkReply } from './checkReply.ts'
import type { Down, StageSign, Up } from './messages.ts'

export interface LoanContext {
  now(): Micros
  send(message: Down): void
  /** Returns the numbers of the device's loans that have not ended, including this one. */
  keep(): readonly number[]
  readonly stages: readonly StageSign[]
  /** Returns whether our connection is lost, or nothing has come from the device since it was. */
  isCutOff(): boolean
  /** Called when the device sends an impossible message: it is lost with all its loans. */
  refuse(reason: string): void
  /** Called when the loan has ended. `overdue`: something was sent again, and is still not answered. */
  ended(overdue: boolean): void
}

/** A thread of a device that the conductor has borrowed. */
export interface Loan extends WorkerThread {
  receive(message: Up): void
  sendAgain(): void
  /** Lets this time pass and sends overdue requests again. */
  tick(elapsed: Micros): void
  /** Reports that the device is gone or breaks the rules. */
  lose(reason: string): void
}

/** An unanswered request. It is sent again after `wait`, and then after twice as long each time. */
interface Request {
  readonly message: Down
  /** On our clock. */
  sent: Micros
  /** How long it has waited, in ticks; below 0 until the first tick, which is shorter. */
  waited: Micros
  wait: Micros
  repeated: boolean
  answer(message: Up, request: Request): void
}

const TRIPS = 5
const FIRST_WAIT: Micros = 500_000
const MAX_WAIT: Micros = 4_000_000

/** Returns a new loan. Nothing is sent before `hello`. */
export function createLoan(seat: number, worker: number, events: ThreadEvents, context: LoanContext): Loan {
  const { now, send } = context
  const open = new Map<string, Request>()
  /** The checks of earlier answers: answers are reported in order. */
  let checking: Promise<void> | null = null
  let offset: Micros = 0
  let over = false
  let batches = 0

  function ask(key: string, message: Down, wait: Micros, answer: Request['answer']): void {
    if (over) return
    open.set(key, { message, sent: now(), waited: -1, wait, repeated: false, answer })
    send(message)
  }

  function repeat(request: Request): void {
    request.repeated = true
    request.sent = now()
    request.waited = -1
    request.wait = Math.min(MAX_WAIT, 2 * request.wait)
    send(request.message)
  }

  function measureTrip(trip: number, good: number, quickest: Micros, resolve: (time: Micros) => void): void {
    ask(`clock ${trip}`, { kind: 'clock', seat, trip }, FIRST_WAIT, (message, { sent, repeated }) => {
      if (message.kind !== 'clock') return
      const receivedAt = now()
      // If the request was sent twice, it is unknown which of the two is answered.
      const took = repeated ? Infinity : receivedAt - sent
      if (took < quickest) offset = clockOffset(sent, message.reading, receivedAt)
      if (!repeated && good + 1 === TRIPS) resolve(receivedAt)
      else measureTrip(trip + 1, repeated ? good : good + 1, Math.min(took, quickest), resolve)
    })
  }

  function takeAnswer(number: number, { reply }: Extract<Up, { kind: 'answer' }>, order: BatchOrder): void {
    const tell = (objection: string | null) => {
      if (objection === null) report({ number, reply: onOurClock(reply, offset) })
      else if (!over) context.refuse(objection)
    }
    const objection = checkReply(order, reply)
    if (checking === null && !(objection instanceof Promise)) tell(objection)
    else {
      const mine = (checking ?? Promise.resolve()).then(async () => tell(await objection))
      checking = mine
      void mine.then(() => {
        if (checking === mine) checking = null
      })
    }
  }

  function report(data: BatchAnswer): void {
    if (!over) port.onmessage?.({ data } as MessageEvent<BatchAnswer>)
  }

  function end(): void {
    if (over) return
    over = true
    const overdue = [...open.values()].some(({ repeated }) => repeated)
    open.clear()
    send({ kind: 'end', seat })
    context.ended(overdue)
  }

  function lose(reason: string): void {
    if (over) return
    events.lost(reason)
    end()
  }

  const port: BatchPort = {
    onmessage: null,
    postMessage({ number, batch }) {
      // The batches of a loan are served in order, so one waits for those that are out.
      let wait = FIRST_WAIT + expected(batch)
      for (const { message } of open.values()) if (message.kind === 'batch') wait += expected(message.batch)
      const nth = batches++
      ask(`batch ${nth}`, { kind: 'batch', seat, number: nth, batch }, wait, (message) => {
        // A thread of ours answers whatever the work does.
        if (message.kind === 'broken') context.refuse(ALONE)
        else if (message.kind === 'answer') takeAnswer(number, message, batch)
      })
    },
  }

  return {
    port,
    hello: () =>
      new Promise((resolve) => {
        ask('hello', { kind: 'hello', seat, worker, keep: context.keep(), stages: context.stages }, FIRST_WAIT, () =>
          resolve(false),
        )
      }),
    // Times from the device are converted to our clock here, so the pool reads our own time.
    clock: () => new Promise((resolve) => measureTrip(0, 0, Infinity, resolve)),
    hangAt: (time) =>
      new Promise((resolve) => ask('hang', { kind: 'hang', seat, at: time - offset }, FIRST_WAIT, () => resolve())),
    isCutOff: context.isCutOff,
    // `lose` reports it.
    onEnd: () => {},
    end,
    lose,
    receive(message) {
      if (message.kind === 'gone') lose(message.words === '' ? msg('has ended') : message.words)
      if (message.kind === 'error') events.error(message.words)
      const key = keyOf(message)
      const request = open.get(key)
      if (request === undefined) return
      open.delete(key)
      request.answer(message, request)
    },
    sendAgain() {
      for (const request of open.values()) repeat(request)
    },
    tick(elapsed) {
      // The device has answered, and its answer is being checked here.
      if (checking !== null) events.alive?.()
      for (const request of open.values()) {
        request.waited = request.waited < 0 ? 0 : request.waited + elapsed
        if (request.waited >= request.wait) repeat(request)
      }
    },
  }
}

/** Returns the key of the request that a message answers. */
function keyOf(message: Up): string {
  if (message.kind === 'clock') return `clock ${message.trip}`
  return 'number' in message ? `batch ${message.number}` : message.kind
}

/** Returns one and a half times the expected duration of a batch. */
function expected({ services, switchCosts }: BatchOrder): Micros {
  return Math.round(1.5 * services.reduce((sum, service, k) => sum + service + switchCosts[k], 0))
}
