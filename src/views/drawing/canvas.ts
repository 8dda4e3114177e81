let enlargement = 1

/** Sets how many times larger than its layout the page is shown, so that later drawings stay sharp. */
export function setEnlargement(factor: number): void {
  enlargement = factor
}

/** Returns how many pixels of the screen make one of the page; at most three, beyond which no difference is visible. */
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

/** What painters paint on: a canvas of the page, or one that is on no page. */
export type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

export interface Sheet {
  readonly canvas: HTMLCanvasElement
  /** Gives it a size, as `fitCanvas` does. Returns whether that emptied it. */
  fit(width: number, height: number, ratio: number): boolean
  paint(paint: (context: Context) => void): void
}

/** Returns a sheet in the page. It shows a bitmap, which a browser without a graphics card copies only when it is replaced. */
export function createSheet(style: Partial<CSSStyleDeclaration> = {}): Sheet {
  const canvas = createCanvas(style)
  const shown = canvas.getContext('bitmaprenderer')
  const desk = new OffscreenCanvas(1, 1)
  const context = desk.getContext('2d')
  return {
    canvas,
    fit: (width, height, ratio) => fitCanvas(canvas, width, height, ratio),
    paint(paint) {
      if (shown === null || context === null || canvas.width === 0 || canvas.height === 0) return
      if (desk.width !== canvas.width || desk.height !== canvas.height)
        Object.assign(desk, { width: canvas.width, height: canvas.height })
      else context.reset()
      paint(context)
      shown.transferFromImageBitmap(desk.transferToImageBitmap())
    },
  }
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

export function fillDisc(context: Context, x: number, y: number, radius: number, colour: string): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fillStyle = colour
  context.fill()
}

export function strokeCircle(
  context: Context,
  x: number,
  y: number,
  radius: number,
  colour: string,
  width: number,
): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.strokeStyle = colour
  context.lineWidth = width
  context.stroke()
}
