import { SINK } from '../../pipeline/topology.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { hasChecksum, sha256Hex } from './checksum.ts'
import type { JobRecords } from './jobRecords.ts'
import { bytesOf, type Payload } from './kernels.ts'
import type { TilePixels } from './tile.ts'

/** What a run has made of its records. */
export interface Output {
  readonly blob: Blob
  /** Of the blob's bytes, in hexadecimal; null where the browser offers none. */
  readonly sha256: string | null
  readonly records: number
  readonly bytes: number
  /** Whether it is a .gz file; else it is lines of text, or the pixels of a picture: red, green, blue and alpha, a byte each, rows from above. */
  readonly compressed: boolean
  /** Its size, if it is a picture. */
  readonly picture: { readonly width: number; readonly height: number } | null
}

/** What the jobs carry: where it is between two stages, and what has left, in the order of leaving. */
export interface Payloads {
  /** What a job carries to a stage. */
  at(job: number, stage: number): Payload
  /** The job carries this from that stage on; null: what it came with. */
  put(job: number, stage: number, payload: Payload | null): void
  /** The job leaves: what it carries is appended to the output. */
  release(job: number): void
  /** The job has failed: what it carries is forgotten. */
  drop(job: number): void
  output(): Promise<Output>
  /** So long a kernel may well be at work on what a job carries, on a slow machine, whatever was declared; 0 where there is no telling. */
  atMost(job: number): Micros
  /** The tiles that have left since this was asked last, for whoever looks on; always none where there is no picture. */
  takeTiles(): readonly TilePixels[]
}

/** What a slow machine may take for a character of a record. */
const SLOW: Micros = 1

/**
 * @param carried the records on their way, each of which leaves as its bytes
 * @param lengthOf how many characters a record came with; 0 where that says nothing
 */
export function createPayloads(jobRecords: JobRecords, compressed: boolean, lengthOf: (job: number) => number = () => 0): Payloads {
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
      const sha256 = hasChecksum() ? await sha256Hex(await blob.arrayBuffer()) : null
      return { blob, sha256, records: chunks.length, bytes, compressed, picture: null }
    },
    atMost: (job) => lengthOf(job) * SLOW,
    takeTiles: () => [],
  }
}
