import { useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import { mountFlow } from '../../../views/pipeline/flow.ts'
import { workerOnCard } from '../../../views/pipeline/stageCard.ts'
import { endAll, WORDS } from '../../base/browser/frames.ts'
import { hintOver, type Pointed } from '../../base/ui/hint.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { isStale } from '../../session/page/canvasScene.ts'
import { onScene, type Scene } from '../../session/page/painter.ts'
import { playback } from '../../session/run/playback.ts'
import { secretsOf } from '../../session/secrets/secrets.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasView, linkKey, livePipeline, type NodePlace } from '../editing/canvasStore.ts'
import { flattened, linkCurve } from '../layout/linkCurve.ts'
import { type Arrangement, type Box, LIVE, type Point } from '../layout/places.ts'
import { boxOf } from '../nodes/LinkEdge.tsx'
import { paintPipeline, tellCounts } from './paintPipeline.ts'

/** Returns the ref of the canvas above the nodes, on which the run is painted, and registers the places of the nodes below it. */
export function useOverlay() {
  const session = useSession()
  const flow = useStoreApi()
  useEffect(() => {
    const live = livePipeline(session)
    const canvas = canvasView(session)
    const place = (id: string): NodePlace | null => {
      const { nodeLookup, transform } = flow.getState()
      const node = nodeLookup.get(id)
      const box = boxOf(node)
      const [x, y, zoom] = transform
      if (node === undefined || box === null) return null
      return { x: box.x * zoom + x, y: box.y * zoom + y, width: box.width * zoom, height: box.height * zoom, zoom, z: node.internals.z }
    }
    /** The curves of links, cached until their ends move. */
    const ways = new Map<string, { readonly ends: string; readonly arrangement: unknown; readonly points: readonly Point[] }>()
    const wayOf = (a: Box, b: Box, link: string, arrangement: Arrangement): readonly Point[] => {
      const ends = `${a.x} ${a.y} ${b.x} ${b.y}`
      const known = ways.get(link)
      if (known?.ends === ends && known.arrangement === arrangement) return known.points
      const points = flattened(linkCurve(a, b, arrangement.flow, arrangement.via.get(link)))
      ways.set(link, { ends, arrangement, points })
      return points
    }
    /** On a line links are straight. */
    const bends = (from: string, to: string) => {
      const { nodeLookup, transform } = flow.getState()
      const [a, b] = [boxOf(nodeLookup.get(from)), boxOf(nodeLookup.get(to))]
      const { arrangement } = canvas
      if (a === null || b === null || arrangement === null || arrangement.flow === null) return []
      const [x, y, zoom] = transform
      return wayOf(a, b, linkKey([from, to]), arrangement).map((point) => ({ x: point.x * zoom + x, y: point.y * zoom + y }))
    }
    canvas.pointAt = (clientX, clientY) => {
      const { transform, domNode } = flow.getState()
      const { left = 0, top = 0 } = domNode?.getBoundingClientRect() ?? {}
      const [x, y, zoom] = transform
      return { x: (clientX - left - x) / zoom, y: (clientY - top - y) / zoom }
    }
    Object.assign(live, { place, bends })
    return () => {
      if (live.place !== place) return
      Object.assign(live, { place: null, bends: null })
      canvas.pointAt = null
    }
  }, [flow, session])
  return useDrawing(
    mountFlow,
    (overlay, host) => {
      /** The scene whose numbers the cards show. */
      let faceScene: Scene | null = null
      const tell = (scene: Scene | null) => {
        faceScene = scene
      }
      const draw = (scene: Scene | null) => {
        host.toggleAttribute('data-stale', isStale(session, scene))
        paintPipeline(session, overlay, scene, faceScene)
      }
      return endAll([onScene(session, tell, WORDS), onScene(session, draw), onScene(session, (scene) => tellCounts(session, scene), WORDS)])
    },
    [session],
  )
}

/** Returns the worker whose disc is under the pointer on the canvas, by its number in the scenario; null if there is none. */
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

/** Shows the name and the work of the worker under the pointer. Returns an unsubscribe function. */
export function hintAtWorkers(session: Session, canvas: HTMLElement): () => void {
  let scene: Scene | null = null
  let workerHint: typeof import('../../session/page/workerHint.ts').workerHint | null = null
  const tell = (at: Pointed) => {
    const worker = workerUnder(session, at)
    return worker === null || scene === null || workerHint === null || worker >= scene.frame.workers.length
      ? null
      : workerHint(scene.run, worker, playback(session).time, secretsOf(session))
  }
  const hint = hintOver(canvas, tell, '.react-flow__node')
  const renew = (next: Scene | null) => {
    if (scene === null && next !== null)
      void import('../../session/page/workerHint.ts').then((module) => {
        workerHint = module.workerHint
      })
    scene = next
    hint.renew()
  }
  return endAll([onScene(session, renew, WORDS), hint.end])
}
