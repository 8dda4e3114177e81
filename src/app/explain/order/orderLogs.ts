import { createOrderLog, extendOrderLog, type OrderLog } from '../../../measures/order/orderLog.ts'
import { createShardLog, extendShardLog, type ShardLog } from '../../../measures/order/shardLog.ts'
import { type Trace, timeOf } from '../../../trace/trace.ts'
import { repaint } from '../../session/run/painter.ts'
import type { Run } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'

/** Rows read in one frame: that takes a few milliseconds. */
const ROWS_A_FRAME = 100_000

/**
 * Returns what finds the log of a run, or null while the log is not read up to time t. The page is painted again until
 * all of the trace is read. Logs are kept with their runs, for the next time the panel opens.
 */
function logsOf<Log>(
  session: Session,
  create: (trace: Trace) => Log,
  extend: (log: Log, most: number) => boolean,
  reads: (log: Log, run: Run, t: number) => boolean,
) {
  const logs = new WeakMap<Run, Log>()
  return (run: Run, t: number): Log | null => {
    const log = logs.get(run) ?? create(run.trace)
    logs.set(run, log)
    if (extend(log, ROWS_A_FRAME)) return log
    repaint(session)
    return reads(log, run, t) ? log : null
  }
}

const orderLogs = part((session) => logsOf<OrderLog>(session, createOrderLog, extendOrderLog, (log, _, t) => log.time > t))
const shardLogs = part((session) => logsOf<ShardLog>(session, createShardLog, extendShardLog, (log, { trace }, t) => timeOf(trace, log.rows) > t))

export const orderLogUntil = (session: Session, run: Run, t: number) => orderLogs(session)(run, t)
export const shardLogUntil = (session: Session, run: Run, t: number) => shardLogs(session)(run, t)
