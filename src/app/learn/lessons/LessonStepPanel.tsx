import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Lesson } from '../../../lessons/lesson.ts'
import { isRight, type Progress } from '../../../lessons/progress.ts'
import { runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import { answer, beginStep, nextStep, showHow } from './course.ts'
import { guessText, QuestionForm } from './QuestionForm.tsx'

/** A hint is shown after so long, and at once after a run that missed the goal. */
const HINT_MS = 30_000

interface Props {
  readonly course: { readonly lesson: Lesson; readonly progress: Progress; readonly step: number }
}

/** One step: what to know, what to guess, what to do, and then what there was to see. */
export function LessonStepPanel({ course: { lesson, progress, step: k } }: Props) {
  const session = useSession()
  const step = lesson.steps[k]
  const { question } = step
  const guess = progress.said[k] ?? null
  const was = progress.was[k]
  const reached = was !== undefined
  const asked = question === undefined || guess !== null
  const text = useRef<HTMLParagraphElement>(null)
  const seen = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  // The button that led here is gone with its step, and with it the focus.
  useEffect(() => {
    if (k > 0 && document.activeElement === document.body) text.current?.focus({ preventScroll: true })
  }, [k])
  // In a low panel what there was to see may be below the edge.
  useEffect(() => {
    if (!reached) return
    // The button that was pressed last may be gone. The focus goes on from here, and Space still plays.
    if (document.activeElement === document.body) seen.current?.focus({ preventScroll: true })
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [reached])
  return (
    <>
      <p ref={text} tabIndex={-1}>
        {step.text()}
      </p>
      {question !== undefined && guess === null && <QuestionForm question={question} answer={(said) => answer(session, said)} />}
      {asked && (
        <p className={reached ? 'lesson-task done' : 'lesson-task'}>
          <span className="tick" aria-hidden="true" />
          <span>{step.task()}</span>
        </p>
      )}
      {/* Screen readers read this, since they do not see the tick. */}
      <div ref={seen} className="lesson-seen" aria-live="polite" tabIndex={-1}>
        {reached && (
          <>
            {question !== undefined && guess !== null && (
              <p className={isRight(question, guess, was) ? 'good' : 'warning'}>
                {isRight(question, guess, was)
                  ? t('You said {said}: right.', { said: guessText(question, guess) })
                  : t('You said {said}: not so.', { said: guessText(question, guess) })}
              </p>
            )}
            <p>{step.conclusion(was, progress.was)}</p>
          </>
        )}
      </div>
      <div ref={end} className="lesson-end">
        {reached ? (
          <button type="button" className="button lesson-next" onClick={() => nextStep(session)}>
            {k + 1 < lesson.steps.length ? t('Next step') : t('What you have seen')}
          </button>
        ) : (
          asked && <Help hint={step.hint()} />
        )}
      </div>
    </>
  )
}

function Help({ hint }: { readonly hint: string }) {
  const session = useSession()
  const phase = useStore(runStore(session), (state) => state.phase)
  const run = useStore(runStore(session), (state) => state.run)
  const [first] = useState(run)
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), HINT_MS)
    return () => clearTimeout(timer)
  }, [])
  const missed = phase === 'ended' && run !== null && run !== first
  if (!late && !missed)
    return (
      <button type="button" className="link soft" onClick={() => setLate(true)}>
        {t('Hint')}
      </button>
    )
  return (
    <div className="lesson-help">
      <p className="soft">{hint}</p>
      <p>
        <button type="button" className="link" onClick={() => void showHow(session)}>
          {t('Do it for me')}
        </button>
        <button type="button" className="link" onClick={() => beginStep(session)}>
          {t('Begin the step again')}
        </button>
      </p>
    </div>
  )
}
