import { followDrag } from '../../base/browser/drag.ts'
import type { Session } from '../../session/session.ts'
import type { Point } from '../layout/places.ts'
import { addStageOnLink, addStageUnder } from './actions.ts'
import { canvasStore } from './canvasStore.ts'

/** Drags a new stage off its button: onto a link, which then leads through it, or to a free place. Works with mouse, finger and pen. */
export function dragNewStage(session: Session, button: HTMLElement, pointerId: number, start: Point): void {
  try {
    button.setPointerCapture(pointerId)
  } catch {
    // The pointer was released meanwhile: this is a click.
    return
  }
  let ghost: HTMLElement | null = null
  const move = ({ x, y }: Point) => {
    ghost ??= document.body.appendChild(Object.assign(document.createElement('div'), { className: 'new-stage' }))
    ghost.style.translate = `${x}px ${y}px`
    canvasStore(session).setState({ linkUnderPointer: linkAt(x, y) })
  }
  followDrag(button, start, move, (dropped) => {
    if (ghost === null) return
    ghost.remove()
    canvasStore(session).setState({ linkUnderPointer: null })
    if (dropped !== null) drop(session, dropped.x, dropped.y)
  })
}

function drop(session: Session, x: number, y: number): void {
  const link = linkAt(x, y)?.split(' ')
  if (link !== undefined) addStageOnLink(session, [link[0], link[1]])
  else addStageUnder(session, x, y, null)
}

function linkAt(x: number, y: number): string | null {
  const edges = document.elementsFromPoint(x, y).flatMap((element) => element.closest('.react-flow__edge') ?? [])
  return edges[0]?.getAttribute('data-id') ?? null
}
