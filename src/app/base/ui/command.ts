import type { MenuItem } from './Menu.tsx'

/** Groups of the help, in its order. */
export type HelpGroup = 'playback' | 'timeline' | 'pointer' | 'faults' | 'editing'
/** Menus, and the groups of items in them between rules. */
export type MenuSection = 'scenarios' | 'about' | 'more' | 'files' | 'themes' | 'languages' | 'unreadable' | 'link'

/** Something a person can do: by a key, from a menu, or both. The keyboard, the menus and the help are made of these. */
export interface Command {
  /** Different from all others. */
  readonly name: string
  /** As `KeyboardEvent.key` says it; with `ctrl` in lower case, and Ctrl or Cmd is held. */
  readonly key?: { readonly key: string; readonly ctrl?: boolean; readonly shift?: boolean }
  /** Where the key is left alone: on buttons, which it would press; on stages and menus, which have keys of their own. */
  readonly leaves?: 'controls' | 'editors'
  /** A line of the help; several keys are written with spaces between them. */
  readonly help?: { readonly group: HelpGroup; readonly keys: string; readonly what: string }
  readonly menu?: Omit<MenuItem, 'act'> & { readonly section: MenuSection }
  /** Goes when this control is taken away (see hide.ts). */
  readonly control?: string
  /** Whether there is anything to do now. A disabled key is left to the browser. */
  readonly enabled?: boolean
  /** Missing where a component hears its own keys, and the help only tells of them. */
  readonly act?: () => unknown
}
