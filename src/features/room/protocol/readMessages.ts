import type { BatchOrder, Reply } from '../../../engine/conductor/batchPort.ts'
import type { Json, Payload } from '../../../engine/work/kernels.ts'
import { MAX_BATCH, MAX_STAGES } from '../../../scenario/model/limits.ts'
import { kernelNames, type Micros, type Work } from '../../../scenario/model/scenario.ts'
import { type FrameColumn, type MessageFrame, unpackFrame } from './frame.ts'
import {
  type Addressed,
  type Down,
  HAS_COUNTS,
  HAS_PIXELS,
  type Presence,
  type StageSign,
  type Up,
} from './messages.ts'

// Everything from a broker is untrusted: all but exact messages are read as null, and nothing throws.

/** The maximum number of threads that one device lends. */
export const MAX_LENT = 64
const MAX_WORDS = 200
const MAX_TILE = 4096

export function readPresence(bytes: Uint8Array): Presence | null {
  const frame = unpackFrame(bytes)
  const head = frame === null || frame.columns.length > 0 ? null : objectIn(frame.head)
  if (head === null) return null
  const { life, connection, threads, name, build, lacks, roundTrip = null } = head
  if (roundTrip !== null && !isCount(roundTrip)) return null
  if (!isName(life) || !isCount(connection) || !isWholeUpTo(threads, MAX_LENT) || threads === 0) return null
  if (!isText(name) || !isText(build) || !Array.isArray(lacks) || lacks.length > 20 || !lacks.every(isText)) return null
  return { life, connection, threads, name: shown(name), build: shown(build), lacks: lacks.map(shown), roundTrip }
}

export function readDown(bytes: Uint8Array): Addressed<Down> | null {
  const read = addressed(bytes)
  if (read === null) return null
  const { head, seat, conductor, frame } = read
  switch (head.kind) {
    case 'hello': {
      const { worker, keep, stages } = head
      const signs = signsIn(stages)
      return isWholeUpTo(worker, 1_000_000) && areLoans(keep) && signs !== null
        ? { kind: 'hello', conductor, seat, worker, keep, stages: signs }
        : null
    }
    case 'clock':
      return isCount(head.trip) ? { kind: 'clock', conductor, seat, trip: head.trip } : null
    case 'hang':
      return isTime(head.at) ? { kind: 'hang', conductor, seat, at: head.at } : null
    case 'batch': {
      const batch = batchIn(head, frame)
      return isCount(head.number) && batch !== null
        ? { kind: 'batch', conductor, seat, number: head.number, batch }
        : null
    }
    case 'end':
      return { kind: 'end', conductor, seat }
    case 'keep':
      return areLoans(head.keep) ? { kind: 'keep', conductor, seat, keep: head.keep } : null
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
      return isCount(head.trip) && isTime(head.reading)
        ? { kind: 'clock', conductor, seat, trip: head.trip, reading: head.reading }
        : null
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

export type MessageFields = Readonly<Record<string, unknown>>

const mayHaveColumns: ReadonlySet<unknown> = new Set(['batch', 'answer'])

function addressed(bytes: Uint8Array) {
  const frame = unpackFrame(bytes)
  const head = frame === null ? null : objectIn(frame.head)
  if (frame === null || head === null || !isCount(head.seat) || !isName(head.conductor)) return null
  if (!mayHaveColumns.has(head.kind) && frame.columns.length > 0) return null
  return { head, seat: head.seat, conductor: head.conductor, frame }
}

function batchIn({ work, stage, payloads }: MessageFields, { columns }: MessageFrame): BatchOrder | null {
  if (!isWork(work) || !isWholeUpTo(stage, MAX_STAGES - 1)) return null
  const [switchCosts, jobs, services, failing] = [0, 1, 2, 3].map((k) => timesIn(columns[k]))
  if (switchCosts === null || jobs === null || services === null || failing === null) return null
  const { length } = jobs
  if (
    length === 0 ||
    length > MAX_BATCH ||
    switchCosts.length !== length ||
    services.length !== length ||
    failing.length > length
  )
    return null
  const carried = payloadsIn(payloads, columns, 4, length)
  if (carried === undefined) return null
  return { work, stage, switchCosts, jobs, services, failing, payloads: carried }
}

function replyIn({ began, threw, payloads }: MessageFields, { columns }: MessageFrame): Reply | null {
  const ended = timesIn(columns[0])
  if (!isTime(began) || ended === null || ended.length > MAX_BATCH) return null
  const carried = payloadsIn(payloads, columns, 1, ended.length)
  if (carried === undefined) return null
  if (ended.some((time, k) => time < (ended[k - 1] ?? began))) return null
  if (threw === null) return ended.length > 0 ? { began, ended, threw: null, payloads: carried } : null
  const thrown = objectIn(threw)
  if (thrown === null || !isCount(thrown.job) || !isText(thrown.reason) || ended.length > 0 || carried !== null)
    return null
  return { began, ended: [], threw: { job: thrown.job, reason: shown(thrown.reason) }, payloads: null }
}

/** Returns undefined if they cannot be read. `next` is the index of their first column. */
function payloadsIn(
  packed: unknown,
  columns: readonly FrameColumn[],
  next: number,
  count: number,
): Payload[] | null | undefined {
  if (packed === null) return columns.length === next ? null : undefined
  if (!Array.isArray(packed) || packed.length !== count) return undefined
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
  // It comes from JSON.parse, so it is a record.
  if ('record' in fields) return { record: fields.record as Json }
  if (fields.bytes === true) return bytesIn(column())
  const { tile, has } = fields
  if (
    !Array.isArray(tile) ||
    tile.length !== 6 ||
    !tile.every((x) => Number.isFinite(x)) ||
    !isWholeUpTo(has, HAS_COUNTS + HAS_PIXELS)
  )
    return null
  const [width, height, x, y, step, iterations] = tile as number[]
  if (!isWholeUpTo(width, MAX_TILE) || !isWholeUpTo(height, MAX_TILE) || !isWholeUpTo(iterations, 1_000_000))
    return null
  const counts = (has & HAS_COUNTS) === 0 ? null : (column() ?? null)
  const pixels = (has & HAS_PIXELS) === 0 ? null : bytesIn(column())
  if ((has & HAS_COUNTS) !== 0 && !(counts instanceof Float32Array && counts.length === 2 * width * height)) return null
  if ((has & HAS_PIXELS) !== 0 && pixels?.length !== 4 * width * height) return null
  return { width, height, x, y, step, iterations, counts: counts as Float32Array | null, pixels }
}

const bytesIn = (column: FrameColumn | undefined): Uint8Array | null => (column instanceof Uint8Array ? column : null)

/** Returns the signs of stages; null if one of them is not valid. */
export function signsIn(packed: unknown): StageSign[] | null {
  if (!Array.isArray(packed) || packed.length > MAX_STAGES) return null
  const signOf = (sign: MessageFields | null): StageSign | null =>
    isText(sign?.name) && isWholeUpTo(sign.colour, MAX_STAGES) ? { name: shown(sign.name), colour: sign.colour } : null
  const signs = packed.map(objectIn).map(signOf)
  return signs.every((sign) => sign !== null) ? signs : null
}

export function objectIn(x: unknown): MessageFields | null {
  return typeof x === 'object' && x !== null && !Array.isArray(x) ? (x as MessageFields) : null
}

/** Times are whole microseconds, up to some thousand years. */
const isTime = (x: unknown): x is number => Number.isSafeInteger(x)

/** Returns null if there is no column of times. */
function timesIn(column: FrameColumn | undefined): Micros[] | null {
  return column instanceof Float64Array && column.every(isTime) ? [...column] : null
}

const areLoans = (x: unknown): x is number[] => Array.isArray(x) && x.length <= MAX_LENT && x.every(isCount)

const isCount = (x: unknown): x is number => isWholeUpTo(x, Number.MAX_SAFE_INTEGER)

export function isWholeUpTo(x: unknown, max: number): x is number {
  return Number.isSafeInteger(x) && (x as number) >= 0 && (x as number) <= max
}

export const isName = (x: unknown): x is string => typeof x === 'string' && /^[A-Za-z0-9]{1,60}$/.test(x)

const isText = (x: unknown): x is string => typeof x === 'string'

const isWork = (x: unknown): x is Work =>
  x === 'burn' || x === 'wait' || (kernelNames as readonly unknown[]).includes(x)

/** Returns a text of a stranger that is safe to show: short, on one line, without characters that turn or hide text. */
export function shown(text: string): string {
  return [...text.slice(0, 4 * MAX_WORDS).replace(/[\p{C}\p{Z}]+/gu, ' ')].slice(0, MAX_WORDS).join('').trim()
}
