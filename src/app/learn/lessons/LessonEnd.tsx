import { useEffect, useRef } from 'react'
import { t } from '../../../language/translate.ts'
import type { Lesson } from '../../../lessons/lesson.ts'
import { lessons } from '../../../lessons/lessons.ts'
import { openLesson } from '../../session/run/lessonStore.ts'
import { useSession } from '../../session/useSession.ts'
import { leaveLesson } from './course.ts'

/** What the lesson has shown, and where to go next. */
export function LessonEnd({ lesson }: { readonly lesson: Lesson }) {
  const session = useSession()
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus({ preventScroll: true }), [])
  const next = lessons[lessons.indexOf(lesson) + 1]
  return (
    <>
      <p ref={text} tabIndex={-1}>
        {lesson.closing()}
      </p>
      {next !== undefined && (
        <button type="button" className="button lesson-next" data-control="lessons" onClick={() => openLesson(session, next.key)}>
          {t('Next lesson: {title}', { title: next.title() })}
        </button>
      )}
      <button type="button" className="link" onClick={() => leaveLesson(session)}>
        {t('Back to what I had')}
      </button>
    </>
  )
}
