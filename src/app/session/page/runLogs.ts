import type { Trace } from '../../../trace/trace.ts'
import type { Run } from '../run/runStore.ts'
import { type Part, part } from '../session.ts'
import { repaint } from './painter.ts'

/** Rows read in one frame: that takes a few milliseconds. */
const ROWS_A_FRAME = 100_000

interface RunLogs<Log> {
  create(trace: Trace): Log
  /** Reads the given number of further rows. Returns whether all have been read. */
  extend(log: Log, rows: number): boolean
  /** Returns whether the log is read beyond time t. */
  reads(log: Log, run: Run, t: number): boolean
}

/**
 * Returns a function that gives the log of a run; null while the log is not read up to time t. The page is painted again until
 * all of the trace is read. Logs are kept with their runs, for the next time the panel opens.
 */
export function runLogs<Log>({ create, extend, reads }: RunLogs<Log>): Part<(run: Run, t: number) => Log | null> {
  return part((session) => {
    const logs = new WeakMap<Run, Log>()
    return (run, t) => {
      const log = logs.get(run) ?? create(run.trace)
      logs.set(run, log)
      if (extend(log, ROWS_A_FRAME)) return log
      repaint(session)
      return reads(log, run, t) ? log : null
    }
  })
}
