import { t } from '../language/translate.ts'
import { setPolicy, setService, setWorkers } from '../scenario/edit/edits.ts'
import { serviceMean } from '../scenario/model/serviceMean.ts'
import { constant, preset, stage } from '../scenario/presets/preset.ts'
import { busyWorkersAt, drainedRun, inSeconds, type MeasuredRun } from './evidence.ts'
import type { Lesson } from './lesson.ts'

const SECOND = 1_000_000

export const bottleneckLesson: Lesson = {
  key: 'bottleneck',
  title: () => t('The bottleneck'),
  about: () => t('Where does work pile up, and what is it worth to be quicker somewhere else?'),
  initialScenario: () =>
    preset('', t('Bakery'), '', {
      stages: [stage('A', t('Mix'), constant(SECOND)), stage('B', t('Bake'), constant(3 * SECOND)), stage('C', t('Pack'), constant(SECOND))],
      source: { kind: 'regular', rate: 1, jobs: 20 },
      workers: 3,
      policy: { kind: 'onePerStage', lend: false },
    }).scenario,
  steps: [
    {
      text: () => t('Every second a loaf is ordered, twenty in all. Mixing takes 1 s, baking 3 s, packing 1 s, and each place has one worker.'),
      question: {
        ask: () => t('Where will loaves pile up?'),
        choices: [
          { text: () => t('Before Mix: everything begins there'), fits: (was) => was === 1 },
          { text: () => t('Before Bake'), fits: (was) => was === 2 },
          { text: () => t('Before Pack: everything ends there'), fits: (was) => was === 3 },
        ],
      },
      task: () => t('Press Run, and watch the three queues.'),
      hint: () => t('Run is the red button at the top.'),
      solution: {},
      measure(evidence) {
        const run = apart(drainedRun(evidence))
        return run !== null && busyWorkersAt(run, 'B') > 0.95 && meanOf(run, 'A') === SECOND ? longestQueue(run) : null
      },
      conclusion: () =>
        t(
          'Up to 13 loaves wait before Bake, which is busy 97% of the time; Mix and Pack are busy 32%. The slowest place sets the pace of all: that is the bottleneck.',
        ),
    },
    {
      text: () => t('Everything took 62 seconds. Somebody buys a mixer twice as fast.'),
      question: {
        ask: () => t('When will the twenty loaves be ready?'),
        choices: [
          { text: () => t('After about 41 s: a third less'), fits: (was) => was < 45 },
          { text: () => t('After about 52 s: 10 s less, half a second a loaf'), fits: (was) => was > 45 && was < 60 },
          { text: () => t('Hardly earlier'), fits: (was) => was >= 60 },
        ],
      },
      task: () => t('Press Mix on the canvas, set its time to 0.5 s, and press Run.'),
      hint: () => t('The time stands in the form that opens beside the picture: 500 ms.'),
      solution: { edit: (scenario) => setService(scenario, 'A', constant(SECOND / 2)) },
      measure(evidence) {
        const run = apart(drainedRun(evidence))
        return run !== null && meanOf(run, 'A') === SECOND / 2 && meanOf(run, 'B') === 3 * SECOND ? inSeconds(run.metrics.makespan) : null
      },
      conclusion: (was) =>
        t('{was, number} s: half a second earlier, by the very first loaf. An hour saved where it is not the bottleneck is no hour saved.', { was }),
    },
    {
      text: () => t('So hands are needed at Bake. Let the workers go where work waits, and hire only as many as it takes.'),
      task: () => t('With Policy Least total time, find the fewest workers with whom all is done within 25 s.'),
      hint: () =>
        t(
          'Set Policy and Workers at the top, press Run, and read the line that begins with Finished. Twenty loaves are 90 s of work: fewer than four cannot do it.',
        ),
      solution: { edit: (scenario) => setPolicy(setWorkers(scenario, 5), 'leastScore') },
      measure(evidence) {
        const run = drainedRun(evidence)
        const asked = run !== null && run.scenario.policy.kind === 'leastScore' && run.scenario.workers <= 5 && meanOf(run, 'B') === 3 * SECOND
        return asked && run.metrics.makespan <= 25 * SECOND ? run.scenario.workers : null
      },
      conclusion: (was) => t('{was, number} workers. Most of the time three of them bake: one loaf a second is 3 s of baking in each second.', { was }),
    },
    {
      text: () =>
        t(
          'Back to three workers, one at each place: 20 loaves in 61.5 s, and a loaf is 23.5 s in the house. How many are in the house on average follows from these numbers alone.',
        ),
      question: { ask: () => t('How many loaves are in the house, on average over time?'), unit: () => t('loaves'), within: 0.5 },
      task: () => t('Set Workers to 3 and Policy to One per stage, and press Run.'),
      hint: () => t('Loaves per second, times seconds in the house: 20 / 61.5 × 23.5.'),
      solution: { edit: (scenario) => setPolicy(setWorkers(scenario, 3), 'onePerStage') },
      measure(evidence) {
        const run = apart(drainedRun(evidence))
        return run === null ? null : Math.round(run.metrics.meanJobsInSystem * 10) / 10
      },
      conclusion: (was) =>
        t('{was, number} loaves: throughput times time in the house. It holds for any shop, whoever works where; Figures shows all three numbers.', { was }),
    },
  ],
  closing: () =>
    t(
      'The slowest place sets the pace; quicker elsewhere buys nothing. Eliyahu Goldratt made a novel of it in 1984 (The Goal). That jobs in the house = throughput × time in the house was proved by John Little in 1961.',
    ),
}

/** Returns the run if its three workers each keep to one stage. */
function apart(run: MeasuredRun | null): MeasuredRun | null {
  return run !== null && run.scenario.workers === 3 && run.scenario.policy.kind === 'onePerStage' ? run : null
}

function meanOf({ scenario }: MeasuredRun, id: string): number {
  const stage = scenario.stages.find((each) => each.id === id)
  return stage === undefined ? 0 : serviceMean(stage.service)
}

/** Returns the number, from 1, of the stage with the longest queue. */
function longestQueue({ metrics: figures }: MeasuredRun): number {
  const queues = figures.stages.map(({ maxQueue }) => maxQueue)
  return queues.indexOf(Math.max(...queues)) + 1
}
