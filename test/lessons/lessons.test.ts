import { describe, expect, test } from 'vitest'
import type { Evidence, Played } from '../../src/lessons/evidence.ts'
import { isRight, judged, noProgress, type Progress, scenarioAt } from '../../src/lessons/judge.ts'
import type { Lesson, Question } from '../../src/lessons/lesson.ts'
import { lessons } from '../../src/lessons/lessons.ts'
import { playTrial } from '../../src/runs/trial.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { catchUp } from '../../src/trace/trace.ts'
import { valid } from '../fixtures/anyScenario.ts'

/** What each step measures when its lesson is done as it is told: the figures that its texts speak of. */
const measured: Readonly<Record<string, readonly number[]>> = {
  'why-a-pipeline': [18, 8, 3, 97, 100],
}

describe.each(lessons.map((lesson) => ({ lesson, key: lesson.key })))('the lesson $key', ({ lesson }) => {
  test('is done by what it asks for, each step by its own doing and not before', async () => {
    const learner = await begun(lesson)
    for (const [k, step] of lesson.steps.entries()) {
      expect(judged(step, k, answered(learner.progress, k, step.question), learner.evidence), `step ${k + 1} before it is done`).toBeNull()
      await learner.do(k)
      if (step.question !== undefined) expect(judged(step, k, learner.progress, learner.evidence), `step ${k + 1} before its answer`).toBeNull()
      const progress = answered(learner.progress, k, step.question)
      const was = judged(step, k, progress, learner.evidence)
      if (was === null) throw new Error(`step ${k + 1} is not reached by its own way`)
      expect(step.seen(was, learner.progress.was)).toMatch(/\d.*[.!?]$/s)
      learner.progress = { said: progress.said, was: [...learner.progress.was, was] }
    }
    expect(learner.progress.was).toEqual(measured[lesson.key])
  })

  test('asks at least one question before it shows the answer, of whose choices exactly one is right', async () => {
    const was = measured[lesson.key]
    expect(lesson.steps.some(({ question }) => question !== undefined)).toBe(true)
    lesson.steps.forEach(({ question }, k) => {
      if (question === undefined) return
      if ('choices' in question)
        expect(
          question.choices.filter((_, c) => isRight(question, c, was[k])),
          `step ${k + 1}`,
        ).toHaveLength(1)
      else expect([was[k], was[k] + 10 * question.within].map((said) => isRight(question, said, was[k]))).toEqual([true, false])
    })
  })

  test('is short: three to six steps of a sentence or two, and runs that are played in a moment', () => {
    expect(lesson.steps.length).toBeGreaterThanOrEqual(3)
    expect(lesson.steps.length).toBeLessThanOrEqual(6)
    for (const { text, task, hint } of lesson.steps) {
      for (const words of [text(), task(), hint()]) expect(words).toMatch(/^[A-Z0-9].{10,260}[.?:!]$/s)
    }
    expect(lesson.closing().length).toBeLessThan(400)
  })

  test('keeps to scenarios as parse returns them', () => {
    for (let k = 0; k <= lesson.steps.length; k++) {
      const scenario = scenarioAt(lesson, k)
      expect(valid(scenario)).toEqual(scenario)
    }
  })
})

test('lessons have keys of their own that stand in an address', () => {
  expect(new Set(lessons.map(({ key }) => key)).size).toBe(lessons.length)
  for (const { key } of lessons) expect(key).toMatch(/^[a-z-]+$/)
})

/** Somebody at a lesson: what is on the canvas, what was run, where the playhead stands. */
interface Learner {
  evidence: Evidence
  progress: Progress
  do(k: number): Promise<void>
}

async function begun(lesson: Lesson): Promise<Learner> {
  const learner: Learner = {
    evidence: { scenario: lesson.begins(), run: null, time: 0 },
    progress: noProgress,
    async do(k) {
      const { way } = lesson.steps[k]
      const scenario = way.edit?.(learner.evidence.scenario) ?? learner.evidence.scenario
      const run = scenario === learner.evidence.run?.scenario ? learner.evidence.run : await played(scenario)
      learner.evidence = { scenario, run, time: way.at?.(run) ?? 0 }
    },
  }
  return learner
}

async function played(scenario: Scenario): Promise<Played> {
  const trace = await playTrial(scenario, {})
  catchUp(trace)
  return { scenario, trace }
}

/** With the first choice, or some number, for an answer. */
function answered({ said, was }: Progress, k: number, question: Question | undefined): Progress {
  const all = [...said]
  all[k] = question === undefined ? null : 0
  return { said: all, was }
}
