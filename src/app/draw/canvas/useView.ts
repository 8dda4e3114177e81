import { useReactFlow } from '@xyflow/react'
import { type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Link, Scenario, Stage } from '../../../scenario/model/scenario.ts'
import { controlStore } from '../../base/page/hiddenControls.ts'
import { type Size, useNarrow } from '../../base/page/useSize.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasView, livePipeline } from '../editing/canvasStore.ts'
import { nodeIdOf } from '../editing/editingKeys.ts'
import { arrangeGraph } from '../layout/graphLayout.ts'
import { arrange, graphLinks, stretchOf } from '../layout/layout.ts'
import {
  type Arrangement,
  type Box,
  EASY,
  type Placed,
  type Point,
  READABLE,
  WHOLE,
  zoomFor,
} from '../layout/places.ts'

export const MIN_ZOOM = 0.03

/** Returns the visible part of the canvas: all of it for a new size or pipeline, else what the person chose. `whole`: all of it, however small. */
export function useView(scenario: Scenario, arrangement: Arrangement, size: Size, inset: Inset, whole: boolean) {
  const session = useSession()
  const { setViewport, setCenter, getZoom } = useReactFlow()
  const { bounds, boxes } = arrangement
  const viewOf = (whole: boolean) =>
    fitted(bounds, size, inset, {
      ...(whole && { least: MIN_ZOOM }),
      part: zoomOfPart(arrangement, size),
      begin: boxes.get('source'),
    })
  const [first] = useState(() => viewOf(whole))
  const [pans, setPans] = useState(() => !fitsIn(bounds, size, first))
  /** Whether the person chose the view. */
  const isChosen = useRef(false)
  const latest = useRef({ bounds, boxes, size, viewOf })
  latest.current = { bounds, boxes, size, viewOf }

  const show = useCallback(
    (whole: boolean) => {
      const { bounds, size, viewOf } = latest.current
      const view = viewOf(whole)
      isChosen.current = false
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
  const previous = useRef({ size, title, boxes })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of any of these shows the whole pipeline again
  useEffect(() => {
    const last = previous.current
    previous.current = { size, title, boxes: latest.current.boxes }
    // When low cards become full ones, the rows move apart.
    const stretched = stretchOf(last.boxes) !== stretchOf(latest.current.boxes)
    const other = last.size !== size || last.title !== title || stretched
    // A stage that a person dropped between others stays under the pointer.
    if (other || !(isChosen.current || staysPlaced(scenario, last.boxes))) show(whole)
  }, [ids, laidOut, title, size, inset, whole, show])

  const moved = useCallback((event: MouseEvent | TouchEvent | null, view: View) => {
    if (event === null) return
    isChosen.current = true
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
      if (place && !fitsIn(place, latest.current.size, UNMOVED)) centre(id)
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

/** Returns whether a person placed the stages, and some of them stand where they stood before. */
function staysPlaced({ stages }: Scenario, before: Arrangement['boxes']): boolean {
  const stands = ({ id, position }: Stage) => {
    const box = before.get(id)
    return (
      position !== null && box !== undefined && Math.abs(position.x - box.x) < 1 && Math.abs(position.y - box.y) < 1
    )
  }
  return stages.every(({ position }) => position !== null) && stages.some(stands)
}

/** Returns the places of all nodes. */
export function useArrangement(
  places: readonly Placed[],
  links: readonly Link[],
  size: Size,
  inset: Inset,
): Arrangement {
  const graph = useMemo(() => graphLinks({ stages: places, links }), [places, links])
  return useMemo(() => {
    const space = spaceIn(size, inset)
    return graph === null ? arrange(places, space, zoomOfRows(size)) : arrangeGraph(places, graph, space)
  }, [graph, places, size, inset])
}

/** The rows of buttons above and below the pipeline, in pixels: for fingers they are higher. The style sheets put them there. */
const ROWS = { fine: { tools: 44, zoom: 38 }, coarse: { tools: 54, zoom: 50 } }
/** On a lower canvas all buttons stand in the row above, in pixels. */
const LOW = 300
/** The room below cards for workers on their way, in pixels. */
const FOOT = 24

/** Returns what covers the canvas. */
export function useInset({ height }: Size, coarse: boolean): Inset {
  const large = useNarrow() || coarse
  const { hidden } = useStore(controlStore)
  return useMemo(() => {
    const { tools, zoom } = ROWS[large ? 'coarse' : 'fine']
    const shown = (name: 'tools' | 'zoom') => !hidden.has(name) && !hidden.has('editing')
    const low = height <= LOW
    return {
      top: shown('tools') || (low && shown('zoom')) ? tools : MARGIN,
      bottom: low || !shown('zoom') ? FOOT : zoom,
    }
  }, [hidden, large, height])
}

/** The visible part of the canvas: its point (x, y) is at (x * zoom + view.x, y * zoom + view.y) on the screen. */
type View = { readonly x: number; readonly y: number; readonly zoom: number }
const UNMOVED: View = { x: 0, y: 0, zoom: 1 }
const MARGIN = 8
/** On a canvas of this width rows are easy to read, and smaller on a narrower one. */
const DESK = 1090

type Fit = { readonly least?: number; readonly part?: number; readonly begin?: Point | undefined }

/** What covers the canvas, in pixels from its edges. */
type Inset = { readonly top: number; readonly bottom: number }

/** Returns the space of a canvas beside what covers it. */
export function spaceIn({ width, height }: Size, { top, bottom }: Inset): Size {
  return { width: Math.max(120, width - 2 * MARGIN), height: Math.max(120, height - top - bottom) }
}

/** Returns the zoom of rows on a canvas of this width that would not be readable as a whole: a part of them is visible. */
export function zoomOfRows({ width }: Size): number {
  return Math.min(EASY, Math.max(READABLE, (EASY * width) / DESK))
}

/** Returns the zoom of a pipeline that would not be readable as a whole. */
export function zoomOfPart({ slots }: Arrangement, canvas: Size): number {
  return slots.length === 0 ? READABLE : zoomOfRows(canvas)
}

/** Returns the view with `bounds` in the middle; as a whole at `least` or larger. If it is too large, its beginning around `begin` is visible at the zoom `part`. */
export function fitted(
  bounds: Box,
  canvas: Size,
  inset: Inset,
  { least = WHOLE, part = READABLE, begin = bounds }: Fit = {},
): View {
  const space = spaceIn(canvas, inset)
  const whole = zoomFor(bounds, space)
  const zoom = whole >= least ? whole : part
  const spare = {
    x: Math.max(0, space.width - bounds.width * zoom),
    y: Math.max(0, space.height - bounds.height * zoom),
  }
  const past = Math.max(0, Math.min(bounds.height - space.height / zoom, begin.y - bounds.y - space.height / zoom / 2))
  return {
    x: Math.round(MARGIN + spare.x / 2 - bounds.x * zoom),
    y: Math.round(inset.top + spare.y / 2 - (bounds.y + past) * zoom),
    zoom,
  }
}

/** Returns whether all of `bounds` is visible, so that there is nothing to pan. */
export function fitsIn(bounds: Box, canvas: Size, { x, y, zoom }: View): boolean {
  const [left, top] = [x + bounds.x * zoom, y + bounds.y * zoom]
  return (
    left >= 0 && top >= 0 && left + bounds.width * zoom <= canvas.width && top + bounds.height * zoom <= canvas.height
  )
}
