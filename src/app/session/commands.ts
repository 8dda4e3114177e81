import type { Command, MenuSection } from '../base/ui/command.ts'
import type { MenuEntry } from '../base/ui/Menu.tsx'
import { part, type Session } from './session.ts'

/** Returns what a feature offers now, with labels in the language of the page. */
export type Commands = (session: Session) => readonly Command[]

const features = part((): Commands[] => [])

/** Adds the commands of features, in the order of menus and help. Returns a function that removes them. */
export function registerCommands(session: Session, ...all: readonly Commands[]): () => void {
  const list = features(session)
  list.push(...all)
  return () => {
    for (const commands of all) list.splice(list.indexOf(commands), 1)
  }
}

export const commandsOf = (session: Session): readonly Command[] =>
  features(session).flatMap((commands) => commands(session))

/** Returns the items of a menu, with a rule between its sections. */
export function menuOf(session: Session, ...sections: readonly MenuSection[]): MenuEntry[] {
  const commands = commandsOf(session)
  const groups = sections.map((section) => ({
    section,
    items: commands.flatMap((command) => (command.menu?.section === section ? itemOf(command, command.menu) : [])),
  }))
  return groups
    .filter(({ items }) => items.length > 0)
    .flatMap(({ section, items }, k) => (k === 0 ? items : [{ rule: section }, ...items]))
}

function itemOf({ control, enabled, act }: Command, menu: NonNullable<Command['menu']>): MenuEntry {
  return { ...menu, ...(control !== undefined && { control }), disabled: enabled === false, act: () => act?.() }
}
