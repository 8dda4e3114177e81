import { useEffect, useMemo, useState } from 'react'
import type { Link } from '../../../scenario/model/scenario.ts'
import type { Size } from '../../base/page/useSize.ts'
import { besideSeats, type Docked } from '../layout/dock.ts'
import { graphLinks } from '../layout/drawnOrder.ts'
import { arrange } from '../layout/layout.ts'
import type { Placed } from '../layout/places.ts'
import { type Inset, roomIn, zoomOfRows } from '../layout/view.ts'

type ArrangeGraph = typeof import('../layout/graphLayout.ts').arrangeGraph
let fetched: ArrangeGraph | null = null

/** Returns where everything stands. The layout of graphs is fetched with the first graph; until then it is laid out as a line. */
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
