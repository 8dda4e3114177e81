/** From this distance on a finger that has moved sideways has swiped, in pixels; and at most so long it takes, in milliseconds. */
const FAR = 48
const QUICK_MS = 700

interface Start {
  readonly x: number
  readonly y: number
  readonly time: number
}

/**
 * Calls `step` when one finger has swiped: 1 to the left, as one turns to the next page, and -1 to the right. A second finger makes it a
 * pinch, and a finger that moves up or down scrolls. Nothing is prevented. `takes` tells whether a part of the page uses the drag itself.
 */
export function listenToSwipes(host: EventTarget, takes: (target: EventTarget | null) => boolean, step: (by: 1 | -1) => void, signal: AbortSignal): void {
  let start: Start | null = null
  const on = (type: string, hear: (event: TouchEvent) => void) => host.addEventListener(type, (event) => hear(event as TouchEvent), { signal, passive: true })
  on('touchstart', ({ touches, target, timeStamp }) => {
    const [first] = touches
    start = touches.length === 1 && !takes(target) ? { x: first.clientX, y: first.clientY, time: timeStamp } : null
  })
  on('touchcancel', () => {
    start = null
  })
  on('touchend', ({ changedTouches, timeStamp }) => {
    const began = start
    start = null
    if (began === null || timeStamp - began.time > QUICK_MS) return
    const [x, y] = [changedTouches[0].clientX - began.x, changedTouches[0].clientY - began.y]
    if (Math.abs(x) >= FAR && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? 1 : -1)
  })
}

/** Returns whether something at this place uses a drag sideways: the timeline, a slider, or what scrolls sideways. */
export function dragsSideways(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('.timeline, input, [role=slider], [role=separator]') !== null) return true
  for (let each: Element | null = target; each !== null; each = each.parentElement)
    if (each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(each).overflowX)) return true
  return false
}
