/** Calls `scrub` while the pointer is held down on `target`, with its distance from the left edge and the width of the target on the screen. */
export function listenToScrub(target: Element & GlobalEventHandlers, scrub: (x: number, width: number) => void, options: AddEventListenerOptions = {}): void {
  const heard = (event: PointerEvent): void => {
    if (event.type === 'pointerdown') target.setPointerCapture(event.pointerId)
    if (event.buttons !== 1) return
    const { left, width } = target.getBoundingClientRect()
    scrub(event.clientX - left, width)
  }
  target.addEventListener('pointerdown', heard, options)
  target.addEventListener('pointermove', heard, options)
}
