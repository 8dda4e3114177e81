import { useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import { mountFlow } from '../../../views/pipeline/flow.ts'
import { WORDS } from '../../base/browser/frames.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { isStale } from '../../session/run/canvasScene.ts'
import { onScene, type Scene } from '../../session/run/painter.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasView, linkKey } from '../editing/canvasStore.ts'
import { flattened, linkCurve } from '../layout/linkCurve.ts'
import type { Arrangement, Box, Point } from '../layout/places.ts'
import { boxOf } from '../nodes/LinkEdge.tsx'
import { livePipeline, type NodePlace } from '../nodes/livePipeline.ts'
import { paintPipeline, tellCounts } from './paintPipeline.ts'

/** Returns the ref of the canvas above the nodes, on which the run is painted, and registers where the nodes stand below it. */
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
      return node === undefined || box === null
        ? null
        : { x: box.x * zoom + x, y: box.y * zoom + y, width: box.width * zoom, height: box.height * zoom, zoom, z: node.internals.z }
    }
    /** The curves of links, as long as their ends do not move. */
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
    live.place = place
    live.bends = bends
    return () => {
      if (live.place !== place) return
      live.place = null
      live.bends = null
      canvas.pointAt = null
    }
  }, [flow, session])
  return useDrawing(
    mountFlow,
    (overlay, host) => {
      /** What the faces of the cards tell. */
      let told: Scene | null = null
      const ends = [
        onScene(
          session,
          (scene) => {
            told = scene
          },
          WORDS,
        ),
        onScene(session, (scene) => {
          host.toggleAttribute('data-stale', isStale(session, scene))
          paintPipeline(session, overlay, scene, told)
        }),
        onScene(session, (scene) => tellCounts(session, scene), WORDS),
      ]
      return () => {
        for (const end of ends) end()
      }
    },
    [session],
  )
}
