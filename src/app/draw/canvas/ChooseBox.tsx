import { useEffect, useState } from 'react'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasStore, canvasView, choose } from '../editing/canvasStore.ts'
import type { Box, Point } from '../layout/places.ts'

const A_CLICK = 4

/** A box drawn with Shift, or in selection mode, beside the cards. It selects the stages that it touches. */
export function ChooseBox({ element }: { readonly element: HTMLElement }) {
  const session = useSession()
  const [box, setBox] = useState<Box | null>(null)
  useEffect(() => {
    const mine = (event: MouseEvent | TouchEvent) =>
      (event.shiftKey || canvasStore(session).getState().choosing) && event.target instanceof Element && event.target.matches('.react-flow__pane')
    // The canvas must not move meanwhile.
    const hold = (event: MouseEvent | TouchEvent) => {
      if (mine(event)) event.stopPropagation()
    }
    const begin = (event: PointerEvent) => {
      if (!mine(event) || event.button !== 0 || !event.isPrimary) return
      event.stopPropagation()
      const start = { x: event.clientX, y: event.clientY }
      let drawn: Box | null = null
      const move = ({ clientX: x, clientY: y }: PointerEvent) => {
        if (drawn === null && Math.hypot(x - start.x, y - start.y) < A_CLICK) return
        drawn = between(start, { x, y })
        const { left, top } = element.getBoundingClientRect()
        setBox({ ...drawn, x: drawn.x - left, y: drawn.y - top })
      }
      const end = ({ type }: PointerEvent) => {
        removeEventListener('pointermove', move)
        removeEventListener('pointerup', end)
        removeEventListener('pointercancel', end)
        setBox(null)
        if (drawn === null || type === 'pointercancel') return
        // The end of the drag must not count as a click, which would clear the selection.
        element.addEventListener('click', still, { capture: true, once: true })
        setTimeout(() => element.removeEventListener('click', still, { capture: true }))
        choose(session, touched(session, drawn))
      }
      addEventListener('pointermove', move)
      addEventListener('pointerup', end)
      addEventListener('pointercancel', end)
    }
    const capture = { capture: true }
    element.addEventListener('pointerdown', begin, capture)
    element.addEventListener('mousedown', hold, capture)
    element.addEventListener('touchstart', hold, capture)
    return () => {
      element.removeEventListener('pointerdown', begin, capture)
      element.removeEventListener('mousedown', hold, capture)
      element.removeEventListener('touchstart', hold, capture)
    }
  }, [element, session])
  return box && <div className="choose-box" style={{ left: box.x, top: box.y, width: box.width, height: box.height }} />
}

const still = (event: Event) => event.stopPropagation()

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
      return box !== undefined && box.x < b.x && box.x + box.width > a.x && box.y < b.y && box.y + box.height > a.y ? [id] : []
    })
}
