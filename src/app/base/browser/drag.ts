type Place = { readonly x: number; readonly y: number }

/** A press that moves less than this is a click, in pixels. */
const DRAG_DISTANCE = 5
const eventTypes = ['pointermove', 'pointerup', 'pointercancel'] as const

/**
 * Follows a pointer that was pressed on `element` at `start`. Calls `move` while it is dragged, and `end` once: with the place where it was
 * dropped, or with null if it was a click or was cancelled. A drop does not count as a click on the element.
 */
export function followDrag(
  element: HTMLElement,
  start: Place,
  move: (at: Place) => void,
  end: (dropped: Place | null) => void,
): void {
  let dragged = false
  const listen = ({ type, buttons, clientX: x, clientY: y }: PointerEvent) => {
    // No button is pressed: the pointer was released before the listeners were added.
    const moves = type === 'pointermove' && buttons !== 0
    dragged ||= moves && Math.hypot(x - start.x, y - start.y) >= DRAG_DISTANCE
    if (moves) {
      if (dragged) move({ x, y })
      return
    }
    for (const type of eventTypes) removeEventListener(type, listen)
    const dropped = dragged && type === 'pointerup'
    if (dropped) {
      element.addEventListener('click', swallow, { capture: true, once: true })
      setTimeout(() => element.removeEventListener('click', swallow, { capture: true }))
    }
    end(dropped ? { x, y } : null)
  }
  for (const type of eventTypes) addEventListener(type, listen)
}

const swallow = (event: Event) => event.stopPropagation()
