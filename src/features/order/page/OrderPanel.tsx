import { useState } from 'react'
import { useStore } from 'zustand'
import { TEXT_PACE } from '../../../app/base/browser/frames.ts'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { PanelFold } from '../../../app/session/page/PanelFold.tsx'
import { onScene, type Scene } from '../../../app/session/page/painter.ts'
import { runLogs } from '../../../app/session/page/runLogs.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { SentencePart } from '../../../measures/decisions/speech.ts'
import type { Order } from '../../../scenario/model/scenario.ts'
import { timeOf } from '../../../trace/trace.ts'
import type { Drawing } from '../../../views/drawing/drawing.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { mountOrderRing, type OrderRingData } from '../draw/orderRing.ts'
import { mountShardGrid, type ShardGridData } from '../draw/shardGrid.ts'
import { ringAt } from '../measure/order.ts'
import { createOrderLog, extendOrderLog, type OrderCost, type OrderLog, orderCost } from '../measure/orderLog.ts'
import { orderSentence, shardSentence } from '../measure/orderWords.ts'
import { createShardLog, extendShardLog, shardsAt } from '../measure/shards.ts'
import { OrderCosts } from './OrderCosts.tsx'
import './order.css'

/** How the run keeps its order: the ring or the shards at the playhead, the missing jobs, and the cost of order. */
export function OrderPanel() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  if (run === null || run.scenario.order.kind === 'none') return null
  const { startedAt } = run.trace
  const { order } = run.scenario
  const note =
    order.kind === 'buffer'
      ? t('ring of {slots, plural, one {# slot} other {# slots}}', { slots: order.slots })
      : t('In order, by shards')
  return (
    <PanelFold id="order" className="order" title={t('Order')} note={note}>
      {order.kind === 'buffer' ? (
        <OrderOf key={startedAt} kind="buffer" face={ringFace} />
      ) : (
        <OrderOf key={startedAt} kind="shard" face={shardFace} />
      )}
    </PanelFold>
  )
}

export const orderLogs = runLogs({ create: createOrderLog, extend: extendOrderLog, reads: (log, _, t) => log.time > t })

export const shardLogs = runLogs({
  create: createShardLog,
  extend: extendShardLog,
  reads: (log, { trace }, t) => timeOf(trace, log.rows) > t,
})

/** How a run keeps its order: the drawing and the text. */
interface Face<Data> {
  mount(host: HTMLElement): Drawing<Data>
  /** Returns what a frame shows; null while the run has not been read that far. */
  at(
    session: Session,
    scene: Scene,
  ): { readonly log: OrderLog; readonly drawn: Data; words(): readonly SentencePart[] } | null
}

/** The ring at the playhead, and the missing jobs. */
const ringFace: Face<OrderRingData> = {
  mount: mountOrderRing,
  at(session, { run, frame }) {
    const log = orderLogs(session)(run, frame.time)
    if (log === null) return null
    const drawn = { palette: currentPalette(), ringIn: (cells: number) => ringAt(log, frame, cells) }
    return { log, drawn, words: () => orderSentence(run.scenario, ringAt(log, frame, 1), frame) }
  },
}

/** The next ticket of each shard, and the waiting jobs. */
const shardFace: Face<ShardGridData> = {
  mount: mountShardGrid,
  at(session, { run, frame }) {
    const log = orderLogs(session)(run, frame.time)
    const shardLog = shardLogs(session)(run, frame.time)
    if (log === null || shardLog === null) return null
    const shards = shardsAt(shardLog, log, frame)
    const drawn = { palette: currentPalette(), names: run.scenario.stages.map(({ name }) => name), shards }
    return { log, drawn, words: () => shardSentence(run.scenario, ringAt(log, frame, 1), shards, frame) }
  },
}

/** The text beside the drawing, and the cost of order once the run has ended and all of it has been read. */
type OrderWords = { readonly run: Run; readonly parts: readonly SentencePart[]; readonly cost: OrderCost | null }

function OrderOf<Data>({ kind, face }: { readonly kind: Order['kind']; readonly face: Face<Data> }) {
  const session = useSession()
  const [shownWords, setShownWords] = useState<OrderWords | null>(null)
  const host = useDrawing(
    face.mount,
    (drawing, seen) => {
      let words: (() => OrderWords) | null = null
      const draw = (scene: Scene | null) => {
        const now = scene?.run.scenario.order.kind === kind ? face.at(session, scene) : null
        if (scene === null || now === null) return
        const { run, live } = scene
        drawing.update(now.drawn)
        words = () => ({
          run,
          parts: now.words(),
          cost: !live && now.log.rows === run.trace.length ? orderCost(now.log) : null,
        })
      }
      const ends = [
        onScene(session, draw, { seen }),
        onScene(session, () => words !== null && setShownWords(words()), { seen, ...TEXT_PACE }),
      ]
      return () => {
        for (const end of ends) end()
      }
    },
    [kind, session],
  )
  return (
    <div className="panel-part">
      <div className={`order-now ${kind}`}>
        <div className="order-drawing" ref={host} />
        <p>
          {shownWords?.parts.map(({ text, stage, worker }, i) => (
            <strong
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have no other name
              key={i}
              className={stage === undefined && worker === undefined ? 'plain' : undefined}
              style={colourOf(stage)}
            >
              {text}
            </strong>
          ))}
        </p>
      </div>
      {shownWords !== null && shownWords.cost !== null && <OrderCosts run={shownWords.run} cost={shownWords.cost} />}
    </div>
  )
}

const colourOf = (stage?: number) =>
  stage === undefined ? undefined : { color: stageColour(currentPalette(), stage).text }
