import { useState } from 'react'
import { t } from '../../../language/translate.ts'
import { endOf } from '../../../trace/trace.ts'
import { percent, seconds } from '../../../views/drawing/format.ts'
import type { TwoRuns } from './twoRuns.ts'

/** Asks before Run how long the scheduler will take, as a share of the time of the other pipeline. Shows the guess and the result in one picture. */
export function FrontGuess({ both, open }: { readonly both: TwoRuns | null; readonly open: boolean }) {
  const [guess, setGuess] = useState<number | null>(null)
  const [fixed, moved] = both === null ? [0, 0] : [endOf(both.fixed.trace), endOf(both.moved.trace)]
  const ask = t('How long will it take with a scheduler? Drag the marker.')
  return (
    <>
      <GuessBar ask={ask} guess={guess} setGuess={open ? setGuess : null} fixed={fixed} moved={moved} time={tenths} />
      <p className="front-gap" aria-live="polite">
        {both !== null && gapSentence(fixed, moved)}
      </p>
    </>
  )
}

interface Props {
  readonly ask: string
  /** In percent of the time of fixed workers. */
  readonly guess: number | null
  /** Null: it is too late for a guess. */
  readonly setGuess: ((guess: number) => void) | null
  /** How long both runs take; 0 where that is not known yet. */
  readonly fixed: number
  readonly moved: number
  readonly time: (time: number) => string
}

export function GuessBar({ ask, guess, setGuess, fixed, moved, time }: Props) {
  // Before the result is known, the bar shows the guess as a time.
  const guessed = guess === null ? 0 : (fixed * guess) / 100
  const shown = moved > 0 ? moved : guessed
  const share = fixed === 0 ? 0 : Math.min(1, shown / fixed)
  return (
    <>
      {/* It keeps its place, so that nothing moves at Run. */}
      <label className={setGuess === null && guess === null ? 'unused' : undefined}>
        <span>{setGuess === null ? guessWords(guess, fixed, moved, time) : ask}</span>
        <input
          type="range"
          min={1}
          max={100}
          value={guess ?? 100}
          disabled={setGuess === null}
          aria-valuetext={guessed > 0 ? time(guessed) : percent((guess ?? 100) / 100, 0)}
          onChange={(event) => setGuess?.(Number(event.target.value))}
        />
      </label>
      <p className="guess-bar">
        <span
          className={moved > 0 ? undefined : 'guessed'}
          style={share > 0 ? { width: `${100 * share}%` } : undefined}
        >
          {share > 0 && time(shown)}
        </span>
        {share < FULL && <b>{fixed === 0 ? t('Fixed') : time(fixed)}</b>}
      </p>
    </>
  )
}

/** A longer bar leaves no space for the other time. */
const FULL = 0.75

const tenths = (time: number) => seconds(time, 1)

export function gapSentence(fixed: number, moved: number): string {
  return t('{slow} against {fast}: {ratio, plural, one {as fast} other {# times faster}}.', {
    slow: tenths(fixed),
    fast: tenths(moved),
    ratio: Math.round((fixed / moved) * 10) / 10,
  })
}

/** Returns the guess beside the result; nothing without a guess, or before the result is known. */
export function guessWords(guess: number | null, fixed: number, moved: number, time = tenths): string {
  if (fixed === 0 || moved === 0 || guess === null) return ''
  return t('You guessed {guess}. It took {took}.', { guess: time((fixed * guess) / 100), took: time(moved) })
}
