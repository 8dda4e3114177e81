import { type ThreadEvents, type Timer, wallMicros } from '../../../engine/conductor/environment.ts'
import { msg } from '../../../language/msg.ts'
import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'
import { quoted } from '../../../scenario/model/words.ts'
import { type FromThread, isOurs, type ThreadReply, type ToThread } from '../../runner/protocol.ts'
import type { ThreadSource } from '../../runner/threads.ts'
import type { RemoteWorker } from '../../runner/workerThread.ts'
import type { OpenCarrier } from '../protocol/carrier.ts'
import { UNREADABLE } from '../protocol/checkReply.ts'
import { readRoomLink } from '../protocol/links.ts'
import { createLoan, type Loan, type LoanContext } from '../protocol/loan.ts'
import type { Presence } from '../protocol/messages.ts'
import { createRoomThreads } from '../protocol/roomThreads.ts'
import { createChannel } from './channel.ts'
import { createQuorum, type Member, type Quorum } from './quorum.ts'
import { packValue, unpackValue } from './structured.ts'

export interface RoomOptions {
  /** Milliseconds for which a run waits while no device lends (10,000), or while the broker does not answer (60,000). */
  readonly patience?: number
  /** From how many devices each output is to come: 1 to 9. Without it what the link says, or 1. */
  readonly verify?: number
}

/** The longest input or output in bytes. */
export const MAX_VALUE = 4_000_000
/** What a device that lends functions says as its build. It changes when one side no longer understands the other. */
export const FUNCTIONS_BUILD = 'functions 1'
/** The name of the room at a broker whose address names none. */
const COMMON_ROOM = 'functions'
/** How long a run waits for the broker to list the devices. Those that are listed later join in mid-run. */
const GATHERING_MILLISECONDS = 300
const TICK_MILLISECONDS = 1000
/** A connection is known to be lost after three seconds of silence: see `openCarrier`. */
const UNNOTICED = 3_000_000
const [LENDER_PATIENCE, BROKER_PATIENCE] = [10_000, 60_000]

const openCarrier: OpenCarrier = async (...how) => (await import('../brokerClient/openCarrier.ts')).openCarrier(...how)

/**
 * Takes the threads of a pipeline from a room, in which devices run `apportion lend LINK --module stages.js`. `link`: a link of the room, or the
 * address of an MQTT broker. Connects when a run begins. Throws TypeError if the link is wrong, RangeError if `verify` is.
 */
export function room(link: string, { patience, verify: asked }: RoomOptions = {}): ThreadSource {
  const address = functionsAddress(link)
  if (address instanceof Error) throw new TypeError(address.message)
  const verify = asked ?? address.verify ?? 1
  if (!Number.isInteger(verify) || verify < 1 || verify > 9)
    throw new RangeError(`verify: found ${verify}; allowed: a whole number from 1 to 9`)
  const brokerPatience = patience ?? BROKER_PATIENCE
  let opened: Promise<Connected | null> | null = null
  let connected: Connected | null = null
  let ring = () => {}
  let report = (_: Error) => {}
  return {
    verify,
    unnoticed: UNNOTICED,
    newWorkers: {
      free: () => connected?.threads.newWorkers.free() ?? 0,
      onNewWorker(call) {
        ring = call
      },
      waited: () => connected?.threads.newWorkers.waited() ?? 0,
      patience: 1000 * (patience ?? LENDER_PATIENCE),
    },
    async open(stages, trouble) {
      report = trouble
      opened ??= connect(address, stages, brokerPatience, verify, (error) => report(error))
      const mine = opened
      try {
        const made = await mine
        if (opened !== mine) return
        connected = made
        connected?.threads.newWorkers.onNewWorker(() => ring())
      } catch (error) {
        if (opened === mine) opened = null
        throw error
      }
    },
    start(worker) {
      if (connected === null) throw new Error(msg('no device in the room is free'))
      return connected.threads.start(worker, unheard)
    },
    close() {
      void opened?.then(
        (made) => made?.end(),
        () => {},
      )
      opened = null
      connected = null
    },
  }
}

type Connected = Awaited<ReturnType<typeof connect>>

/** The thread tells its own listeners. */
const unheard: ThreadEvents = { error() {}, lost() {} }

/** Returns the room of a link for devices or hosts, or at a broker's address, which may end with `#room=NAME.TOKEN`; an Error with words for users if it is neither. */
export function functionsAddress(link: string): RoomAddress | Error {
  if (/^(ws|mqtt)s?:/.test(link) && URL.canParse(link)) {
    const url = new URL(link)
    const named = /^#room=([A-Za-z0-9]{1,40})(?:\.([\w-]{1,86}))?$/.exec(url.hash)
    if (url.hash !== '' && named === null)
      return new Error(`${quoted(url.hash)} is not a room. Allowed: #room=NAME or #room=NAME.TOKEN.`)
    url.hash = ''
    return { broker: url.href, room: named?.[1] ?? COMMON_ROOM, role: 'join', token: named?.[2] ?? '' }
  }
  for (const role of ['join', 'host'] as const) {
    const read = readRoomLink(link, role)
    if (read.found === 'room') return read.address
    if (read.found === 'problem') return new Error(read.problem)
  }
  return new Error(`${quoted(link)} is not a link of a room. Copy the whole link and try again.`)
}

async function connect(
  address: RoomAddress,
  stages: readonly string[],
  patience: number,
  verify: number,
  trouble: (error: Error) => void,
) {
  const salt = Math.random().toString(36).slice(2)
  const carrier = await openCarrier(address, { clientId: `${address.role === 'host' ? 'host' : 'fn'}${salt}` })
  const every: Timer = (milliseconds, call) => {
    const timer = setInterval(call, milliseconds)
    return () => clearInterval(timer)
  }
  const signs = stages.map((name, colour) => ({ name, colour }))
  const served = { any: false, quorum: createQuorum(verify) }
  const threads = createRoomThreads<Borrowed>(
    carrier,
    address.room,
    signs,
    { now: wallMicros, every },
    {
      space: 'f',
      create: (number, worker, _, context, presence) => createBorrowed(number, worker, context, presence, served),
    },
  )
  let up = true
  let silent = 0
  carrier.onState((isUp) => {
    up = isUp
    silent = 0
  })
  const stopTicking = every(TICK_MILLISECONDS, () => {
    if (up) return
    silent += TICK_MILLISECONDS
    if (silent >= patience) trouble(new Error(`The broker of the room has not answered for ${patience / 1000} s.`))
  })
  await new Promise((resolve) => setTimeout(resolve, GATHERING_MILLISECONDS))
  return {
    threads,
    end() {
      stopTicking()
      threads.end()
      carrier.end()
    },
  }
}

type Borrowed = Loan & RemoteWorker

/** The numbers of batches for others begin here. */
const FIRST_HELP = 2 ** 40
/** How long another device may take for inputs of others. */
const HELP_PATIENCE = 60_000_000

/** What the threads of a run have in common: whether one has served the pipeline yet, and that they serve inputs of each other. */
interface Served {
  any: boolean
  readonly quorum: Quorum
}

/** Returns a thread of a device: to the room a loan, to the pipeline a worker. */
function createBorrowed(
  number: number,
  worker: number,
  context: LoanContext,
  { name, build, life }: Presence,
  served: Served,
): Borrowed {
  const listeners = new Map<string, (value: never) => void>()
  const tell = (event: string, value: unknown) => listeners.get(event)?.(value as never)
  const isLate = served.any
  const who = name === '' ? 'a device' : `the device ${quoted(name)}`
  const loan = createLoan(
    number,
    worker,
    {
      error: (words) => tell('error', new Error(`${who}: ${words}`)),
      lost: (words) => {
        leave()
        // After what it has answered before, for that to count.
        setTimeout(() => tell('lost', `${who} ${words}`), 0)
      },
    },
    context,
  )
  const away = new Map<number, Batch>()
  /** By number of the batches of others: what takes the reply, and how long it has been awaited. */
  const helping = new Map<number, { passed: number; take(reply: ThreadReply | null): void }>()
  let helped = 0
  /** Replies that wait for other devices. All are told in the order in which they came. */
  let waitingForHelp = 0
  let told = Promise.resolve()
  const channel = createChannel((piece) => context.send({ kind: 'tell', seat: number, piece }), receive)
  /** What waits until the device has started the thread; null: it has. */
  let waiting: Uint8Array[] | null = null
  let asked = false

  function receive(bytes: Uint8Array): void {
    const message = unpackValue(bytes)
    if (!isOurs<FromThread>(message) || !isSound(message, away))
      throw new TypeError('this is not a message of a thread')
    if (message.apportion !== 'done') queueMicrotask(() => tell('message', message))
    else takeReply(message)
  }

  function takeReply(message: ThreadReply): void {
    const batch = away.get(message.number)
    const help = helping.get(message.number)
    away.delete(message.number)
    helping.delete(message.number)
    served.any = true
    if (help !== undefined) help.take(message)
    else if (batch === undefined || (waitingForHelp === 0 && !served.quorum.canCheck(own, batch, message)))
      queueMicrotask(() => tell('message', message))
    else {
      waitingForHelp++
      const checked = served.quorum.replyOf(own, batch, message)
      told = told.then(async () => {
        const reply = await checked
        waitingForHelp--
        if (reply !== null) tell('message', reply)
      })
    }
  }

  const own: Member = {
    life,
    load: () => (asked && waiting === null ? away.size : Infinity),
    help: (batch) =>
      new Promise((take) => {
        const message = { ...batch, number: FIRST_HELP + helped++ }
        away.set(message.number, message)
        helping.set(message.number, { passed: 0, take })
        channel.post(packValue(message))
      }),
    refuse: context.refuse,
  }
  served.quorum.join(own)

  function leave(): void {
    served.quorum.leave(own)
    for (const { take } of helping.values()) take(null)
    helping.clear()
  }

  function waitForHelp(elapsed: number): void {
    if (waitingForHelp > 0 || helping.size > 0) tell('message', { apportion: 'alive' })
    for (const [number, help] of [...helping]) {
      help.passed += elapsed
      if (help.passed < HELP_PATIENCE) continue
      helping.delete(number)
      help.take(null)
    }
  }

  function refuse(reason: string): boolean {
    if (!isLate) return false
    context.refuse(reason)
    return true
  }

  function ask(): void {
    asked = true
    waiting = []
    if (build !== FUNCTIONS_BUILD) {
      const reason = `runs another version of apportion (${quoted(build)}, here ${quoted(FUNCTIONS_BUILD)}). Install the same on both.`
      queueMicrotask(() => refuse(reason) || tell('error', new Error(`${who} ${reason}`)))
      return
    }
    void loan.hello().then(() => {
      const due = waiting ?? []
      waiting = null
      for (const message of due) channel.post(message)
    })
  }

  return {
    ...loan,
    on: (event, call) => listeners.set(event, call),
    postMessage(order: ToThread) {
      // Outputs that stay on their device cannot be compared.
      const message = order.apportion === 'batch' && served.quorum.verify > 1 ? { ...order, keep: false } : order
      const bytes = packValue(message)
      if (message.apportion === 'batch') {
        if (bytes.length > MAX_VALUE && message.values?.some((value) => problemOf(value) !== null))
          throw new RangeError('a value is too long')
        away.set(message.number, message)
      }
      if (!asked) ask()
      if (waiting !== null) waiting.push(bytes)
      else channel.post(bytes)
    },
    terminate() {
      leave()
      loan.end()
    },
    isCutOff: context.isCutOff,
    problemOf,
    refuse,
    receive(message) {
      if (message.kind !== 'tell') return loan.receive(message)
      try {
        channel.take(message.piece)
      } catch {
        context.refuse(UNREADABLE)
      }
    },
    sendAgain() {
      loan.sendAgain()
      channel.sendAgain()
    },
    tick(elapsed) {
      loan.tick(elapsed)
      channel.tick(elapsed)
      waitForHelp(elapsed)
    },
  }
}

/** Returns why a value cannot be sent through the room, or null. */
export function problemOf(value: unknown): string | null {
  try {
    const { length } = packValue(value)
    return length > MAX_VALUE ? `it has ${length} bytes; a room carries ${MAX_VALUE} at most.` : null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

type Batch = Extract<ToThread, { apportion: 'batch' }>

/** Whether a message of a device can be what a thread says. */
function isSound(message: FromThread, away: ReadonlyMap<number, Batch>): boolean {
  if (message.apportion === 'alive') return true
  if (message.apportion === 'ready') return Array.isArray(message.names) && Number.isFinite(message.clock)
  const { number, began, ended, kept, values, moved, thrown, setUp = 0 } = message
  const asked = away.get(number)
  if (!Array.isArray(values) || !Array.isArray(thrown) || !(ended instanceof Float64Array)) return false
  return (
    // On their way they are copied.
    Array.isArray(moved) &&
    moved.length === 0 &&
    Number.isFinite(setUp) &&
    Number.isFinite(began) &&
    ended.every(Number.isFinite) &&
    kept === asked?.keep &&
    values.length === (kept ? 0 : ended.length) &&
    ended.length + thrown.length === asked.jobs.length &&
    new Set(thrown.map(({ job }) => job)).size === thrown.length &&
    thrown.every(({ job }) => asked.jobs.includes(job))
  )
}
