import { currentPalette } from '../../../app/base/page/theme.ts'
import type { Scene } from '../../../app/session/page/painter.ts'
import { runLogs } from '../../../app/session/page/runLogs.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import type { Session } from '../../../app/session/session.ts'
import type { SentencePart } from '../../../measures/decisions/speech.ts'
import { timeOf } from '../../../trace/trace.ts'
import type { Drawing } from '../../../views/drawing/drawing.ts'
import { mountOrderRing, type OrderRingData } from '../draw/orderRing.ts'
import { mountShardGrid, type ShardGridData } from '../draw/shardGrid.ts'
import { ringAt } from '../measure/order.ts'
import { createOrderLog, extendOrderLog, type OrderCost, type OrderLog, orderCost } from '../measure/orderLog.ts'
import { orderSentence, shardSentence } from '../measure/orderWords.ts'
import { createShardLog, extendShardLog, shardsAt } from '../measure/shards.ts'

export const orderLogs = runLogs({ create: createOrderLog, extend: extendOrderLog, reads: (log, _, t) => log.time > t })

export const shardLogs = runLogs({ create: createShardLog, extend: extendShardLog, reads: (log, { trace }, t) => timeOf(trace, log.rows) > t })

/** The text beside the drawing of the order. */
export interface OrderWords {
  readonly run: Run
  readonly parts: readonly SentencePart[]
  /** What order cost, once the run has ended and all of it has been read. */
  readonly cost: OrderCost | null
}

/** How a run keeps its order: what is drawn of it, and what is said. */
export interface Face<Data> {
  mount(host: HTMLElement): Drawing<Data>
  /** Returns what a frame shows; null while the run has not been read that far. Words are made when they are read. */
  at(session: Session, scene: Scene): { readonly drawn: Data; words(): OrderWords } | null
}

/** The ring at the playhead, and who is missing. */
export const ringFace: Face<OrderRingData> = {
  mount: mountOrderRing,
  at(session, { run, frame, live }) {
    const log = orderLogs(session)(run, frame.time)
    if (log === null) return null
    const words = () => {
      return {
        run,
        parts: orderSentence(run.scenario, ringAt(log, frame, 1), frame),
        cost: costOf(log, run, live),
      }
    }
    return { drawn: { palette: currentPalette(), ringIn: (cells) => ringAt(log, frame, cells) }, words }
  },
}

/** Whose turn it is in each shard, and who waits. */
export const shardFace: Face<ShardGridData> = {
  mount: mountShardGrid,
  at(session, { run, frame, live }) {
    const order = orderLogs(session)(run, frame.time)
    const log = shardLogs(session)(run, frame.time)
    if (order === null || log === null) return null
    const shards = shardsAt(log, order, frame)
    const words = () => ({
      run,
      parts: shardSentence(run.scenario, ringAt(order, frame, 1), shards, frame),
      cost: costOf(order, run, live),
    })
    return { drawn: { palette: currentPalette(), names: run.scenario.stages.map(({ name }) => name), shards }, words }
  },
}

function costOf(log: OrderLog, { trace }: Run, live: boolean): OrderCost | null {
  return !live && log.rows === trace.length ? orderCost(log) : null
}
