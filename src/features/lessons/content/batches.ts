import { t } from '../../../language/translate.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, inPercent, inSeconds, makespanOf, measureOf, SECOND } from './evidence.ts'
import { type Lesson, pressRun, rangeChoices, setAndRun, tryValue } from './lesson.ts'

const inBatches = (size: number) => (scenario: Scenario) => setOptions(scenario, { batch: { size, inHand: 1 } })

/** Finds a run in which the two workers finished all sixty toys. */
const workshop = drainedWhere(
  ({ scenario, metrics }) => scenario.switchCost === 2 * SECOND && scenario.workers === 2 && metrics.jobs === 60,
)

export const batchesLesson: Lesson = {
  key: 'batches',
  title: 'Batches and switches',
  about: 'How many jobs should a worker take at once?',
  initialScenario: () =>
    scenarioOf({
      stages: [
        stage('A', t('Cut'), constant(SECOND)),
        stage('B', t('Glue'), constant(SECOND)),
        stage('C', t('Paint'), constant(SECOND)),
      ],
      source: { kind: 'batch', jobs: 60 },
      workers: 2,
      switchCost: 2 * SECOND,
      policy: { kind: 'sinkFirst', lend: true },
    }),
  steps: [
    {
      text: 'Two people cut, glue and paint sixty toys, a second each. Each change of stage takes 2 s. How much of their time is work?',
      question: rangeChoices('{n}%', 40, 80),
      ...pressRun,
      measure: measureOf(workshop, (run) => run.scenario.batch.size === 1 && inPercent(run.metrics.utilisation)),
      conclusion: '{was, number}%: after each second of work, a change takes two. The run takes 268 s instead of 90 s.',
    },
    {
      task: 'Choose a batch size that finishes everything within 110 s.',
      hint: tryValue('{n}', 10),
      solution: { edit: inBatches(10) },
      measure: measureOf(workshop, (run) => run.metrics.makespan <= 110 * SECOND && makespanOf(run)),
      conclusion: '{was, number} s. A change now costs time once a batch, not once a toy.',
    },
    {
      text: 'How long does the run take with all sixty toys in one batch?',
      question: rangeChoices('{n} s', 100, 150),
      task: setAndRun(['Batch', '{n}', 60]),
      solution: { edit: inBatches(60) },
      measure: measureOf(workshop, (run) => (run.scenario.batch.size ?? 0) >= 60 && makespanOf(run)),
      conclusion: '{was, number} s: one worker holds everything, and the other is idle.',
    },
    {
      text: 'With thirty it takes 94 s, but no toy is ready earlier.',
      task: 'Find a batch size that finishes within 110 s, with a mean time in the system of at most 72 s.',
      hint: tryValue('{n}', 10),
      solution: { edit: inBatches(10) },
      measure: measureOf(
        workshop,
        (run) =>
          run.metrics.makespan <= 110 * SECOND &&
          run.metrics.meanFlowTime <= 72 * SECOND &&
          inSeconds(run.metrics.meanFlowTime),
      ),
      conclusion:
        '{was, number} s on average. Small batches cost many changes; in large ones finished toys wait for each other.',
    },
  ],
  source: 'Harris, 1913',
}
