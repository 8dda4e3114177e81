import { allowedText, numberText } from '../../../scenario/model/words.ts'
import { wholeText } from '../../../scenario/parse/shape.ts'
import './round.css'
import { useId, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { t } from '../../../language/translate.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { answerWords, happenedWords, questionWords } from '../host/roomWords.ts'
import { maxAnswer, type RoomQuestion, type RoomRound, type RoundAnswer } from '../protocol/rounds.ts'
import type { Answering } from './joining.ts'

/** The present round, on top of the colour of the stage. */
export function RoundCard({ answering }: { readonly answering: Answering }) {
  const { round, mine } = useStore(answering.store)
  if (round === null) return null
  return (
    <section className="join-round">
      <QuestionCard key={round.round} round={round} mine={mine} say={answering.guess} />
    </section>
  )
}

interface QuestionProps {
  readonly round: RoomRound
  readonly mine: RoundAnswer | null
  say(guess: number): void
}

/** A question before a run: a field or buttons, then the answer, then how near it was. */
function QuestionCard({ round: { question, open, right }, mine, say }: QuestionProps) {
  const guess = mine?.guess ?? null
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
          <>
            <p className="join-happened">{happenedWords(question, right)}</p>
            {guess !== null && (
              <p className={right.includes(guess) ? 'good' : undefined}>
                {t('You said {answer}.', { answer: answerWords(question, guess) })}
              </p>
            )}
          </>
        ) : (
          guess !== null &&
          !changing && (
            <p className="join-message">{t('You said {answer}.', { answer: answerWords(question, guess) })}</p>
          )
        )}
        {right === null && !open && <p>{t('The run has begun: no more answers.')}</p>}
      </div>
      {open && (guess === null || changing) && <GuessField question={question} guess={guess} say={take} />}
      {open && guess !== null && !changing && (
        <Button className="button join-second" onClick={() => setChanging(true)} text={t('Change my answer')} />
      )}
    </>
  )
}

type GuessProps = { readonly question: RoomQuestion; readonly guess: number | null; say(guess: number): void }

const SECOND = 1_000_000

/** Asks for a number, or for a stage by its button. */
function GuessField({ question, guess, say }: GuessProps) {
  if (question.kind !== 'longestWait') return <NumberField question={question} guess={guess} say={say} />
  const palette = currentPalette()
  return (
    <div className="join-choices">
      {question.stages.map(({ name, colour }, k) => {
        const { fill, on } = stageColour(palette, colour)
        return (
          <Button
            // biome-ignore lint/suspicious/noArrayIndexKey: a stage is its place
            key={k}
            className="button"
            style={{ background: fill, color: on }}
            onClick={() => say(k)}
            text={name}
          />
        )
      })}
    </div>
  )
}

function NumberField({ question, guess, say }: GuessProps) {
  const long = question.kind === 'makespan'
  const [typed, setTyped] = useState(guess === null ? '' : String(long ? guess / SECOND : guess))
  const [wrong, setWrong] = useState(false)
  const id = useId()
  const rule = long ? numberText(0, maxAnswer(question) / SECOND) : wholeText(0, maxAnswer(question))
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
        {allowedText(rule)}
      </p>
      <button type="submit" className="button join-send">
        {t('Send')}
      </button>
    </form>
  )
}

/** Returns the typed answer in the unit of the question; null if it is not valid. A comma may replace the point. */
export function typedGuess(question: RoomQuestion, typed: string): number | null {
  const text = typed.trim().replace(',', '.')
  if (!/^\d+(\.\d*)?$|^\.\d+$/.test(text)) return null
  const guess = question.kind === 'makespan' ? Math.round(Number(text) * SECOND) : Number(text)
  return Number.isInteger(guess) && guess <= maxAnswer(question) ? guess : null
}
