import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Button } from '../controls/Button.tsx'

export interface MenuItem {
  readonly label: string
  /** A second line in small letters. */
  readonly about?: string
  /** The language of the label, if it is not that of the page. */
  readonly language?: string
  readonly checked?: boolean
  /** The name of the choice that the item is an option of. Its options stand in one row. */
  readonly choice?: string
  /** The item is a switch, and not one of several choices. */
  readonly toggles?: boolean
  readonly disabled?: boolean
  /** Its name among the controls that can be hidden. */
  readonly control?: string
  act(): void
}

/** An item, or a line between groups of items, named for React. */
export type MenuEntry = MenuItem | { readonly rule: string }

interface MenuProps {
  readonly label: string
  readonly children: ReactNode
  readonly items: readonly MenuEntry[]
  readonly className?: string
  /** Its name among the controls that can be hidden. */
  readonly control?: string
}

/** A button that opens a menu, closed by a press elsewhere. */
export function Menu({ label, children, items, className = 'button', control }: MenuProps) {
  const { open, setOpen, close, root, button, id } = usePopup('[role^=menuitem]')
  return (
    <div className="menu" data-control={control} ref={root}>
      <Button
        ref={button}
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        text={children}
      />
      {open && <MenuList id={id} label={label} items={items} close={close} leave={() => setOpen(false)} />}
    </div>
  )
}

interface MenuListProps extends Pick<MenuProps, 'label' | 'items'> {
  readonly id: string
  readonly style?: CSSProperties
  /** Closes the menu after Escape, a choice or Tab. */
  readonly close: () => void
  readonly leave: () => void
}

/** The items of a menu, with the usual keys: arrows, Home, End, Escape. */
export function MenuList({ id, label, items, style, close, leave }: MenuListProps) {
  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    const entries = [
      ...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]:not([aria-disabled=true])'),
    ].filter((element) => element.checkVisibility())
    const at = entries.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') leave()
    else if (to !== undefined) {
      event.preventDefault()
      entries[(to + entries.length) % entries.length]?.focus()
    }
  }
  return (
    // A long menu scrolls, so it must be able to take the focus.
    <div className="menu-list" role="menu" id={id} aria-label={label} tabIndex={0} style={style} onKeyDown={onKeyDown}>
      {items.map((item) => {
        if ('rule' in item) return <hr key={item.rule} />
        const { choice, label } = item
        if (choice === undefined) return <Item key={label} item={item} close={close} />
        const options = items.filter((other): other is MenuItem => 'choice' in other && other.choice === choice)
        return (
          options[0] === item && (
            <fieldset key={choice} className="menu-choice">
              <legend>{choice}</legend>
              {options.map((option) => (
                <Item key={option.label} item={option} close={close} />
              ))}
            </fieldset>
          )
        )
      })}
    </div>
  )
}

function Item({ item, close }: { readonly item: MenuItem; readonly close: () => void }) {
  const { label, about, language, checked, disabled = false, control, toggles = false } = item
  const kind =
    checked === undefined
      ? { role: 'menuitem' }
      : { role: toggles ? 'menuitemcheckbox' : 'menuitemradio', 'aria-checked': checked }
  const choose = () => {
    if (disabled) return
    close()
    item.act()
  }
  return (
    <button
      type="button"
      {...kind}
      lang={language}
      data-control={control}
      aria-label={label}
      aria-disabled={disabled}
      tabIndex={-1}
      onClick={choose}
    >
      <span>{label}</span>
      {about !== undefined && <small>{about}</small>}
    </button>
  )
}

/** Calls `leave` at a press outside of an element, and of all that match `but`. Returns an unsubscribe function. */
export function onPressElsewhere(root: RefObject<HTMLElement | null>, leave: () => void, but?: string): () => void {
  const pressed = ({ target }: PointerEvent) => {
    if (
      !(target instanceof Element) ||
      root.current?.contains(target) ||
      (but !== undefined && target.closest(but) !== null)
    )
      return
    leave()
  }
  addEventListener('pointerdown', pressed)
  return () => removeEventListener('pointerdown', pressed)
}

/**
 * Returns the state of a popup with its id, and the refs of its button and of the element around both. Opened, it focuses the first element
 * in sight that matches `first`; a press elsewhere closes it. `close` gives the focus back to the button.
 */
export function usePopup(first?: string) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    if (!open) return
    if (first !== undefined)
      [...(root.current?.querySelectorAll<HTMLElement>(first) ?? [])]
        .find((element) => element.checkVisibility())
        ?.focus()
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
