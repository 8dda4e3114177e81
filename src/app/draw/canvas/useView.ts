import { useReactFlow } from '@xyflow/react'
import { type FocusEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import type { Size } from '../../base/page/useSize.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasView } from '../editing/canvasStore.ts'
import { nodeIdOf } from '../editing/editingKeys.ts'
import type { Arrangement, Box } from '../layout/places.ts'
import { fitsIn, fitted, type View } from '../layout/view.ts'
import { livePipeline } from '../nodes/livePipeline.ts'

/** The least zoom. Below it nothing is recognisable. */
export const LEAST_ZOOM = 0.03

/** Returns the visible part of the canvas: all of it at first, at every new size and for every other pipeline; in between what the person chose. */
export function useView(scenario: Scenario, { bounds, boxes }: Arrangement, size: Size, insetTop: number, least: number) {
  const session = useSession()
  const { setViewport, setCenter, getZoom } = useReactFlow()
  const [first] = useState(() => fitted(bounds, size, insetTop, least, boxes.get('source')))
  const [pans, setPans] = useState(() => !fitsIn(bounds, size, first))
  const own = useRef(false)
  const latest = useRef({ bounds, boxes, size, insetTop })
  latest.current = { bounds, boxes, size, insetTop }

  const show = useCallback(
    (least: number) => {
      const { bounds, boxes, size, insetTop } = latest.current
      const view = fitted(bounds, size, insetTop, least, boxes.get('source'))
      own.current = false
      setPans(!fitsIn(bounds, size, view))
      void setViewport(view)
    },
    [setViewport],
  )
  const ids = scenario.stages.map(({ id }) => id).join(' ')
  // An automatic layout may move the same stages. Stages placed by a person keep the view.
  const extent = useRef('')
  if (scenario.stages.every(({ position }) => position === null)) extent.current = Object.values(bounds).join()
  const laidOut = extent.current
  const { title } = scenario
  const before = useRef({ size, title })
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the reasons to look anew, whatever they hold
  useEffect(() => {
    const other = before.current.size !== size || before.current.title !== title
    before.current = { size, title }
    if (other || !own.current) show(least)
  }, [ids, laidOut, title, size, insetTop, least, show])

  const moved = useCallback((event: MouseEvent | TouchEvent | null, view: View) => {
    if (event === null) return
    own.current = true
    setPans(!fitsIn(latest.current.bounds, latest.current.size, view))
  }, [])
  const fit = useCallback(() => show(LEAST_ZOOM), [show])

  /** Moves the canvas so that the node with the focus is visible. */
  const reveal = useCallback(
    ({ target }: FocusEvent) => {
      const id = nodeIdOf(target)
      const place = id === null || !target.matches(':focus-visible') ? null : (livePipeline(session).place?.(id) ?? null)
      if (id === null || place === null || inside(place, latest.current.size)) return
      const box = latest.current.boxes.get(id)
      if (box !== undefined) void setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: place.zoom })
    },
    [setCenter, session],
  )
  useEffect(() => {
    canvasView(session).show = (id) => {
      const box = latest.current.boxes.get(id)
      if (box !== undefined) void setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: getZoom() })
    }
    return () => {
      canvasView(session).show = null
    }
  }, [setCenter, getZoom, session])
  return { first, pans, moved, fit, reveal }
}

function inside({ x, y, width, height }: Box, size: Size): boolean {
  return x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height
}
