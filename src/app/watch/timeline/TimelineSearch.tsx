import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import { followFocus } from '../../session/page/follow.ts'
import { type Focus, focusOn } from '../../session/page/timelineStore.ts'
import { runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'

/** The field that finds a stage, a worker or a job: a combobox. Enter takes the first hit; then `taken` is called. */
export function TimelineSearch({ taken }: { readonly taken: () => void }) {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const [workers, jobs] = run === null ? [0, 0] : [run.chart.counts.status.length, run.chart.arrivals.length]
  const findIn = (words: string) => (run === null ? [] : find(words, run.scenario, workers, jobs))
  const found = findIn(text)
  const at = Math.min(chosen, found.length - 1)
  const nothing = run !== null && text.trim() !== '' && found.length === 0

  function take(answer: SearchHit | undefined) {
    if (answer === undefined) return
    setText(answer.label)
    setOpen(false)
    followFocus(session, answer.focus)
    taken()
    // The keys of the timeline work at once.
    document.querySelector<HTMLElement>('.timeline')?.focus()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') take(found[at])
    else if (event.key === 'ArrowDown') setChosen(Math.min(found.length - 1, at + 1))
    else if (event.key === 'ArrowUp') setChosen(Math.max(0, at - 1))
    else if (event.key === 'Escape') {
      if (text === '') field.current?.blur()
      setText('')
      focusOn(session, null)
    } else return
    event.preventDefault()
  }
  return (
    <div className="timeline-search" data-control="search">
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-label={t('Find a stage, worker or job')}
        title={`${t('Find a stage, worker or job')} (/)`}
        aria-keyshortcuts="/"
        aria-expanded={open && found.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={open && found.length > 0 ? `${id}-${at}` : undefined}
        placeholder={t('Find')}
        disabled={run === null}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          // A card about something else would look like the answer.
          if (findIn(event.target.value).length === 0) focusOn(session, null)
          setChosen(0)
          setOpen(true)
        }}
        onFocus={(event) => event.target.select()}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {open && (found.length > 0 || nothing) && (
        <div className="timeline-found">
          {nothing && <p aria-live="polite">{t('No match.')}</p>}
          <div role="listbox" id={id} aria-label={t('Found')}>
            {found.map((answer, k) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys
              <div
                key={answer.label}
                id={`${id}-${k}`}
                role="option"
                tabIndex={-1}
                aria-selected={k === at}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => take(answer)}
              >
                {answer.label}
              </div>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}

type SearchHit = { readonly label: string; readonly focus: Focus }

const MAX_HITS = 8

/** Returns the hits for a few letters: stages by name, `w3` or `worker 3`, `job 12` or `#12`; a bare number is a worker or a job. People count from 1. */
export function find(text: string, { stages }: Scenario, workers: number, jobs: number): SearchHit[] {
  const words = text.trim().toLowerCase()
  if (words === '') return []
  const named = stages
    .map(({ id, name }, stage) => ({
      stage,
      label: name,
      at: [name, id].map((each) => each.toLowerCase().indexOf(words)).filter((at) => at >= 0),
    }))
    .filter(({ at }) => at.length > 0)
    .sort((a, b) => Math.min(...a.at) - Math.min(...b.at) || a.stage - b.stage)
    .map(({ stage, label }): SearchHit => ({ label, focus: { kind: 'stage', stage } }))
  const [, kind, digits] = /^(w|worker|j|job|#)?\s*#?\s*([\d,]+)$/.exec(words) ?? []
  const n = digits === undefined ? 0 : Number(digits.replaceAll(',', ''))
  const numbered: SearchHit[] = []
  const isWorker = kind === undefined || kind.startsWith('w')
  const isJob = kind === undefined || !kind.startsWith('w')
  if (isWorker && n >= 1 && n <= workers)
    numbered.push({ label: t('Worker {worker}', { worker: count(n) }), focus: { kind: 'worker', worker: n - 1 } })
  if (isJob && n >= 1 && n <= jobs)
    numbered.push({ label: t('Job {job}', { job: count(n) }), focus: { kind: 'job', job: n - 1 } })
  return [...named.slice(0, MAX_HITS - numbered.length), ...numbered]
}
