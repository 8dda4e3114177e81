import { type RefObject, useEffect, useId, useRef, useState } from 'react'

export interface Popup {
  readonly open: boolean
  setOpen(open: boolean): void
  /** Closes it and gives the focus back to the button. */
  close(): void
  /** The element around the button and the popup. */
  readonly root: RefObject<HTMLDivElement | null>
  readonly button: RefObject<HTMLButtonElement | null>
  /** The id of the popup. */
  readonly id: string
}

/** Returns the state of a popup. Opened, it focuses the first element that matches `first`; a press elsewhere closes it. */
export function usePopup(first?: string): Popup {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    if (!open) return
    if (first !== undefined) root.current?.querySelector<HTMLElement>(first)?.focus()
    // On a narrow page the popup may be below the visible part, and focus scrolls only to the focused element.
    root.current?.lastElementChild?.scrollIntoView({ block: 'nearest' })
    const away = (event: PointerEvent) => {
      if (event.target instanceof Element && !root.current?.contains(event.target)) setOpen(false)
    }
    addEventListener('pointerdown', away)
    return () => removeEventListener('pointerdown', away)
  }, [open, first])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return { open, setOpen, close, root, button, id }
}
