import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { useLater } from '../../base/page/useLater.ts'
import { Dialog } from '../../base/ui/Dialog.tsx'
import { useSession } from '../../session/useSession.ts'
import { commandEntries, type PaletteEntry, presetEntries, searchEntries } from './paletteEntries.ts'
import './palette.css'

interface Props {
  readonly onClose: () => void
}

/** Every command and every scenario, found by typing. The focus stays in the field; the arrows choose in the list. */
export function PaletteDialog({ onClose }: Props) {
  const session = useSession()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const presets = useLater(session, async () => (await import('../../../scenario/presets/presets.ts')).presets)
  const entries = useMemo(() => [...commandEntries(session), ...presetEntries(session, presets ?? [])], [session, presets])
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
      {found.length === 0 && <p className="soft">{t('No command or scenario matches.')}</p>}
      <div className="palette-list" role="listbox" id={id} ref={list} aria-label={t('Commands')}>
        {found.map((entry, k) => (
          <Option key={entry.name} id={`${id}-${k}`} entry={entry} chosen={k === chosen} pick={() => pick(entry)} />
        ))}
      </div>
    </Dialog>
  )
}

interface OptionProps {
  readonly id: string
  readonly entry: PaletteEntry
  readonly chosen: boolean
  readonly pick: () => void
}

function Option({ id, entry: { label, section, keys, disabled, language, checked }, chosen, pick }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the field, which keeps the focus
    <div id={id} role="option" tabIndex={-1} aria-selected={chosen} aria-disabled={disabled} onClick={pick}>
      <span lang={language}>
        {label}
        {checked === true && ' ✓'}
      </span>
      <span className="soft">{section}</span>
      <span>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </div>
  )
}
