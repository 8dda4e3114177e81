import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { policyOptions } from '../../../src/app/base/controls/Select.tsx'
import { goTo, seek } from '../../../src/app/session/page/playhead.ts'
import { lessonStore, openLesson, panelStore } from '../../../src/app/session/page/showing.ts'
import { openScenario } from '../../../src/app/session/run/opening.ts'
import { runStore } from '../../../src/app/session/run/runStore.ts'
import { editOrShowProblems, scenarioStore, undo } from '../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../src/app/session/session.ts'
import { conclusionOf, isRight, type Lesson } from '../../../src/features/lessons/content/lesson.ts'
import { lessons } from '../../../src/features/lessons/content/lessons.ts'
import {
  answerQuestion,
  attendLesson,
  backToLesson,
  beginStep,
  courseStore,
  leaveLesson,
  nextStep,
  showSolution,
} from '../../../src/features/lessons/page/course.ts'
import { progressOf } from '../../../src/features/lessons/page/keeping.ts'
import { firstLesson, followLessons } from '../../../src/features/lessons/page/keptLesson.ts'
import { setPolicy, setSource, setWorkers } from '../../../src/scenario/edit/edits.ts'
import { menuKinds } from '../../../src/scenario/model/methods.ts'
import { policyKinds } from '../../../src/scenario/model/policies.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import { endOf } from '../../../src/trace/trace.ts'
import { pageHere } from '../../fixtures/pageHere.ts'
import { PATIENCE, playOut as playToEnd, threadsHere } from '../../fixtures/threadsHere.ts'

threadsHere()

const lessonOf = (key: string): Lesson =>
  lessons.find((lesson) => lesson.key === key) ?? expect.fail(`no lesson ${key}`)

let session: Session
let end = () => {}

/** Opens a lesson, as its panel does. */
function attend(key: string): void {
  openLesson(session, key)
  end = attendLesson(session, lessonOf(key))
}

/** Plays the run, and skips the playback to its end. */
async function playOut(of: Session): Promise<void> {
  const { trace } = await playToEnd(of)
  seek(of, endOf(trace))
}

const course = () => courseStore(session).getState().course ?? expect.fail('no lesson is open')
const draft = () => scenarioStore(session).getState().draft
const done = () => course().progress.was.length
const conclusion = (k: number) => conclusionOf(course().lesson.steps[k], course().progress.was[k])
const choose = (words: string) => {
  const { question } = course().lesson.steps[course().step]
  const choices = question !== undefined && 'choices' in question ? question.choices : []
  answerQuestion(
    session,
    choices.findIndex(({ text }) => text() === words),
  )
}

beforeEach(() => {
  pageHere()
  session = createSession()
  openScenario(session, presetOf('rush-hour')?.scenario ?? expect.fail('no preset'))
})
afterEach(() => end())

test('the menu of policies begins with those that the open lesson needs', () => {
  attend('bottleneck')
  expect(lessonStore(session).getState().policies).toEqual(['onePerStage', 'leastScore'])
  const offered = policyOptions(draft().policy, lessonStore(session).getState().policies)
  expect(offered.slice(0, 2).map(([kind, , group]) => [kind, group])).toEqual([
    ['onePerStage', 'In this lesson'],
    ['leastScore', 'In this lesson'],
  ])
  expect(offered.map(([kind]) => kind).sort()).toEqual([...menuKinds(policyKinds, draft().policy.kind)].sort())
  end()
  expect(lessonStore(session).getState().policies).toEqual([])
})

describe('the lesson of the room', () => {
  test('opens the tab Room with its engine, and counts devices and answers, and does not count a simulation', async () => {
    attend('room')
    expect([runStore(session).getState().engine, panelStore(session).getState().panel]).toEqual(['room', 'room'])
    const room = { address: { broker: '', room: 'R', role: 'host', token: '' }, refusal: () => null } as const
    runStore(session).setState({ room: { ...room, seats: 3, answers: 0 } })
    expect(done()).toBe(0)
    editOrShowProblems(session, (now) => setWorkers(now, 3))
    expect(done()).toBe(1)
    nextStep(session)
    expect(done()).toBe(1)
    runStore(session).setState({ room: { ...room, seats: 3, answers: 1 } })
    expect(done()).toBe(2)
    nextStep(session)
    choose('90% or more')
    runStore(session).setState({ engine: 'simulation' })
    await playOut(session)
    expect(done()).toBe(2)
  })
})

describe('a lesson', () => {
  test('finishes each step by a guess, a run and a moment, not before; leaving it restores the user’s scenario', async () => {
    editOrShowProblems(session, (now) => setWorkers(now, 5))
    expect(firstLesson(session)).not.toBeNull()
    attend('why-a-pipeline')
    expect(draft().title).toBe('Why a pipeline at all?')
    expect(done()).toBe(0)
    await playOut(session)
    expect(done()).toBe(1)
    expect(conclusion(0)).toContain('18 s: six loads of 3 s each')

    nextStep(session)
    choose('6 s')
    editOrShowProblems(session, (now) => setWorkers(now, 3))
    await playOut(session)
    expect(done()).toBe(1)
    editOrShowProblems(session, (now) => setPolicy(now, 'onePerStage'))
    await playOut(session)
    expect(done()).toBe(2)
    const { question } = course().lesson.steps[1]
    expect(question !== undefined && isRight(question, course().progress.said[1] ?? -1, course().progress.was[1])).toBe(
      false,
    )
    expect(conclusion(1)).toContain('8 s. The first load takes 3 s')

    // The playhead is at a time that the third step asks for.
    nextStep(session)
    await playOut(session)
    goTo(session, 4_000_000)
    await expect.poll(done, PATIENCE).toBe(3)
    expect(conclusion(2)).toContain('At 4 s all three work.')

    nextStep(session)
    editOrShowProblems(session, (now) => setSource(now, { kind: 'batch', jobs: 60 }))
    await playOut(session)
    expect(conclusion(3)).toContain('Busy 97% of the time')
    nextStep(session)
    choose('All of it')
    editOrShowProblems(session, (now) => setPolicy(now, 'leastScore'))
    await playOut(session)
    expect(done()).toBe(5)

    leaveLesson(session)
    expect(draft()).toMatchObject({ title: 'Rush hour at the API gateway', workers: 5 })
    expect(lessonStore(session).getState().key).toBeNull()
    expect(progressOf('why-a-pipeline').was).toHaveLength(5)
    expect(firstLesson(session)).toBeNull()
  })

  test('shows its conclusion when the playback reaches the end, not when the run is computed', async () => {
    attend('why-a-pipeline')
    const { trace } = await playToEnd(session)
    expect([done(), course().watched]).toEqual([0, null])
    seek(session, endOf(trace) - 1)
    expect(done()).toBe(0)
    seek(session, endOf(trace))
    expect(done()).toBe(1)
    // A finished step stays finished.
    nextStep(session)
    seek(session, 0)
    expect(course().watched?.trace).toBe(trace)
  })

  test('continues after a reload with its progress, answers and canvas', async () => {
    attend('why-a-pipeline')
    await playOut(session)
    nextStep(session)
    choose('6 s')
    editOrShowProblems(session, (now) => setWorkers(now, 3))
    const before = draft()
    end()

    session = createSession()
    const leave = followLessons(session)
    expect(lessonStore(session).getState().key).toBe('why-a-pipeline')
    openScenario(session, before)
    attend('why-a-pipeline')
    expect(course()).toMatchObject({ step: 1, progress: { was: [18] } })
    expect(course().progress.said.slice(0, 2)).toEqual([null, expect.any(Number)])
    expect(draft().workers).toBe(3)
    leaveLesson(session)
    expect(draft().title).toBe('Rush hour at the API gateway')
    leave()
  })

  test('waits while something else is open, returns unchanged, and does not change the canvas when it is left', async () => {
    attend('why-a-pipeline')
    await playOut(session)
    nextStep(session)
    choose('6 s')
    editOrShowProblems(session, (now) => setWorkers(now, 3))
    openScenario(session, presetOf('rush-hour')?.scenario ?? expect.fail('no preset'))
    expect(course()).toMatchObject({ suspended: true, step: 1 })
    await playOut(session)
    expect(done()).toBe(1)
    backToLesson(session)
    expect([course().suspended, draft().title, draft().workers]).toEqual([false, 'Why a pipeline at all?', 3])
    undo(session)
    expect([course().suspended, draft().title]).toEqual([true, 'Rush hour at the API gateway'])
    editOrShowProblems(session, (now) => setWorkers(now, 7))
    leaveLesson(session)
    expect(draft()).toMatchObject({ title: 'Rush hour at the API gateway', workers: 7 })
    expect([sessionStorage.getItem('apportion.lesson'), localStorage.getItem('apportion.lesson')]).toEqual([null, null])
  })

  test('waits after a reload too, where the address has another scenario or something else was open', () => {
    attend('why-a-pipeline')
    end()
    session = createSession()
    openScenario(session, presetOf('rush-hour')?.scenario ?? expect.fail('no preset'))
    attend('why-a-pipeline')
    expect(course().suspended).toBe(true)
    backToLesson(session)
    expect([course().suspended, draft().title]).toEqual([false, 'Why a pipeline at all?'])
  })

  test('does a step for the user on request, and restarts it', async () => {
    attend('one-core')
    await playOut(session)
    expect(conclusion(0)).toContain('4 s: 200 × 20 ms')
    nextStep(session)
    choose('3 s to 5 s')
    editOrShowProblems(session, (now) => setWorkers(now, 9))
    await showSolution(session)
    await expect.poll(done, PATIENCE).toBe(2)
    expect(draft()).toMatchObject({ policy: { kind: 'onePerStage' }, workers: 4 })
    beginStep(session)
    expect(draft().policy.kind).not.toBe('onePerStage')
    expect(runStore(session).getState()).toMatchObject({ phase: 'idle', run: null })
  })

  test('starts again once it is done', async () => {
    const { steps } = lessonOf('one-core')
    localStorage.setItem('apportion.lessons', JSON.stringify({ 'one-core': { said: [], was: steps.map(() => 1) } }))
    attend('one-core')
    expect(course()).toMatchObject({ step: 0, progress: { was: [] } })
  })

  test('that follows another keeps the canvas from before the first one', async () => {
    attend('why-a-pipeline')
    end()
    attend('bottleneck')
    expect(draft().title).toBe('The bottleneck')
    leaveLesson(session)
    expect(draft().title).toBe('Rush hour at the API gateway')
  })
})
