import { countJobs, MAX_SERVICES_ON_THREADS } from '../../scenario/limits.ts'
import type { Scenario, Stage } from '../../scenario/scenario.ts'
import { hasChecksum, sha256Hex } from './checksum.ts'
import { bytesOf, type Payload } from './kernels.ts'
import { digestOf, readLines } from './lines.ts'
import { createLogLines } from './sampleLine.ts'

/** What a run has made of its records. */
export interface Output {
  readonly blob: Blob
  /** Of the blob's bytes, in hexadecimal; null where the browser offers none. */
  readonly sha256: string | null
  readonly records: number
  readonly bytes: number
  /** Whether it is a .gz file; else it is lines of text. */
  readonly compressed: boolean
}

/** What the jobs carry: where it is between two stages, and what has left, in the order of leaving. */
export interface Cargo {
  at(job: number): Payload
  /** The job carries this from now on. */
  put(job: number, payload: Payload): void
  /** The job leaves: what it carries is appended to the output. */
  release(job: number): void
  /** The job has failed: what it carries is forgotten. */
  drop(job: number): void
  output(): Promise<Output>
}

function isKernel(stage: Stage): boolean {
  return stage.work !== 'burn' && stage.work !== 'wait'
}

/** @param lines what the jobs carry at first, by job */
export function createCargo(lines: (job: number) => string, compressed: boolean): Cargo {
  const carried = new Map<number, Payload>()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const at = (job: number) => carried.get(job) ?? lines(job)
  return {
    at,
    put(job, payload) {
      carried.set(job, payload)
    },
    release(job) {
      const chunk = bytesOf(at(job)) as Uint8Array<ArrayBuffer>
      chunks.push(chunk)
      bytes += chunk.length
      carried.delete(job)
    },
    drop(job) {
      carried.delete(job)
    },
    async output() {
      const blob = new Blob(chunks, { type: compressed ? 'application/gzip' : 'text/plain' })
      const sha256 = hasChecksum() ? await sha256Hex(await blob.arrayBuffer()) : null
      return { blob, sha256, records: chunks.length, bytes, compressed }
    },
  }
}

/** Refuses, in words, what would take too long on threads. */
export function checkBounds({ source, stages }: Scenario): void {
  const jobs = countJobs(source)
  if (jobs * stages.length <= MAX_SERVICES_ON_THREADS) return
  const most = Math.floor(MAX_SERVICES_ON_THREADS / stages.length)
  throw new Error(
    `${jobs} jobs on ${stages.length} stages are ${jobs * stages.length} services; Web Workers are given ${MAX_SERVICES_ON_THREADS} at most, so ${most} jobs here. The simulation takes more.`,
  )
}

/**
 * What the jobs of a scenario carry at first: the lines of the file if it reads one, else lines of a made-up log. Null if
 * no stage does real work and there is no file. Throws an Error in words if the file is not the scenario's.
 */
export async function loadCargo(scenario: Scenario, file: Blob | null): Promise<Cargo | null> {
  const { source, stages, seed } = scenario
  const compressed = stages.some((stage) => stage.work === 'gzip')
  if (source.kind !== 'lines') return stages.some(isKernel) ? createCargo(createLogLines(seed), compressed) : null
  if (file === null) throw new Error('This pipeline reads the lines of a file, and there is none: drop a text file or use the sample.')
  const lines = await readLines(file, Math.floor(MAX_SERVICES_ON_THREADS / stages.length))
  if (lines.length !== source.jobs)
    throw new Error(`The file has ${lines.length} lines and the scenario says ${source.jobs}: drop the file that belongs to it.`)
  if (source.digest !== '' && hasChecksum() && (await digestOf(file)) !== source.digest)
    throw new Error('This is another file than the one that the scenario was made with, though it has as many lines: drop that one.')
  return createCargo((job) => lines[job], compressed)
}
