import { useState } from 'react'
import { t, tStored } from '../../../language/translate.ts'
import type { LessonQuestion } from '../lessons/lesson.ts'

interface Props {
  readonly question: LessonQuestion
  answer(said: number): void
}

/** Asks what will happen. The rest of the step is shown after the guess. */
export function QuestionForm({ question, answer }: Props) {
  const [guess, setGuess] = useState<number | null>(null)
  return (
    <form
      className="lesson-question"
      onSubmit={(event) => {
        event.preventDefault()
        if (guess !== null) answer(guess)
      }}
    >
      <fieldset>
        <legend>{tStored(question.ask)}</legend>
        {'choices' in question ? (
          question.choices.map(([text], k) => (
            <label key={text}>
              <input type="radio" name="guess" checked={guess === k} onChange={() => setGuess(k)} />
              <span>{tStored(text)}</span>
            </label>
          ))
        ) : (
          <label className="lesson-number">
            <input
              type="number"
              step="any"
              aria-label={tStored(question.ask)}
              onChange={({ target }) => setGuess(target.value.trim() === '' || Number.isNaN(target.valueAsNumber) ? null : target.valueAsNumber)}
            />
            <span>{tStored(question.unit)}</span>
          </label>
        )}
      </fieldset>
      <button type="submit" className="button" disabled={guess === null}>
        {t('That is my guess')}
      </button>
    </form>
  )
}

/** Returns the guess in words. */
export function guessText(question: LessonQuestion, guess: number): string {
  if ('choices' in question) return t('“{choice}”', { choice: tStored(question.choices[guess]?.[0] ?? '') })
  return t('{guess, number} {unit}', { guess, unit: tStored(question.unit) })
}
