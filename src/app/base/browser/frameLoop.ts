/** Called once a frame with the time since the last one in milliseconds. */
type Painter = (elapsedMs: number) => void

const painters = new Set<Painter>()
let handle = 0
let last = 0

/**
 * The one animation loop of the page. It runs while somebody paints and stands still otherwise. First whoever moves the
 * clock, then whoever draws: painters are called in the order in which they came.
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
  // A hidden page sleeps; what it slept through is not played back in one leap.
  const elapsed = Math.min(100, Math.max(0, now - last))
  last = now
  for (const painter of painters) painter(elapsed)
  handle = painters.size > 0 ? requestAnimationFrame(frame) : 0
}
