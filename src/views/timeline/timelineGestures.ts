/** What a person asks for by pointer. `x` is across the host, in pixels of the page. */
export interface Gestures {
  seek(x: number): void
  /** Selects the range between two places; the same place twice selects nothing. Left out where nothing can be selected. */
  select?(from: number, to: number): void
  /** Shows `factor` times as much around `x`. */
  zoom(factor: number, x: number): void
  /** Moves the range by so many pixels. */
  pan(pixels: number): void
  fit(): void
  /** Tells where the pointer is; null once it has left. */
  hover?(x: number | null): void
  /** Returns how far from the playhead's line a press takes hold: 0 on the axis, some pixels on the handle; null elsewhere. */
  grip(event: MouseEvent): number | null
  /** Whether a wheel scrolls the page and zooms only with Ctrl. */
  readonly scrolls?: boolean
}

/** From this distance on a press is a drag, in pixels of the page. */
const DRAG_DISTANCE = 4
/** After resting so long a finger selects, in milliseconds. */
const REST_MS = 400

/** A drag under way: where it began, what it moves, and whether it selects, may still begin to, or does not. */
interface Drag {
  readonly pointer: number
  readonly from: number
  readonly grip: number
  /** Whether the playhead follows. */
  readonly seeks: boolean
  selects: 'yes' | 'once moved' | 'no'
}

/**
 * Listens to gestures on `host`; returns a function that stops it. The playhead follows a press and a drag. A drag over the plots also
 * selects, with Shift it only selects, and a finger selects once it has rested. The wheel zooms or pans, two fingers pinch, a double click fits.
 */
export function listenToGestures(host: HTMLElement, { seek, select, zoom, pan, fit, hover, grip, scrolls = false }: Gestures): () => void {
  const fingers = new Map<number, number>()
  const ended = new AbortController()
  const { signal } = ended
  let drag: Drag | null = null
  let resting = 0
  const across = (event: MouseEvent): number => event.clientX - host.getBoundingClientRect().left

  function down(event: PointerEvent): void {
    if (event.button !== 0) return
    host.setPointerCapture(event.pointerId)
    const x = across(event)
    fingers.set(event.pointerId, x)
    clearTimeout(resting)
    // A second finger makes it a pinch, until all fingers are gone.
    drag = fingers.size > 1 ? null : begin(event, x)
  }
  function begin(event: PointerEvent, x: number): Drag {
    const held = grip(event)
    const touch = event.pointerType === 'touch'
    const selects = select !== undefined && (event.shiftKey || (held === null && !touch))
    const begun: Drag = { pointer: event.pointerId, from: x, grip: held ?? 0, seeks: !event.shiftKey || !selects, selects: selects ? 'once moved' : 'no' }
    if (selects) select?.(x, x)
    else if (touch && held === null && select !== undefined)
      resting = window.setTimeout(() => {
        begun.selects = 'once moved'
      }, REST_MS)
    if (begun.seeks) seek(x - begun.grip)
    return begun
  }
  function move(event: PointerEvent): void {
    const x = across(event)
    if (event.pointerType === 'mouse') {
      hover?.(x)
      if (drag === null) host.style.cursor = cursorAt(event)
    }
    const before = fingers.get(event.pointerId)
    if (before === undefined) return
    fingers.set(event.pointerId, x)
    if (fingers.size > 1) pinch(event.pointerId, before, x)
    else if (drag?.pointer === event.pointerId) follow(drag, x)
  }
  function cursorAt(event: PointerEvent): string {
    if (grip(event) !== null && !event.shiftKey) return 'ew-resize'
    return select === undefined ? '' : 'crosshair'
  }
  function follow(drag: Drag, x: number): void {
    if (Math.abs(x - drag.from) >= DRAG_DISTANCE) {
      clearTimeout(resting)
      if (drag.selects === 'once moved') drag.selects = 'yes'
    }
    if (drag.seeks) seek(x - drag.grip)
    if (drag.selects === 'yes') select?.(drag.from, x)
  }
  function pinch(id: number, before: number, x: number): void {
    const other = [...fingers].find(([finger]) => finger !== id)?.[1]
    if (other === undefined) return
    const [was, is] = [Math.max(12, Math.abs(before - other)), Math.max(12, Math.abs(x - other))]
    zoom(was / is, other)
  }
  function up(event: PointerEvent): void {
    fingers.delete(event.pointerId)
    clearTimeout(resting)
    drag = null
  }
  function wheel(event: WheelEvent): void {
    if (scrolls && !event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return
    event.preventDefault()
    const line = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(sideways * line)
    // A pinch on a touchpad comes as a wheel with Ctrl, in smaller steps.
    else zoom(2 ** ((event.deltaY * line) / (event.ctrlKey ? 80 : 320)), across(event))
  }

  host.addEventListener('pointerdown', down, { signal })
  host.addEventListener('pointermove', move, { signal })
  host.addEventListener('pointerup', up, { signal })
  host.addEventListener('pointercancel', up, { signal })
  host.addEventListener('pointerleave', () => hover?.(null), { signal })
  host.addEventListener('wheel', wheel, { passive: false, signal })
  host.addEventListener('dblclick', fit, { signal })
  return () => {
    clearTimeout(resting)
    ended.abort()
  }
}
