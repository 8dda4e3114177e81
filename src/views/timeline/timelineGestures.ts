import { type D3DragEvent, drag } from 'd3-drag'
import { pointer, select } from 'd3-selection'
import { type D3ZoomEvent, zoom, zoomTransform } from 'd3-zoom'
import type { Micros } from '../../scenario/model/scenario.ts'
import { listenToDrag } from '../drawing/dragging.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { transformOf } from './timelinePlot.ts'
import { panRange, SHORTEST, type TimeRange } from './timelineRange.ts'

/** A point of the window, and the element there. */
type Place = { readonly clientX: number; readonly clientY: number; readonly target: EventTarget | null }

/** What a person asks for by pointer. `x` is across the host, in pixels of the page. */
export interface Gestures extends Zoomable {
  seek(x: number): void
  /** Tells of a press that has ended where it began. */
  press?: ((at: Place) => void) | undefined
  /** Selects the range between two places; the same place twice selects nothing. Left out where nothing can be selected. */
  select?: ((from: number, to: number) => void) | undefined
  /** Tells where the pointer is; null once it has left. */
  hover?(x: number | null): void
  /** Returns how far from the playhead's line a press takes hold: 0 on the axis, some pixels on the handle; null elsewhere. */
  grip(at: Place): number | null
}

/** From this distance on a press is a drag, in pixels of the page. */
const DRAG_DISTANCE = 4
/** After resting so long a finger selects, in milliseconds. */
const REST_MS = 400

/** A drag in progress: where it began, what it moves, and whether it selects, may still begin to, or does not. */
interface Drag {
  readonly from: number
  readonly grip: number
  /** Whether the playhead follows. */
  readonly seeks: boolean
  /** Whether it may still turn out to be a press. */
  presses: boolean
  selects: 'yes' | 'once moved' | 'once rested' | 'no'
}

type Dragging = D3DragEvent<HTMLElement, unknown, Drag>
type Source = MouseEvent | TouchEvent

/** Returns an unsubscribe function. The playhead follows a drag, which over the plots also selects; with Shift it only selects. A finger rests first. */
export function listenToGestures(
  host: HTMLElement,
  { press, select: mark, hover, grip, seek, ...zoomable }: Gestures,
): () => void {
  /** Also null while d3 still follows a cancelled drag. */
  let current: Drag | null = null
  let resting = 0

  function begin({ x, sourceEvent }: { readonly x: number; readonly sourceEvent: Source }): Drag {
    const held = grip(placeOf(sourceEvent))
    const { shiftKey } = sourceEvent
    const touch = 'touches' in sourceEvent
    const selects = mark !== undefined && (shiftKey || (held === null && !touch))
    const seeks = !shiftKey || !selects
    const later = touch && held === null && mark !== undefined ? 'once rested' : 'no'
    return { from: x, grip: held ?? 0, seeks, presses: seeks && held === null, selects: selects ? 'once moved' : later }
  }
  function start({ subject, x }: Dragging): void {
    clearTimeout(resting)
    current = subject
    if (subject.selects === 'once moved') mark?.(x, x)
    if (subject.selects === 'once rested')
      resting = window.setTimeout(() => {
        subject.selects = 'once moved'
      }, REST_MS)
    if (subject.seeks) seek(x - subject.grip)
  }
  function follow({ subject, x }: Dragging): void {
    if (subject !== current) return
    if (Math.abs(x - subject.from) >= DRAG_DISTANCE) {
      clearTimeout(resting)
      subject.presses = false
      if (subject.selects === 'once moved') subject.selects = 'yes'
    }
    if (subject.seeks) seek(x - subject.grip)
    if (subject.selects === 'yes') mark?.(subject.from, x)
  }
  function end({ subject, sourceEvent }: Dragging): void {
    if (subject === current && subject.presses) press?.(placeOf(sourceEvent))
    cancel()
  }
  function cancel(): void {
    clearTimeout(resting)
    current = null
  }
  function cursorAt(event: PointerEvent): string {
    if (grip(event) !== null && !event.shiftKey) return 'ew-resize'
    return mark === undefined ? '' : 'crosshair'
  }
  const element = select(host)
  element.on('pointermove.hover', (event: PointerEvent) => {
    if (event.pointerType !== 'mouse') return
    hover?.(pointer(event, host)[0])
    if (current === null) host.style.cursor = cursorAt(event)
  })
  element.on('pointerleave.hover', () => hover?.(null))
  // A second finger makes it a pinch, until all fingers are gone. d3-zoom is asked first: the drag does not get the events that it takes.
  element.on('touchstart.pinch', ({ touches }: TouchEvent) => touches.length > 1 && cancel())
  const stopZooming = listenToZoom(host, zoomable)
  const dragging = drag<HTMLElement, unknown, Drag>()
    .filter((event: Source) => ('touches' in event ? event.touches.length === 1 : event.button === 0))
    .subject(begin)
    .on('start', start)
    .on('drag', follow)
    .on('end', end)
  const stopDragging = listenToDrag(host, dragging, cancel)
  return () => {
    cancel()
    element.on('.hover', null).on('.pinch', null)
    stopZooming()
    stopDragging()
  }
}

/** Returns where a pointer is in the window, and on what. */
function placeOf(event: Source): Place {
  const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0] : event
  return { clientX, clientY, target: event.target }
}

/** What zooming needs to know, and what it asks for. */
interface Zoomable {
  /** Returns the range that is shown or asked for, its plot, and the end of what can be shown; null before there is any. */
  shown(): { readonly range: TimeRange; readonly plot: TimelineLayout['plot']; readonly end: Micros } | null
  /** Asks for another range. */
  showRange(range: TimeRange): void
  fit(): void
  /** Whether a wheel scrolls the page and zooms only with Ctrl. */
  readonly scrolls?: boolean | undefined
}

/** Lets d3 zoom and pan by wheel and two fingers; a double click fits. Returns an unsubscribe function. Each gesture begins at the range of the data. */
function listenToZoom(host: HTMLElement, { shown, showRange, fit, scrolls = false }: Zoomable): () => void {
  const element = select(host)
  const zooming = zoom<HTMLElement, unknown>()
    .touchable(true)
    .filter((event: WheelEvent | TouchEvent | MouseEvent) => {
      const zooms =
        event instanceof WheelEvent ? !pans(event) && !leaves(event) : 'touches' in event && event.touches.length > 1
      return zooms && begin()
    })
    // A pinch on a touchpad comes as a wheel with Ctrl, in smaller steps.
    .wheelDelta((event) => -pixelsOf(event, event.deltaY) / (event.ctrlKey ? 80 : 320))
    .on('zoom', ({ transform }: D3ZoomEvent<HTMLElement, unknown>) => {
      const now = shown()
      if (now === null) return
      const { plot, end } = now
      showRange(panRange([transform.invertX(plot.x), transform.invertX(plot.x + plot.width)], 0, end))
    })

  /** Sets d3 to the data; returns whether there are any. */
  function begin(): boolean {
    const now = shown()
    if (now === null) return false
    const { range, plot, end } = now
    zooming.scaleExtent([plot.width / Math.max(end, SHORTEST), plot.width / SHORTEST])
    element.property('__zoom', transformOf(now, range))
    return true
  }
  const pans = ({ shiftKey, deltaX, deltaY }: WheelEvent) => shiftKey || Math.abs(deltaX) > Math.abs(deltaY)
  const leaves = (event: WheelEvent) => scrolls && !event.ctrlKey && !pans(event)
  /** Gets every wheel that does not zoom, also where there is nothing more to zoom. */
  function pan(event: WheelEvent): void {
    if (leaves(event)) return
    event.preventDefault()
    const by = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
    if (pans(event) && begin()) zooming.translateBy(element, pixelsOf(event, by) / -zoomTransform(host).k, 0)
  }
  element.call(zooming).on('dblclick.zoom', fit).on('wheel.pan', pan, { passive: false })
  return () => element.on('.zoom', null).on('.pan', null)
}

/** Returns how far a wheel has turned, in pixels of the page. */
function pixelsOf({ deltaMode }: WheelEvent, delta: number): number {
  return delta * (deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1)
}
