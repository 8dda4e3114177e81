import { type ReactNode, useState } from 'react'
import './fold.css'
import { isFoldOpen, keepFold } from '../browser/foldState.ts'

interface Props {
  /** The key under which the browser stores whether it is open. */
  readonly id: string
  readonly head: ReactNode
  readonly note?: ReactNode
  readonly className?: string
  /** Open at first, whatever is remembered. */
  readonly opens?: boolean
  readonly children: ReactNode
}

/** A part of a panel that opens and closes. The browser remembers its state; a closed part is not rendered. */
export function Fold({ id, head, note, className, opens = false, children }: Props) {
  const [open, setOpen] = useState(() => opens || isFoldOpen(id))
  const toggled = (now: boolean) => {
    // The browser also sends this event when the fold is open from the start.
    if (now === open) return
    setOpen(now)
    keepFold(id, now)
  }
  return (
    <details
      className={className === undefined ? 'fold' : `fold ${className}`}
      open={open}
      onToggle={(event) => toggled(event.currentTarget.open)}
    >
      <summary>
        {head}
        {note !== undefined && <span className="soft">{note}</span>}
      </summary>
      {open && children}
    </details>
  )
}
