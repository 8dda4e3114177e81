import { type D3DragEvent, type DragBehavior, drag } from 'd3-drag'
import { select } from 'd3-selection'

type Dragged = HTMLElement | SVGSVGElement

type TouchAction = 'pan-y' | 'none'

/** Lets d3 listen to drags; a finger can still scroll the page. `cancel` is called when it did. Returns an unsubscribe function. */
export function listenToDrag<Host extends Dragged, Subject>(
  element: Host,
  dragging: DragBehavior<Host, unknown, Subject>,
  cancel: () => void = () => {},
  touchAction: TouchAction = 'pan-y',
): () => void {
  const host = select<Host, unknown>(element)
  // Before d3, which ends a drag at a touchcancel and stops the event.
  host.on('pointercancel.cancel touchcancel.cancel', cancel)
  host.call(dragging.container(element).touchable(true)).style('touch-action', touchAction)
  const follow = host.on('touchmove.drag')
  host.on('touchmove.drag', function (event) {
    // d3 would keep the page from scrolling.
    follow?.call(this, Object.defineProperty(event, 'preventDefault', { value: () => {} }), undefined)
  })
  return () => host.on('.drag', null).on('.cancel', null)
}

/** Calls `scrub` while a pointer is held down on an element, with its distance from the left edge. Returns an unsubscribe function. */
export function listenToScrub<Host extends Dragged>(element: Host, scrub: (x: number) => void): () => void {
  const dragging = drag<Host, unknown>().on('start drag', ({ x }: D3DragEvent<Host, unknown, unknown>) => scrub(x))
  return listenToDrag(element, dragging)
}

/** A point of an element as shares of its width and height, from its upper left corner. */
export type ShareOfPlace = readonly [across: number, down: number]

export interface Pulls {
  /** The person presses at a point, where `on` is. */
  take(at: ShareOfPlace, on: EventTarget | null): void
  /** The pointer has moved far enough from the press for a drag. */
  pull(at: ShareOfPlace): void
  /** The person lets go, after a drag or a mere press. */
  drop?(): void
  /** The browser has taken the finger to scroll. Later events are ignored. */
  cancel?(): void
}

/** From this distance on a press is a drag, in pixels of the page. */
const DRAG_DISTANCE = 3

/** Lets d3 follow what is pulled over an element. Returns an unsubscribe function. */
export function listenToPulls(element: HTMLElement, pulls: () => Pulls, touchAction?: TouchAction): () => void {
  let pressed: Pulling | null = null
  const shareAt = ({ x, y }: Pulling): ShareOfPlace => [x / element.clientWidth, y / element.clientHeight]
  const dragging = drag<HTMLElement, unknown>()
    .on('start', (event: Pulling) => {
      pressed = event
      pulls().take(shareAt(event), event.sourceEvent.target)
    })
    .on('drag', (event: Pulling) => {
      if (pressed !== null && Math.hypot(event.x - pressed.x, event.y - pressed.y) < DRAG_DISTANCE) return
      pressed = null
      pulls().pull(shareAt(event))
    })
    .on('end', () => pulls().drop?.())
  return listenToDrag(element, dragging, () => pulls().cancel?.(), touchAction)
}
type Pulling = D3DragEvent<HTMLElement, unknown, unknown>
