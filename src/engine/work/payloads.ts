import { SINK } from '../../pipeline/topology.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { sha256Hex } from './checksum.ts'
import type { JobRecords } from './jobRecords.ts'
import { bytesOf, type Payload } from './kernels.ts'
import type { TilePixels } from './tile.ts'

/** The output of a run over records. */
export interface Output {
  readonly blob: Blob
  /** Of the blob's bytes, in hexadecimal. */
  readonly sha256: string
  readonly records: number
  readonly bytes: number
  /** Whether the blob is a .gz file. Otherwise it is lines of text, or the pixels of a picture: rows from the top, 4 bytes (RGBA) per pixel. */
  readonly compressed: boolean
  /** The size of a picture in pixels; null for records. */
  readonly picture: { readonly width: number; readonly height: number } | null
}

/** What the jobs carry between stages, and what has left, in the order of leaving. */
export interface Payloads {
  /** Returns what a job carries to a stage. */
  at(job: number, stage: number): Payload
  /** Sets what a job carries from that stage on; null: the stage changes nothing. */
  put(job: number, stage: number, payload: Payload | null): void
  /** Appends what a job carries to the output: the job leaves. */
  release(job: number): void
  /** Drops what a failed job carries. */
  drop(job: number): void
  output(): Promise<Output>
  /** Returns how long a kernel may need for a job on a slow machine; 0 if unknown. */
  atMost(job: number): Micros
  /** Returns the tiles that have left since the last call; none if there is no picture. */
  takeTiles(): readonly TilePixels[]
}

/** The time per character of a record on a slow machine. */
const SLOW: Micros = 1

/** Returns the payloads of records. `lengthOf` returns how many characters a record had at first; 0 if unknown. */
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
      const sha256 = await sha256Hex(await blob.arrayBuffer())
      return { blob, sha256, records: chunks.length, bytes, compressed, picture: null }
    },
    atMost: (job) => lengthOf(job) * SLOW,
    takeTiles: () => [],
  }
}
