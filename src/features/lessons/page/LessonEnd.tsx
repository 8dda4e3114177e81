import { useEffect, useRef } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { openLesson } from '../../../app/session/run/lessonStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t, tStored } from '../../../language/translate.ts'
import type { Lesson } from '../lessons/lesson.ts'
import { lessons } from '../lessons/lessons.ts'
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
        {tStored(lesson.closing)}
      </p>
      {next !== undefined && (
        <Button
          className="button lesson-next"
          data-control="lessons"
          onClick={() => openLesson(session, next.key)}
          text={t('Next lesson: {title}', { title: tStored(next.title) })}
        />
      )}
      <Button className="link" onClick={() => leaveLesson(session)} text={t('Back to what I had')} />
    </>
  )
}
