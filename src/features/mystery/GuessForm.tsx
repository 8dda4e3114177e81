import { useId } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../app/base/controls/Button.tsx'
import type { SelectOption } from '../../app/base/controls/Select.tsx'
import { Choice, Field, WordInput } from '../../app/base/forms/fields.tsx'
import { reveal } from '../../app/session/secrets/secretWords.ts'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import type { Hidden } from '../../scenario/model/scenario.ts'
import './mystery.css'
import { guessingAt, guessStore, keepGuess } from './guessing.ts'

interface Props {
  readonly secret: Hidden
  readonly title: string
  readonly label: string
  /** What can be chosen; null: a time is typed. */
  readonly options: readonly SelectOption<string>[] | null
  readonly hints: readonly string[]
  /** Returns how near a guess is. */
  judge(guess: string): string
}

/** One thing to guess. */
export function GuessForm({ secret, title, label, options, hints, judge }: Props) {
  const session = useSession()
  const id = useId()
  const { guess, answer, hints: shown } = guessingAt(session, secret, useStore(guessStore(session)))
  const change = (text: string) => keepGuess(session, secret, { guess: text, answer: null })
  const show = () => {
    reveal(session, secret)
    document.getElementById('tab-decision')?.focus()
  }
  return (
    <form
      className="form mystery-guess"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        if (guess.trim() !== '') keepGuess(session, secret, { answer: judge(guess) })
      }}
    >
      <h3>{title}</h3>
      {options === null ? (
        <Field id={id} label={label} message={null} hint={t('A time such as 4 ms')}>
          <WordInput id={id} value={guess} aria-describedby={`${id}-note`} spellCheck={false} onChange={(event) => change(event.target.value)} />
        </Field>
      ) : (
        <Choice label={label} value={guess} options={[['', t('Choose a policy')], ...options]} choose={change} />
      )}
      <div className="mystery-actions">
        <button type="submit" className="button" disabled={guess.trim() === ''}>
          {t('Tell me how near')}
        </button>
        {shown < hints.length && <Button onClick={() => keepGuess(session, secret, { hints: shown + 1 })} text={shown === 0 ? t('Hint') : t('Next hint')} />}
        <Button onClick={show} text={t('Reveal')} />
      </div>
      <p className="mystery-answer" aria-live="polite">
        {answer}
      </p>
      {shown > 0 && (
        <ol className="mystery-hints" aria-live="polite">
          {hints.slice(0, shown).map((hint) => (
            <li key={hint}>{hint}</li>
          ))}
        </ol>
      )}
    </form>
  )
}
