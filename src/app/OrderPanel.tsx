import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { type Ring, ringAt } from '../measures/order.ts'
import { type OrderCost, orderCost } from '../measures/orderLog.ts'
import { orderSentence } from '../measures/orderSentence.ts'
import type { Part } from '../measures/sentence.ts'
import { count } from '../views/format.ts'
import { mountOrderRing } from '../views/orderRing.ts'
import { cellsFor } from '../views/orderRingLayout.ts'
import { stageColour } from '../views/palette.ts'
import { OrderCosts } from './OrderCosts.tsx'
import { orderLogUntil } from './orderLogs.ts'
import { onScene } from './painter.ts'
import { playback } from './playback.ts'
import { type Run, runStore } from './runStore.ts'
import { currentPalette, themeStore } from './theme.ts'
import './order.css'

/** Words are renewed so often while a run plays: faster nobody can read. The ring itself is drawn at every frame. */
const EVERY_MS = 140

interface Shown {
  readonly run: Run
  readonly ring: Ring
  readonly parts: readonly Part[]
  /** What order has cost, once the run has ended and all of it has been read. */
  readonly cost: OrderCost | null
}

/** The order buffer of the run on the screen: the ring at the playhead, who is missing, and what order has cost. Nothing for a run without one. */
export function OrderPanel() {
  const run = useStore(runStore, (state) => state.run)
  return run === null || run.scenario.order.kind !== 'buffer' ? null : <OrderOf key={run.trace.startedAt} />
}

function OrderOf() {
  const host = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<Shown | null>(null)
  useStore(themeStore)
  useEffect(() => (host.current === null ? undefined : follow(host.current, setShown)), [])
  return (
    <article className="order" aria-label="Order">
      <header>
        <h2>Order</h2>
        {shown !== null && <span className="soft">{shown.ring.slots === 1 ? 'ring of 1 slot' : `ring of ${count(shown.ring.slots)} slots`}</span>}
      </header>
      <div className="order-now">
        <div className="order-ring" ref={host} />
        <p>
          {shown?.parts.map(({ text, stage, worker }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have no other name
            <strong key={i} className={stage === undefined && worker === undefined ? 'plain' : undefined} style={colourOf(stage)}>
              {text}
            </strong>
          ))}
        </p>
      </div>
      {shown !== null && shown.cost !== null && <OrderCosts run={shown.run} cost={shown.cost} />}
    </article>
  )
}

function colourOf(stage: number | undefined) {
  return stage === undefined ? undefined : { color: stageColour(currentPalette(), stage).text }
}

/** Draws the ring at every frame and hands over its words now and then; returns what ends it. */
function follow(host: HTMLElement, show: (shown: Shown | null) => void): () => void {
  const drawing = mountOrderRing(host)
  let last = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = onScene((scene) => {
    if (scene === null || scene.run.scenario.order.kind !== 'buffer') return
    const { run, frame, live } = scene
    const log = orderLogUntil(run, frame.time)
    if (log === null) return
    const ring = ringAt(log, frame, cellsFor(host.clientWidth))
    drawing.update({ palette: currentPalette(), ring })
    const complete = !live && log.rows === run.trace.length
    clearTimeout(timer)
    const tell = () => {
      last = performance.now()
      show({ run, ring, parts: orderSentence(run.scenario, ring, frame), cost: complete ? orderCost(log) : null })
    }
    const wait = playback.playing ? EVERY_MS - (performance.now() - last) : 0
    if (wait <= 0) tell()
    else timer = setTimeout(tell, wait)
  })
  return () => {
    clearTimeout(timer)
    end()
    drawing.destroy()
  }
}
