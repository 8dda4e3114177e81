import { t } from '../../../language/translate.ts'
import type { SentencePart } from '../../../measures/decisions/sentence.ts'
import { ringAt } from '../../../measures/order/order.ts'
import { type OrderCost, orderCost } from '../../../measures/order/orderLog.ts'
import { orderSentence } from '../../../measures/order/orderSentence.ts'
import { shardSentence } from '../../../measures/order/shardSentence.ts'
import { shardsAt } from '../../../measures/order/shardState.ts'
import type { Order } from '../../../scenario/model/scenario.ts'
import { mountOrderRing } from '../../../views/order/orderRing.ts'
import { cellsFor } from '../../../views/order/orderRingLayout.ts'
import { mountShardGrid } from '../../../views/order/shardGrid.ts'
import { currentPalette } from '../../base/page/theme.ts'
import type { Scene } from '../../session/run/painter.ts'
import type { Run } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'
import { orderLogUntil, shardLogUntil } from './orderLogs.ts'

/** The text beside the drawing of the order. */
export interface OrderWords {
  readonly run: Run
  /** What keeps the order, in a few words. */
  readonly by: string
  readonly parts: readonly SentencePart[]
  /** What order cost, once the run has ended and all of it has been read. */
  readonly cost: OrderCost | null
}

/** The drawing of how a run keeps its order. */
export interface Face {
  /** Draws a frame. Returns what makes the text; null while the run has not been read that far. */
  draw(scene: Scene): (() => OrderWords) | null
  destroy(): void
}

/** The ring at the playhead, and who is missing. */
function ring(session: Session, host: HTMLElement): Face {
  const drawing = mountOrderRing(host)
  /** Measured once: measuring in the middle of a frame makes the browser lay the page out twice. */
  let cells = 0
  return {
    draw({ run, frame, live }) {
      const log = orderLogUntil(session, run, frame.time)
      if (log === null) return null
      if (cells === 0) cells = cellsFor(host.clientWidth)
      const now = ringAt(log, frame, cells)
      drawing.update({ palette: currentPalette(), ring: now })
      const cost = !live && log.rows === run.trace.length ? orderCost(log) : null
      return () => ({
        run,
        by: t('ring of {slots, plural, one {# slot} other {# slots}}', { slots: now.slots }),
        parts: orderSentence(run.scenario, now, frame),
        cost,
      })
    },
    destroy: drawing.destroy,
  }
}

/** Whose turn it is in each shard, and who waits. */
function shards(session: Session, host: HTMLElement): Face {
  const drawing = mountShardGrid(host)
  return {
    draw({ run, frame, live }) {
      const order = orderLogUntil(session, run, frame.time)
      const log = shardLogUntil(session, run, frame.time)
      if (order === null || log === null) return null
      const now = shardsAt(log, order, frame)
      drawing.update({ palette: currentPalette(), names: run.scenario.stages.map(({ name }) => name), shards: now })
      const cost = !live && order.rows === run.trace.length ? orderCost(order) : null
      return () => ({ run, by: t('by shards'), parts: shardSentence(run.scenario, ringAt(order, frame, 1), now, frame), cost })
    },
    destroy: drawing.destroy,
  }
}

export const faces: Readonly<Record<Exclude<Order['kind'], 'none'>, (session: Session, host: HTMLElement) => Face>> = { buffer: ring, shard: shards }
