import { useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { download, fileName } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { currentPalette, themeStore } from '../../../app/base/page/theme.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { catalogue, t } from '../../../language/translate.ts'
import { MAX_NAME } from '../../../scenario/model/limits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { fresh, keptText, type LibraryEntry, type Unreadable } from '../records/entries.ts'
import { copyTitle, entryOnCanvas, keepScenarios, openEntry, retitle } from './libraryKeeping.ts'
import { sketchOf } from './sketch.ts'

interface Props {
  readonly entry: LibraryEntry
  readonly onClose: () => void
  readonly remove: (id: string, title: string) => void
  readonly attempt: (act: () => Promise<void>) => void
}

export function EntryCard({ entry, onClose, remove, attempt }: Props) {
  const session = useSession()
  const { scenario, draftProblems } = entry.drawn
  const [naming, setNaming] = useState(false)
  const title = scenario.title || t('Untitled')
  const here = entryOnCanvas(session) === entry.id
  function open() {
    if (!here) openEntry(session, entry)
    onClose()
  }
  function rename(next: string) {
    setNaming(false)
    if (next !== scenario.title) attempt(() => retitle(session, entry, next))
  }
  const duplicate = () =>
    attempt(() => keepScenarios(session, fresh(keptText({ ...scenario, title: copyTitle(scenario.title) }))))
  return (
    <li className="library-entry" data-here={here}>
      <button type="button" className="library-picture" aria-label={t('Open {title}', { title })} onClick={open}>
        <Picture scenario={scenario} />
      </button>
      <div>
        {naming ? (
          <input
            aria-label={t('Title')}
            // biome-ignore lint/a11y/noAutofocus: a person who clicks Rename wants to type
            autoFocus
            defaultValue={scenario.title}
            maxLength={MAX_NAME}
            onFocus={(event) => event.target.select()}
            onBlur={(event) => rename(event.target.value.trim())}
            onKeyDown={(event) => {
              if (event.key === 'Enter') rename(event.currentTarget.value.trim())
              if (event.key !== 'Escape') return
              // Escape closes the field, not the dialog.
              event.preventDefault()
              setNaming(false)
            }}
          />
        ) : (
          <strong>{title}</strong>
        )}
        <p className="soft">
          {t('{n, plural, one {# stage} other {# stages}}', { n: scenario.stages.length })} ·{' '}
          {t('{n, plural, one {# worker} other {# workers}}', { n: scenario.workers })} · {when(entry.changed)}
          {draftProblems.length > 0 && <> · {t('half drawn')}</>}
          {here && <> · {t('on the canvas')}</>}
        </p>
        <p className="library-acts">
          <Button className="link" onClick={() => setNaming(true)} text={t('Rename')} />
          <Button className="link" onClick={duplicate} text={t('Duplicate')} />
          <Button className="link" onClick={() => remove(entry.id, title)} text={t('Delete')} />
        </p>
      </div>
    </li>
  )
}

/** An entry that cannot be read. It stays where it is. */
export function UnreadableCard({ entry: { id, text, problems } }: { readonly entry: Unreadable }) {
  return (
    <li className="library-entry" data-bad>
      <span className="library-picture" aria-hidden="true">
        ?
      </span>
      <div>
        <strong>{t('This one cannot be read')}</strong>
        <p className="soft">
          {problems[0].path !== '' && <code>{problems[0].path}</code>} {problems[0].message}
        </p>
        <p className="library-acts">
          <Button
            className="link"
            onClick={() => void download(fileName(id, '.unreadable.json'), [text])}
            text={t('Download it')}
          />
        </p>
      </div>
    </li>
  )
}

function Picture({ scenario }: { readonly scenario: Scenario }) {
  const palette = useStore(themeStore, (state) => state.palette) ?? currentPalette()
  const { viewBox, links, ends, stages } = useMemo(() => sketchOf(scenario), [scenario])
  return (
    <svg viewBox={viewBox} aria-hidden="true">
      {links.map((way) => (
        <path key={way} d={way} fill="none" stroke={palette.soft} strokeWidth="7" />
      ))}
      {ends.map(({ x, y, width, height }) => (
        <circle
          key={`${x} ${y}`}
          cx={x + width / 2}
          cy={y + height / 2}
          r={width / 2}
          fill={palette.panel}
          stroke={palette.soft}
          strokeWidth="7"
        />
      ))}
      {stages.map(({ stage, x, y, width, height }) => (
        <rect key={stage} x={x} y={y} width={width} height={height} rx="24" fill={stageColour(palette, stage).fill} />
      ))}
    </svg>
  )
}

/** Returns the day, or for today the time. */
function when(ms: number): string {
  const then = new Date(ms)
  const today = then.toDateString() === new Date().toDateString()
  const options = today ? ({ timeStyle: 'short' } as const) : ({ dateStyle: 'medium' } as const)
  return then.toLocaleString(catalogue().locale, options)
}
