import { useId, useState } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { t } from '../../../language/translate.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { mostOf } from '../protocol/readRounds.ts'
import type { RoomQuestion } from '../protocol/roundMessages.ts'

interface Props {
  readonly question: RoomQuestion
  /** What was said before. */
  readonly guess: number | null
  say(guess: number): void
}

const SECOND = 1_000_000

/** Asks for a number, or for a stage by its button. */
export function GuessField({ question, guess, say }: Props) {
  if (question.kind !== 'longestWait') return <NumberField question={question} guess={guess} say={say} />
  const palette = currentPalette()
  return (
    <div className="join-choices">
      {question.stages.map(({ name, colour }, k) => {
        const { fill, on } = stageColour(palette, colour)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stage is its place
          <Button key={k} className="button" style={{ background: fill, color: on }} onClick={() => say(k)} text={name} />
        )
      })}
    </div>
  )
}

function NumberField({ question, guess, say }: Props) {
  const long = question.kind === 'makespan'
  const [typed, setTyped] = useState(guess === null ? '' : String(long ? guess / SECOND : guess))
  const [wrong, setWrong] = useState(false)
  const id = useId()
  const rule = long ? t('a number of seconds') : t('a whole number, 0 to {most}', { most: mostOf(question) })
  return (
    <form
      className="join-guess"
      onSubmit={(event) => {
        event.preventDefault()
        const number = typedGuess(question, typed)
        setWrong(number === null)
        if (number !== null) say(number)
      }}
    >
      <label>
        <span className="unseen">{long ? t('Seconds') : t('Workers')}</span>
        <input
          value={typed}
          inputMode={long ? 'decimal' : 'numeric'}
          autoComplete="off"
          aria-invalid={wrong}
          aria-describedby={id}
          onChange={({ target }) => setTyped(target.value)}
        />
        <span aria-hidden="true">{long ? t('s') : t('workers')}</span>
      </label>
      <p id={id} role={wrong ? 'alert' : undefined} className={wrong ? 'warning' : 'soft'}>
        {t('Allowed: {rule}.', { rule })}
      </p>
      <button type="submit" className="button join-send">
        {t('Send')}
      </button>
    </form>
  )
}

/** Returns what was typed, in the unit of the question; null if that is no answer to it. A comma may stand for the point. */
export function typedGuess(question: RoomQuestion, typed: string): number | null {
  const text = typed.trim().replace(',', '.')
  if (!/^\d+(\.\d*)?$|^\.\d+$/.test(text)) return null
  const guess = question.kind === 'makespan' ? Math.round(Number(text) * SECOND) : Number(text)
  return Number.isInteger(guess) && guess <= mostOf(question) ? guess : null
}
