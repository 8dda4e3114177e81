import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { say } from '../../language/say.ts'
import type { Lesson } from '../../lessons/lesson.ts'
import { lessons } from '../../lessons/lessons.ts'
import { refuse } from '../scenarioStore.ts'
import { attend, courseStore, leaveLesson } from './course.ts'
import { LessonEnd } from './LessonEnd.tsx'
import { LessonStep } from './LessonStep.tsx'
import './lessons.css'

/** Beside the picture: the lesson of that name, step by step. */
export function LessonPanel({ name }: { readonly name: string }) {
  const lesson = lessons.find(({ key }) => key === name)
  useEffect(() => {
    if (lesson !== undefined) return attend(lesson)
    leaveLesson()
    refuse([{ path: '', message: say('There is no lesson “{name}”. All of them stand in the menu of scenarios, under Lessons.', { name }) }])
  }, [lesson, name])
  return lesson === undefined ? null : <Panel lesson={lesson} />
}

function Panel({ lesson }: { readonly lesson: Lesson }) {
  const course = useStore(courseStore, (state) => state.course)
  const [folded, setFolded] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // Whoever has opened a lesson reads on there.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <section className={folded ? 'lesson folded' : 'lesson'} aria-label={say('Lesson')}>
      <header>
        <div>
          <p className="lesson-count">{say('Lesson {n, number} of {all, number}', { n: lessons.indexOf(lesson) + 1, all: lessons.length })}</p>
          <h2 ref={heading} tabIndex={-1}>
            {lesson.title()}
          </h2>
        </div>
        <button type="button" className="icon fold" aria-expanded={!folded} aria-label={say('The text of the lesson')} onClick={() => setFolded(!folded)}>
          <svg viewBox="0 0 10 6" width="11" height="7" aria-hidden="true">
            <path d="M1 1l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.4" />
          </svg>
        </button>
        <button
          type="button"
          className="icon"
          aria-label={say('Leave the lesson')}
          title={say('Leave the lesson; what you had comes back')}
          onClick={leaveLesson}
        >
          ×
        </button>
      </header>
      {course?.lesson === lesson && (
        <>
          <Steps of={lesson.steps.length} done={course.progress.was.length} />
          <div className="lesson-body">
            {course.step < lesson.steps.length ? <LessonStep key={course.step} course={course} /> : <LessonEnd lesson={lesson} />}
          </div>
        </>
      )}
    </section>
  )
}

/** How far one has come, as a row of marks. */
function Steps({ of, done }: { readonly of: number; readonly done: number }) {
  return (
    <p className="lesson-steps">
      <span className="unseen">{say('{done, number} of {of, plural, one {# step} other {# steps}} done', { done, of })}</span>
      {Array.from({ length: of }, (_, k) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are their places
        <span key={k} className={k < done ? 'done' : k === done ? 'now' : ''} aria-hidden="true" />
      ))}
    </p>
  )
}
