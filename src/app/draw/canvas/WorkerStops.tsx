import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { isPresent } from '../../../measures/frame/frame.ts'
import { placeOnCard } from '../../../views/pipeline/stageCard.ts'
import { endAll, TEXT_PACE } from '../../base/browser/frames.ts'
import { onScene, type Scene } from '../../session/page/painter.ts'
import { askWorker } from '../../session/page/showing.ts'
import { workerHint } from '../../session/page/workerHint.ts'
import { playback } from '../../session/run/playback.ts'
import { runStore } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasView, livePipeline } from '../editing/canvasStore.ts'
import { LIVE } from '../layout/places.ts'

/** How many workers before and after the present one have a button. The arrows reach all, and a page with thousands of buttons would be slow. */
const STOPS = 128

/** An invisible button over each painted worker, for the keyboard. Arrows go from worker to worker, and a ring shows the focus. */
export function WorkerStops() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  const [now, setNow] = useState(0)
  const [workers, setWorkers] = useState<readonly number[]>([])
  const list = useRef<HTMLDivElement>(null)
  const ring = useRef<HTMLElement>(null)
  const focused = useRef<number | null>(null)
  useEffect(() => {
    const setPresent = (scene: Scene | null) => {
      const present = presentIn(scene)
      setWorkers((before) =>
        before.length === present.length && before.every((worker, k) => worker === present[k]) ? before : present,
      )
    }
    // The cards may be painted after this call, but in the same frame.
    const follow = () => focused.current !== null && queueMicrotask(() => place(session, ring.current, focused.current))
    return endAll([onScene(session, setPresent, TEXT_PACE), onScene(session, follow)])
  }, [session])
  const show = (worker: number | null) => {
    focused.current = worker
    place(session, ring.current, worker)
  }
  if (run === null || workers.length === 0) return null
  const at = Math.max(0, workers.indexOf(now))
  const current = workers[at]
  const first = Math.max(0, at - STOPS)
  const go = (worker: number | undefined) => {
    if (worker === undefined) return
    // Its button may not be there yet.
    flushSync(() => setNow(worker))
    list.current?.querySelector<HTMLElement>(`[data-worker="${worker}"]`)?.focus({ preventScroll: true })
  }
  return (
    <div
      className="worker-stops"
      role="toolbar"
      aria-label={t('Workers: arrow keys choose, Enter explains')}
      ref={list}
    >
      <i ref={ring} hidden />
      {workers.slice(first, at + STOPS + 1).map((worker, i) => (
        <button
          key={worker}
          type="button"
          tabIndex={worker === current ? 0 : -1}
          data-worker={worker}
          aria-label={t('Worker {worker}', { worker: worker + 1 })}
          aria-description={
            worker === focused.current ? workerHint(run, worker, playback(session).time).join('. ') : undefined
          }
          onFocus={() => {
            setNow(worker)
            show(worker)
            reveal(session, worker)
          }}
          onBlur={() => show(null)}
          onClick={() => askWorker(session, worker)}
          onKeyDown={(event) => {
            const k = first + i
            const to = {
              ArrowRight: k + 1,
              ArrowDown: k + 1,
              ArrowLeft: k - 1,
              ArrowUp: k - 1,
              Home: 0,
              End: workers.length - 1,
            }[event.key]
            if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
            event.preventDefault()
            event.stopPropagation()
            go(workers.at(to % workers.length))
          }}
        />
      ))}
    </div>
  )
}

function presentIn(scene: Scene | null): number[] {
  return scene === null ? [] : scene.frame.workers.flatMap((worker, w) => (isPresent(worker) ? [w] : []))
}

/** Returns the stage on whose card a worker is painted, and where on the canvas its disc is; null if it is on no card. */
function discOf(
  session: Session,
  worker: number,
): { readonly id: string; readonly x: number; readonly y: number; readonly zoom: number } | null {
  const { place: placeOf, painted: cards } = livePipeline(session)
  for (const [id, painted] of cards) {
    const card = placeOf?.(id)
    const at = card ? placeOnCard(painted, card.width / card.zoom - 2 * LIVE.x, worker) : null
    if (card && at !== null)
      return { id, x: card.x + (LIVE.x + at.x) * card.zoom, y: card.y + (LIVE.y + at.y) * card.zoom, zoom: card.zoom }
  }
  return null
}

function place(session: Session, ring: HTMLElement | null, worker: number | null): void {
  if (ring === null) return
  const at = worker === null ? null : discOf(session, worker)
  ring.hidden = at === null
  if (at !== null) ring.style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.zoom})`
}

function reveal(session: Session, worker: number): void {
  const at = discOf(session, worker)
  const canvas = document.querySelector('.pipeline-canvas')
  if (at === null || canvas === null) return
  if (at.x < 0 || at.y < 0 || at.x > canvas.clientWidth || at.y > canvas.clientHeight) canvasView(session).show?.(at.id)
}
