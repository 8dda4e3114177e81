import { t } from '../../../language/translate.ts'
import { setOptions, setPolicy } from '../../../scenario/edit/edits.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, inSeconds, type MeasuredRun, MS, measureOf } from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

const isFactory = ({ metrics, scenario }: MeasuredRun) => metrics.jobs === 200 && scenario.stages.every(({ work }) => work === 'burn')
const factory = drainedWhere(isFactory)
const oneCoreRun = drainedWhere((run) => isFactory(run) && run.scenario.cores === 1)

export const oneCoreLesson: Lesson = {
  key: 'one-core',
  title: 'When one core wins',
  about: 'Four workers on one core: are they faster than one worker that does everything?',
  initialScenario: () =>
    scenarioOf({
      title: t('One core'),
      stages: [t('Cut'), t('Sew'), t('Iron'), t('Fold')].map((name, s) => stage('ABCD'[s], name, constant(5 * MS), 'burn')),
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
      measure: measureOf(oneCoreRun, (run) => run.scenario.workers === 4 && run.scenario.policy.kind === 'onePerStage' && inSeconds(run.metrics.makespan)),
      conclusion: '{was, number} s: a core does a second of work in a second, however many workers share it. Each of the four is four times as slow.',
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
      measure: measureOf(oneCoreRun, (run) => run.scenario.workers === 4 && run.scenario.policy.kind === 'leastScore' && inSeconds(run.metrics.p50FlowTime)),
      conclusion: 'After {was, number} s. Many jobs are started before any is finished; the single worker never had more than one unfinished job.',
    },
    {
      text: 'Four workers pay off as soon as there are cores for them.',
      task: 'In Settings, give them enough cores to finish within 1.1 s.',
      hint: 'Cores is in Settings, under Workers.',
      solution: { edit: (scenario) => setOptions(scenario, { cores: 4 }) },
      measure: measureOf(factory, (run) => run.scenario.workers === 4 && run.metrics.makespan <= 1100 * MS && run.scenario.cores),
      conclusion: '{was, number} cores for four workers: a quarter of the time. More cores make the work faster; more workers alone do not.',
    },
  ],
  closing:
    'So compare every parallel design with one worker that does it all. Frank McSherry, Michael Isard and Derek Murray did so in 2015 (Scalability! But at what COST?) and found large systems that were slower than a single thread. Ronald Graham showed in 1966 that more machines can even take longer.',
}
