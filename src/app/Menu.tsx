import type { KeyboardEvent, ReactNode } from 'react'
import { usePopup } from './usePopup.ts'

export interface MenuItem {
  readonly label: string
  /** A second line in small letters. */
  readonly about?: string
  readonly checked?: boolean
  readonly disabled?: boolean
  act(): void
}

/** A line between groups of items, named for React. */
export interface MenuRule {
  readonly rule: string
}
export type MenuEntry = MenuItem | MenuRule

interface MenuProps {
  /** The button's accessible name. */
  readonly label: string
  readonly children: ReactNode
  readonly items: readonly MenuEntry[]
  readonly className?: string
}

/** A button that opens a menu: arrows, Home, End and Escape as everywhere, closed by a press elsewhere. */
export function Menu({ label, children, items, className = 'button' }: MenuProps) {
  const { open, setOpen, close, root, button, id } = usePopup('[role^=menuitem]')

  function onKeyDown(event: KeyboardEvent) {
    if (!open) return
    event.stopPropagation()
    const entries = [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]:not([aria-disabled=true])') ?? [])]
    const at = entries.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (to !== undefined) {
      event.preventDefault()
      entries[(to + entries.length) % entries.length]?.focus()
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the button and the items inside
    <div className="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        // A long menu scrolls: what scrolls has to be reachable.
        <div className="menu-list" role="menu" id={id} aria-label={label} tabIndex={0}>
          {items.map((item) => ('rule' in item ? <hr key={item.rule} /> : <Item key={item.label} item={item} close={close} />))}
        </div>
      )}
    </div>
  )
}

function Item({ item, close }: { readonly item: MenuItem; readonly close: () => void }) {
  const { label, about, checked, disabled = false } = item
  const common = {
    'aria-label': label,
    'aria-disabled': disabled,
    tabIndex: -1,
    onClick: () => {
      if (disabled) return
      close()
      item.act()
    },
  }
  const words = (
    <>
      <span>{label}</span>
      {about !== undefined && <small>{about}</small>}
    </>
  )
  return checked === undefined ? (
    <button type="button" role="menuitem" {...common}>
      {words}
    </button>
  ) : (
    <button type="button" role="menuitemradio" aria-checked={checked} {...common}>
      {words}
    </button>
  )
}
