import { useEffect, useMemo, useState } from 'react'
import type { Link } from '../../../scenario/model/scenario.ts'
import type { Size } from '../../base/page/useSize.ts'
import { graphLinks } from '../layout/drawnOrder.ts'
import { arrange } from '../layout/layout.ts'
import type { Arrangement, Placed } from '../layout/places.ts'

type ArrangeGraph = typeof import('../layout/graphLayout.ts').arrangeGraph
let fetched: ArrangeGraph | null = null

/** Returns where everything stands. The layout of graphs is fetched with the first graph; until then it is laid out as a line. */
export function useArrangement(places: readonly Placed[], links: readonly Link[], room: Size): Arrangement {
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
  const { width, height } = room
  return useMemo(() => {
    const size = { width, height }
    return graph === null || arrangeGraph === null ? arrange(places, size) : arrangeGraph(places, graph, size)
  }, [graph, places, arrangeGraph, width, height])
}
