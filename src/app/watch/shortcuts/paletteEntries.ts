import { t } from '../../../language/translate.ts'
import type { Preset } from '../../../scenario/presets/preset.ts'
import { isHidden } from '../../base/page/hide.ts'
import type { Command, MenuSection } from '../../base/ui/command.ts'
import { helpTitles } from '../../base/ui/KeyList.tsx'
import type { MenuItem } from '../../base/ui/Menu.tsx'
import { commandsOf } from '../../session/commands.ts'
import { openScenario } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'

/** What the palette offers: a command, or a scenario to open. */
export interface PaletteEntry extends Pick<MenuItem, 'label' | 'about' | 'language' | 'checked'> {
  readonly name: string
  /** The menu or the group of the help that it belongs to; empty if there is none. */
  readonly section: string
  readonly keys: readonly string[]
  readonly disabled: boolean
  act(): unknown
}

/** The menu at the title, and what it is called in the palette; the others are in More. */
const menus = (): Partial<Readonly<Record<MenuSection, string>>> => ({
  scenarios: t('Scenarios'),
  learn: t('Learn'),
  trace: t('Export'),
  export: t('Export'),
})

/** Returns all commands that can be done from here, in the order of the registry. What the page hides is left out. */
export function commandEntries(session: Session): readonly PaletteEntry[] {
  return commandsOf(session).flatMap((command) => {
    const { name, title, menu, help, control, enabled, act } = command
    const label = title ?? menu?.label ?? help?.what
    if (act === undefined || label === undefined || (control !== undefined && isHidden(control))) return []
    if ((menu?.section === 'scenarios' || menu?.section === 'learn') && isHidden('presets')) return []
    const section = menu !== undefined ? (menus()[menu.section] ?? t('More')) : help === undefined ? '' : helpTitles()[help.group]
    return [{ ...menu, name, label, section, keys: keysOf(command), disabled: enabled === false, act }]
  })
}

/** Returns the scenarios that come with the page. */
export function presetEntries(session: Session, presets: readonly Preset[]): readonly PaletteEntry[] {
  if (isHidden('presets')) return []
  return presets.map(({ key, title, about, scenario, engine }) => ({
    name: `scenario ${key}`,
    label: title,
    about,
    section: t('Scenarios'),
    keys: [],
    disabled: false,
    act: () => openScenario(session, scenario, engine),
  }))
}

/** Returns the entries that have all words of a query, in any case and order: those with all of them in the label first. */
export function searchEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const words = query.toLocaleLowerCase().split(/\s+/)
  const has = (text: string) => words.every((word) => text.toLocaleLowerCase().includes(word))
  const first = entries.filter(({ label }) => has(label))
  return [...first, ...entries.filter((entry) => !first.includes(entry) && has(`${entry.label} ${entry.section} ${entry.about ?? ''}`))]
}

/** Returns the keys of a command as they are written in the help: those to hold first. */
function keysOf({ key }: Command): readonly string[] {
  if (key === undefined) return []
  const name = key.key === ' ' ? t('Space') : `${key.key.charAt(0).toUpperCase()}${key.key.slice(1)}`
  return [...(key.ctrl === true ? ['Ctrl'] : []), ...(key.shift === true ? ['Shift'] : []), name]
}
