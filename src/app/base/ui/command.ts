import type { MenuItem } from './Menu.tsx'

/** Groups of the help, in its order. */
export type HelpGroup = 'playback' | 'timeline' | 'pointer' | 'faults' | 'editing'
/** Menus, and the groups of items in them between rules. `trace` stands in Export and in More, where other programs look for it. */
export type MenuSection =
  | 'scenarios'
  | 'learn'
  | 'trace'
  | 'export'
  | 'about'
  | 'more'
  | 'files'
  | 'themes'
  | 'languages'
  | 'unreadable'
  | 'link'

/** Something a person can do by a key, from a menu, or both. Keyboard, menus and help are made of commands. */
export interface Command {
  readonly name: string
  /** What it is called where neither a menu nor the help has a name for it alone. */
  readonly title?: string
  /** As in `KeyboardEvent.key`; with `ctrl` in lower case, for Ctrl or Cmd. */
  readonly key?: { readonly key: string; readonly ctrl?: boolean; readonly shift?: boolean }
  /** Where the key is ignored: on buttons, which it would press, or on stages and menus, which have keys of their own. */
  readonly leaves?: 'controls' | 'editors'
  /** The key also works while a person types: in fields and in the JSON editor, unless the editor has used the key itself. */
  readonly inFields?: true
  /** The line of the help. Several keys are separated by spaces. */
  readonly help?: { readonly group: HelpGroup; readonly keys: string; readonly what: string }
  readonly menu?: Omit<MenuItem, 'act' | 'control' | 'disabled'> & { readonly section: MenuSection }
  /** The command is removed when this control is hidden (see hide.ts). */
  readonly control?: string
  /** Whether there is anything to do now. If not, the key is left to the browser. */
  readonly enabled?: boolean
  /** Missing where a component handles its own keys and the help only lists them. */
  readonly act?: () => unknown
}

/** Returns whether keys pressed here are typed into a field. */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    // The JSON editor is in a shadow root, which hides its fields.
    (target.isContentEditable || target.shadowRoot !== null || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && /^(radio|range|checkbox)$/.test(target.type))
  )
}

/** Returns whether Space presses the element. */
export function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('button, a, summary, [role=menuitem], [type=checkbox], [type=radio]') !== null
  )
}

/** Returns whether the element is a stage or an open menu, which have keys of their own. */
export function isEditor(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.stage, [role=menu]') !== null
}
