import { type RefObject, useEffect, useId, useRef, useState } from 'react'

export interface Popup {
  readonly open: boolean
  setOpen(open: boolean): void
  /** Shuts it, and gives the focus back to the button. */
  close(): void
  /** Around the button and what it opens. */
  readonly root: RefObject<HTMLDivElement | null>
  readonly button: RefObject<HTMLButtonElement | null>
  /** Of what is opened. */
  readonly id: string
}

/** What a button opens: the focus goes to the first that fits the selector, if there is one, and a press elsewhere shuts it. */
export function usePopup(first?: string): Popup {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    if (!open) return
    if (first !== undefined) root.current?.querySelector<HTMLElement>(first)?.focus()
    // On a narrow page what opens may lie below the fold, of which the focus brings up no more than itself.
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
