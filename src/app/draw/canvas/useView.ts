import { useReactFlow } from '@xyflow/react'
import { type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Link, Scenario, Stage } from '../../../scenario/model/scenario.ts'
import type { Size } from '../../base/page/useSize.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasView, livePipeline } from '../editing/canvasStore.ts'
import { nodeIdOf } from '../editing/editingKeys.ts'
import { arrange, graphLinks, stretchOf } from '../layout/layout.ts'
import type { Arrangement, Box, Placed } from '../layout/places.ts'
import { besideSeats, type Docked, fitsIn, fitted, type Inset, roomIn, type View, zoomOfPart, zoomOfRows } from '../layout/view.ts'

export const MIN_ZOOM = 0.03

/** Returns the visible part of the canvas: all of it for a new size or pipeline, else what the person chose. `whole`: all of it, however small. */
export function useView(scenario: Scenario, arrangement: Arrangement, size: Size, inset: Inset, whole: boolean) {
  const session = useSession()
  const { setViewport, setCenter, getZoom } = useReactFlow()
  const { bounds, boxes } = arrangement
  const viewOf = (whole: boolean) =>
    fitted(bounds, size, inset, { ...(whole && { least: MIN_ZOOM }), part: zoomOfPart(arrangement, size), begin: boxes.get('source') })
  const [first] = useState(() => viewOf(whole))
  const [pans, setPans] = useState(() => !fitsIn(bounds, size, first))
  const own = useRef(false)
  const latest = useRef({ bounds, boxes, size, viewOf })
  latest.current = { bounds, boxes, size, viewOf }

  const show = useCallback(
    (whole: boolean) => {
      const { bounds, size, viewOf } = latest.current
      const view = viewOf(whole)
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
  const before = useRef({ size, title, boxes })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of any of these shows the whole pipeline again
  useEffect(() => {
    const last = before.current
    before.current = { size, title, boxes: latest.current.boxes }
    // When low cards become full ones, the rows move apart.
    const stretched = stretchOf(last.boxes) !== stretchOf(latest.current.boxes)
    const other = last.size !== size || last.title !== title || stretched
    // A stage that a person dropped between others stays under the pointer.
    if (other || !(own.current || staysPlaced(scenario, last.boxes))) show(whole)
  }, [ids, laidOut, title, size, inset, whole, show])

  const moved = useCallback((event: MouseEvent | TouchEvent | null, view: View) => {
    if (event === null) return
    own.current = true
    setPans(!fitsIn(latest.current.bounds, latest.current.size, view))
  }, [])
  const showAll = useCallback(() => show(true), [show])

  const centre = useCallback(
    (id: string) => {
      const box = latest.current.boxes.get(id)
      if (box !== undefined) void setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: getZoom() })
    },
    [setCenter, getZoom],
  )
  const reveal = useCallback(
    ({ target }: FocusEvent) => {
      const id = nodeIdOf(target)
      if (id === null || !target.matches(':focus-visible')) return
      const place = livePipeline(session).place?.(id)
      if (place && !inside(place, latest.current.size)) centre(id)
    },
    [centre, session],
  )
  useEffect(() => {
    canvasView(session).show = centre
    return () => {
      canvasView(session).show = null
    }
  }, [centre, session])
  return { first, pans, moved, showAll, reveal }
}

function inside({ x, y, width, height }: Box, size: Size): boolean {
  return x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height
}

/** Returns whether a person placed the stages, and some of them stand where they stood before. */
function staysPlaced({ stages }: Scenario, before: Arrangement['boxes']): boolean {
  const stands = ({ id, position }: Stage) => {
    const box = before.get(id)
    return position !== null && box !== undefined && Math.abs(position.x - box.x) < 1 && Math.abs(position.y - box.y) < 1
  }
  return stages.every(({ position }) => position !== null) && stages.some(stands)
}

type ArrangeGraph = typeof import('../layout/graphLayout.ts').arrangeGraph
let fetched: ArrangeGraph | null = null

/** Returns the places of all nodes. The layout of graphs is fetched with the first graph; until then it is laid out as a line. */
export function useArrangement(places: readonly Placed[], links: readonly Link[], size: Size, insetTop: number, docks: boolean): Docked {
  const graph = useMemo(() => graphLinks({ stages: places, links }), [places, links])
  const [arrangeGraph, keep] = useState<ArrangeGraph | null>(() => fetched)
  const wanted = graph !== null && arrangeGraph === null
  useEffect(() => {
    if (!wanted) return
    void import('../layout/graphLayout.ts').then((module) => {
      fetched = module.arrangeGraph
      keep(() => module.arrangeGraph)
    })
  }, [wanted])
  const above = useMemo((): Inset => ({ top: insetTop, right: 0 }), [insetTop])
  return useMemo(() => {
    const layOut = (room: Size) => (graph === null || arrangeGraph === null ? arrange(places, room, zoomOfRows(size)) : arrangeGraph(places, graph, room))
    return docks && above.top > 0 ? besideSeats(size, above, layOut) : { arrangement: layOut(roomIn(size, above)), inset: above, docked: false }
  }, [graph, places, arrangeGraph, size, above, docks])
}
