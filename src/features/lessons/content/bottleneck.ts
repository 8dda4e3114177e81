import { t } from '../../../language/translate.ts'
import { setPolicy, setStage, setWorkers } from '../../../scenario/edit/edits.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedRun, drainedWhere, inSeconds, type MeasuredRun, measureOf, SECOND } from './evidence.ts'
import { choiceOf, type Lesson } from './lesson.ts'

/** Finds a run in which each of the three workers stays at one stage. */
const apart = drainedWhere(({ scenario }) => scenario.workers === 3 && scenario.policy.kind === 'onePerStage')

export const bottleneckLesson: Lesson = {
  key: 'bottleneck',
  title: 'The bottleneck',
  about: 'Where does work pile up, and does it help to be faster somewhere else?',
  initialScenario: () =>
    scenarioOf({
      title: t('Bakery'),
      stages: [stage('A', t('Mix'), constant(SECOND)), stage('B', t('Bake'), constant(3 * SECOND)), stage('C', t('Pack'), constant(SECOND))],
      source: { kind: 'regular', rate: 1, jobs: 20 },
      workers: 3,
      policy: { kind: 'onePerStage', lend: false },
    }),
  steps: [
    {
      text: 'Every second a loaf is ordered, twenty in all. Mixing takes 1 s, baking 3 s, packing 1 s, and each place has one worker.',
      question: choiceOf(
        'Where will loaves pile up?',
        ['Before Mix: everything begins there', (was) => was === 1],
        ['Before Bake', (was) => was === 2],
        ['Before Pack: everything ends there', (was) => was === 3],
      ),
      task: 'Press Run, and watch the three queues.',
      hint: 'Run is the red button at the top.',
      measure: measureOf(
        apart,
        (run) => (run.metrics.stages.find(({ id }) => id === 'B')?.utilisation ?? 0) * 3 > 0.95 && meanOf(run, 'A') === SECOND && longestQueue(run),
      ),
      conclusion:
        'Up to 13 loaves wait before Bake, which is busy 97% of the time; Mix and Pack are busy 32%. The slowest place sets the pace for all: it is the bottleneck.',
    },
    {
      text: 'Everything took 62 s. Somebody buys a mixer that is twice as fast.',
      question: choiceOf(
        'When will the twenty loaves be ready?',
        ['After about 41 s: a third less', (was) => was < 45],
        ['After about 52 s: 10 s less, half a second a loaf', (was) => was > 45 && was < 60],
        ['Hardly earlier', (was) => was >= 60],
      ),
      task: 'Press Mix on the canvas, set its time to 500 ms, and press Run.',
      hint: 'The form that opens beside the canvas has the field for the time.',
      solution: { edit: (scenario) => setStage(scenario, 'A', { service: constant(SECOND / 2) }) },
      measure: measureOf(apart, (run) => meanOf(run, 'A') === SECOND / 2 && meanOf(run, 'B') === 3 * SECOND && inSeconds(run.metrics.makespan)),
      conclusion: '{was, number} s: half a second earlier, saved on the very first loaf. Time saved anywhere but at the bottleneck does not shorten the run.',
    },
    {
      text: 'So workers are needed at Bake. Let them go where work waits, and hire only as many as you need.',
      task: 'With the policy Least total time, find the smallest number of workers that finishes everything within 25 s.',
      hint: 'Set Policy and Workers at the top, press Run, and read the line that begins with Finished. Twenty loaves are 90 s of work, so fewer than four workers cannot do it.',
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
      conclusion: '{was, number} workers. Most of the time three of them bake: one loaf a second means 3 s of baking in each second.',
    },
    {
      text: 'Back to three workers, one at each place: 20 loaves in 61.5 s, and a loaf is in the bakery for 23.5 s. The average number of loaves in the bakery follows from these numbers alone.',
      question: { ask: 'How many loaves are in the bakery, on average over time?', unit: 'loaves', within: 0.5 },
      task: 'Set Workers to 3 and Policy to One per stage, and press Run.',
      hint: 'Loaves per second, times seconds in the bakery: 20 / 61.5 × 23.5.',
      solution: { edit: (scenario) => setPolicy(setWorkers(scenario, 3), 'onePerStage') },
      measure: measureOf(apart, (run) => Math.round(run.metrics.meanJobsInSystem * 10) / 10),
      conclusion:
        '{was, number} loaves: throughput times time in the bakery. This holds for every system, wherever the workers are; Results shows all three numbers.',
    },
  ],
  closing:
    'The slowest place sets the pace; being faster elsewhere gains nothing. Eliyahu Goldratt wrote a novel about it in 1984 (The Goal). John Little proved in 1961 that jobs in the system = throughput × time in the system.',
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
