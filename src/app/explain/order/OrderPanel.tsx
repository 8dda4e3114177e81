import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { currentPalette, themeStore } from '../../base/page/theme.ts'
import { onScene, WORDS_MS } from '../../session/run/painter.ts'
import { runStore } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { OrderCosts } from './OrderCosts.tsx'
import { type Face, faces, type OrderWords } from './orderFaces.ts'
import './order.css'

/** How the run keeps its order: the ring or the shards at the playhead, who is missing, and what order cost. */
export function OrderPanel() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  if (run === null || run.scenario.order.kind === 'none') return null
  return <OrderOf key={run.trace.startedAt} kind={run.scenario.order.kind} />
}

function OrderOf({ kind }: { readonly kind: keyof typeof faces }) {
  const session = useSession()
  const host = useRef<HTMLDivElement>(null)
  const [said, setSaid] = useState<OrderWords | null>(null)
  useStore(themeStore)
  useEffect(() => (host.current === null ? undefined : follow(session, host.current, kind, setSaid)), [kind, session])
  return (
    <article className="order" aria-label={t('Order')}>
      <header>
        <h2>{t('Order')}</h2>
        {said !== null && <span className="soft">{said.by}</span>}
      </header>
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
    </article>
  )
}

function colourOf(stage: number | undefined) {
  return stage === undefined ? undefined : { color: stageColour(currentPalette(), stage).text }
}

/** Draws at every frame and hands over the words now and then. Returns what ends it. */
function follow(session: Session, host: HTMLElement, kind: keyof typeof faces, hear: (said: OrderWords) => void): () => void {
  const face: Face = faces[kind](session, host)
  let words: (() => OrderWords) | null = null
  const ends = [
    onScene(
      session,
      (scene) => {
        if (scene !== null && scene.run.scenario.order.kind === kind) words = face.draw(scene) ?? words
      },
      { seen: host },
    ),
    onScene(session, () => words !== null && hear(words()), { seen: host, every: WORDS_MS }),
  ]
  return () => {
    for (const end of ends) end()
    face.destroy()
  }
}
