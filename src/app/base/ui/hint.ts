import './hint.css'

export type Hint = ReturnType<typeof hintOver>
/** Where a pointer is. */
export type Pointed = Pick<PointerEvent, 'target' | 'clientX' | 'clientY'>

/** From the pointer to the tooltip, and from the tooltip to the edge of the host, in pixels. */
const AWAY = 14
const MARGIN = 6
/** A part that is gone for a moment does not close its tooltip. */
const LINGERS_MS = 200

/**
 * Shows a tooltip about parts of a drawing: `tell` returns its lines for the place under the pointer; null: none. It is above all panels.
 * Touches and drags show none. Elements outside drawings have a `title` instead. `cards`: a selector of what it should not cover.
 */
export function hintOver(host: HTMLElement, linesFor: (at: Pointed) => readonly string[] | null, cards?: string) {
  const ended = new AbortController()
  const { signal } = ended
  let element: HTMLElement | null = null
  let at: Pointed | null = null
  let shown = ''
  let closing = 0

  function move(event: PointerEvent): void {
    if (event.pointerType === 'touch' || event.buttons !== 0) {
      hide()
      return
    }
    at = { target: event.target, clientX: event.clientX, clientY: event.clientY }
    renew()
    if (element !== null && shown !== '') place(element, at, host, cards)
  }
  function renew(): void {
    const lines = at === null ? null : linesFor(at)
    if (lines === null) {
      if (shown !== '' && closing === 0) closing = window.setTimeout(close, LINGERS_MS)
      return
    }
    clearTimeout(closing)
    closing = 0
    const text = lines.join('\n')
    if (text === shown) return
    element ??= createElement()
    element.replaceChildren(...lines.map(lineOf))
    if (shown === '') element.showPopover()
    shown = text
    if (at !== null) place(element, at, host, cards)
  }
  function close(): void {
    clearTimeout(closing)
    closing = 0
    if (shown !== '') element?.hidePopover()
    shown = ''
  }
  function hide(): void {
    at = null
    close()
  }
  for (const type of ['pointerleave', 'pointerdown', 'wheel'] as const)
    host.addEventListener(type, hide, { signal, passive: true })
  host.addEventListener('pointermove', move, { signal })
  return {
    /** Updates the tooltip of a resting pointer: the drawing may have changed under it. */
    renew,
    end: () => {
      hide()
      ended.abort()
      element?.remove()
    },
  }
}

function createElement(): HTMLElement {
  const element = Object.assign(document.createElement('div'), {
    className: 'hint',
    role: 'tooltip',
    popover: 'manual',
  })
  document.body.append(element)
  return element
}

const lineOf = (text: string): HTMLElement => Object.assign(document.createElement('div'), { textContent: text })

type Sides = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>

/** Puts the tooltip beside the pointer and inside the host: below on the right, unless it covers less of the cards elsewhere. */
function place(element: HTMLElement, { clientX: x, clientY: y }: Pointed, host: HTMLElement, cards?: string): void {
  const { offsetWidth: width, offsetHeight: height } = element
  const frame = host.getBoundingClientRect()
  const covered =
    cards === undefined ? [] : Array.from(host.querySelectorAll(cards), (card) => card.getBoundingClientRect())
  const pointer = { left: x - 1, top: y - 1, right: x + 1, bottom: y + 1 }
  const within = (at: number, size: number, from: number, to: number) =>
    Math.max(from + MARGIN, Math.min(at, to - size - MARGIN))
  const boxes = [y + AWAY, y - AWAY - height].flatMap((below) =>
    [x + AWAY, x - AWAY - width].map((beside): Sides => {
      const left = within(beside, width, Math.max(0, frame.left), Math.min(innerWidth, frame.right))
      const top = within(below, height, Math.max(0, frame.top), Math.min(innerHeight, frame.bottom))
      return { left, top, right: left + width, bottom: top + height }
    }),
  )
  const faults = (box: Sides) =>
    covered.reduce((sum, card) => sum + overlap(box, card), overlap(box, pointer) > 0 ? Infinity : 0)
  const { left, top } = boxes.reduce((best, box) => (faults(box) < faults(best) ? box : best))
  element.style.left = `${left}px`
  element.style.top = `${top}px`
}

/** Returns the area that two boxes share. */
function overlap(a: Sides, b: Sides): number {
  return (
    Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
    Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))
  )
}
