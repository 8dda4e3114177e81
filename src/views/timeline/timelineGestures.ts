/** What a hand on a timeline asks for. `x` is across the host, in pixels of the page. */
export interface Gestures {
  seek(x: number): void
  /** Marks what lies between two places; the same place twice: nothing. Left out where nothing can be marked. */
  select?(from: number, to: number): void
  /** Shows `factor` times as much around `x`. */
  zoom(factor: number, x: number): void
  /** Moves the stretch shown by so many pixels. */
  pan(pixels: number): void
  fit(): void
  /** Where the pointer is; null once it has left. */
  hover?(x: number | null): void
  /** How far from what it moves a hand takes hold that presses here: on the axis 0, on the playhead's handle some pixels; null: on neither. */
  grip(event: MouseEvent): number | null
  /** Where up and down scrolls what the host stands in, a wheel zooms with Ctrl only. */
  readonly scrolls?: boolean
}

/** The least a hand moves when it means to mark a stretch, in pixels of the page. */
const MEANT = 4
/** How long a finger rests before what it then draws is a mark, in milliseconds. */
const RESTED = 400

/** A hand under way: what it moves, where it pressed, and whether it marks, may yet come to mark, or only moves the playhead. */
interface Drag {
  readonly pointer: number
  readonly from: number
  readonly grip: number
  /** Whether the playhead goes with the hand. */
  readonly seeks: boolean
  marks: 'yes' | 'once moved' | 'no'
}

/**
 * Listens on `host`. The playhead goes where a hand presses and wherever it is dragged; a drag over the plots marks what it
 * crosses as well, one on the axis or of the playhead's handle does not. With Shift it marks and leaves the playhead. A finger
 * marks once it has rested, since with one finger one looks about. The wheel zooms, sideways or with Shift it pans, two
 * fingers pinch and pan, a double click fits. Returns how to stop.
 */
export function listen(host: HTMLElement, { seek, select, zoom, pan, fit, hover, grip, scrolls = false }: Gestures): () => void {
  const fingers = new Map<number, number>()
  const off = new AbortController()
  const { signal } = off
  let drag: Drag | null = null
  let resting = 0
  const across = (event: MouseEvent): number => event.clientX - host.getBoundingClientRect().left

  function down(event: PointerEvent): void {
    if (event.button !== 0) return
    host.setPointerCapture(event.pointerId)
    const x = across(event)
    fingers.set(event.pointerId, x)
    clearTimeout(resting)
    // From the second finger on it is a pinch, until all are gone.
    drag = fingers.size > 1 ? null : begin(event, x)
  }
  function begin(event: PointerEvent, x: number): Drag {
    const held = grip(event)
    const touch = event.pointerType === 'touch'
    const marks = select !== undefined && (event.shiftKey || (held === null && !touch))
    const begun: Drag = { pointer: event.pointerId, from: x, grip: held ?? 0, seeks: !event.shiftKey || !marks, marks: marks ? 'once moved' : 'no' }
    if (marks) select?.(x, x)
    else if (touch && held === null && select !== undefined)
      resting = window.setTimeout(() => {
        begun.marks = 'once moved'
      }, RESTED)
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
  function follow(hand: Drag, x: number): void {
    if (Math.abs(x - hand.from) >= MEANT) {
      clearTimeout(resting)
      if (hand.marks === 'once moved') hand.marks = 'yes'
    }
    if (hand.seeks) seek(x - hand.grip)
    if (hand.marks === 'yes') select?.(hand.from, x)
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
    // A pinch on a touchpad arrives as a wheel with Ctrl, in smaller steps.
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
    off.abort()
  }
}
