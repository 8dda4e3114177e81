import { select } from 'd3-selection'
import { type D3ZoomEvent, zoom, zoomTransform } from 'd3-zoom'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { transformOf } from './timelinePlot.ts'
import { panRange, SHORTEST, type TimeRange } from './timelineRange.ts'

/** What zooming needs to know, and what it asks for. */
export interface Zoomable {
  /** Returns the range that is shown or asked for, its plot, and the end of what can be shown; null before there is any. */
  shown(): { readonly range: TimeRange; readonly plot: TimelineLayout['plot']; readonly end: Micros } | null
  /** Asks for another range. */
  showRange(range: TimeRange): void
  fit(): void
  /** Whether a wheel scrolls the page and zooms only with Ctrl. */
  readonly scrolls?: boolean | undefined
}

/**
 * Lets d3 zoom and pan by wheel and by two fingers; a double click fits. Returns a function that stops it. What d3 moves over the plot is the
 * time in microseconds. It keeps nothing between two gestures: each begins at the range of the data.
 */
export function listenToZoom(host: HTMLElement, { shown, showRange, fit, scrolls = false }: Zoomable): () => void {
  const element = select(host)
  const zooming = zoom<HTMLElement, unknown>()
    .touchable(true)
    .filter((event: WheelEvent | TouchEvent | MouseEvent) => {
      const zooms = event instanceof WheelEvent ? !pans(event) && !leaves(event) : 'touches' in event && event.touches.length > 1
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
