let enlargement = 1

/** Sets how many times larger than its layout the page is shown, so that later drawings stay sharp. */
export function setEnlargement(factor: number): void {
  enlargement = factor
}

/** Returns how many pixels of the screen make one of the page; at most three, beyond which nobody sees a difference. */
export function pixelRatio(): number {
  return Math.min(3, Math.max(1, (window.devicePixelRatio || 1) * enlargement))
}

/** Returns a canvas in the page that screen readers pass over. */
export function createCanvas(style: Partial<CSSStyleDeclaration> = {}): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  Object.assign(canvas.style, { display: 'block', ...style })
  return canvas
}

/** Gives a canvas a size in pixels of the page, and as many pixels as the screen has there. Returns whether that emptied it. */
export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): boolean {
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width === w && canvas.height === h) return false
  canvas.width = w
  canvas.height = h
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
  return true
}

/** Fills a disc. */
export function fillDisc(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fillStyle = colour
  context.fill()
}

/** Strokes a circle. */
export function strokeCircle(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string, width: number): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.strokeStyle = colour
  context.lineWidth = width
  context.stroke()
}
