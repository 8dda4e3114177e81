import { t } from '../../../language/translate.ts'
import { setPolicy, setStage, setWorkers } from '../../../scenario/edit/edits.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedRun, drainedWhere, type MeasuredRun, makespanOf, measureOf, SECOND } from './evidence.ts'
import { choiceOf, type Lesson, rangeChoices, setAndRun } from './lesson.ts'

/** Finds a run in which each of the three workers stays at one stage. */
const apart = drainedWhere(({ scenario }) => scenario.workers === 3 && scenario.policy.kind === 'onePerStage')

export const bottleneckLesson: Lesson = {
  key: 'bottleneck',
  title: 'The bottleneck',
  about: 'Where does work pile up, and does it help to be faster elsewhere?',
  initialScenario: () =>
    scenarioOf({
      stages: [
        stage('A', t('Mix'), constant(SECOND)),
        stage('B', t('Bake'), constant(3 * SECOND)),
        stage('C', t('Pack'), constant(SECOND)),
      ],
      source: { kind: 'regular', rate: 1, jobs: 20 },
      workers: 3,
      policy: { kind: 'onePerStage', lend: false },
    }),
  steps: [
    {
      text: 'A loaf is ordered every second, twenty in all. Mixing takes 1 s, baking 3 s, packing 1 s, with one worker each. Where will loaves pile up?',
      question: choiceOf(
        ['Before Mix', (was) => was === 1],
        ['Before Bake', (was) => was === 2],
        ['Before Pack', (was) => was === 3],
      ),
      task: 'Press Run.',
      measure: measureOf(
        apart,
        (run) =>
          (run.metrics.stages.find(({ id }) => id === 'B')?.utilisation ?? 0) * 3 > 0.95 &&
          meanOf(run, 'A') === SECOND &&
          longestQueue(run),
      ),
      conclusion:
        'Up to 13 loaves wait before Bake, which is busy 97% of the time. The slowest stage sets the pace: it is the bottleneck.',
    },
    {
      text: 'The run took 62 s. How long does it take with a mixer that is twice as fast?',
      question: rangeChoices('{n} s', 45, 60),
      task: 'Press Mix on the canvas, set its time to 500 ms, and press Run.',
      solution: { edit: (scenario) => setStage(scenario, 'A', { service: constant(SECOND / 2) }) },
      measure: measureOf(
        apart,
        (run) => meanOf(run, 'A') === SECOND / 2 && meanOf(run, 'B') === 3 * SECOND && makespanOf(run),
      ),
      conclusion: '{was, number} s. Time saved elsewhere than at the bottleneck does not shorten the run.',
    },
    {
      task: 'With the policy Least total time, find the smallest number of workers that finishes within 25 s.',
      solution: { edit: (scenario) => setPolicy(setWorkers(scenario, 5), 'leastScore') },
      measure: measureOf(
        drainedRun,
        (run) =>
          run.scenario.policy.kind === 'leastScore' &&
          run.scenario.workers <= 5 &&
          meanOf(run, 'B') === 3 * SECOND &&
          run.metrics.makespan <= 25 * SECOND &&
          run.scenario.workers,
      ),
      conclusion: '{was, number} workers. Most of the time three of them bake.',
    },
    {
      text: 'Back to three workers, one at each stage: 20 loaves in 61.5 s, each 23.5 s in the bakery. How many loaves are in the bakery on average?',
      question: { unit: 'loaves', within: 0.5 },
      task: setAndRun(['Workers', '{n}', 3], ['Policy', 'One per stage']),
      hint: 'Loaves per second, times seconds in the bakery: 20 / 61.5 × 23.5.',
      solution: { edit: (scenario) => setPolicy(setWorkers(scenario, 3), 'onePerStage') },
      measure: measureOf(apart, (run) => Math.round(run.metrics.meanJobsInSystem * 10) / 10),
      conclusion: '{was, number} loaves: throughput times time in the system. This holds for every system.',
    },
  ],
  source: 'Goldratt, The Goal, 1984; Little, 1961',
}

function meanOf({ scenario }: MeasuredRun, id: string): number {
  const stage = scenario.stages.find((each) => each.id === id)
  return stage === undefined ? 0 : serviceMean(stage.service)
}

/** Returns the one-based number of the stage with the longest queue. */
function longestQueue({ metrics }: MeasuredRun): number {
  const queues = metrics.stages.map(({ maxQueue }) => maxQueue)
  return queues.indexOf(Math.max(...queues)) + 1
}
