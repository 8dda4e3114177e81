import { workerOnCard } from '../../../views/pipeline/stageCard.ts'
import { WORDS } from '../../base/browser/frames.ts'
import { hintOver, type Pointed } from '../../base/ui/hint.ts'
import { onScene, type Scene } from '../../session/run/painter.ts'
import { playback } from '../../session/run/playback.ts'
import { secretsOf } from '../../session/secrets/secrets.ts'
import type { Session } from '../../session/session.ts'
import { LIVE } from '../layout/places.ts'
import { livePipeline } from '../nodes/livePipeline.ts'

/** Returns the worker whose disc is under the pointer on the canvas, by its number in the scenario; null where there is none. */
export function workerUnder(session: Session, { target, clientX, clientY }: Pointed): number | null {
  const { place, painted: cards } = livePipeline(session)
  const node = target instanceof Element ? target.closest<HTMLElement>('.react-flow__node') : null
  const id = node?.dataset.id ?? ''
  const painted = cards.get(id)
  const where = place?.(id)
  const canvas = node?.closest('.react-flow')?.getBoundingClientRect()
  if (painted === undefined || !where || canvas === undefined) return null
  const { x, y, width, zoom } = where
  return workerOnCard(painted, width / zoom - 2 * LIVE.x, (clientX - canvas.left - x) / zoom - LIVE.x, (clientY - canvas.top - y) / zoom - LIVE.y)
}

/** Shows who the worker under the pointer is and what it does. Returns what ends it. */
export function hintAtWorkers(session: Session, canvas: HTMLElement): () => void {
  let scene: Scene | null = null
  let workerHint: typeof import('../../session/worker/workerHint.ts').workerHint | null = null
  const tell = (at: Pointed) => {
    const worker = workerUnder(session, at)
    return worker === null || scene === null || workerHint === null || worker >= scene.frame.workers.length
      ? null
      : workerHint(scene.run, worker, playback(session).time, secretsOf(session))
  }
  const hint = hintOver(canvas, tell, '.react-flow__node')
  const renew = (next: Scene | null) => {
    if (scene === null && next !== null)
      void import('../../session/worker/workerHint.ts').then((module) => {
        workerHint = module.workerHint
      })
    scene = next
    hint.renew()
  }
  const stop = onScene(session, renew, WORDS)
  return () => {
    stop()
    hint.end()
  }
}
