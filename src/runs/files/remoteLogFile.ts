import { t } from '../../language/translate.ts'
import type { OpenLoop } from '../../measures/logs/openLoop.ts'
import type { Policy } from '../../scenario/model/scenario.ts'
import type { Mapping } from '../../trace/logs/logSeries.ts'
import { openThread } from '../remote/thread.ts'
import { type LogFileRead, type LogReading, MAX_LOG_FILE } from './logFile.ts'

/** A log in a thread of its own, from the first byte on. Every call rejects with an Error in words once the thread is gone. */
export interface LogThread {
  /** What came of the file. */
  readonly read: Promise<LogFileRead>
  /** Makes a log of the series that were read. */
  map(mapping: Mapping): Promise<LogFileRead>
  /** What a rule would have said at every point; `workers` where the log does not say how many there were. */
  weigh(policy: Policy, workers: number): Promise<OpenLoop>
  /** Ends the thread, whatever it is at. */
  stop(): void
}

/** Opens a log; `progress` is told the share of its bytes that is read, 0 to 1. */
export function openLogFile(file: Blob, progress: (share: number) => void): LogThread {
  const thread = openThread<LogReading>(new Worker(new URL('../../simulation.worker.ts', import.meta.url), { type: 'module', name: 'log' }))
  async function ask<T>(call: () => Promise<T>): Promise<T> {
    const answer = await thread.line.ask(Infinity, call)
    if (answer.kind !== 'answered') throw new Error(answer.kind === 'silent' ? t('no answer') : answer.reason)
    return answer.value
  }
  return {
    read: ask<LogFileRead>(async () => thread.remote.readLogFile(file, thread.lend(progress))),
    map: (mapping) => ask<LogFileRead>(async () => thread.remote.mapLog(mapping)),
    weigh: (policy, workers) => ask(() => thread.remote.weighLog(policy, workers)),
    stop: () => thread.end('stopped'),
  }
}

export { MAX_LOG_FILE }
