import { t } from '../../../language/translate.ts'
import { setPolicy, setSource, setWorkers } from '../../../scenario/edit/edits.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import {
  drainedRun,
  drainedWhere,
  evidenceFrame,
  inPercent,
  inSeconds,
  makespanOf,
  measureOf,
  SECOND,
} from './evidence.ts'
import { choiceOf, type Lesson, numberChoices, setAndRun, tryValue } from './lesson.ts'

/** Finds a run in which each of the three stays at one place. */
const apart = drainedWhere(({ scenario }) => scenario.workers === 3 && scenario.policy.kind === 'onePerStage')

export const whyAPipelineLesson: Lesson = {
  key: 'why-a-pipeline',
  title: 'Why a pipeline at all?',
  about: 'What is gained when each of three people stays at one place?',
  initialScenario: () =>
    scenarioOf({
      stages: [
        stage('A', t('Wash'), constant(SECOND)),
        stage('B', t('Dry'), constant(SECOND)),
        stage('C', t('Fold'), constant(SECOND)),
      ],
      source: { kind: 'batch', jobs: 6 },
      workers: 1,
      policy: { kind: 'single', lend: false },
    }),
  steps: [
    {
      text: 'Six loads of laundry are washed, dried and folded, a second each. One person does it all, load by load.',
      task: 'Press Run.',
      measure: measureOf(
        drainedRun,
        (run) => run.scenario.workers === 1 && jobsOf(run.scenario.source) === 6 && makespanOf(run),
      ),
      conclusion: '{was, number} s: six loads of 3 s each.',
    },
    {
      text: 'Now one person washes, one dries and one folds. How long do six loads take?',
      question: numberChoices('{n} s', 18, 9, 8, 6),
      task: setAndRun(['Workers', '{n}', 3], ['Policy', 'One per stage']),
      solution: { edit: (scenario) => setPolicy(setWorkers(scenario, 3), 'onePerStage') },
      measure: measureOf(
        apart,
        ({ scenario, metrics }) => jobsOf(scenario.source) === 6 && inSeconds(metrics.makespan),
      ),
      conclusion: '{was, number} s. The first load takes 3 s. After that one is finished every second.',
    },
    {
      text: 'Three times as fast would have been 6 s. Where did the other 2 s go?',
      task: 'Pause, and move the playhead to a moment at which all three are at work.',
      hint: tryValue('{n} s', 3),
      solution: { at: () => 3 * SECOND },
      measure: measureOf(
        (evidence) => evidence.run?.scenario.workers === 3 && evidenceFrame(evidence),
        ({ workers, time }) => workers.every(({ status }) => status === 'busy') && inSeconds(time),
      ),
      conclusion:
        'At {was, number} s all three work. At the start and at the end some have no load: filling and draining take 2 s.',
    },
    {
      task: 'Press the circle where jobs come in and set Jobs higher, until the three are busy more than 95% of the time.',
      hint: tryValue('{n}', 60),
      solution: { edit: (scenario) => setSource(scenario, { kind: 'batch', jobs: 60 }) },
      measure: measureOf(apart, ({ metrics }) => metrics.utilisation > 0.95 && inPercent(metrics.utilisation)),
      conclusion: 'Busy {was, number}% of the time: with many loads little time is lost.',
    },
    {
      text: 'Now every worker goes where work waits. How much of the time will the three be busy?',
      question: choiceOf(
        ['Less than before', (was) => was < 95],
        ['All of it', (was) => was >= 100],
        ['As much as before', (was) => was >= 95 && was < 100],
      ),
      task: setAndRun(['Policy', 'Least total time']),
      solution: { edit: (scenario) => setPolicy(scenario, 'leastScore') },
      measure: measureOf(
        drainedRun,
        (run) =>
          run.scenario.policy.kind === 'leastScore' && run.scenario.workers === 3 && inPercent(run.metrics.utilisation),
      ),
      conclusion: '{was, number}%: at first all three wash, at the end all three fold.',
    },
  ],
  source: 'Smith, The Wealth of Nations, 1776',
}

function jobsOf(source: { readonly kind: string; readonly jobs?: number | null }): number {
  return source.jobs ?? 0
}
