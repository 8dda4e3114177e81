import { t } from '../language/translate.ts'
import { setOptions } from '../scenario/edit/edits.ts'
import type { Scenario } from '../scenario/model/scenario.ts'
import { constant, preset, stage } from '../scenario/presets/preset.ts'
import { drainedRun, type Evidence, inPercent, inSeconds, type MeasuredRun } from './evidence.ts'
import type { Lesson } from './lesson.ts'

const SECOND = 1_000_000
const inBatches = (size: number) => (scenario: Scenario) => setOptions(scenario, { batch: { size, inHand: 1 } })

export const batchesLesson: Lesson = {
  key: 'batches',
  title: () => t('Batches and switches'),
  about: () => t('To change from one place to another takes time: how much should one take along at once?'),
  initialScenario: () =>
    preset('', t('Toy workshop'), '', {
      stages: [stage('A', t('Cut'), constant(SECOND)), stage('B', t('Glue'), constant(SECOND)), stage('C', t('Paint'), constant(SECOND))],
      source: { kind: 'batch', jobs: 60 },
      workers: 2,
      switchCost: 2 * SECOND,
      policy: { kind: 'sinkFirst', lend: true },
    }).scenario,
  steps: [
    {
      text: () =>
        t(
          'Two people make sixty toys: cut, glue, paint, a second each. They finish first what is begun, toy by toy, and to clear the bench for another kind of work costs 2 s.',
        ),
      question: {
        ask: () => t('How much of their time do they really cut, glue and paint?'),
        choices: [
          { text: () => t('More than 80%'), fits: (was) => was > 80 },
          { text: () => t('About a half'), fits: (was) => was > 40 && was <= 80 },
          { text: () => t('About a third'), fits: (was) => was <= 40 },
        ],
      },
      task: () => t('Press Run.'),
      hint: () => t('Run is the red button at the top.'),
      solution: {},
      measure(evidence) {
        const run = workshop(evidence)
        return run?.scenario.batch.size === 1 ? inPercent(run.metrics.utilisation) : null
      },
      conclusion: (was) =>
        t('{was, number}%: each second of work is followed by two of clearing up. It takes 268 s; without any changes it would be 90 s.', { was }),
    },
    {
      text: () =>
        t('So do several toys of one kind before the bench is cleared. That is a batch: one worker takes so many jobs at once and reports them together.'),
      task: () => t('Choose a batch with which all is done within 110 s.'),
      hint: () => t('Batch stands in the panel Scenario, under Workers. Try 10, and press Run.'),
      solution: { edit: inBatches(10) },
      measure(evidence) {
        const run = workshop(evidence)
        return run !== null && run.metrics.makespan <= 110 * SECOND ? inSeconds(run.metrics.makespan) : null
      },
      conclusion: (was) => t('{was, number} s. A change is paid once a batch now, and not once a toy.', { was }),
    },
    {
      text: () => t('The fewer changes the better, then. What about all sixty toys in a single batch?'),
      question: {
        ask: () => t('When will everything be done?'),
        choices: [
          { text: () => t('After about 94 s: with only two changes'), fits: (was) => was < 100 },
          { text: () => t('After 100 to 150 s'), fits: (was) => was >= 100 && was < 150 },
          { text: () => t('After more than 180 s'), fits: (was) => was > 180 },
        ],
      },
      task: () => t('Set Batch to 60, and press Run.'),
      hint: () => t('In the panel Scenario, under Workers.'),
      solution: { edit: inBatches(60) },
      measure(evidence) {
        const run = workshop(evidence)
        return run !== null && (run.scenario.batch.size ?? 0) >= 60 ? inSeconds(run.metrics.makespan) : null
      },
      conclusion: (was) =>
        t(
          '{was, number} s: the whole heap is in one pair of hands, and the other worker has nothing to do at any time. A batch is also work that nobody else can take.',
          { was },
        ),
    },
    {
      text: () =>
        t(
          'With thirty it takes 94 s, the least there is; but then no toy is ready before the 94th second. A buyer looks at something else: how long a toy is under way on average.',
        ),
      task: () => t('Find a batch with which all is done within 110 s and a toy is under way for no more than 72 s on average.'),
      hint: () => t('Mean flow time stands in the panel Figures. With 30 it is 94 s. Try something near 10.'),
      solution: { edit: inBatches(10) },
      measure(evidence) {
        const run = workshop(evidence)
        const asked = run !== null && run.metrics.makespan <= 110 * SECOND && run.metrics.meanFlowTime <= 72 * SECOND
        return asked ? inSeconds(run.metrics.meanFlowTime) : null
      },
      conclusion: (was) =>
        t('{was, number} s on average. Small batches pay for changes, large ones let finished things wait for each other: the best lies between.', { was }),
    },
  ],
  closing: () =>
    t(
      'How many parts to make at once? Ford Whitman Harris asked that in 1913 and found that the best lot grows with the square root of what a change costs. Here it is the same balance, with time instead of money.',
    ),
}

/** Returns a run in which the two workers finished all sixty toys. */
function workshop(evidence: Evidence): MeasuredRun | null {
  const run = drainedRun(evidence)
  return run !== null && run.scenario.switchCost === 2 * SECOND && run.scenario.workers === 2 && run.metrics.jobs === 60 ? run : null
}
