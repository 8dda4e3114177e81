import { useState } from 'react'
import { t } from '../../../language/translate.ts'
import { endOf } from '../../../trace/trace.ts'
import { percent, seconds } from '../../../views/drawing/format.ts'
import type { TwoRuns } from './twoRuns.ts'
import './frontGuess.css'

/** Asks before Run how long the scheduler will take, as a share of the time of the other pipeline. Shows the guess and the truth in one picture. */
export function FrontGuess({ both, open }: { readonly both: TwoRuns | null; readonly open: boolean }) {
  const [guess, setGuess] = useState<number | null>(null)
  const [fixed, moved] = both === null ? [0, 0] : [endOf(both.fixed.trace), endOf(both.moved.trace)]
  return (
    <>
      {/* It keeps its place, so that nothing moves at Run. */}
      <label className={!open && guess === null ? 'unused' : undefined}>
        <span>{open ? t('How long will it take with a scheduler? Drag the marker, or just press Run.') : guessWords(guess, fixed, moved)}</span>
        <input
          type="range"
          min={1}
          max={100}
          value={guess ?? 100}
          disabled={!open}
          aria-valuetext={t('{share} of the time without one', { share: percent((guess ?? 100) / 100, 0) })}
          onChange={(event) => setGuess(Number(event.target.value))}
        />
      </label>
      <p className="guess-bar">
        <span style={{ width: `${fixed === 0 ? 0 : (100 * moved) / fixed}%` }}>{fixed > 0 && seconds(moved, 1)}</span>
        <b>{fixed === 0 ? t('Fixed') : seconds(fixed, 1)}</b>
      </p>
      <p className="front-gap" aria-live="polite">
        {both !== null && gapSentence(fixed, moved, both.moved.scenario.workers)}
      </p>
    </>
  )
}

export function gapSentence(fixed: number, moved: number, workers: number): string {
  return t('{slow} against {fast}: {ratio, plural, one {as fast} other {# times faster}} with the same {workers, plural, one {worker} other {# workers}}.', {
    slow: seconds(fixed, 1),
    fast: seconds(moved, 1),
    ratio: Math.round((fixed / moved) * 10) / 10,
    workers,
  })
}

/** Returns what was guessed beside what happened; nothing without a guess, or before that is known. */
export function guessWords(guess: number | null, fixed: number, moved: number): string {
  if (fixed === 0 || guess === null) return ''
  return t('You guessed {guess}. It took {took}.', { guess: seconds((fixed * guess) / 100, 1), took: seconds(moved, 1) })
}
