/** Called in each frame with the milliseconds since the last one. */
type Painter = (elapsedMs: number) => void

const painters = new Set<Painter>()
let handle = 0
let last = 0

/**
 * Calls `painter` in each frame, in the order of registration. Returns what ends it. This is the one animation loop of the page; it stops
 * when nobody is registered.
 */
export function onFrame(painter: Painter): () => void {
  painters.add(painter)
  if (handle === 0) {
    last = performance.now()
    handle = requestAnimationFrame(frame)
  }
  return () => {
    painters.delete(painter)
  }
}

function frame(now: number): void {
  // A hidden page gets no frames. That time is not played back in one step.
  const elapsed = Math.min(100, Math.max(0, now - last))
  last = now
  for (const painter of painters) painter(elapsed)
  handle = painters.size > 0 ? requestAnimationFrame(frame) : 0
}
