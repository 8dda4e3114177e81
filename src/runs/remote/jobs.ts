import { transfer } from 'comlink'
import { runInSequence } from '../../engine/work/sequence.ts'
import { countTextLines } from '../../engine/work/textLines.ts'
import { askAboutDecision, wordsOnDecision } from '../../features/code/sandbox/askCode.ts'
import { problemOfCode } from '../../features/code/sandbox/loadCode.ts'
import { bestPossible } from '../../features/compare/study/bestPossible.ts'
import { type FinderTask, playFinderTask } from '../../features/finder/finder.ts'
import { type FeederTask, playFeeders } from '../../features/groups/feederSweep.ts'
import { fitAnswer } from '../../features/logs/fit/fitLog.ts'
import { playWhatIf, type WhatIf } from '../../features/logs/fit/whatIf.ts'
import { createLogReading } from '../../features/logs/logFile.ts'
import type { Headings } from '../../features/logs/read/csvRows.ts'
import type { SystemLog } from '../../features/logs/read/log.ts'
import type { Mapping } from '../../features/logs/read/seriesRoles.ts'
import { createReplaying } from '../../features/replay/study/replay.ts'
import type { Journal } from '../../pipeline/journal.ts'
import type { Micros, Policy, Scenario } from '../../scenario/model/scenario.ts'
import type { CodeView } from '../../scheduler/codePolicy.ts'
import { readTraceFile } from '../files/traceFile.ts'
import { playGlimpse, playMetrics, playSwing, playTrajectory } from '../play/trial.ts'
import { playCompared } from '../study/compare.ts'

/** What a job is given besides its input. */
export interface JobContext {
  /** Lets the messages in that wait for this thread. */
  breathe(): Promise<void>
  /** Reports the share that is done, 0 to 1. */
  progress(share: number): void
}

/**
 * Returns the jobs that the page gives to a thread, by name. Each takes one input and returns one result.
 * A log and a replay need several jobs on the same thread, which keeps what it has read between them.
 */
function createJobs() {
  const log = createLogReading()
  const replaying = createReplaying()
  return {
    metrics: (scenario: Scenario, context: JobContext) => playMetrics(scenario, context),
    compare: ({ scenario, record }: { scenario: Scenario; record: boolean }, context: JobContext) => playCompared(scenario, record, context),
    best: (scenario: Scenario) => bestPossible(scenario),
    feeders: ({ scenario, task }: { scenario: Scenario; task: FeederTask }, context: JobContext) => playFeeders(scenario, task, context),
    finder: (task: FinderTask) => playFinderTask(task),
    swing: ({ scenario, from, to }: { scenario: Scenario; from: Micros; to: Micros }, context: JobContext) => playSwing(scenario, from, to, context),
    trajectory: ({ scenario, samples }: { scenario: Scenario; samples: number }, context: JobContext) => playTrajectory(scenario, samples, context),
    glimpse: ({ scenario, samples }: { scenario: Scenario; samples: number }, context: JobContext) => playGlimpse(scenario, samples, context),
    /** The pieces of a record in order; the first comes with the scenario. */
    replayPiece: ({ scenario, piece }: { scenario: Scenario | null; piece: Journal }) => replaying.replayPiece(scenario, piece),
    /** Of the pieces that this thread has replayed. */
    controllers: (_: null) => replaying.controllers(),
    readTrace: (file: Blob, { progress }: JobContext) => readTraceFile(file, progress),
    readLog: ({ file, headings }: { file: Blob; headings: Headings | null }, { progress }: JobContext) => log.readLogFile(file, headings, progress),
    mapLog: (mapping: Mapping) => log.mapLog(mapping),
    weighLog: ({ policy, workers }: { policy: Policy; workers: number }) => log.weighLog(policy, workers),
    fitLog: ({ log, order }: { log: SystemLog; order: readonly string[] | null }, { progress }: JobContext) => fitAnswer(log, { order, told: progress }),
    whatIf: (question: WhatIf) => playWhatIf(question),
    codeProblem: (source: string) => problemOfCode(source),
    codeAnswer: ({ scenario, decision }: { scenario: Scenario; decision: CodeView | null }) => askAboutDecision(scenario, decision),
    codeWords: ({ scenario, journal, decision }: { scenario: Scenario; journal: Journal; decision: number }) => wordsOnDecision(scenario, journal, decision),
    countLines: ({ file, most }: { file: Blob; most: number }) => countTextLines(file, most),
    runInSequence: ({ scenario, file }: { scenario: Scenario; file: Blob | null }, { progress }: JobContext) => runInSequence(scenario, file, progress),
  }
}

type Jobs = ReturnType<typeof createJobs>
export type JobKind = keyof Jobs
export type JobInput<K extends JobKind> = Parameters<Jobs[K]>[0]
export type JobResult<K extends JobKind> = Awaited<ReturnType<Jobs[K]>>

/** What a thread offers that works on jobs, by comlink. */
export interface JobRunner {
  /** Progress is posted to the port as a share, 0 to 1. The buffers in the result are transferred, not copied. */
  runJob(kind: JobKind, input: unknown, progress: MessagePort): Promise<unknown>
}

/** Returns the thread's end. `breathe` lets the messages in that wait. */
export function createJobRunner(breathe: () => Promise<void>): JobRunner {
  const jobs = createJobs()
  return {
    async runJob(kind, input, port) {
      const job = jobs[kind] as (input: unknown, context: JobContext) => unknown
      const result = await job(input, { breathe, progress: (share) => port.postMessage(share) })
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
