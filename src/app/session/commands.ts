import type { Command, MenuSection } from '../base/ui/command.ts'
import type { MenuEntry } from '../base/ui/Menu.tsx'
import { part, type Session } from './session.ts'

/** What a feature offers now: labels in the language of the page, and whether there is anything to do. */
export type Commands = (session: Session) => readonly Command[]

const lists = part((): Commands[] => [])

/** Adds what a feature offers, in the order of menus and help. Returns what takes it away again. */
export function registerCommands(session: Session, ...all: readonly Commands[]): () => void {
  lists(session).push(...all)
  return () => {
    for (const each of all) lists(session).splice(lists(session).indexOf(each), 1)
  }
}

/** Returns all that can be done now. */
export function commandsOf(session: Session): readonly Command[] {
  return lists(session).flatMap((each) => each(session))
}

/** Returns the items of a menu, with a rule between its sections. */
export function menuOf(session: Session, ...sections: readonly MenuSection[]): MenuEntry[] {
  const commands = commandsOf(session)
  const groups = sections.map((section) => ({ section, items: commands.filter(({ menu }) => menu?.section === section).map(itemOf) }))
  return groups.filter(({ items }) => items.length > 0).flatMap(({ section, items }, k) => (k === 0 ? items : [{ rule: section }, ...items]))
}

function itemOf({ menu, control, enabled, act }: Command): MenuEntry {
  return { label: '', ...menu, disabled: enabled === false, ...((menu?.control ?? control) ? { control: menu?.control ?? control } : {}), act: () => act?.() }
}
