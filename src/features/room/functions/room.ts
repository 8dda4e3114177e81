import { type Timer, wallMicros } from '../../../engine/conductor/environment.ts'
import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'
import { quoted } from '../../../scenario/model/words.ts'
import { isOurs, type ThreadReply, type ToThread } from '../../runner/protocol.ts'
import type { OpenThreads, ThreadSource, WorkerLike } from '../../runner/threads.ts'
import type { Carrier, OpenCarrier } from '../protocol/carrier.ts'
import { brokerProblem, readRoomLink } from '../protocol/links.ts'
import { createLoan, type Loan, type LoanContext } from '../protocol/loan.ts'
import type { Presence, Up } from '../protocol/messages.ts'
import { createRoomThreads } from '../protocol/roomThreads.ts'
import { createChannel } from './channel.ts'
import { packValue, unpackValue } from './structured.ts'

export interface RoomOptions {
  /** Milliseconds for which a run waits while nobody lends (10,000), or while the broker does not answer (60,000). */
  readonly patience?: number
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
const [LENDER_PATIENCE, BROKER_PATIENCE] = [10_000, 60_000]

const openCarrier: OpenCarrier = async (...how) => (await import('../brokerClient/openCarrier.ts')).openCarrier(...how)

/**
 * Takes the threads of a pipeline from a room, in which devices run `apportion lend LINK --module stages.js`. `link`: the link of the room, or the
 * address of an MQTT broker. Connects when a run begins. Throws TypeError if the link is wrong.
 */
export function room(link: string, { patience }: RoomOptions = {}): ThreadSource {
  const address = functionsAddress(link)
  if (address instanceof Error) throw new TypeError(address.message)
  return {
    patience: 1000 * (patience ?? LENDER_PATIENCE),
    open: (stages) => openRoom(address, stages, patience ?? BROKER_PATIENCE),
  }
}

/** Returns the room of a link for devices or hosts, or at a broker's address, which may end with `#room=NAME.TOKEN`; an Error with words for users if it is neither. */
export function functionsAddress(link: string): RoomAddress | Error {
  if (/^(ws|mqtt)s?:/.test(link) && URL.canParse(link)) {
    const url = new URL(link)
    const named = /^#room=([A-Za-z0-9]{1,40})(?:\.([\w-]{1,86}))?$/.exec(url.hash)
    if (url.hash !== '' && named === null) return new Error(`${quoted(url.hash)} is not a room. Allowed: #room=NAME or #room=NAME.TOKEN.`)
    url.hash = ''
    return { broker: url.href, room: named?.[1] ?? COMMON_ROOM, role: 'join', token: named?.[2] ?? '' }
  }
  for (const role of ['join', 'host'] as const) {
    const read = readRoomLink(link, role)
    if (read.found === 'room') return read.address
    if (read.found === 'problem') return new Error(read.problem)
  }
  return new Error(brokerProblem(link) ?? `${quoted(link)} is not a link of a room. Copy the whole link and try again.`)
}

async function openRoom(address: RoomAddress, stages: readonly string[], patience: number): Promise<OpenThreads> {
  const salt = Math.random().toString(36).slice(2)
  const carrier: Carrier = await openCarrier(address, { clientId: `${address.role === 'host' ? 'host' : 'fn'}${salt}` })
  let gathered = false
  const every: Timer = (milliseconds, call) => {
    const timer = setInterval(call, milliseconds)
    return () => clearInterval(timer)
  }
  const signs = stages.map((name, colour) => ({ name, colour }))
  const threads = createRoomThreads<FunctionLoan>(carrier, address.room, signs, { now: wallMicros, every }, { space: 'f', create })
  let trouble = (_: Error) => {}
  let silent = 0
  let up = true
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
  gathered = true

  function create(number: number, worker: number, events: Parameters<typeof createLoan>[2], context: LoanContext, presence: Presence): FunctionLoan {
    return createFunctionLoan(createLoan(number, worker, events, context), number, context, presence, late.has(presence.life))
  }

  return {
    newWorkers: threads.newWorkers,
    onTrouble: (call) => (trouble = call),
    start() {
      const worker = createRoomWorker()
      worker.loan = threads.start(0, worker.events)
      return worker
    },
    close() {
      stopTicking()
      threads.end()
      carrier.end()
    },
  }
}
