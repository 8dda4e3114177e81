import { SINK, topologyOf } from '../../pipeline/topology.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { tilePlace } from '../../scenario/model/sourceFigures.ts'
import type { Picture } from '../../scenario/model/sources.ts'
import { routingOf } from '../../workload/service.ts'
import { bytesOf, isTile, type Json, joinedBytes, type Payload } from './kernels.ts'
import { colour, type TilePixels, tileOf } from './mandelbrot.ts'
import { decodeQoi } from './qoi.ts'
import { sha256Hex } from './textLines.ts'

export interface Output {
  readonly blob: Blob
  /** Of the blob's bytes, in hexadecimal. */
  readonly sha256: string
  readonly records: number
  readonly bytes: number
  /** Whether the blob is a .gz file. Otherwise it is lines of text, or the pixels of a picture: rows from the top, 4 bytes (RGBA) per pixel. */
  readonly compressed: boolean
  /** Whether the lines are texts as they are, not JSON. */
  readonly plain?: boolean
  /** The size of a picture in pixels; null for records. */
  readonly picture: { readonly width: number; readonly height: number } | null
}

/** The payloads of jobs between stages, and the output so far, in the order of leaving. */
export interface Payloads {
  at(job: number, stage: number): Payload
  /** Sets the payload of a job from that stage on; null: the stage changes nothing. */
  put(job: number, stage: number, payload: Payload | null): void
  /** Appends the payload of a job to the output: the job leaves. */
  release(job: number): void
  /** Forgets a job that failed, at this stage if the caller knows it. */
  drop(job: number, stage?: number): void
  output(): Promise<Output>
  /** Returns how long a kernel may need for a job on a slow machine; 0 if unknown. */
  atMost(job: number): Micros
  /** Returns the tiles that have left since the last call; none if there is no picture. */
  takeTiles(): readonly TilePixels[]
}

/** The time per character of a record on a slow machine. */
const SLOW: Micros = 1

/** Returns the payloads of records. `lengthOf` returns how many characters a record had at first; 0 if unknown. */
export function createPayloads(
  jobRecords: JobRecords,
  compressed: boolean,
  lengthOf: (job: number) => number = () => 0,
): Payloads {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  return {
    at: jobRecords.at,
    put: jobRecords.put,
    release(job) {
      const chunk = bytesOf(jobRecords.at(job, SINK)) as Uint8Array<ArrayBuffer>
      chunks.push(chunk)
      bytes += chunk.length
      jobRecords.forget(job)
    },
    drop: jobRecords.forget,
    async output() {
      const blob = new Blob(chunks, { type: compressed ? 'application/gzip' : 'text/plain' })
      const sha256 = await sha256Hex(await blob.arrayBuffer())
      return { blob, sha256, records: chunks.length, bytes, compressed, picture: null }
    },
    atMost: (job) => lengthOf(job) * SLOW,
    takeTiles: () => [],
  }
}

export interface JobRecords<P = Payload> {
  /** Returns the payload that arrives at a stage, or at SINK. */
  at(job: number, stage: number): P
  /** Sets what leaves a stage; null: the stage changes nothing. */
  put(job: number, stage: number, payload: P | null): void
  forget(job: number): void
}

/** Returns records without parts: each stage changes the one record of a job in turn. */
export function wholeRecords<P>(first: (job: number) => P): JobRecords<P> {
  const jobRecords = new Map<number, P>()
  return {
    at: (job) => jobRecords.get(job) ?? first(job),
    put(job, _, payload) {
      if (payload !== null) jobRecords.set(job, payload)
    },
    forget: (job) => jobRecords.delete(job),
  }
}

/**
 * Returns records with parts: behind a stage that copies, each next stage gets its own. At a join `combine` makes one of several parts, which come
 * with the ids of the stages that they left.
 */
export function inParts<P>(
  scenario: Scenario,
  first: (job: number) => P,
  combine: (parts: readonly (readonly [id: string, part: P])[]) => P,
): JobRecords<P> {
  const { ways, routes } = topologyOf(scenario)
  const routeOf = routingOf(scenario)
  const ids = scenario.stages.map(({ id }) => id)
  const out = [SINK]
  /** By place (the sink is last) and job: the parts that have arrived, by the stage they left. */
  const arrived = Array.from({ length: ids.length + 1 }, () => new Map<number, Map<number, P>>())
  const placeOf = (stage: number) => (stage === SINK ? ids.length : stage)
  function at(job: number, stage: number): P {
    const parts = arrived[placeOf(stage)].get(job)
    if (parts === undefined) return first(job)
    const from = [...parts.keys()].sort((a, b) => a - b)
    return combine(from.map((s) => [ids[s], parts.get(s) as P]))
  }
  return {
    at,
    put(job, stage, payload) {
      const left = payload ?? at(job, stage)
      arrived[stage].delete(job)
      for (const next of routes[stage] === 1 ? [routeOf(stage, job)] : ways[stage].length > 0 ? ways[stage] : out) {
        const jobs = arrived[placeOf(next)]
        const parts = jobs.get(job)
        if (parts === undefined) jobs.set(job, new Map([[stage, left]]))
        else parts.set(stage, left)
      }
    },
    forget(job) {
      for (const jobs of arrived) jobs.delete(job)
    },
  }
}

/** Returns one part alone as it is, several as an object by the stage that each left. Bytes are joined in the order of stages, as in a .gz file. */
export function combinedRecord(parts: readonly (readonly [id: string, part: Payload])[]): Payload {
  if (parts.length === 1) return parts[0][1]
  const fields: Record<string, Json> = {}
  for (const [id, part] of parts) {
    if (typeof part === 'string') fields[id] = part
    else if ('record' in part) fields[id] = part.record
    else return joinedBytes(parts.map(([, each]) => bytesOf(each)))
  }
  return { record: fields }
}

/** The most points that a kernel computes for a pixel (`antialias`), and the iterations per microsecond on a slow and busy machine. */
const MAX_POINTS = 9
const SLOW_STEPS = 50

/** Returns the payloads of a picture, whose tiles are put together as they leave. A failed tile stays transparent. */
export function createPicturePayloads(picture: Picture): Payloads {
  const { width, height } = picture
  const { at, put, forget: drop } = wholeRecords((job) => tileOf(picture, job))
  const all = new Uint8Array(4 * width * height)
  let records = 0
  let left: TilePixels[] = []
  return {
    at,
    put,
    release(job) {
      const pixels = pixelsOf(at(job, SINK))
      lay(pixels, all, picture, job)
      left.push({ job, pixels })
      records++
      drop(job)
    },
    drop,
    async output() {
      const sha256 = await sha256Hex(all)
      return {
        blob: new Blob([all]),
        sha256,
        records,
        bytes: all.length,
        compressed: false,
        picture: { width, height },
      }
    },
    atMost(job) {
      const place = tilePlace(picture, job)
      return (place.width * place.height * picture.iterations * MAX_POINTS) / SLOW_STEPS
    },
    takeTiles() {
      const taken = left
      left = []
      return taken
    },
  }
}

/** Returns the pixels of a tile. A tile that was only computed is coloured here. */
function pixelsOf(payload: Payload): Uint8Array<ArrayBuffer> {
  if (payload instanceof Uint8Array) return decodeQoi(payload)
  if (!isTile(payload)) throw new RangeError('a job of a picture carries a tile')
  // Copied, since the pixels are transferred and several tiles may share one buffer.
  return Uint8Array.from(colour(payload).pixels ?? [])
}

function lay(pixels: Uint8Array, all: Uint8Array, picture: Picture, job: number): void {
  const place = tilePlace(picture, job)
  for (let row = 0; row < place.height; row++) {
    const from = 4 * row * place.width
    all.set(pixels.subarray(from, from + 4 * place.width), 4 * ((place.top + row) * picture.width + place.left))
  }
}
