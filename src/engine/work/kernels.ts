import { msg } from '../../language/msg.ts'
import type { Kernel, Work } from '../../scenario/model/scenario.ts'
import { antialias, colour, coloured, lacking, mandelbrot, type Tile } from './mandelbrot.ts'
import { encodeQoi } from './qoi.ts'
import { sha256Hex } from './textLines.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** The payload of a job between stages: a line of text or the record parsed from it, a tile of a picture, or compressed bytes. */
export type Payload = Text | Tile | Uint8Array
type Text = string | { readonly record: Json }

/** Real work by name, from payload to payload. Throws an Error for users for what it cannot use. None accepts compressed bytes: a stage that compresses is the last. */
export const kernelFunctions: Readonly<Record<Kernel, (payload: Payload) => Payload | Promise<Payload>>> = {
  parseJson,
  validate,
  sha256,
  gzip,
  mandelbrot: (payload) => mandelbrot(tileIn(payload)),
  colour: (payload) => colour(tileIn(payload)),
  antialias: (payload) => antialias(tileIn(payload)),
  qoi: (payload) => packed(tileIn(payload)),
}

/** Returns the kernel of some work; null where there is none. Own code is run by the threads of its feature only. */
export function kernelOf(work: Work): ((payload: Payload) => Payload | Promise<Payload>) | null {
  return work === 'burn' || work === 'wait' || typeof work === 'object' ? null : kernelFunctions[work]
}

/** Parses the line as JSON. A record passes unchanged. */
function parseJson(payload: Payload): Payload {
  requireText(payload)
  if (typeof payload !== 'string') return payload
  try {
    return { record: JSON.parse(payload) as Json }
  } catch {
    throw new Error(`${msg('this line is not JSON')}: ${excerpt(payload)}`)
  }
}

/** Checks that the record is an object with at least one field, and trims its texts. */
function validate(payload: Payload): Payload {
  requireText(payload)
  if (typeof payload === 'string') throw new Error(lacking('parseJson'))
  const { record } = payload
  const fields = isObject(record) ? Object.entries(record) : []
  if (fields.length === 0)
    throw new Error(
      `${msg('a record must be a JSON object with at least one field')}: ${excerpt(canonicalText(record))}`,
    )
  return {
    record: Object.fromEntries(fields.map(([key, value]) => [key, typeof value === 'string' ? value.trim() : value])),
  }
}

/** Adds the SHA-256 of the record's canonical text as a field `sha256`. Anything but an object is put into a field `record` first. */
async function sha256(payload: Payload): Promise<Payload> {
  requireText(payload)
  const hash = await sha256Hex(encoder.encode(textOf(payload)))
  const record = typeof payload === 'string' ? payload : payload.record
  return { record: isObject(record) ? { ...record, sha256: hash } : { record, sha256: hash } }
}

/** Compresses the record's text and a line feed into one member of a .gz file, which is any number of members in a row (RFC 1952). */
async function gzip(payload: Payload): Promise<Payload> {
  requireText(payload)
  const stream = new CompressionStream('gzip')
  const writer = stream.writable.getWriter()
  const written = writer.write(encoder.encode(`${textOf(payload)}\n`)).then(() => writer.close())
  const parts: Uint8Array[] = []
  const reader = stream.readable.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value)
  await written
  return joinedBytes(parts)
}

function packed(tile: Tile): Payload {
  return encodeQoi(coloured(tile), tile.width, tile.height)
}

/** Returns the output of a record: its bytes, or its text and a line feed. */
export function bytesOf(payload: Payload): Uint8Array {
  if (isTile(payload)) throw new RangeError('a tile is not a record')
  return payload instanceof Uint8Array ? payload : encoder.encode(`${textOf(payload)}\n`)
}

export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Returns JSON without spaces and with keys in ascending order (after RFC 8785, but whole numbers come before other keys, as in JavaScript). */
export function canonicalText(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    isObject(inner)
      ? Object.fromEntries(
          Object.keys(inner)
            .sort()
            .map((key) => [key, inner[key]]),
        )
      : inner,
  )
}

const encoder = new TextEncoder()

function textOf(payload: Text): string {
  return typeof payload === 'string' ? payload : canonicalText(payload.record)
}

function requireText(payload: Payload): asserts payload is Text {
  requirePlain(payload)
  if (isTile(payload)) throw new Error(msg('this is a tile of a picture, and the stage works on lines of text'))
}

function tileIn(payload: Payload): Tile {
  requirePlain(payload)
  if (!isTile(payload)) throw new Error(msg('this is a line of text, and the stage works on tiles of a picture'))
  return payload
}

function requirePlain(payload: Payload): asserts payload is Text | Tile {
  if (payload instanceof Uint8Array)
    throw new Error(msg('this is compressed already: put this stage before the one that compresses'))
}

export function isTile(payload: Payload): payload is Tile {
  return typeof payload === 'object' && 'pixels' in payload
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function excerpt(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`
}
