import { t } from '../../../language/translate.ts'
import { setOptions, setPolicy } from '../../../scenario/edit/edits.ts'
import { drainedWhere, inSeconds, type MeasuredRun, MS, makespanOf, measureOf } from './evidence.ts'
import { type Lesson, presetScenario, pressRun, rangeChoices, setAndRun } from './lesson.ts'

const isFactory = ({ metrics, scenario }: MeasuredRun) =>
  metrics.jobs === 200 && scenario.stages.every(({ work }) => work === 'burn')
const factory = drainedWhere(isFactory)
const oneCoreRun = drainedWhere((run) => isFactory(run) && run.scenario.cores === 1)

export const oneCoreLesson: Lesson = {
  key: 'one-core',
  title: 'When one core wins',
  about: 'Are four workers on one core faster than one worker that does everything?',
  initialScenario: () => presetScenario('single-wins', t('Cut'), t('Sew'), t('Iron'), t('Fold')),
  steps: [
    {
      text: 'Two hundred jobs go through four stages of 5 ms of processor work. There is one core, and one of four workers does everything.',
      ...pressRun,
      measure: measureOf(oneCoreRun, (run) => run.scenario.policy.kind === 'single' && makespanOf(run)),
      conclusion: '{was, number} s: 200 × 20 ms. Half of the jobs are done after 2 s.',
    },
    {
      text: 'Now all four work, one at each stage, on the same core. How long do the 200 jobs take?',
      question: rangeChoices('{n} s', 1.5, 3, 5),
      task: setAndRun(['Policy', 'One per stage']),
      solution: { edit: (scenario) => setPolicy(scenario, 'onePerStage') },
      measure: measureOf(
        oneCoreRun,
        (run) => run.scenario.workers === 4 && run.scenario.policy.kind === 'onePerStage' && makespanOf(run),
      ),
      conclusion: '{was, number} s: a core does a second of work in a second, however many workers share it.',
    },
    {
      text: 'Now the four go where work waits. With one worker half of the jobs were done after 2 s. When are they done now?',
      question: rangeChoices('{n} s', 2, 2.5),
      task: setAndRun(['Policy', 'Least total time']),
      solution: { edit: (scenario) => setPolicy(scenario, 'leastScore') },
      measure: measureOf(
        oneCoreRun,
        (run) =>
          run.scenario.workers === 4 && run.scenario.policy.kind === 'leastScore' && inSeconds(run.metrics.p50FlowTime),
      ),
      conclusion: 'After {was, number} s: many jobs are started before any is finished.',
    },
    {
      task: 'In Settings, give them enough cores to finish within 1.1 s.',
      solution: { edit: (scenario) => setOptions(scenario, { cores: 4 }) },
      measure: measureOf(
        factory,
        (run) => run.scenario.workers === 4 && run.metrics.makespan <= 1100 * MS && run.scenario.cores,
      ),
      conclusion: '{was, number} cores for four workers: a quarter of the time.',
    },
  ],
  source: 'McSherry, Isard and Murray, 2015',
}
