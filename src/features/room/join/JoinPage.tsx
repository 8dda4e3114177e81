import './join.css'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { currentPalette, themeStore } from '../../../app/base/page/theme.ts'
import { useSettled } from '../../../app/base/page/useLater.ts'
import { t } from '../../../language/translate.ts'
import { listed } from '../../../scenario/model/words.ts'
import { type StageColour, stageColour } from '../../../views/drawing/palette.ts'
import type { Answering, JoinControl, Joining } from './joining.ts'
import { type Awake, keepAwake, keepName, MAX_DEVICE_NAME } from './ownDevice.ts'
import { RoundCard } from './RoundCard.tsx'

/**
 * The page of a device that works in a room: its worker, its stage in its colour, and its jobs so far. `most`: how many threads the device
 * may lend.
 */
export function JoinPage({
  join,
  answering,
  most,
}: {
  readonly join: JoinControl
  readonly answering: Answering
  readonly most: number
}) {
  const joining = useStore(join.store)
  const asked = useStore(answering.store, ({ round }) => round !== null) && joining.phase === 'in'
  const entered = joining.phase === 'in'
  const [awake, setAwake] = useState<Awake | null>(null)
  useEffect(() => (entered ? keepAwake(setAwake) : undefined), [entered])
  // Stages change many times a second. A screen that flashed as often would be dangerous.
  const colour = useStageColour(useSettled(stageOf(joining), 600))
  const { who, where, done } = joinWords(joining)
  const inside = joining.phase === 'in' || joining.phase === 'waiting'
  return (
    <main
      className="join"
      data-asked={asked}
      style={colour === null ? undefined : { background: colour.fill, color: colour.on }}
    >
      <section className="join-says">
        <h1 aria-live="polite">{who}</h1>
        {where !== null && <p className="join-where">{where}</p>}
        {done !== null && <p className="join-done">{done}</p>}
      </section>
      {asked && <RoundCard answering={answering} />}
      <footer className="join-foot">
        {joinNotes(joining, awake).map((note) => (
          <p key={note} role="status">
            {note}
          </p>
        ))}
        {joining.phase !== 'damaged' && (
          <>
            <JoinForm join={join} most={most} />
            <Button
              className="button join-leave"
              onClick={inside ? join.leave : join.enter}
              text={inside ? t('Leave the room') : t('Return to the room')}
            />
          </>
        )}
      </footer>
    </main>
  )
}

/** Returns the colour index of the stage at which the device works; null if it has none. */
function stageOf({ phase, loan: { up, workers, stage } }: Joining): number | null {
  return phase === 'in' && up && workers.length > 0 ? (stage?.colour ?? null) : null
}

/** Returns the colour that fills the screen; the browser's own frame gets it too. */
function useStageColour(stage: number | null): StageColour | null {
  useStore(themeStore)
  const palette = currentPalette()
  const colour = stage === null ? null : stageColour(palette, stage)
  const frame = colour?.fill ?? palette.ground
  useEffect(() => document.querySelector('meta[name="theme-color"]')?.setAttribute('content', frame), [frame])
  return colour
}

/** The optional settings: the name that the host sees, and the number of lent threads. */
function JoinForm({ join, most }: { readonly join: JoinControl; readonly most: number }) {
  const { name, threads } = useStore(join.store)
  const [typedName, setTypedName] = useState(name)
  const [typedThreads, setTypedThreads] = useState(String(threads))
  function takeName() {
    const next = typedName.trim().slice(0, MAX_DEVICE_NAME)
    setTypedName(next)
    if (next === name) return
    keepName(next)
    join.change({ name: next })
  }
  function takeThreads() {
    const wanted = Math.round(Number(typedThreads))
    const next = typedThreads.trim() !== '' && wanted >= 1 && wanted <= most ? wanted : threads
    setTypedThreads(String(next))
    if (next !== threads) join.change({ threads: next })
  }
  return (
    <details className="join-form">
      <summary>
        {name === '' ? t('This device') : name}:{' '}
        {t('{threads, plural, one {# thread} other {# threads}} of {most}', { threads, most })}
      </summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          takeName()
          takeThreads()
        }}
      >
        <label>
          <span>{t('Your name, if the host may see it')}</span>
          <input
            value={typedName}
            maxLength={MAX_DEVICE_NAME}
            autoComplete="nickname"
            onChange={(event) => setTypedName(event.target.value)}
            onBlur={takeName}
          />
        </label>
        <label>
          <span>{t('Threads')}</span>
          <input
            type="number"
            inputMode="numeric"
            min={1}
            max={most}
            value={typedThreads}
            onChange={(event) => setTypedThreads(event.target.value)}
            onBlur={takeThreads}
          />
        </label>
        {/* Enter takes what was typed. */}
        <button type="submit" className="unseen" tabIndex={-1}>
          {t('Send')}
        </button>
      </form>
    </details>
  )
}

/** Returns the large text of the page: the worker, its stage, and its jobs so far. An absent line is null. */
export function joinWords({ phase, problem, loan: { workers, stage, done: jobs } }: Joining) {
  const done =
    jobs === 0 && workers.length === 0 ? null : t('{n, plural, one {# job} other {# jobs}} done.', { n: jobs })
  if (phase === 'damaged') return { who: t('This link does not lead to a room.'), where: problem, done: null }
  if (phase === 'waiting') return { who: t('Looking for the room.'), where: problem, done }
  if (phase === 'left') return { who: t('You have left the room.'), where: null, done }
  if (workers.length === 0) return { who: t('You are in the room.'), where: t('You are waiting for work.'), done }
  // People count workers from 1.
  const numbers = workers.map((worker) => String(worker + 1))
  return {
    who: t('{n, plural, one {You are worker {workers}.} other {You are workers {workers}.}}', {
      n: numbers.length,
      workers: listed(numbers),
    }),
    where: stage === null ? t('You are waiting for work.') : t('You are at {stage}.', { stage: stage.name }),
    done,
  }
}

/** Returns the small notes of the page: the connection, and whether the screen stays awake. */
export function joinNotes({ phase, loan: { up } }: Joining, awake: Awake | null): readonly string[] {
  if (phase !== 'in') return []
  const notes = up ? [] : [t('The connection is lost. Trying again.')]
  if (awake !== null && awake !== 'kept')
    notes.push(
      t('This browser does not let the page keep the screen awake. When the screen is dark, your work goes to others.'),
    )
  return notes
}
