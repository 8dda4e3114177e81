import { describe, expect, test } from 'vitest'
import { decisionWithIndex, type Evidence, type FinishedRun } from '../../../src/features/lessons/content/evidence.ts'
import {
  conclusionOf,
  isRight,
  type Lesson,
  type LessonQuestion,
  lessonText,
  noProgress,
  type Progress,
  scenarioOfStep,
  stepResult,
} from '../../../src/features/lessons/content/lesson.ts'
import { lessons } from '../../../src/features/lessons/content/lessons.ts'
import { poolUse } from '../../../src/features/pools/measure/tuning.ts'
import { messagePieces } from '../../../src/language/message.ts'
import { lowerBoundOf } from '../../../src/measures/figures/lowerBound.ts'
import { type Metrics, metricsOf } from '../../../src/measures/figures/metrics.ts'
import { playTrial } from '../../../src/runs/play/play.ts'
import { setFeeders, setOptions, setWorkers } from '../../../src/scenario/edit/edits.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { decisionIndexAt } from '../../../src/trace/follow.ts'
import { catchUp, endOf } from '../../../src/trace/trace.ts'
import { scaleFor } from '../../../src/views/drawing/scale.ts'
import { valid } from '../../fixtures/anyScenario.ts'

/** What each step measures when its lesson is done as written: the figures in its texts. */
const measured: Readonly<Record<string, readonly number[]>> = {
  'why-a-pipeline': [18, 8, 3, 97, 100],
  bottleneck: [2, 61.5, 5, 7.6],
  parliament: [4, 3, 3, 5],
  'not-jefferson': [5, 0, 392, 6],
  snapshot: [31.45, 32, 24, 47],
  'cold-start': [150, 80, 15, 602],
  batches: [34, 106, 184, 70],
  order: [10, 238, 30, 64],
  'wind-up': [60, 30, 46, 15],
  'beyond-pid': [318, 35, 1, 53],
  'slow-start': [3, 5538, 157.08, 63.1, 52.1],
  'gain-schedule': [113, 52, 62],
  contention: [34, 0.918, 4, 0.803],
  'one-core': [4, 4, 2.94, 4],
  'own-code': [2, 2, 4.7, 7.6],
  room: [3, 2, 98, 40],
}

describe.each(lessons.map((lesson) => ({ lesson, key: lesson.key })))('the lesson $key', ({ lesson }) => {
  test('is finished by its solutions, each step only by its own', async () => {
    const learner = startedLesson(lesson)
    for (const [k, step] of lesson.steps.entries()) {
      expect(
        stepResult(step, k, answered(learner.progress, k, step.question), learner.evidence),
        `step ${k + 1} before it is done`,
      ).toBeNull()
      await learner.do(k)
      if (step.question !== undefined)
        expect(stepResult(step, k, learner.progress, learner.evidence), `step ${k + 1} before its answer`).toBeNull()
      const progress = answered(learner.progress, k, step.question)
      if (step.solution?.at === undefined && learner.evidence.watched)
        expect(
          stepResult(step, k, progress, { ...learner.evidence, watched: false, time: 0 }),
          `step ${k + 1} before the end is seen`,
        ).toBeNull()
      const was = stepResult(step, k, progress, learner.evidence)
      if (was === null) throw new Error(`step ${k + 1} is not reached by its own way`)
      expect(conclusionOf(step, was)).toMatch(/\d.*[.!?]$/s)
      learner.progress = { said: progress.said, was: [...learner.progress.was, was] }
    }
    expect(learner.progress.was).toEqual(measured[lesson.key])
  })

  test('asks at least one question before the answer, and exactly one choice is right', async () => {
    const was = measured[lesson.key]
    expect(lesson.steps.some(({ question }) => question !== undefined)).toBe(true)
    lesson.steps.forEach(({ question }, k) => {
      if (question === undefined) return
      if ('choices' in question)
        expect(
          question.choices.filter((_, c) => isRight(question, c, was[k])),
          `step ${k + 1}`,
        ).toHaveLength(1)
      else
        expect([was[k], was[k] + 1 + question.within].map((said) => isRight(question, said, was[k]))).toEqual([
          true,
          false,
        ])
    })
  })

  test('is short: three to six steps of one or two sentences, and quick runs', () => {
    expect(lesson.steps.length).toBeGreaterThanOrEqual(3)
    expect(lesson.steps.length).toBeLessThanOrEqual(6)
    for (const { text, task, hint } of lesson.steps) {
      for (const words of [text, task, hint].filter((words) => words !== undefined).map(lessonText))
        expect(words).toMatch(/^[A-Z0-9][^{}<>]{4,330}[.?:!]$/s)
    }
  })

  test('fills in every value that its conclusions name', () => {
    for (const { conclusion, values } of lesson.steps) {
      const known = ['was', ...Object.keys(values?.(1) ?? {})]
      for (const piece of messagePieces(conclusion)) if (typeof piece !== 'string') expect(known).toContain(piece.name)
    }
  })

  test('keeps to scenarios as parse returns them', () => {
    for (let k = 0; k <= lesson.steps.length; k++) {
      const scenario = scenarioOfStep(lesson, k)
      expect(valid(scenario)).toEqual(scenario)
    }
  })
})

test('the other figures in the texts are those of the runs', async () => {
  const at = async (key: string, step: number, change: (scenario: Scenario) => Scenario = (scenario) => scenario) => {
    return metricsOf((await played(change(scenarioOfStep(lessonOf(key), step)))).trace)
  }
  const inBatch = (size: number) => (scenario: Scenario) => setOptions(scenario, { batch: { size, inHand: 1 } })
  const bakery = await at('bottleneck', 0)
  expect([bakery.makespan, bakery.stages[1].maxQueue]).toEqual([62e6, 13])
  expect(bakery.stages.map(({ utilisation }) => Math.round(utilisation * 300))).toEqual([32, 97, 32])
  const quicker = await at('bottleneck', 2)
  expect([quicker.makespan, quicker.meanFlowTime, quicker.throughput]).toEqual([61.5e6, 23.5e6, 20 / 61.5])
  expect((await at('bottleneck', 3, (scenario) => setWorkers(scenario, 4))).makespan).toBeGreaterThan(25e6)
  const started = await Promise.all([1, 3, 4].map((k) => at('cold-start', k)))
  expect(started.map(({ makespan, meanFlowTime }) => [makespan / 1000, Math.round(meanFlowTime / 1000)])).toEqual([
    [900, 828],
    [910, 602],
    [910, 602],
  ])
  const laundry = await Promise.all([
    at('snapshot', 0),
    at('snapshot', 3),
    at('snapshot', 0, (scenario) => setOptions(scenario, { switchCost: 1e6 })),
    at('snapshot', 4),
  ])
  expect(
    laundry.map(({ makespan, meanFlowTime, switches }) => [makespan / 1e6, Math.round(meanFlowTime / 1e6), switches]),
  ).toEqual([
    [45, 31, 23],
    [45, 24, 176],
    [52, 36, 27],
    [89, 47, 176],
  ])
  expect(await Promise.all([1, 30].map(async (size) => (await at('batches', 0, inBatch(size))).makespan))).toEqual([
    268e6, 94e6,
  ])
  expect((await at('batches', 0, inBatch(30))).p50FlowTime).toBe(94e6)
  const [free, bound] = await Promise.all([at('order', 0), at('order', 4)])
  expect(Math.round(bound.meanFlowTime / free.meanFlowTime)).toBeGreaterThanOrEqual(7)
  expect(
    Math.round(
      (await at('order', 4, (scenario) => setOptions(scenario, { order: { kind: 'buffer', slots: 600 } })))
        .meanFlowTime / free.meanFlowTime,
    ),
  ).toBe(7)
  const bank = await Promise.all([at('contention', 0), at('contention', 2, (scenario) => setFeeders(scenario, 2))])
  expect(bank.map(({ makespan }) => Math.round(makespan / 1e4))).toEqual([234, 162])
  const three = await at('contention', 2, (scenario) => setFeeders(scenario, 3))
  expect(three.makespan).toBeGreaterThan(1.1e6)
  expect(Math.round(lowerBoundOf(lessonOf('contention').initialScenario()).time / 1e4)).toBe(79)
  const paid = (metrics: Metrics) => Math.round(poolUse(metrics).workerTime / 1e6)
  const rush = await Promise.all([0, 2, 3].map((k) => at('beyond-pid', k)))
  expect(rush.map(paid)).toEqual([108, 91, 110])
  expect(rush[0].stages[0].maxQueue).toBe(299)
  const { source } = scenarioOfStep(lessonOf('beyond-pid'), 4)
  expect(Math.round((await at('beyond-pid', 2, (scenario) => ({ ...scenario, source }))).meanWait / 1000)).toBe(37)
  expect((await Promise.all([0, 2].map((k) => at('gain-schedule', k)))).map(paid)).toEqual([79, 79])
  const one = await at('one-core', 1)
  expect([one.p50FlowTime, one.makespan]).toEqual([2e6, 4e6])
})

test('the lesson on the parliament writes votes and bids like the panel Decision', async () => {
  const lesson = lessonOf('parliament')
  const expectFigure = async (step: number, at: number) => {
    const run = await played(scenarioOfStep(lesson, step + 1))
    const { stages, rounds } = decisionWithIndex(run, decisionIndexAt(run.trace, at))
    const votes = scaleFor(stages.map(({ work }) => work))
    const bids = scaleFor(rounds.flatMap(({ quotients }) => quotients))
    const { text = '', hint } = lesson.steps[step]
    for (const { work } of stages.filter((stage) => stage.work > 0))
      expect(text).toContain(`${votes.text(work)} ${votes.unit}`)
    for (const { quotients, winner } of rounds)
      expect(lessonText(hint ?? '')).toMatch(new RegExp(`\\b${bids.text(quotients[winner])}\\b`))
  }
  await expectFigure(1, 3e6)
  await expectFigure(3, 1e6)
})

test('lessons have different keys that fit in an address', () => {
  expect(new Set(lessons.map(({ key }) => key)).size).toBe(lessons.length)
  for (const { key } of lessons) expect(key).toMatch(/^[a-z-]+$/)
})

const lessonOf = (key: string): Lesson => lessons.find((each) => each.key === key) ?? expect.fail(`no lesson ${key}`)

/** A person at a lesson: the canvas, the run and the playhead. */
function startedLesson(lesson: Lesson) {
  const learner = {
    evidence: { scenario: lesson.initialScenario(), run: null, watched: false, time: 0, room: null } as Evidence,
    progress: noProgress,
    async do(k: number): Promise<void> {
      const { evidence } = learner
      if (lesson.inRoom) {
        learner.evidence = await inRoom(lesson, evidence, k)
        return
      }
      const { solution: way } = lesson.steps[k]
      const scenario = way?.edit?.(evidence.scenario) ?? evidence.scenario
      const run = scenario === evidence.run?.scenario ? evidence.run : await played(scenario)
      // A step about one instant needs no end.
      learner.evidence = {
        scenario,
        run,
        watched: way?.at === undefined,
        time: way?.at?.(run) ?? endOf(run.trace),
        room: null,
      }
    },
  }
  return learner
}

/** The other devices of a room: three join, two answer, all work, and one leaves in mid-run. A simulation replaces the real runs. */
async function inRoom({ steps }: Lesson, { scenario, room, run: before }: Evidence, k: number): Promise<Evidence> {
  if (k === 0)
    return { scenario: setWorkers(scenario, 3), run: null, watched: false, time: 0, room: { seats: 3, answers: 0 } }
  if (k === 1) return { scenario, run: before, watched: false, time: 0, room: { seats: 3, answers: 2 } }
  const workerEvents = k === steps.length - 1 ? [{ kind: 'crash', worker: 0, at: 2_000_000 }] : []
  const { trace } = await played(valid({ ...scenario, workerEvents }))
  const run = { scenario, trace: { ...trace, engine: 'room' as const } }
  return { scenario, run, watched: true, time: endOf(trace), room }
}

async function played(scenario: Scenario): Promise<FinishedRun> {
  const trace = await playTrial(scenario, {})
  catchUp(trace)
  return { scenario, trace }
}

/** The answer is the first choice, or some number. */
function answered({ said, was }: Progress, k: number, question: LessonQuestion | undefined): Progress {
  const all = [...said]
  all[k] = question === undefined ? null : 0
  return { said: all, was }
}
