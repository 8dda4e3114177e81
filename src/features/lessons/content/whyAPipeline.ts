import { t } from '../../../language/translate.ts'
import { setOptions, setPolicy, setSource, setWorkers } from '../../../scenario/edit/edits.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import {
  drainedRun,
  drainedWhere,
  evidenceFrame,
  inPercent,
  inSeconds,
  type MeasuredRun,
  MS,
  measureOf,
  SECOND,
} from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

/** Finds a run in which each of the three stays at one place. */
const apart = drainedWhere(({ scenario }) => scenario.workers === 3 && scenario.policy.kind === 'onePerStage')

export const whyAPipelineLesson: Lesson = {
  key: 'why-a-pipeline',
  title: 'Why a pipeline at all?',
  about: 'Three people and six loads of laundry: what is gained when each person stays at one place?',
  initialScenario: () =>
    scenarioOf({
      title: t('Laundry'),
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
      text: 'Six loads of laundry have to be washed, dried and folded; each takes a second at each place. One person does it all, load by load.',
      task: 'Press Run and watch one person at work.',
      hint: 'Run is the red button at the top; Ctrl+Enter does the same.',
      measure: measureOf(
        drainedRun,
        (run) => run.scenario.workers === 1 && jobsOf(run.scenario.source) === 6 && inSeconds(run.metrics.makespan),
      ),
      conclusion:
        '{was, number} s: six loads of 3 s each. At any time one place is in use, and the other two are idle.',
    },
    {
      text: 'Now three people, each with a place of their own: one washes, one dries, one folds. A load still takes 3 s.',
      question: choiceOf(
        'How long do six loads take?',
        ['18 s', (was) => was === 18],
        ['9 s', (was) => was === 9],
        ['8 s', (was) => was === 8],
        ['6 s', (was) => was === 6],
      ),
      task: 'Set Workers to 3 and Policy to One per stage, and press Run.',
      hint: 'Both fields are at the top of the page.',
      solution: { edit: (scenario) => setPolicy(setWorkers(scenario, 3), 'onePerStage') },
      measure: measureOf(
        apart,
        ({ scenario, metrics }) => jobsOf(scenario.source) === 6 && inSeconds(metrics.makespan),
      ),
      conclusion:
        '{was, number} s. The first load takes 3 s. After that one load is finished every second, and there are five more.',
    },
    {
      text: 'Three times as fast would have been 6 s. Where did the other 2 s go?',
      task: 'Pause, and move the playhead to a moment at which all three are at work.',
      hint: 'Drag the playhead along the coloured lanes below: three of them side by side are three people at work, from 2 s to 6 s.',
      solution: { at: () => 3 * SECOND },
      measure: measureOf(
        (evidence) => evidence.run?.scenario.workers === 3 && evidenceFrame(evidence),
        ({ workers, time }) => workers.every(({ status }) => status === 'busy') && inSeconds(time),
      ),
      conclusion:
        'At {was, number} s all three work. At first the dryer and the folder wait for a load, at the end the washer has none left: filling and draining take 2 s.',
    },
    {
      text: 'A pipeline is filled and drained once, however many loads go through it.',
      task: 'Press the circle where jobs come in and set Jobs higher, until the three are busy more than 95% of the time.',
      hint: 'With n loads it takes n + 2 seconds, so they are busy for n of n + 2 seconds. Try 60 jobs, and press Run.',
      solution: { edit: (scenario) => setSource(scenario, { kind: 'batch', jobs: 60 }) },
      measure: measureOf(apart, ({ metrics }) => metrics.utilisation > 0.95 && inPercent(metrics.utilisation)),
      conclusion: 'Busy {was, number}% of the time: with many loads almost no time is lost to filling and draining.',
    },
    {
      text: 'So far no worker helps at another place. Let every worker go where work waits: that is what the other policies are for.',
      question: choiceOf(
        'How much of the time will the three be busy?',
        ['Less: they get in each other’s way', (was) => was < 95],
        ['All of it', (was) => was >= 100],
        ['As much as before', (was) => was >= 95 && was < 100],
      ),
      task: 'Set Policy to Least total time, and press Run.',
      hint: 'Policy is at the top of the page.',
      solution: { edit: (scenario) => setPolicy(scenario, 'leastScore') },
      measure: measureOf(
        drainedRun,
        (run) =>
          run.scenario.policy.kind === 'leastScore' && run.scenario.workers === 3 && inPercent(run.metrics.utilisation),
      ),
      conclusion:
        '{was, number}%: at first all three wash, at the end all three fold. Who should work where right now? That is the question of this page.',
    },
  ],
  closing:
    'A pipeline does not make one load faster; it works on several loads at once. And a person who stays at one place does not have to change tools: in 1776 Adam Smith counted that time among the gains from the division of labour, in a pin factory.',
}

function jobsOf(source: { readonly kind: string; readonly jobs?: number | null }): number {
  return source.jobs ?? 0
}

const isFactory = ({ metrics, scenario }: MeasuredRun) =>
  metrics.jobs === 200 && scenario.stages.every(({ work }) => work === 'burn')
const factory = drainedWhere(isFactory)
const oneCoreRun = drainedWhere((run) => isFactory(run) && run.scenario.cores === 1)

export const oneCoreLesson: Lesson = {
  key: 'one-core',
  title: 'When one core wins',
  about: 'Four workers on one core: are they faster than one worker that does everything?',
  initialScenario: () =>
    scenarioOf({
      title: t('One core'),
      stages: [t('Cut'), t('Sew'), t('Iron'), t('Fold')].map((name, s) =>
        stage('ABCD'[s], name, constant(5 * MS), 'burn'),
      ),
      source: { kind: 'batch', jobs: 200 },
      workers: 4,
      cores: 1,
      policy: { kind: 'single', lend: false },
    }),
  steps: [
    {
      text: 'Two hundred jobs go through four stages of 5 ms, all of it processor work. There are four workers on one core, but one of them carries each job to its end, and the others are idle.',
      ...pressRun,
      measure: measureOf(oneCoreRun, (run) => run.scenario.policy.kind === 'single' && inSeconds(run.metrics.makespan)),
      conclusion: '{was, number} s: 200 × 20 ms. Half of the jobs are done after 2 s, one every 20 ms.',
    },
    {
      text: 'Now all four work, one at each stage, on the same single core: a pipeline of threads.',
      question: choiceOf(
        'How long will the 200 jobs take?',
        ['1 s: four workers, a quarter of the time', (was) => was < 1.5],
        ['2 s', (was) => was >= 1.5 && was < 3],
        ['4 s, as before', (was) => was >= 3 && was < 4.5],
        ['More than 5 s: they slow each other down', (was) => was > 5],
      ),
      task: 'Set Policy to One per stage, and press Run.',
      hint: 'Policy is at the top of the page.',
      solution: { edit: (scenario) => setPolicy(scenario, 'onePerStage') },
      measure: measureOf(
        oneCoreRun,
        (run) =>
          run.scenario.workers === 4 && run.scenario.policy.kind === 'onePerStage' && inSeconds(run.metrics.makespan),
      ),
      conclusion:
        '{was, number} s: a core does a second of work in a second, however many workers share it. Each of the four is four times as slow.',
    },
    {
      text: 'No gain, but no harm either? Let the four go where work waits, and look at when half of the jobs are done. With one worker it was after 2 s.',
      question: choiceOf(
        'Under Least total time, when are half of them done?',
        ['Before 2 s', (was) => was < 1.95],
        ['After 2 s', (was) => was >= 1.95 && was < 2.1],
        ['Much later', (was) => was >= 2.5],
      ),
      task: 'Set Policy to Least total time, and press Run.',
      hint: 'Policy is at the top of the page. Cores stay at 1.',
      solution: { edit: (scenario) => setPolicy(scenario, 'leastScore') },
      measure: measureOf(
        oneCoreRun,
        (run) =>
          run.scenario.workers === 4 && run.scenario.policy.kind === 'leastScore' && inSeconds(run.metrics.p50FlowTime),
      ),
      conclusion:
        'After {was, number} s. Many jobs are started before any is finished; the single worker never had more than one unfinished job.',
    },
    {
      text: 'Four workers pay off as soon as there are cores for them.',
      task: 'In Settings, give them enough cores to finish within 1.1 s.',
      hint: 'Cores is in Settings, under Workers.',
      solution: { edit: (scenario) => setOptions(scenario, { cores: 4 }) },
      measure: measureOf(
        factory,
        (run) => run.scenario.workers === 4 && run.metrics.makespan <= 1100 * MS && run.scenario.cores,
      ),
      conclusion:
        '{was, number} cores for four workers: a quarter of the time. More cores make the work faster; more workers alone do not.',
    },
  ],
  closing:
    'So compare every parallel design with one worker that does it all. Frank McSherry, Michael Isard and Derek Murray did so in 2015 (Scalability! But at what COST?) and found large systems that were slower than a single thread. Ronald Graham showed in 1966 that more machines can even take longer.',
}
