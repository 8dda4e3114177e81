import { msg } from '../../../language/msg.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import type { Wire } from './wire.ts'

/** A batch that is away. */
export interface AwayBatch {
  readonly jobs: readonly number[]
  /** When it was sent, on our clock. */
  readonly sent: Micros
}

/** What a thread says, as far as it could be checked. `place`: of the job in its batch. */
export interface StageReply {
  readonly number: number
  readonly began: Micros
  readonly ended: Micros[]
  readonly values: readonly Wire[]
  readonly thrown: readonly { readonly place: number; readonly reason: string }[]
}

export type Heard = StageReply | { readonly ready: true } | { readonly clock: Micros } | { readonly left: string }

/** A value has at most this many characters, and as many bytes in typed arrays. Its text may be longer as JSON inside of JSON. */
export const MAX_VALUE_SIZE = 1_000_000
const HEAD = 10_000
/** What one job may need in a reply: a value with its marks, or words of an error. JSON writes one character in at most six, twice. */
const MAX_TEXT = 12 * MAX_VALUE_SIZE
/** The clocks of two threads differ by this much at most, and step. */
const TOLERANCE: Micros = 2_000

const LIES = msg('broke the rules of replies and was ended')
const TOO_LONG = `${LIES}: the reply was too long`
const UNREADABLE = `${LIES}: the reply could not be read`
const UNASKED = `${LIES}: it answered a batch that was not out`
const WRONG_COUNT = `${LIES}: it gave another number of results than it had inputs`
const WRONG_TIMES = `${LIES}: its times cannot be true`

/**
 * Reads a message of a thread that runs code of others. Returns what is wrong with it, in words for the record: then nothing of it may be used. Only strings,
 * numbers and bytes come out; the texts of values are not read here at all.
 */
export function readReply(data: unknown, asked: ReadonlyMap<number, AwayBatch>, now: Micros): Heard | string {
  const [text, buffer] = Array.isArray(data) && data.length === 2 ? (data as unknown[]) : [data, null]
  if (typeof text !== 'string' || (buffer !== null && !(buffer instanceof ArrayBuffer))) return UNREADABLE
  let jobs = 1
  for (const batch of asked.values()) jobs = Math.max(jobs, batch.jobs.length)
  if (text.length > HEAD + jobs * MAX_TEXT || (buffer !== null && buffer.byteLength > jobs * MAX_VALUE_SIZE))
    return TOO_LONG
  let reply: unknown
  try {
    reply = JSON.parse(text)
  } catch {
    return UNREADABLE
  }
  if (typeof reply !== 'object' || reply === null) return UNREADABLE
  const own = reply as Readonly<Record<string, unknown>>
  if (own.ready === true) return { ready: true }
  if (typeof own.left === 'string') return { left: own.left.slice(0, 100) }
  if ('clock' in own) return Number.isSafeInteger(own.clock) ? { clock: own.clock as number } : WRONG_TIMES
  const batch = typeof own.number === 'number' ? asked.get(own.number) : undefined
  if (batch === undefined) return UNASKED
  return readResults(own, batch, buffer, now)
}

function readResults(
  own: Readonly<Record<string, unknown>>,
  batch: AwayBatch,
  buffer: ArrayBuffer | null,
  now: Micros,
): StageReply | string {
  const { began, ended, values, thrown, number } = own
  if (!Array.isArray(ended) || !Array.isArray(values) || !Array.isArray(thrown)) return UNREADABLE
  if (ended.length !== values.length || values.length + thrown.length !== batch.jobs.length) return WRONG_COUNT
  const problems = new Map<number, string>()
  for (const one of thrown) {
    if (!Array.isArray(one) || typeof one[1] !== 'string' || typeof one[2] !== 'string') return UNREADABLE
    const place = batch.jobs.indexOf(one[0])
    if (place < 0 || problems.has(place)) return WRONG_COUNT
    problems.set(place, reasonIn(one[1], one[2]))
  }
  let last = began
  if (!isTime(began)) return WRONG_TIMES
  for (const time of ended) {
    if (!isTime(time) || time <= (last as number)) return WRONG_TIMES
    last = time
  }
  if ((last as number) - began > now - batch.sent + TOLERANCE) return WRONG_TIMES
  const wires: Wire[] = []
  for (const value of values) {
    if (!Array.isArray(value) || typeof value[0] !== 'string' || value[0].length > MAX_TEXT) return UNREADABLE
    const [text, at, length] = value as [string, unknown, unknown]
    if (at === -1) wires.push({ text, bytes: null })
    else if (buffer !== null && isCount(at) && isCount(length) && at + length <= buffer.byteLength)
      wires.push({ text, bytes: new Uint8Array(buffer.slice(at, at + length)) })
    else return UNREADABLE
  }
  return {
    number: number as number,
    began,
    ended: ended as number[],
    values: wires,
    thrown: [...problems].map(([place, reason]) => ({ place, reason })),
  }
}

const isTime = (time: unknown): time is Micros => Number.isSafeInteger(time) && (time as number) > 0
const isCount = (n: unknown): n is number => Number.isSafeInteger(n) && (n as number) >= 0

/** Returns what was thrown as the record says it: the line of the code, and its words in one line. */
export function reasonIn(words: string, place: string): string {
  const line = /^:(\d{1,6})/.exec(place)?.[1]
  const shown = Array.from(
    words.replace(/data:text\/javascript[^\s)'"]*/g, 'the code').replace(/[\p{C}\u2028\u2029]/gu, ' '),
  )
  const short = shown.length > 200 ? `${shown.slice(0, 200).join('')}…` : shown.join('')
  return line === undefined ? short : `line ${line}: ${short}`
}
