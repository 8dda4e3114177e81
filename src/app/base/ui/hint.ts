import './hint.css'

export interface Hint {
  /** Updates the tooltip of a resting pointer: the drawing may have changed under it. */
  renew(): void
  end(): void
}

/** Where a pointer is. */
export interface Pointed {
  readonly target: EventTarget | null
  readonly clientX: number
  readonly clientY: number
}

/** From the pointer to the tooltip, and from the tooltip to the edge of the window, in pixels. */
const AWAY = 14
const MARGIN = 6
/** A part that is gone for a moment does not close its tooltip. */
const LINGERS_MS = 200

/**
 * Shows a tooltip about parts of a drawing: what `tell` says is under the pointer, a line each; null: nothing. It lies above all panels.
 * Touches and drags show none. Elements outside drawings have a `title` instead.
 */
export function hintOver(host: HTMLElement, tell: (at: Pointed) => readonly string[] | null): Hint {
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
    if (element !== null && shown !== '') place(element, at)
  }
  function renew(): void {
    const lines = at === null ? null : tell(at)
    if (lines === null) {
      if (shown !== '' && closing === 0) closing = window.setTimeout(close, LINGERS_MS)
      return
    }
    clearTimeout(closing)
    closing = 0
    const text = lines.join('\n')
    if (text === shown) return
    element ??= made()
    element.replaceChildren(...lines.map(lineOf))
    if (shown === '') element.showPopover()
    shown = text
    if (at !== null) place(element, at)
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
  for (const type of ['pointerleave', 'pointerdown', 'wheel'] as const) host.addEventListener(type, hide, { signal, passive: true })
  host.addEventListener('pointermove', move, { signal })
  return {
    renew,
    end: () => {
      hide()
      ended.abort()
      element?.remove()
    },
  }
}

function made(): HTMLElement {
  const element = document.createElement('div')
  element.className = 'hint'
  element.role = 'tooltip'
  element.popover = 'manual'
  document.body.append(element)
  return element
}

function lineOf(text: string): HTMLElement {
  const line = document.createElement('div')
  line.textContent = text
  return line
}

/** Puts the tooltip below and beside the pointer, or on its other side at an edge of the window. */
function place(element: HTMLElement, { clientX, clientY }: Pointed): void {
  const { offsetWidth: width, offsetHeight: height } = element
  const x = clientX + AWAY + width + MARGIN > innerWidth ? clientX - AWAY - width : clientX + AWAY
  const y = clientY + AWAY + height + MARGIN > innerHeight ? clientY - AWAY - height : clientY + AWAY
  element.style.left = `${Math.max(MARGIN, x)}px`
  element.style.top = `${Math.max(MARGIN, y)}px`
}
