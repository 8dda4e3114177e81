import { useEffect, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { seek } from '../../../app/session/page/playhead.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t, tStored } from '../../../language/translate.ts'
import { endOf } from '../../../trace/trace.ts'
import { conclusionOf, isRight, type LessonQuestion, lessonText, type Step } from '../content/lesson.ts'
import { answerQuestion, beginStep, type Course, nextStep, showSolution } from './course.ts'

/** After this time a hint is shown, or at once after a watched run that missed the goal. */
const HINT_MS = 30_000

/** One step: text, question, task, and then the result. */
export function LessonStepPanel({ course: { lesson, progress, step: k, watched } }: { readonly course: Course }) {
  const session = useSession()
  const step = lesson.steps[k]
  const { question } = step
  const hosting = useStore(runStore(session), ({ room }) => room !== null)
  const guess = progress.said[k] ?? null
  const was = progress.was[k]
  const reached = was !== undefined
  const asked = question === undefined || guess !== null
  const textId = useId()
  const text = useRef<HTMLParagraphElement>(null)
  const seen = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  // The focused button was removed with its step, so the focus is set again.
  useEffect(() => {
    if (k > 0 && document.activeElement === document.body)
      (text.current ?? seen.current)?.focus({ preventScroll: true })
  }, [k])
  // In a low panel the result may be below the edge.
  useEffect(() => {
    if (!reached) return
    // The last pressed button may be removed. Then the focus moves here, so that Space still plays.
    if (document.activeElement === document.body) seen.current?.focus({ preventScroll: true })
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [reached])
  return (
    <>
      {step.text !== undefined && (
        <p ref={text} id={textId} tabIndex={-1}>
          {tStored(step.text)}
        </p>
      )}
      {lesson.inRoom && !hosting && (
        <p className="warning">
          {t(
            'This lesson needs a room. Run “npm run room” in a terminal, open the link for the host, and choose the lesson there.',
          )}
        </p>
      )}
      {question !== undefined && guess === null && (
        <QuestionForm question={question} labelledBy={textId} answer={(answer) => answerQuestion(session, answer)} />
      )}
      {asked && (
        <p className={reached ? 'lesson-task done' : 'lesson-task'}>
          <span className="tick" aria-hidden="true" />
          <span>{lessonText(step.task)}</span>
        </p>
      )}
      {/* Screen readers read this, since they do not see the tick. */}
      <div ref={seen} className="lesson-seen" aria-live="polite" tabIndex={-1}>
        {reached && (
          <>
            {question !== undefined && guess !== null && <Guess question={question} guess={guess} was={was} />}
            <p>{conclusionOf(step, was)}</p>
          </>
        )}
      </div>
      <div ref={end} className="lesson-end">
        {reached ? (
          <Button
            className="button lesson-next"
            onClick={() => nextStep(session)}
            text={k + 1 < lesson.steps.length ? t('Next step') : t('End of the lesson')}
          />
        ) : (
          asked && <Help step={step} watched={watched} />
        )}
      </div>
    </>
  )
}

function Help({ step, watched }: { readonly step: Step; readonly watched: Course['watched'] }) {
  const session = useSession()
  const run = useStore(runStore(session), (state) => (state.phase === 'ended' ? state.run : null))
  const [first] = useState(watched)
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), HINT_MS)
    return () => clearTimeout(timer)
  }, [])
  const missed = watched !== first && watched === run
  return (
    <>
      {/* A step about one instant has its result there, not at the end. */}
      {run !== null && run !== watched && step.solution?.at === undefined && (
        <p>
          {t('The result appears here when the playback reaches the end.')}{' '}
          <Button className="link" onClick={() => seek(session, endOf(run.trace))} text={t('Skip to the end')} />
        </p>
      )}
      {late || missed || step.hint === undefined ? (
        <div className="lesson-help">
          {step.hint !== undefined && <p className="soft">{lessonText(step.hint)}</p>}
          <p>
            {!step.byOthers && (
              <Button className="link" onClick={() => void showSolution(session)} text={t('Do it for me')} />
            )}
            <Button className="link" onClick={() => beginStep(session)} text={t('Restart the step')} />
          </p>
        </div>
      ) : (
        <Button className="link soft" onClick={() => setLate(true)} text={t('Hint')} />
      )}
    </>
  )
}

/** Asks what will happen. The rest of the step is shown after the guess. */
function QuestionForm({
  question,
  labelledBy,
  answer,
}: {
  readonly question: LessonQuestion
  readonly labelledBy: string
  answer(guess: number): void
}) {
  const [guess, setGuess] = useState<number | null>(null)
  return (
    <form
      className="lesson-question"
      onSubmit={(event) => {
        event.preventDefault()
        if (guess !== null) answer(guess)
      }}
    >
      <fieldset aria-labelledby={labelledBy}>
        {'choices' in question ? (
          question.choices.map((choice, k) => (
            <label key={choice.text()}>
              <input type="radio" name="guess" checked={guess === k} onChange={() => setGuess(k)} />
              <span>{choice.text()}</span>
            </label>
          ))
        ) : (
          <label className="lesson-number">
            <input
              type="number"
              step="any"
              aria-labelledby={labelledBy}
              onChange={({ target }) =>
                setGuess(target.value.trim() === '' || Number.isNaN(target.valueAsNumber) ? null : target.valueAsNumber)
              }
            />
            <span>{tStored(question.unit)}</span>
          </label>
        )}
      </fieldset>
      <button type="submit" className="button" disabled={guess === null}>
        {t('Confirm my guess')}
      </button>
    </form>
  )
}

function Guess({
  question,
  guess,
  was,
}: {
  readonly question: LessonQuestion
  readonly guess: number
  readonly was: number
}) {
  const guessText =
    'choices' in question
      ? t('“{choice}”', { choice: question.choices[guess]?.text() ?? '' })
      : t('{guess, number} {unit}', { guess, unit: tStored(question.unit) })
  if (isRight(question, guess, was))
    return <p className="good">{t('Your guess was {guess}: right.', { guess: guessText })}</p>
  return <p className="warning">{t('Your guess was {guess}: wrong.', { guess: guessText })}</p>
}
