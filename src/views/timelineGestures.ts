/** What a hand on a timeline asks for. `x` is across the host, in pixels of the page. */
export interface Gestures {
  seek(x: number): void
  /** Marks what lies between two places; the same place twice: nothing. */
  select(from: number, to: number): void
  /** Shows `factor` times as much around `x`. */
  zoom(factor: number, x: number): void
  /** Moves the stretch shown by so many pixels. */
  pan(pixels: number): void
  fit(): void
  /** Where the pointer is; null once it has left. */
  hover(x: number | null): void
  /** Whether a drag that begins on this element marks a stretch, as on the axis. */
  marks(target: EventTarget | null): boolean
  /** Where up and down scrolls what the host stands in, a wheel zooms with Ctrl only. */
  readonly scrolls?: boolean
}

/** The least a hand moves when it means to mark a stretch, in pixels of the page. */
const MEANT = 3

/**
 * Listens on `host`: press or drag seeks; with Shift, or on the axis, it marks a stretch; the wheel zooms, sideways or
 * with Shift it pans, two fingers pinch and pan, a double click fits. Returns how to stop.
 */
export function listen(host: HTMLElement, { seek, select, zoom, pan, fit, hover, marks, scrolls = false }: Gestures): () => void {
  const fingers = new Map<number, number>()
  const off = new AbortController()
  const { signal } = off
  /** Where the mark began; null while there is none in the making. */
  let marked: number | null = null
  const across = (event: MouseEvent): number => event.clientX - host.getBoundingClientRect().left
  const marking = (event: MouseEvent): boolean => event.shiftKey || marks(event.target)

  function down(event: PointerEvent): void {
    if (event.button !== 0) return
    host.setPointerCapture(event.pointerId)
    const x = across(event)
    fingers.set(event.pointerId, x)
    if (fingers.size > 1) return
    marked = marking(event) ? x : null
    if (marked === null) seek(x)
    else select(x, x)
  }
  function move(event: PointerEvent): void {
    const x = across(event)
    if (event.pointerType === 'mouse') {
      hover(x)
      host.style.cursor = marked !== null || (fingers.size === 0 && marking(event)) ? 'col-resize' : ''
    }
    const before = fingers.get(event.pointerId)
    if (before === undefined) return
    if (fingers.size > 1) pinch(event.pointerId, before, x)
    else if (marked === null) seek(x)
    else select(marked, Math.abs(x - marked) < MEANT ? marked : x)
    fingers.set(event.pointerId, x)
  }
  function pinch(id: number, before: number, x: number): void {
    const other = [...fingers].find(([finger]) => finger !== id)?.[1]
    if (other === undefined) return
    const [was, is] = [Math.max(12, Math.abs(before - other)), Math.max(12, Math.abs(x - other))]
    zoom(was / is, other)
  }
  function up(event: PointerEvent): void {
    fingers.delete(event.pointerId)
    marked = null
  }
  function wheel(event: WheelEvent): void {
    if (scrolls && !event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return
    event.preventDefault()
    const line = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(sideways * line)
    // A pinch on a touchpad arrives as a wheel with Ctrl, in smaller steps.
    else zoom(2 ** ((event.deltaY * line) / (event.ctrlKey ? 80 : 320)), across(event))
  }

  host.addEventListener('pointerdown', down, { signal })
  host.addEventListener('pointermove', move, { signal })
  host.addEventListener('pointerup', up, { signal })
  host.addEventListener('pointercancel', up, { signal })
  host.addEventListener('pointerleave', () => hover(null), { signal })
  host.addEventListener('wheel', wheel, { passive: false, signal })
  host.addEventListener('dblclick', fit, { signal })
  return () => off.abort()
}
