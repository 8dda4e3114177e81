import type { Session } from '../../session/session.ts'
import { CARD, type Point } from '../layout/places.ts'
import { addAt, addOn } from './actions.ts'
import { canvasStore, canvasView } from './canvasStore.ts'

/** A press that moves less than this is a click. */
const A_CLICK = 6

/** Drags a new stage off its button: onto a link, which then leads through it, or to a free place. Works with mouse, finger and pen. */
export function dragNewStage(session: Session, button: HTMLElement, pointerId: number, { x: clientX, y: clientY }: Point): void {
  let ghost: HTMLElement | null = null
  const move = ({ clientX: x, clientY: y }: PointerEvent) => {
    if (ghost === null && Math.hypot(x - clientX, y - clientY) < A_CLICK) return
    ghost ??= document.body.appendChild(Object.assign(document.createElement('div'), { className: 'new-stage' }))
    ghost.style.translate = `${x}px ${y}px`
    canvasStore(session).setState({ linkUnderPointer: linkAt(x, y) })
  }
  const end = (event: PointerEvent) => {
    button.removeEventListener('pointermove', move)
    button.removeEventListener('pointerup', end)
    button.removeEventListener('pointercancel', end)
    if (ghost === null) return
    ghost.remove()
    canvasStore(session).setState({ linkUnderPointer: null })
    if (event.type === 'pointercancel') return
    // The drop must not press the button.
    button.addEventListener('click', still, { capture: true, once: true })
    setTimeout(() => button.removeEventListener('click', still, { capture: true }))
    drop(session, event.clientX, event.clientY)
  }
  try {
    button.setPointerCapture(pointerId)
  } catch {
    // The pointer was released meanwhile: this is a click.
    return
  }
  button.addEventListener('pointermove', move)
  button.addEventListener('pointerup', end)
  button.addEventListener('pointercancel', end)
}

const still = (event: Event) => event.stopImmediatePropagation()

function drop(session: Session, x: number, y: number): void {
  const { arrangement, pointAt } = canvasView(session)
  const link = linkAt(x, y)?.split(' ')
  if (link !== undefined) addOn(session, [link[0], link[1]])
  else if (arrangement !== null && pointAt !== null && document.elementsFromPoint(x, y).some((element) => element.matches('.react-flow__pane'))) {
    const point = pointAt(x, y)
    addAt(session, { x: point.x - CARD.width / 2, y: point.y - CARD.height / 2 }, arrangement.boxes, null)
  }
}

/** Returns the link at a point of the page, as `from to`. */
function linkAt(x: number, y: number): string | null {
  const edge = document
    .elementsFromPoint(x, y)
    .map((element) => element.closest('.react-flow__edge'))
    .find((found) => found !== null)
  return edge?.getAttribute('data-id') ?? null
}
