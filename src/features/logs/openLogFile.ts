import { openJobThreads } from '../../runs/remote/jobThreads.ts'
import type { Policy } from '../../scenario/model/scenario.ts'
import type { LogFileRead } from './logFile.ts'
import type { OpenLoop } from './measure/openLoop.ts'
import type { Headings } from './read/csvRows.ts'
import type { Mapping } from './read/seriesRoles.ts'

/** A thread that keeps one log. Every call rejects with an Error in words once the thread is gone. */
export interface LogThread {
  readonly read: Promise<LogFileRead>
  /** Makes a log of the series that were read. */
  map(mapping: Mapping): Promise<LogFileRead>
  /** Returns what a policy would have decided at every point; `workers` is used where the log does not say how many there were. */
  weigh(policy: Policy, workers: number): Promise<OpenLoop>
  /** Ends the thread. */
  stop(): void
}

/** Opens a log on a thread of its own; `headings` says what the first line of a CSV means, where its names do not. Calls `progress` with the share of its bytes that is read, 0 to 1. */
export function openLogFile(file: Blob, headings: Headings | null, progress: (share: number) => void): LogThread {
  const { run, end } = openJobThreads(1)
  return {
    read: run('readLog', { file, headings }, progress),
    map: (mapping) => run('mapLog', mapping),
    weigh: (policy, workers) => run('weighLog', { policy, workers }),
    stop: end,
  }
}
