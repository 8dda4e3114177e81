import { t } from '../../../language/translate.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, inPercent, inSeconds, measureOf, SECOND } from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

const inBatches = (size: number) => (scenario: Scenario) => setOptions(scenario, { batch: { size, inHand: 1 } })

/** Finds a run in which the two workers finished all sixty toys. */
const workshop = drainedWhere(({ scenario, metrics }) => scenario.switchCost === 2 * SECOND && scenario.workers === 2 && metrics.jobs === 60)

export const batchesLesson: Lesson = {
  key: 'batches',
  title: 'Batches and switches',
  about: 'Changing from one place to another takes time. How many jobs should a worker take at once?',
  initialScenario: () =>
    scenarioOf({
      title: t('Toy workshop'),
      stages: [stage('A', t('Cut'), constant(SECOND)), stage('B', t('Glue'), constant(SECOND)), stage('C', t('Paint'), constant(SECOND))],
      source: { kind: 'batch', jobs: 60 },
      workers: 2,
      switchCost: 2 * SECOND,
      policy: { kind: 'sinkFirst', lend: true },
    }),
  steps: [
    {
      text: 'Two people make sixty toys. Each toy is cut, glued and painted, a second each. They first finish the toys that are started, and clearing the bench for another kind of work takes 2 s.',
      question: choiceOf(
        'How much of their time do they really spend on cutting, gluing and painting?',
        ['More than 80%', (was) => was > 80],
        ['About half', (was) => was > 40 && was <= 80],
        ['About a third', (was) => was <= 40],
      ),
      ...pressRun,
      measure: measureOf(workshop, (run) => run.scenario.batch.size === 1 && inPercent(run.metrics.utilisation)),
      conclusion: '{was, number}%: each second of work is followed by two of clearing up. It takes 268 s; without any changes it would be 90 s.',
    },
    {
      text: 'So do several toys of one kind before the bench is cleared. That is a batch: a worker takes several jobs at once and reports them together.',
      task: 'Choose a batch size that finishes everything within 110 s.',
      hint: 'Batch is in Settings, under Workers. Try 10, and press Run.',
      solution: { edit: inBatches(10) },
      measure: measureOf(workshop, (run) => run.metrics.makespan <= 110 * SECOND && inSeconds(run.metrics.makespan)),
      conclusion: '{was, number} s. A change now costs time once per batch, not once per toy.',
    },
    {
      text: 'So fewer changes are better. What about all sixty toys in a single batch?',
      question: choiceOf(
        'When will everything be done?',
        ['After about 94 s: with only two changes', (was) => was < 100],
        ['After 100 to 150 s', (was) => was >= 100 && was < 150],
        ['After more than 180 s', (was) => was > 180],
      ),
      task: 'Set Batch to 60, and press Run.',
      hint: 'In Settings, under Workers.',
      solution: { edit: inBatches(60) },
      measure: measureOf(workshop, (run) => (run.scenario.batch.size ?? 0) >= 60 && inSeconds(run.metrics.makespan)),
      conclusion: '{was, number} s: one worker holds everything, and the other never has anything to do. No other worker can take work out of a batch.',
    },
    {
      text: 'With thirty it takes 94 s, the shortest possible time, but no toy is ready before the 94th second. A buyer cares about something else: how long a toy takes on average.',
      task: 'Find a batch size that finishes everything within 110 s, while a toy takes at most 72 s on average.',
      hint: 'Mean flow time is in Results. With 30 it is 94 s. Try something near 10.',
      solution: { edit: inBatches(10) },
      measure: measureOf(
        workshop,
        (run) => run.metrics.makespan <= 110 * SECOND && run.metrics.meanFlowTime <= 72 * SECOND && inSeconds(run.metrics.meanFlowTime),
      ),
      conclusion:
        '{was, number} s on average. Small batches cost many changes; in large ones finished toys wait for each other. The best size lies in between.',
    },
  ],
  closing:
    'How many parts should one make at once? Ford Whitman Harris asked that in 1913 and found that the best lot size grows with the square root of the cost of a change. Here the balance is the same, with time instead of money.',
}
