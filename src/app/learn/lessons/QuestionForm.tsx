import { useState } from 'react'
import { say } from '../../../language/say.ts'
import type { Question } from '../../../lessons/lesson.ts'

interface Props {
  readonly question: Question
  answer(said: number): void
}

/** What will happen? Nothing more is told before somebody has said it. */
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
        <legend>{question.ask()}</legend>
        {'choices' in question ? (
          question.choices.map(({ text }, k) => (
            <label key={text()}>
              <input type="radio" name="guess" checked={guess === k} onChange={() => setGuess(k)} />
              <span>{text()}</span>
            </label>
          ))
        ) : (
          <label className="lesson-number">
            <input
              type="number"
              step="any"
              aria-label={question.ask()}
              onChange={({ target }) => setGuess(target.value.trim() === '' || Number.isNaN(target.valueAsNumber) ? null : target.valueAsNumber)}
            />
            <span>{question.unit()}</span>
          </label>
        )}
      </fieldset>
      <button type="submit" className="button" disabled={guess === null}>
        {say('That is my guess')}
      </button>
    </form>
  )
}

/** What was said, in words. */
export function said(question: Question, guess: number): string {
  if ('choices' in question) return say('“{choice}”', { choice: question.choices[guess]?.text() ?? '' })
  return say('{guess, number} {unit}', { guess, unit: question.unit() })
}
