import { createOrderLog, extendOrderLog, type OrderLog } from '../measures/orderLog.ts'
import { repaint } from './painter.ts'
import type { Run } from './runStore.ts'

/** Rows read in one frame: a few milliseconds' worth. */
const ROWS_A_FRAME = 100_000
const logs = new WeakMap<Run, OrderLog>()

/**
 * The order log of a run, read as far as time t; null while it is not. The page is painted again until all of the trace is
 * read. Kept with the run, so that a panel that is closed and opened does not begin anew.
 */
export function orderLogUntil(run: Run, t: number): OrderLog | null {
  const log = logs.get(run) ?? createOrderLog(run.trace)
  logs.set(run, log)
  if (extendOrderLog(log, ROWS_A_FRAME)) return log
  repaint()
  return log.time > t ? log : null
}
