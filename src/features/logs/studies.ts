import type { JobContext, Studies } from '../../runs/remote/studies.ts'
import type { Policy } from '../../scenario/model/scenario.ts'
import type { WhatIf } from './fit/whatIf.ts'
import type { Headings } from './read/csvRows.ts'
import type { SystemLog } from './read/log.ts'
import type { Mapping } from './read/seriesRoles.ts'
import type { createLogReading } from './study/logFile.ts'

/** A log needs several jobs on the same thread, which keeps what it has read between them. */
function jobs() {
  let reading: Promise<ReturnType<typeof createLogReading>> | null = null
  const log = () => {
    reading ??= import('./study/logFile.ts').then(({ createLogReading }) => createLogReading())
    return reading
  }
  return {
    readLog: async ({ file, headings }: { file: Blob; headings: Headings | null }, { progress }: JobContext) =>
      (await log()).readLogFile(file, headings, progress),
    takeLog: async ({ log: made, note }: { log: SystemLog; note: string }) => (await log()).takeLog(made, note),
    mapLog: async (mapping: Mapping) => (await log()).mapLog(mapping),
    weighLog: async ({ policy, workers }: { policy: Policy; workers: number }) =>
      (await log()).weighLog(policy, workers),
    fitLog: async ({ log, order }: { log: SystemLog; order: readonly string[] | null }, { progress }: JobContext) =>
      (await import('./fit/fitLog.ts')).fitAnswer(log, { order, onProgress: progress }),
    whatIf: async (question: WhatIf, { progress }: JobContext) =>
      (await import('./fit/whatIf.ts')).playWhatIf(question, progress),
  }
}

type LogJobs = ReturnType<typeof jobs>
declare module '../../runs/remote/jobs.ts' {
  interface Jobs extends LogJobs {}
}

export const logStudies: Studies = {
  key: 'logs',
  jobs,
  answer: async (question, json) => (await import('./ask/askTable.ts')).answerText(question, json),
}
