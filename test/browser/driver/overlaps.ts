import type { Page } from '@playwright/test'

interface Place {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A text that is painted on a canvas, in pixels of the canvas. */
interface Painted extends Place {
  readonly text: string
  readonly width: number
  readonly height: number
}

declare global {
  /** The texts on each canvas since it was cleared. */
  var paintedTexts: Map<HTMLCanvasElement, Painted[]>
}

/** Keeps what pages paint as text, for `overlaps`: a canvas has no elements. Call it before the page is opened. */
export async function watchPaintedTexts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const painted = new Map<HTMLCanvasElement, Painted[]>()
    globalThis.paintedTexts = painted
    const context = CanvasRenderingContext2D.prototype
    const { fillText, clearRect } = context
    const placeOf = (of: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): Place => {
      const { a, d, e, f } = of.getTransform()
      return { left: a * x + e, top: d * y + f, right: a * (x + width) + e, bottom: d * (y + height) + f }
    }
    context.fillText = function (text, x, y, most = Infinity) {
      fillText.call(this, text, x, y, ...(most === Infinity ? [] : [most]))
      const size = this.measureText(text)
      const by = Math.min(1, most / Math.max(1, size.width))
      const [left, right] = [size.actualBoundingBoxLeft * by, size.actualBoundingBoxRight * by]
      const [up, down] = [size.actualBoundingBoxAscent, size.actualBoundingBoxDescent]
      const { width, height } = this.canvas
      const texts = painted.get(this.canvas) ?? []
      texts.push({ text, width, height, ...placeOf(this, x - left, y - up, left + right, up + down) })
      painted.set(this.canvas, texts)
    }
    context.clearRect = function (...box) {
      clearRect.apply(this, box)
      const { left, top, right, bottom } = placeOf(this, ...box)
      const stay = (each: Painted) =>
        each.left < left - 1 || each.top < top - 1 || each.right > right + 1 || each.bottom > bottom + 1
      const { width, height } = this.canvas
      const all = left <= 0 && top <= 0 && right >= width && bottom >= height
      painted.set(this.canvas, all ? [] : (painted.get(this.canvas)?.filter(stay) ?? []))
    }
  })
}

/**
 * Returns what is wrong on the screen, in words: texts, controls and cards that overlap although neither contains the other, and what the
 * window cuts off at a side. Texts of canvases count if `watchPaintedTexts` was called.
 */
export function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Thing extends Place {
      readonly name: string
      readonly kind: 'text' | 'painted' | 'control' | 'card'
      readonly of: Element
    }
    const things: Thing[] = []
    const wrong = new Set<string>()
    const clips = new Map<Element, Place | null>()
    /** The part of the window in which an element is seen; `sideways`: some of it may be scrolled into sight. */
    const clipOf = (element: Element | null): Place => {
      const all = { left: -Infinity, top: 0, right: Infinity, bottom: innerHeight }
      if (element === null || element === document.body) return all
      const known = clips.get(element)
      if (known) return known
      const { overflowX, overflowY, position } = getComputedStyle(element)
      const above = position === 'fixed' ? all : clipOf(element.parentElement)
      const box = element.getBoundingClientRect()
      const clip = {
        left: overflowX === 'visible' ? above.left : Math.max(above.left, box.left),
        right: overflowX === 'visible' ? above.right : Math.min(above.right, box.right),
        top: overflowY === 'visible' ? above.top : Math.max(above.top, box.top),
        bottom: overflowY === 'visible' ? above.bottom : Math.min(above.bottom, box.bottom),
      }
      clips.set(element, clip)
      return clip
    }
    const add = (kind: Thing['kind'], name: string, of: Element, box: Place, clipped: Element | null) => {
      const clip = clipOf(clipped)
      const left = Math.max(clip.left, box.left)
      const right = Math.min(clip.right, box.right)
      const top = Math.max(clip.top, box.top)
      const bottom = Math.min(clip.bottom, box.bottom)
      if (right - left < 3 || bottom - top < 3) return
      if (left < -1 || right > innerWidth + 1) wrong.add(`${name} is cut off at the side of the window`)
      things.push({ kind, name, of, left, right, top, bottom })
    }
    const seen = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
      element.closest('[hidden], option, [popover]:not(:popover-open)') === null &&
      (getComputedStyle(element).clipPath === 'none' || element.tagName === 'CANVAS')
    const short = (text: string) => text.trim().replace(/\s+/g, ' ').slice(0, 40)

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement: of, nodeValue } = node
      if (of === null || !nodeValue?.trim() || !seen(of)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      // Letters fill the middle of a line.
      for (const { left, right, top, bottom, height } of range.getClientRects())
        add(
          'text',
          `“${short(nodeValue)}”`,
          of,
          { left, right, top: top + height * 0.2, bottom: bottom - height * 0.2 },
          of,
        )
    }
    // A link in a sentence is text.
    for (const of of document.querySelectorAll(
      'button, input, select, textarea, a[href], summary, [role=button], [role=slider]',
    ))
      if (seen(of) && getComputedStyle(of).display !== 'inline')
        add(
          'control',
          `${of.localName} “${short(of.getAttribute('aria-label') ?? of.textContent ?? '')}”`,
          of,
          of.getBoundingClientRect(),
          of.parentElement,
        )
    for (const of of document.querySelectorAll('.react-flow__node, .pipeline-caption'))
      add('card', short(of.textContent ?? ''), of, of.getBoundingClientRect(), of.parentElement)
    for (const [canvas, texts] of globalThis.paintedTexts ?? []) {
      // Workers on their way may pass over everything.
      if (!canvas.isConnected || !seen(canvas) || canvas.matches('.pipeline-overlay > :nth-child(2)')) continue
      const box = canvas.getBoundingClientRect()
      const by = box.width / canvas.width
      for (const { text, width, height, left, top, right, bottom } of texts)
        if (width === canvas.width && height === canvas.height)
          add(
            'painted',
            `“${text}”`,
            canvas,
            {
              left: box.left + left * by,
              right: box.left + right * by,
              top: box.top + top * by,
              bottom: box.top + bottom * by,
            },
            canvas,
          )
    }

    const inside = (a: Place, b: Place) =>
      a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1
    things.forEach((a, i) => {
      for (const b of things.slice(i + 1)) {
        if (a.of !== b.of && (a.of.contains(b.of) || b.of.contains(a.of))) continue
        if (a.of === b.of && a.kind !== 'painted') continue
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        if (across <= 1 || down <= 1) continue
        // What is painted on a card belongs to it.
        const [painted, card] = a.kind === 'painted' ? [a, b] : [b, a]
        if (painted.kind === 'painted' && card.kind === 'card' && inside(painted, card)) continue
        wrong.add(`${a.name} overlaps ${b.name}`)
      }
    })
    return [...wrong]
  })
}
