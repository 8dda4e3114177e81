import type { MenuItem } from './Menu.tsx'

/** Groups of the help, in its order. */
export type HelpGroup = 'playback' | 'timeline' | 'pointer' | 'faults' | 'editing'
/** Menus, and the groups of items in them between rules. */
export type MenuSection = 'scenarios' | 'about' | 'more' | 'files' | 'themes' | 'languages' | 'unreadable' | 'link'

/** Something a person can do by a key, from a menu, or both. Keyboard, menus and help are made of commands. */
export interface Command {
  /** The unique name. */
  readonly name: string
  /** As in `KeyboardEvent.key`; with `ctrl` in lower case, for Ctrl or Cmd. */
  readonly key?: { readonly key: string; readonly ctrl?: boolean; readonly shift?: boolean }
  /** Where the key is ignored: on buttons, which it would press, or on stages and menus, which have keys of their own. */
  readonly leaves?: 'controls' | 'editors'
  /** The line of the help. Several keys are separated by spaces. */
  readonly help?: { readonly group: HelpGroup; readonly keys: string; readonly what: string }
  /** The item in a menu. */
  readonly menu?: Omit<MenuItem, 'act' | 'control' | 'disabled'> & { readonly section: MenuSection }
  /** The control that the command goes with when it is hidden (see hide.ts). */
  readonly control?: string
  /** Whether there is anything to do now. If not, the key is left to the browser. */
  readonly enabled?: boolean
  /** Missing where a component handles its own keys and the help only lists them. */
  readonly act?: () => unknown
}
