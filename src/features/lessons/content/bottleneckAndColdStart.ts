import { t } from '../../../language/translate.ts'
import { rowTime, STARTED } from '../../../pipeline/rows.ts'
import { setOptions, setPolicy, setStage, setWorkers } from '../../../scenario/edit/edits.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { eachRow } from '../../../trace/trace.ts'
import {
  drainedRun,
  drainedWhere,
  type FinishedRun,
  inMilliseconds,
  inSeconds,
  type MeasuredRun,
  MS,
  measureOf,
  openDecision,
  SECOND,
  watchedRun,
} from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

/** Finds a run in which each of the three workers stays at one stage. */
const apart = drainedWhere(({ scenario }) => scenario.workers === 3 && scenario.policy.kind === 'onePerStage')

export const bottleneckLesson: Lesson = {
  key: 'bottleneck',
  title: 'The bottleneck',
  about: 'Where does work pile up, and does it help to be faster somewhere else?',
  initialScenario: () =>
    scenarioOf({
      title: t('Bakery'),
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
        (run) =>
          (run.metrics.stages.find(({ id }) => id === 'B')?.utilisation ?? 0) * 3 > 0.95 &&
          meanOf(run, 'A') === SECOND &&
          longestQueue(run),
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
      measure: measureOf(
        apart,
        (run) => meanOf(run, 'A') === SECOND / 2 && meanOf(run, 'B') === 3 * SECOND && inSeconds(run.metrics.makespan),
      ),
      conclusion:
        '{was, number} s: half a second earlier, saved on the very first loaf. Time saved anywhere but at the bottleneck does not shorten the run.',
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
      conclusion:
        '{was, number} workers. Most of the time three of them bake: one loaf a second means 3 s of baking in each second.',
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

export const coldStartLesson: Lesson = {
  key: 'cold-start',
  title: 'Cold start',
  about: 'A stage where no worker has worked yet: what should its estimate be?',
  initialScenario: () =>
    scenarioOf({
      title: t('Cold start'),
      stages: [
        stage('A', t('Fetch'), constant(5 * MS)),
        stage('B', t('Score'), constant(20 * MS)),
        stage('C', t('Save'), constant(5 * MS)),
      ],
      source: { kind: 'batch', jobs: 120 },
      workers: 4,
      policy: { kind: 'leastScore', lend: false },
      estimator: { kind: 'mean', prior: 'one' },
    }),
  steps: [
    {
      text: '120 jobs, four workers. Votes are jobs × time, but the scheduler knows only the times it has measured. Until a job has been scored, the estimate for Score is a microsecond; the actual time is 20 ms.',
      question: choiceOf(
        'When will the first job be scored?',
        ['At 5 ms: as soon as the first jobs are fetched', (was) => was < 10],
        ['At about 15 ms: as soon as a few more wait there', (was) => was >= 10 && was < 100],
        ['At 150 ms: when all 120 are fetched', (was) => was >= 100],
      ),
      ...pressRun,
      measure: measureOf(watchedRun, (run) => run.scenario.estimator.prior === 'one' && firstStart(run, 1)),
      conclusion:
        'At {was, number} ms. A hundred jobs of a microsecond have almost no votes. Score gets no worker until Fetch has no jobs left, and without a worker it is never measured.',
    },
    {
      text: 'You can read that in the decisions. While Fetch still works, jobs pile up at Score, and its votes stay close to zero.',
      task: 'Pause, and open a decision at which more than fifty jobs wait at Score and it has no seat.',
      hint: 'Move the playhead to 100 ms, for example. In the panel Decision a time that was never measured is in italics.',
      solution: { at: () => 100 * MS },
      measure: measureOf(
        (evidence) => openDecision(evidence)?.stages[1],
        (score) => score.waiting > 50 && score.seatsAfter === 0 && score.measured === 0 && score.waiting,
      ),
      conclusion:
        '{was, number} jobs × 0.001 ms = {votes, number} ms of votes; the panel shows 0. In fact they are {work, number} ms of work.',
      values: (was) => ({ votes: was / 1000, work: was * 20 }),
    },
    {
      text: 'It is better to estimate an unknown stage from the others: as its neighbours.',
      question: choiceOf(
        'When will the first job be scored now?',
        ['Before 50 ms', (was) => was < 50],
        ['Between 50 and 150 ms', (was) => was >= 50 && was < 150],
        ['At 150 ms, as before', (was) => was >= 150],
      ),
      task: 'In Settings, set Unmeasured to As its neighbours and press Run.',
      hint: 'Unmeasured is under Who works where. If the panel shows a stage, press the empty canvas first.',
      solution: { edit: (scenario) => setOptions(scenario, { estimator: { kind: 'mean', prior: 'neighbours' } }) },
      measure: measureOf(watchedRun, (run) => run.scenario.estimator.prior === 'neighbours' && firstStart(run, 1)),
      conclusion:
        'At {was, number} ms. One worker goes there and measures 20 ms. From then on Score has the votes that it should have.',
    },
    {
      text: 'So which prior is better? Look at two numbers: when the last job is done, and how long a job takes on average. With the microsecond they were 900 ms and 828 ms.',
      question: choiceOf(
        'What do you gain by starting early at Score?',
        ['The last job is done a third earlier', () => false],
        ['The average job is done a quarter earlier, the last one no earlier', (was) => was > 550 && was < 700],
        ['Nothing: the work is the same', (was) => was >= 800],
      ),
      task: 'Set Unmeasured to As declared, which tells the scheduler the true times from the start, and press Run. Then open Results.',
      hint: 'In Settings, under Who works where.',
      solution: { edit: (scenario) => setOptions(scenario, { estimator: { kind: 'mean', prior: 'declared' } }) },
      measure: measureOf(
        drainedRun,
        (run) => run.scenario.estimator.prior === 'declared' && inMilliseconds(run.metrics.meanFlowTime),
      ),
      conclusion:
        '{was, number} ms on average instead of 828, but the last job is done after 910 ms instead of 900: all workers were busy all the time in both runs. The difference is when the other jobs are done.',
    },
  ],
  closing:
    'A scheduler that relies on measurements must sometimes send a worker somewhere only to learn. Herbert Robbins asked the question in 1952 for slot machines: how long should one try, and when should one trust what one knows?',
}

/** Returns when the first job started at a stage, in milliseconds. */
function firstStart({ trace }: FinishedRun, stage: number): number | null {
  let first: number | null = null
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (first === null && rows.kind[i] === STARTED && rows.stage[i] === stage) first = rowTime(rows, i)
  })
  return first === null ? null : first / MS
}
