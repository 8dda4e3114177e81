/** A drawing that has been mounted. It draws when told to and at no other time, and knows only what the last `update` said. */
export interface Drawing<Data> {
  update(data: Data): void
  /** The host has another size, or the letters have arrived: measure and draw again. */
  resize(): void
  destroy(): void
}

let enlargement = 1

/** The page is shown so many times as large as it is laid out: what is drawn from now on is as sharp. */
export function enlarge(by: number): void {
  enlargement = by
}

/** How many pixels of the screen make one of the page, at most three: beyond that nobody sees the difference. */
export function pixelRatio(): number {
  return Math.min(3, Math.max(1, (window.devicePixelRatio || 1) * enlargement))
}

/** Gives a canvas the size of its place on the page in pixels of the screen. Returns whether that emptied it. */
export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): boolean {
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width === w && canvas.height === h) return false
  canvas.width = w
  canvas.height = h
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
  return true
}
