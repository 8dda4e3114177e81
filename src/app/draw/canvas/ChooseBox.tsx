import { useEffect, useState } from 'react'
import { followDrag } from '../../base/browser/drag.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasStore, canvasView, choose } from '../editing/canvasStore.ts'
import { type Box, overlap, type Point } from '../layout/places.ts'

/** A box drawn with Shift, or in selection mode, beside the cards. It selects the stages that it touches. */
export function ChooseBox({ element }: { readonly element: HTMLElement }) {
  const session = useSession()
  const [box, setBox] = useState<Box | null>(null)
  useEffect(() => {
    const startsBox = (event: MouseEvent | TouchEvent) =>
      (event.shiftKey || canvasStore(session).getState().choosing) &&
      event.target instanceof Element &&
      event.target.matches('.react-flow__pane')
    // The canvas must not move meanwhile.
    const keepStill = (event: MouseEvent | TouchEvent) => {
      if (startsBox(event)) event.stopPropagation()
    }
    const startBox = (event: PointerEvent) => {
      if (!startsBox(event) || event.button !== 0 || !event.isPrimary) return
      event.stopPropagation()
      const start = { x: event.clientX, y: event.clientY }
      const move = (at: Point) => {
        const { left, top } = element.getBoundingClientRect()
        const drawn = between(start, at)
        setBox({ ...drawn, x: drawn.x - left, y: drawn.y - top })
      }
      followDrag(element, start, move, (dropped) => {
        setBox(null)
        if (dropped !== null) choose(session, touched(session, between(start, dropped)))
      })
    }
    const ended = new AbortController()
    const options = { capture: true, signal: ended.signal }
    element.addEventListener('pointerdown', startBox, options)
    element.addEventListener('mousedown', keepStill, options)
    element.addEventListener('touchstart', keepStill, options)
    return () => ended.abort()
  }, [element, session])
  return box && <div className="choose-box" style={{ left: box.x, top: box.y, width: box.width, height: box.height }} />
}

function between(a: Point, b: Point): Box {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) }
}

function touched(session: Session, { x, y, width, height }: Box): string[] {
  const { arrangement, pointAt } = canvasView(session)
  if (arrangement === null || pointAt === null) return []
  const [a, b] = [pointAt(x, y), pointAt(x + width, y + height)]
  return scenarioStore(session)
    .getState()
    .draft.stages.flatMap(({ id }) => {
      const box = arrangement.boxes.get(id)
      return box !== undefined && overlap(box, between(a, b)) ? [id] : []
    })
}
