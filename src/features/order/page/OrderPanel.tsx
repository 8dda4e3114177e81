import { useState } from 'react'
import { useStore } from 'zustand'
import { WORDS } from '../../../app/base/browser/frames.ts'
import { Fold } from '../../../app/base/controls/Fold.tsx'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { onScene, type Scene } from '../../../app/session/page/painter.ts'
import { useInLesson } from '../../../app/session/page/showing.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { Order } from '../../../scenario/model/scenario.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { OrderCosts } from './OrderCosts.tsx'
import { type Face, type OrderWords, ringFace, shardFace } from './orderDrawings.ts'
import './order.css'

/** How the run keeps its order: the ring or the shards at the playhead, who is missing, and what order cost. */
export function OrderPanel() {
  const session = useSession()
  const inLesson = useInLesson()
  const run = useStore(runStore(session), (state) => state.run)
  if (run === null || run.scenario.order.kind === 'none') return null
  const { startedAt } = run.trace
  const { order } = run.scenario
  const by = order.kind === 'buffer' ? t('ring of {slots, plural, one {# slot} other {# slots}}', { slots: order.slots }) : t('by shards')
  return (
    <article className="panel-fold order" aria-label={t('Order')}>
      <Fold id="order" head={<h3>{t('Order')}</h3>} note={by} opens={inLesson}>
        {order.kind === 'buffer' ? <OrderOf key={startedAt} kind="buffer" face={ringFace} /> : <OrderOf key={startedAt} kind="shard" face={shardFace} />}
      </Fold>
    </article>
  )
}

interface Props<Data> {
  readonly kind: Order['kind']
  readonly face: Face<Data>
}

function OrderOf<Data>({ kind, face }: Props<Data>) {
  const session = useSession()
  const [said, setSaid] = useState<OrderWords | null>(null)
  const host = useDrawing(
    face.mount,
    (drawing, seen) => {
      let words: (() => OrderWords) | null = null
      const draw = (scene: Scene | null) => {
        const now = scene?.run.scenario.order.kind === kind ? face.at(session, scene) : null
        if (now === null) return
        drawing.update(now.drawn)
        words = now.words
      }
      const ends = [onScene(session, draw, { seen }), onScene(session, () => words !== null && setSaid(words()), { seen, ...WORDS })]
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
          {said?.parts.map(({ text, stage, worker }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have no other name
            <strong key={i} className={stage === undefined && worker === undefined ? 'plain' : undefined} style={colourOf(stage)}>
              {text}
            </strong>
          ))}
        </p>
      </div>
      {said !== null && said.cost !== null && <OrderCosts run={said.run} cost={said.cost} />}
    </div>
  )
}

function colourOf(stage: number | undefined) {
  return stage === undefined ? undefined : { color: stageColour(currentPalette(), stage).text }
}
