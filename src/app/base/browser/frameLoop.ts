/** Called in each frame with the milliseconds since the last one, and the time of this one. Returns how many may pass before it is called again. */
type Painter = (elapsedMs: number, now: number) => number

const painters = new Set<Painter>()
let cancelNext: (() => void) | null = null
let last = 0

/** The time of a frame may be so much older than the moment at which it was asked for. */
const FRAME_MS = 1000 / 60

/**
 * Calls `painter` in each frame, in the order of registration. Returns what ends it. This is the one animation loop of the page. It rests
 * as long as all painters allow, and stops when nobody is registered: a frame costs time even if nothing is drawn in it.
 */
export function onFrame(painter: Painter): () => void {
  if (painters.size === 0) last = performance.now()
  painters.add(painter)
  hurry()
  return () => {
    painters.delete(painter)
  }
}

/** Has the next frame come at once, though the loop may be resting: a person waits for what it shows. */
export function hurry(): void {
  if (painters.size === 0) return
  cancelNext?.()
  const handle = requestAnimationFrame(frame)
  cancelNext = () => cancelAnimationFrame(handle)
}

function frame(now: number): void {
  cancelNext = null
  // A hidden page gets no frames. That time is not played back in one step.
  const elapsed = Math.min(100, Math.max(0, now - last))
  last = now
  const rest = Math.min(...[...painters].map((painter) => painter(elapsed, now)))
  if (cancelNext !== null || painters.size === 0) return
  if (rest < FRAME_MS / 2) hurry()
  else {
    const timer = setTimeout(hurry, now + rest + FRAME_MS - performance.now())
    cancelNext = () => clearTimeout(timer)
  }
}
