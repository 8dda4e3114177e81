import { type D3DragEvent, type DragBehavior, drag } from 'd3-drag'
import { select } from 'd3-selection'

type Dragged = HTMLElement | SVGSVGElement

/**
 * Lets d3 listen to drags on an element, over which a finger still scrolls the page up and down. Returns a function that stops it. `cancel`
 * hears that the browser has taken the finger to scroll; the end of such a drag means nothing.
 */
export function listenToDrag<Host extends Dragged, Subject>(
  element: Host,
  dragging: DragBehavior<Host, unknown, Subject>,
  cancel: () => void = () => {},
): () => void {
  const host = select<Host, unknown>(element)
  // Before d3, which ends a drag at a touchcancel and lets nobody else hear of it.
  host.on('pointercancel.cancel touchcancel.cancel', cancel)
  host.call(dragging.container(element).touchable(true)).style('touch-action', 'pan-y')
  const follow = host.on('touchmove.drag')
  host.on('touchmove.drag', function (event) {
    // d3 would keep the page from scrolling.
    follow?.call(this, Object.defineProperty(event, 'preventDefault', { value: () => {} }), undefined)
  })
  return () => host.on('.drag', null).on('.cancel', null)
}

/** Calls `scrub` while a pointer is held down on an element, with its distance from the left edge. Returns a function that stops it. */
export function listenToScrub<Host extends Dragged>(element: Host, scrub: (x: number) => void): () => void {
  const dragging = drag<Host, unknown>().on('start drag', ({ x }: D3DragEvent<Host, unknown, unknown>) => scrub(x))
  return listenToDrag(element, dragging)
}
