import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { PanelFrame } from '../../../app/base/ui/PanelFrame.tsx'
import { lessonStore, openDialog, openLesson } from '../../../app/session/page/showing.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t, tStored } from '../../../language/translate.ts'
import type { Lesson } from '../content/lesson.ts'
import { lessons } from '../content/lessons.ts'
import { attendLesson, backToLesson, courseStore, leaveLesson } from './course.ts'
import { LessonStepPanel } from './LessonStepPanel.tsx'

/** The open lesson beside the pipeline, step by step. */
export function LessonPanel() {
  const name = useStore(lessonStore(useSession()), ({ key }) => key)
  return name === null ? null : <NamedLesson key={name} name={name} />
}

function NamedLesson({ name }: { readonly name: string }) {
  const session = useSession()
  const lesson = lessons.find(({ key }) => key === name)
  useEffect(() => {
    if (lesson !== undefined) return attendLesson(session, lesson)
    // An old link may name a lesson that this version does not have.
    leaveLesson(session)
    openDialog(session, 'lessons')
  }, [lesson, session])
  return lesson === undefined ? null : <Panel lesson={lesson} />
}

function Panel({ lesson }: { readonly lesson: Lesson }) {
  const session = useSession()
  const course = useStore(courseStore(session), (state) => state.course)
  return (
    <PanelFrame
      className="lesson"
      label={t('Lesson')}
      count={t('Lesson {n, number} of {all, number}', { n: lessons.indexOf(lesson) + 1, all: lessons.length })}
      title={tStored(lesson.title)}
      closeLabel={t('Leave the lesson')}
      onClose={() => leaveLesson(session)}
    >
      {course?.lesson === lesson && (
        <>
          <Steps of={lesson.steps.length} done={course.progress.was.length} />
          <div className="lesson-body">
            {course.suspended ? (
              <Suspended />
            ) : course.step < lesson.steps.length ? (
              <LessonStepPanel key={course.step} course={course} />
            ) : (
              <LessonEnd lesson={lesson} />
            )}
          </div>
        </>
      )}
    </PanelFrame>
  )
}

function Steps({ of, done }: { readonly of: number; readonly done: number }) {
  return (
    <p className="lesson-steps">
      <span className="unseen">
        {t('{done, number} of {of, plural, one {# step} other {# steps}} done', { done, of })}
      </span>
      {Array.from({ length: of }, (_, k) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are their places
        <span key={k} className={k < done ? 'done' : k === done ? 'now' : ''} aria-hidden="true" />
      ))}
    </p>
  )
}

/** While something else is on the canvas, the lesson waits. */
function Suspended() {
  const session = useSession()
  return (
    <>
      <p>{t('The lesson waits: another scenario is on the canvas.')}</p>
      <Button className="button" onClick={() => backToLesson(session)} text={t('Back to the lesson')} />
    </>
  )
}

/** Where the idea comes from, and where to go next. */
function LessonEnd({ lesson }: { readonly lesson: Lesson }) {
  const session = useSession()
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus({ preventScroll: true }), [])
  const next = lessons[lessons.indexOf(lesson) + 1]
  return (
    <>
      <p ref={text} tabIndex={-1}>
        {t('Done')}
        {lesson.source !== undefined && (
          <span className="soft"> {t('Source: {source}', { source: lesson.source })}</span>
        )}
      </p>
      {next !== undefined && (
        <Button
          className="button lesson-next"
          data-control="lessons"
          onClick={() => openLesson(session, next.key)}
          text={t('Next lesson: {title}', { title: tStored(next.title) })}
        />
      )}
      <Button className="link" onClick={() => leaveLesson(session)} text={t('Back to my scenario')} />
    </>
  )
}
