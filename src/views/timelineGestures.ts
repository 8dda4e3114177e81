/** What a hand on a timeline asks for. `x` is across the host, in pixels of the page. */
export interface Gestures {
  seek(x: number): void
  /** Shows `factor` times as much around `x`. */
  zoom(factor: number, x: number): void
  /** Moves the stretch shown by so many pixels. */
  pan(pixels: number): void
  fit(): void
}

/** Listens on `host`: press or drag seeks, the wheel zooms, sideways or with Shift it pans, two fingers pinch and pan, a double click fits. Returns how to stop. */
export function listen(host: HTMLElement, { seek, zoom, pan, fit }: Gestures): () => void {
  const fingers = new Map<number, number>()
  const off = new AbortController()
  const { signal } = off
  const across = (event: MouseEvent): number => event.clientX - host.getBoundingClientRect().left

  function down(event: PointerEvent): void {
    if (event.button !== 0) return
    host.setPointerCapture(event.pointerId)
    fingers.set(event.pointerId, across(event))
    if (fingers.size === 1) seek(across(event))
  }
  function move(event: PointerEvent): void {
    const before = fingers.get(event.pointerId)
    if (before === undefined) return
    const x = across(event)
    if (fingers.size === 1) seek(x)
    else pinch(event.pointerId, before, x)
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
  }
  function wheel(event: WheelEvent): void {
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
  host.addEventListener('wheel', wheel, { passive: false, signal })
  host.addEventListener('dblclick', fit, { signal })
  return () => off.abort()
}
