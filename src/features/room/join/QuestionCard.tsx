import { useState } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { t } from '../../../language/translate.ts'
import { answerWords, questionWords } from '../host/answerWords.ts'
import type { RoomRound, RoundAnswer } from '../protocol/roundMessages.ts'
import { GuessField } from './GuessField.tsx'
import { nearWords } from './nearWords.ts'

interface Props {
  readonly round: RoomRound & { readonly kind: 'question' }
  readonly mine: RoundAnswer | null
  say(guess: number): void
}

/** A question before a run: a field or buttons, then what was said, then how near it was. */
export function QuestionCard({ round: { question, open, right }, mine, say }: Props) {
  const guess = mine?.kind === 'guess' ? mine.guess : null
  const [changing, setChanging] = useState(false)
  const take = (guess: number) => {
    setChanging(false)
    say(guess)
  }
  return (
    <>
      <h2>{questionWords(question)}</h2>
      <div aria-live="polite">
        {right !== null ? (
          <Outcome {...nearWords(question, right, guess)} />
        ) : (
          guess !== null && !changing && <p className="join-said">{t('You said {said}.', { said: answerWords(question, guess) })}</p>
        )}
        {right === null && !open && (
          <p>{guess === null ? t('The run has begun: no more answers.') : t('The run has begun. Its end shows how near you were.')}</p>
        )}
      </div>
      {open && (guess === null || changing) && <GuessField question={question} guess={guess} say={take} />}
      {open && guess !== null && !changing && (
        <>
          <p>{t('You can change your answer until the run begins.')}</p>
          <Button className="button join-second" onClick={() => setChanging(true)} text={t('Change my answer')} />
        </>
      )}
    </>
  )
}

function Outcome({ happened, mine, right }: ReturnType<typeof nearWords>) {
  return (
    <>
      <p className="join-happened">{happened}</p>
      {mine !== null && <p className={right ? 'good' : undefined}>{mine}</p>}
    </>
  )
}
