import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { presets } from '../../../scenario/presets/presets.ts'
import { isHidden } from '../../base/page/hiddenControls.ts'
import type { Command, MenuSection } from '../../base/ui/command.ts'
import { Dialog } from '../../base/ui/Dialog.tsx'
import { helpTitles } from '../../base/ui/KeyList.tsx'
import type { MenuItem } from '../../base/ui/Menu.tsx'
import { commandsOf } from '../../session/commands.ts'
import { type Series, useSeries } from '../../session/features/features.tsx'
import { openScenario } from '../../session/run/opening.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import './palette.css'

/** Every command and every scenario, found by typing. The focus stays in the field; the arrows choose in the list. */
export function PaletteDialog({ onClose }: { readonly onClose: () => void }) {
  const session = useSession()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const series = useSeries()
  const entries = useMemo(() => [...commandEntries(session), ...presetEntries(session, series)], [session, series])
  const found = useMemo(() => searchEntries(entries, query), [entries, query])
  // The dialog has given the focus to its first button.
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    // Newer browsers return a promise here. An effect may not return it.
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const pick = (entry: PaletteEntry | undefined) => {
    if (entry === undefined || entry.disabled) return
    // Closed first, so that the page behind it can take the focus.
    field.current?.closest('dialog')?.close()
    onClose()
    entry.act()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (by === undefined) pick(found[chosen])
    else if (found.length > 0) setChosen((chosen + by + found.length) % found.length)
  }
  const type = (text: string) => {
    setQuery(text)
    setChosen(0)
  }
  return (
    <Dialog title={t('Commands')} kind="palette" onClose={onClose}>
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={t('Search commands and scenarios')}
        placeholder={t('Search commands and scenarios')}
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {found.length === 0 && <p className="soft">{t('No match.')}</p>}
      <div className="palette-list" role="listbox" id={id} ref={list} aria-label={t('Commands')}>
        {found.map((entry, k) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the field, which keeps the focus
          <div
            key={entry.name}
            id={`${id}-${k}`}
            role="option"
            tabIndex={-1}
            aria-selected={k === chosen}
            aria-disabled={entry.disabled}
            onClick={() => pick(entry)}
          >
            <span lang={entry.language}>
              {entry.label}
              {entry.checked === true && ' ✓'}
            </span>
            <span className="soft">{entry.section}</span>
            <span>
              {entry.keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>
          </div>
        ))}
      </div>
    </Dialog>
  )
}

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
    const section =
      menu !== undefined ? (menus()[menu.section] ?? t('More')) : help === undefined ? '' : helpTitles()[help.group]
    return [{ ...menu, name, label, section, keys: keysOf(command), disabled: enabled === false, act }]
  })
}

/** Returns the scenarios of the gallery, with the series of features. */
export function presetEntries(session: Session, series: readonly Series[]): readonly PaletteEntry[] {
  if (isHidden('presets')) return []
  return [{ title: t('Scenarios'), presets }, ...series].flatMap(({ title: section, presets }) =>
    presets.map(({ key, title, about, scenario, engine }) => ({
      ...{ name: `scenario ${key}`, label: title, about, section, keys: [], disabled: false },
      act: () => openScenario(session, scenario, engine),
    })),
  )
}

/** Returns the entries that have all words of a query, in any case and order: those with all of them in the label first. */
export function searchEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const words = query.toLocaleLowerCase().split(/\s+/)
  const has = (text: string) => words.every((word) => text.toLocaleLowerCase().includes(word))
  const first = entries.filter(({ label }) => has(label))
  return [
    ...first,
    ...entries.filter((entry) => !first.includes(entry) && has(`${entry.label} ${entry.section} ${entry.about ?? ''}`)),
  ]
}

function keysOf({ key }: Command): readonly string[] {
  if (key === undefined) return []
  const name = key.key === ' ' ? t('Space') : `${key.key.charAt(0).toUpperCase()}${key.key.slice(1)}`
  return [...(key.ctrl === true ? ['Ctrl'] : []), ...(key.shift === true ? ['Shift'] : []), name]
}
