import { MAX_BATCH, MAX_STAGES } from '../../scenario/model/limits.ts'
import { kernelNames, type Work } from '../../scenario/model/scenario.ts'
import type { BatchOrder, Reply } from '../conductor/batchPort.ts'
import type { Json, Payload } from '../work/kernels.ts'
import { type FrameColumn, type MessageFrame, unpackFrame } from './frame.ts'
import { type Addressed, type Down, HAS_COUNTS, HAS_PIXELS, type Presence, type StageSign, type Up } from './messages.ts'

/**
 * Everything that comes from a broker is read here. What is not exactly a message is none: null. Nothing throws. Texts are cut and lose what
 * no screen shows, since they come from strangers.
 */

/** The most threads that one device lends. */
export const MAX_LENT = 64
const MAX_WORDS = 200
const MAX_TILE = 4096

export function readPresence(bytes: Uint8Array): Presence | null {
  const frame = unpackFrame(bytes)
  const head = frame === null || frame.columns.length > 0 ? null : objectIn(frame.head)
  if (head === null) return null
  const { life, connection, threads, name, build, lacks, roundTrip = null } = head
  if (roundTrip !== null && !isCount(roundTrip)) return null
  if (!isName(life) || !isWhole(connection, Number.MAX_SAFE_INTEGER) || !isWhole(threads, MAX_LENT) || threads === 0) return null
  if (typeof name !== 'string' || typeof build !== 'string' || !Array.isArray(lacks) || lacks.length > 20 || !lacks.every(isText)) return null
  return { life, connection, threads, name: shown(name), build: shown(build), lacks: lacks.map(shown), roundTrip }
}

export function readDown(bytes: Uint8Array): Addressed<Down> | null {
  const read = addressed(bytes)
  if (read === null) return null
  const { head, seat, conductor, frame } = read
  switch (head.kind) {
    case 'hello': {
      const { worker, keep, stages } = head
      if (!isWhole(worker, 1_000_000) || !areSeats(keep)) return null
      const signs = Array.isArray(stages) && stages.length <= MAX_STAGES ? stages.map(signIn) : [null]
      return signs.every((sign) => sign !== null) ? { kind: 'hello', conductor, seat, worker, keep, stages: signs } : null
    }
    case 'clock':
      return isCount(head.trip) ? { kind: 'clock', conductor, seat, trip: head.trip } : null
    case 'hang':
      return isTime(head.at) ? { kind: 'hang', conductor, seat, at: head.at } : null
    case 'batch': {
      const batch = batchIn(head, frame)
      return isCount(head.number) && batch !== null ? { kind: 'batch', conductor, seat, number: head.number, batch } : null
    }
    case 'end':
      return { kind: 'end', conductor, seat }
    case 'keep':
      return areSeats(head.keep) ? { kind: 'keep', conductor, seat, keep: head.keep } : null
    default:
      return null
  }
}

export function readUp(bytes: Uint8Array): Addressed<Up> | null {
  const read = addressed(bytes)
  if (read === null) return null
  const { head, seat, conductor, frame } = read
  const { number, words } = head
  switch (head.kind) {
    case 'clock':
      return isCount(head.trip) && isTime(head.reading) ? { kind: 'clock', conductor, seat, trip: head.trip, reading: head.reading } : null
    case 'hello':
    case 'hang':
      return { kind: head.kind, conductor, seat }
    case 'answer': {
      const reply = replyIn(head, frame)
      return isCount(number) && reply !== null ? { kind: 'answer', conductor, seat, number, reply } : null
    }
    case 'broken':
      return isCount(number) && isText(words) ? { kind: 'broken', conductor, seat, number, words: shown(words) } : null
    case 'error':
    case 'gone':
      return isText(words) ? { kind: head.kind, conductor, seat, words: shown(words) } : null
    default:
      return null
  }
}

type Fields = Readonly<Record<string, unknown>>

function addressed(bytes: Uint8Array): { readonly head: Fields; readonly seat: number; readonly conductor: string; readonly frame: MessageFrame } | null {
  const frame = unpackFrame(bytes)
  const head = frame === null ? null : objectIn(frame.head)
  if (frame === null || head === null || !isCount(head.seat) || !isName(head.conductor)) return null
  if (head.kind !== 'batch' && head.kind !== 'answer' && frame.columns.length > 0) return null
  return { head, seat: head.seat, conductor: head.conductor, frame }
}

function batchIn({ work, stage, payloads }: Fields, { columns }: MessageFrame): BatchOrder | null {
  const [switchCosts, jobs, services, failing, ...rest] = columns
  if (!isWork(work) || !isWhole(stage, MAX_STAGES - 1)) return null
  if (!areTimes(switchCosts) || !areTimes(jobs) || !areTimes(services) || !areTimes(failing)) return null
  const { length } = jobs
  if (length === 0 || length > MAX_BATCH || switchCosts.length !== length || services.length !== length || failing.length > length) return null
  const carried = payloadsIn(payloads, rest, length)
  if (carried === undefined) return null
  return { work, stage, switchCosts: [...switchCosts], jobs: [...jobs], services: [...services], failing: [...failing], payloads: carried }
}

function replyIn({ began, threw, payloads }: Fields, { columns }: MessageFrame): Reply | null {
  const [ended, ...rest] = columns
  if (!isTime(began) || !areTimes(ended) || ended.length > MAX_BATCH) return null
  const carried = payloadsIn(payloads, rest, ended.length)
  if (carried === undefined) return null
  let before = began
  for (const time of ended) {
    if (time < before) return null
    before = time
  }
  if (threw === null) return ended.length > 0 ? { began, ended: [...ended], threw: null, payloads: carried } : null
  const thrown = objectIn(threw)
  if (thrown === null || !isCount(thrown.job) || !isText(thrown.reason) || ended.length > 0 || carried !== null) return null
  return { began, ended: [], threw: { job: thrown.job, reason: shown(thrown.reason) }, payloads: null }
}

/** Returns undefined if they cannot be read. */
function payloadsIn(packed: unknown, columns: readonly FrameColumn[], count: number): Payload[] | null | undefined {
  if (packed === null) return columns.length === 0 ? null : undefined
  if (!Array.isArray(packed) || packed.length !== count) return undefined
  let next = 0
  const payloads: Payload[] = []
  for (const one of packed as unknown[]) {
    const payload = payloadIn(one, () => columns[next++])
    if (payload === null) return undefined
    payloads.push(payload)
  }
  return next === columns.length ? payloads : undefined
}

function payloadIn(packed: unknown, column: () => FrameColumn | undefined): Payload | null {
  if (typeof packed === 'string') return packed
  const fields = objectIn(packed)
  if (fields === null) return null
  // JSON.parse has made it, so it is a record.
  if ('record' in fields) return { record: fields.record as Json }
  if (fields.bytes === true) return bytesIn(column())
  const { tile, has } = fields
  if (!Array.isArray(tile) || tile.length !== 6 || !tile.every((x) => Number.isFinite(x)) || !isWhole(has, HAS_COUNTS + HAS_PIXELS)) return null
  const [width, height, x, y, step, iterations] = tile as number[]
  if (!isWhole(width, MAX_TILE) || !isWhole(height, MAX_TILE) || !isWhole(iterations, 1_000_000)) return null
  const counts = (has & HAS_COUNTS) === 0 ? null : (column() ?? null)
  const pixels = (has & HAS_PIXELS) === 0 ? null : bytesIn(column())
  if ((has & HAS_COUNTS) !== 0 && !(counts instanceof Float32Array && counts.length === 2 * width * height)) return null
  if ((has & HAS_PIXELS) !== 0 && pixels?.length !== 4 * width * height) return null
  return { width, height, x, y, step, iterations, counts: counts as Float32Array | null, pixels }
}

function bytesIn(column: FrameColumn | undefined): Uint8Array | null {
  return column instanceof Uint8Array ? column : null
}

function signIn(packed: unknown): StageSign | null {
  const sign = objectIn(packed)
  return sign !== null && isText(sign.name) && isWhole(sign.colour, MAX_STAGES) ? { name: shown(sign.name), colour: sign.colour } : null
}

function objectIn(x: unknown): Fields | null {
  return typeof x === 'object' && x !== null && !Array.isArray(x) ? (x as Fields) : null
}

/** Times are whole microseconds of up to some thousand years. */
function isTime(x: unknown): x is number {
  return Number.isSafeInteger(x)
}

function areTimes(column: FrameColumn | undefined): column is Float64Array {
  return column instanceof Float64Array && column.every(isTime)
}

function areSeats(x: unknown): x is number[] {
  return Array.isArray(x) && x.length <= MAX_LENT && x.every(isCount)
}

function isCount(x: unknown): x is number {
  return isWhole(x, Number.MAX_SAFE_INTEGER)
}

function isWhole(x: unknown, most: number): x is number {
  return Number.isSafeInteger(x) && (x as number) >= 0 && (x as number) <= most
}

function isName(x: unknown): x is string {
  return typeof x === 'string' && /^[A-Za-z0-9]{1,60}$/.test(x)
}

function isText(x: unknown): x is string {
  return typeof x === 'string'
}

const works: readonly unknown[] = ['burn', 'wait', ...kernelNames]

function isWork(x: unknown): x is Work {
  return works.includes(x)
}

/** Returns a text of a stranger as people may see it: short, on one line, without signs that turn or hide text. */
export function shown(text: string): string {
  return [...text.slice(0, 4 * MAX_WORDS).replace(/[\p{C}\p{Z}]+/gu, ' ')].slice(0, MAX_WORDS).join('').trim()
}
