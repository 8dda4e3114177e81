import { runLogs } from '../../../app/session/run/runLogs.ts'
import { timeOf } from '../../../trace/trace.ts'
import { createOrderLog, extendOrderLog } from '../measure/orderLog.ts'
import { createShardLog, extendShardLog } from '../measure/shards.ts'

export const orderLogs = runLogs({ create: createOrderLog, extend: extendOrderLog, reads: (log, _, t) => log.time > t })

export const shardLogs = runLogs({ create: createShardLog, extend: extendShardLog, reads: (log, { trace }, t) => timeOf(trace, log.rows) > t })
