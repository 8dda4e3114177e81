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

/** Calls `leave` at a press outside of an element, and of all that match `but`. Returns what ends it. */
export function onPressElsewhere(root: RefObject<HTMLElement | null>, leave: () => void, but?: string): () => void {
  const heard = ({ target }: PointerEvent) => {
    if (!(target instanceof Element) || root.current?.contains(target) || (but !== undefined && target.closest(but) !== null)) return
    leave()
  }
  addEventListener('pointerdown', heard)
  return () => removeEventListener('pointerdown', heard)
}

/** Returns the state of a popup. Opened, it focuses the first element in sight that matches `first`; a press elsewhere closes it. */
export function usePopup(first?: string): Popup {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    if (!open) return
    if (first !== undefined) [...(root.current?.querySelectorAll<HTMLElement>(first) ?? [])].find((each) => each.checkVisibility())?.focus()
    // On a narrow page the popup may be below the visible part, and focus scrolls only to the focused element.
    root.current?.lastElementChild?.scrollIntoView({ block: 'nearest' })
    return onPressElsewhere(root, () => setOpen(false))
  }, [open, first])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return { open, setOpen, close, root, button, id }
}
