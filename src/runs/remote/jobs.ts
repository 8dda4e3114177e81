import { transfer } from 'comlink'
import { runInSequence } from '../../engine/work/loadPayloads.ts'
import { countTextLines } from '../../engine/work/textLines.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { readTraceFile } from '../files/traceFile.ts'
import { playMetrics } from '../play/play.ts'
import { playCompared } from '../study/compare.ts'
import { codeLoaderOf, type JobContext, type JobTable, type Studies } from './studies.ts'

function createJobs() {
  return {
    metrics: (scenario: Scenario, context: JobContext) => playMetrics(scenario, context),
    compare: ({ scenario, record }: { scenario: Scenario; record: boolean }, context: JobContext) =>
      playCompared(scenario, record, context),
    /** Also says how long it took, in milliseconds of real time. */
    async answer(scenario: Scenario, context: JobContext) {
      const began = performance.now()
      const compared = await playCompared(scenario, true, context)
      return { ...compared, took: performance.now() - began }
    },
    readTrace: (file: Blob, { progress }: JobContext) => readTraceFile(file, progress),
    countLines: ({ file, most }: { file: Blob; most: number }) => countTextLines(file, most),
    runInSequence: ({ scenario, file }: { scenario: Scenario; file: Blob | null }, { progress }: JobContext) =>
      runInSequence(scenario, file, progress),
  }
}

type CoreJobs = ReturnType<typeof createJobs>
/** All jobs by name. A feature adds the types of its own where it describes them (`declare module`). */
export interface Jobs extends CoreJobs {}
export type JobKind = keyof Jobs
export type JobInput<K extends JobKind> = Parameters<Jobs[K]>[0]
export type JobResult<K extends JobKind> = Awaited<ReturnType<Jobs[K]>>

/** What a thread offers that works on jobs, by comlink. */
export interface JobRunner {
  /** Progress is posted to the port as a share, 0 to 1. The buffers in the result are transferred, not copied. */
  runJob(kind: JobKind, input: unknown, progress: MessagePort): Promise<unknown>
}

/** Returns the job runner of a thread. `letMessagesIn` handles the messages that wait. */
export function createJobRunner(letMessagesIn: () => Promise<void>, studies: readonly Studies[]): JobRunner {
  const jobs: JobTable = Object.assign(createJobs(), ...studies.map((each) => each.jobs?.()))
  const loadCode = codeLoaderOf(studies)
  return {
    async runJob(kind, input, port) {
      const job = jobs[kind] as ((input: unknown, context: JobContext) => unknown) | undefined
      if (job === undefined)
        throw new Error(`No thread knows the job “${kind}”: is its feature listed in src/studies.ts?`)
      const result = await job(input, { loadCode, letMessagesIn, progress: (share) => port.postMessage(share) })
      const buffers = [...new Set(buffersIn(result))]
      return buffers.length === 0 ? result : transfer(result as object, buffers)
    },
  }
}

/** The buffers behind all typed arrays of a plain value. */
function buffersIn(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(buffersIn) : []
}
