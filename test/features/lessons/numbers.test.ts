import { expect, test } from 'vitest'
import { type Lesson, lessonText, scenarioOfStep } from '../../../src/features/lessons/content/lesson.ts'
import { lessons } from '../../../src/features/lessons/content/lessons.ts'
import { poolUse } from '../../../src/features/pools/measure/tuning.ts'
import { lowerBoundOf } from '../../../src/measures/figures/lowerBound.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { playTrial } from '../../../src/runs/play/play.ts'
import { setFeeders, setOptions } from '../../../src/scenario/edit/edits.ts'
import { serviceMean } from '../../../src/scenario/model/distributions.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { countJobs } from '../../../src/scenario/model/sources.ts'
import { catchUp } from '../../../src/trace/trace.ts'

/** All numbers in a value. */
function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : []
}

/** The numbers of a scenario, its total work, and the time between two arrivals. */
function settingsOf(scenario: Scenario): number[] {
  const { stages, source, workers } = scenario
  const mean = stages.reduce((sum, { service }) => sum + serviceMean(service), 0)
  return [
    ...numbersOf(scenario).map(Math.abs),
    stages.length,
    workers,
    mean * countJobs(source),
    'rate' in source ? 1e6 / (source.rate ?? 1) : 0,
  ]
}

const runs = new Map<string, Promise<readonly number[]>>()

/** The metrics of a run of the scenario, its lower bound, and how busy each stage is if it has one worker of its own. */
function figuresOf(scenario: Scenario): Promise<readonly number[]> {
  const key = JSON.stringify(scenario)
  const figures =
    runs.get(key) ??
    playTrial(scenario, {}).then((trace) => {
      catchUp(trace)
      const metrics = metricsOf(trace)
      return [
        ...numbersOf({ ...metrics, workersOverTime: [] }),
        poolUse(metrics).workerTime,
        lowerBoundOf(scenario).time,
        ...metrics.stages.map(({ utilisation }) => utilisation * scenario.workers),
      ]
    })
  runs.set(key, figures)
  return figures
}

/** Further numbers in the texts: calculated from others, or of a run that is not a step. */
const besides: Readonly<Record<string, (begin: Scenario, lesson: Lesson) => readonly (number | Scenario)[]>> = {
  'why-a-pipeline': () => [],
  bottleneck: () => [],
  'not-jefferson': () => [
    900,
    900 / 2,
    900 / 3,
    900 / 8,
    92 * 9,
    828 / 9,
    900 / 6 + (3 * 100) / 2,
    828 / 6 + (3 * 100) / 2,
    1,
    2,
    3,
    4,
    6,
    9,
  ],
  snapshot: (begin) => [setOptions(begin, { switchCost: 1e6 }), 24],
  'cold-start': () => [],
  batches: (begin) => [setOptions(begin, { batch: { size: 30, inHand: 1 } }), 90, 10, 30],
  order: () => [0.4],
  'wind-up': () => [6],
  'beyond-pid': (_, lesson) => [16, { ...scenarioOfStep(lesson, 2), source: scenarioOfStep(lesson, 4).source }],
  // The published figures; 5 of Robber a second; CPUs that work at most; balanced numbers of workers.
  'slow-start': () => [83, 4, 70, 214, 178, 5, (15_000 * 0.38) / 128, 20, (128 * 17) / 38, (128 * 21) / 38],
  'gain-schedule': () => [],
  contention: (begin) => [
    lowerBoundOf(begin).time,
    setFeeders(begin, 2),
    setFeeders({ ...begin, stages: begin.stages.map((stage) => ({ ...stage, whenTaken: 'wait' })) }, 2),
  ],
  'one-core': () => [20, 2],
  'own-code': () => [16 + 4, 20 / 4, 16 + 1],
  room: () => [],
}
// Its figures are compared one by one in lessons.test.ts.
const elsewhere = ['parliament']

/** Years and names of keys are not figures. */
const figuresIn = (text: string) =>
  text.replace(/\b(?:1[6-9]|20)\d\d\b/g, '').match(/\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?/g) ?? []

test.each(lessons.filter(({ key }) => !elsewhere.includes(key)).map((lesson) => ({ lesson, key: lesson.key })))(
  'every number in the lesson $key is of its scenario or its runs so far',
  async ({ lesson, key }: { lesson: Lesson; key: string }) => {
    const known: number[] = []
    const learn = (values: readonly number[]) => known.push(...values.flatMap((n) => [n, n / 1000, n / 1e6, n * 100]))
    for (const each of besides[key](scenarioOfStep(lesson, 0), lesson))
      learn(typeof each === 'number' ? [each] : await figuresOf(each))
    const check = (k: number, text: string) => {
      for (const word of figuresIn(text)) {
        const digits = word.split('.')[1]?.length ?? 0
        const n = Number(word.replaceAll(',', ''))
        expect(
          known.some((each) => Number(each.toFixed(digits)) === n),
          `step ${k + 1}: ${word} in "${text}"`,
        ).toBe(true)
      }
    }
    for (const [k, { text, hint, conclusion }] of lesson.steps.entries()) {
      learn(settingsOf(scenarioOfStep(lesson, k)))
      learn(settingsOf(scenarioOfStep(lesson, k + 1)))
      for (const earlier of [text ?? '', lessonText(hint ?? '')]) check(k, earlier)
      learn(await figuresOf(scenarioOfStep(lesson, k + 1)))
      check(k, conclusion)
    }
  },
)
