import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { livePipeline, mountOverlay } from '../livePipeline.ts'
import { boxOf } from './LinkEdge.tsx'
import type { Size } from './layout.ts'

/** The canvas above the nodes, and where the nodes stand beneath it. */
export function useOverlay(size: Size, onRedraw: (() => void) | undefined) {
  const host = useRef<HTMLDivElement>(null)
  const flow = useStoreApi()
  useEffect(() => {
    const place = (id: string) => {
      const { nodeLookup, transform } = flow.getState()
      const box = boxOf(nodeLookup.get(id))
      const [x, y, zoom] = transform
      return box === null ? null : { x: box.x * zoom + x, y: box.y * zoom + y, width: box.width * zoom, height: box.height * zoom, zoom }
    }
    livePipeline.place = place
    const unmount = host.current === null ? undefined : mountOverlay(host.current)
    return () => {
      unmount?.()
      if (livePipeline.place === place) livePipeline.place = null
    }
  }, [flow])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new size is the reason
  useEffect(() => {
    livePipeline.flow?.resize()
    onRedraw?.()
  }, [size, onRedraw])
  return host
}
