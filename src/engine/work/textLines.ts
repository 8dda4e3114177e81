import { t } from '../../language/translate.ts'
import { createRandom, type RandomDraw, randomKey } from '../../workload/random.ts'

/** Larger files are refused, since input and output are held in memory, briefly twice. */
export const MAX_BYTES = 100_000_000

export interface Splitter {
  /** Returns the lines that end in this piece. */
  push(piece: string): string[]
  /** Returns the line after the last line feed, if there is one. */
  end(): string[]
}

/** Lines end with a line feed or a carriage return and a line feed. Blank lines are left out. */
export function createSplitter(): Splitter {
  let rest = ''
  const kept = (lines: string[]) =>
    lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)).filter((line) => line.trim() !== '')
  return {
    push(piece) {
      if (!piece.includes('\n')) {
        rest += piece
        return []
      }
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      return kept(lines)
    },
    end() {
      const last = rest
      rest = ''
      return kept([last])
    },
  }
}

/** Returns the lines of a UTF-8 text file, without line ends and byte order mark. Rejects with a message for users if there are more than `most`. */
export async function readLines(file: Blob, most: number): Promise<string[]> {
  if (file.size > MAX_BYTES)
    throw new Error(t('the file has {size} bytes; allowed: {most}', { size: file.size, most: MAX_BYTES }))
  const decoder = new TextDecoder()
  const splitter = createSplitter()
  const lines: string[] = []
  const take = (found: string[]) => {
    for (const line of found) lines.push(line)
    if (lines.length > most) throw new Error(t('the file has more than {most} lines; allowed: {most}', { most }))
  }
  const reader = file.stream().getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read())
    take(splitter.push(decoder.decode(next.value, { stream: true })))
  take(splitter.push(decoder.decode()))
  take(splitter.end())
  return lines
}

/** What a scenario tells of its file: the number of lines, and the SHA-256 of the bytes, or '' where the browser has none. */
export type FileFacts = { readonly jobs: number; readonly digest: string }

export async function countTextLines(file: Blob, most: number): Promise<FileFacts> {
  const lines = await readLines(file, most)
  return { jobs: lines.length, digest: await fileDigest(file) }
}

export async function fileDigest(file: Blob): Promise<string> {
  return sha256Hex(await file.arrayBuffer())
}

/** Returns the SHA-256 of the bytes in hexadecimal. Pages on plain http lack the browser's own: then JavaScript does it, fetched when first needed. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer> | ArrayBuffer): Promise<string> {
  const { subtle } = globalThis.crypto ?? {}
  const hash = subtle === undefined ? await plainHash(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes))
  let text = ''
  for (const byte of hash) text += hexBytes[byte]
  return text
}

async function plainHash(bytes: Uint8Array | ArrayBuffer): Promise<Uint8Array> {
  const { sha256 } = await import('@noble/hashes/sha2.js')
  return sha256(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes))
}

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const methods = ['GET', 'GET', 'GET', 'GET', 'POST', 'PUT', 'HEAD', 'DELETE']
const statuses = [200, 200, 200, 200, 200, 200, 204, 301, 304, 304, 400, 401, 404, 404, 429, 500, 502, 503]
const services = ['catalogue', 'basket', 'search', 'accounts', 'payments', 'images']
const things = ['lamp', 'kettle', 'bicycle', 'atlas', 'violin', 'teapot', 'ladder', 'compass', 'lantern', 'hammock']
const agents = ['Firefox/153.0', 'Chrome/156.0', 'Safari/26.2', 'curl/8.15', 'Googlebot/2.1', 'okhttp/5.1']
const notes = [
  'cache miss',
  'retried upstream',
  'slow replica chosen',
  'token renewed',
  'rate limit near',
  'fallback image served',
]

/** 14 November 2026, 00:00 UTC, in milliseconds since 1970. */
const BEGIN = 1_794_614_400_000

/** Returns a function for line k of an endless web gateway log, JSON, equal for equal seeds. Lines have some 150 bytes; a quarter up to ten times that. */
export function createLogLines(seed: number): (k: number) => string {
  const random = createRandom(seed, randomKey('sample'))
  return (k) => JSON.stringify(recordAt(random, k))
}

function recordAt(random: RandomDraw, k: number) {
  let draw = 0
  const below = (sides: number): number => Math.floor(random(k, draw++) * sides)
  const one = <T>(list: readonly T[]): T => list[below(list.length)]
  const method = one(methods)
  const status = one(statuses)
  const thing = one(things)
  const record = {
    // Requests come about 250 ms apart, so that times ascend line by line.
    time: new Date(BEGIN + k * 250 + below(250)).toISOString(),
    request: `${hex(below(0x1000000), 6)}${hex(k, 8)}`,
    service: one(services),
    method,
    path: `/${thing}s/${below(9000) + 1000}${below(3) === 0 ? `/reviews?page=${below(20) + 1}` : ''}`,
    status,
    bytes: status === 304 || method === 'HEAD' ? 0 : 200 + below(300) * below(300),
    micros: 300 + below(200) * below(200),
    client: `10.${below(256)}.${below(256)}.${below(256)}`,
    agent: one(agents),
  }
  const length = below(4) > 0 ? 0 : 1 + Math.floor((below(12) * below(12)) / 12)
  if (length === 0) return record
  const behind = Array.from({ length }, (_, step) => ({
    step,
    host: `${record.service}-${below(40)}.internal`,
    micros: 50 + below(4000),
    note: one(notes),
  }))
  return { ...record, behind }
}

function hex(n: number, digits: number): string {
  return n.toString(16).padStart(digits, '0')
}
