import { t } from '../../../language/translate.ts'
import { rowTime, STARTED } from '../../../pipeline/rows.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { eachRow } from '../../../trace/trace.ts'
import { drainedRun, type FinishedRun, inMilliseconds, MS, measureOf, openDecision, watchedRun } from './evidence.ts'
import { choiceOf, type Lesson, pressRun, rangeChoices, setAndRun, tryValue } from './lesson.ts'

export const coldStartLesson: Lesson = {
  key: 'cold-start',
  title: 'Cold start',
  about: 'What should be the estimate of a stage where no worker has worked yet?',
  initialScenario: () =>
    scenarioOf({
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
      text: '120 jobs, four workers. Until a job has been scored, the estimate for Score is a microsecond; the actual time is 20 ms. When will the first job be scored?',
      question: rangeChoices('{n} ms', 10, 100),
      ...pressRun,
      measure: measureOf(watchedRun, (run) => run.scenario.estimator.prior === 'one' && firstStart(run, 1)),
      conclusion:
        'At {was, number} ms. With this estimate Score has almost no votes, so it gets no worker and is never measured.',
    },
    {
      task: 'Pause, and open a decision at which more than fifty jobs wait at Score and it has no seat.',
      hint: tryValue('{n} ms', 100),
      solution: { at: () => 100 * MS },
      measure: measureOf(
        (evidence) => openDecision(evidence)?.stages[1],
        (score) => score.waiting > 50 && score.seatsAfter === 0 && score.measured === 0 && score.waiting,
      ),
      conclusion:
        '{was, number} jobs × 0.001 ms = {votes, number} ms of votes. In fact they are {work, number} ms of work.',
      values: (was) => ({ votes: was / 1000, work: was * 20 }),
    },
    {
      text: 'It is better to estimate an unknown stage from its neighbours. When will the first job be scored now?',
      question: rangeChoices('{n} ms', 50, 150),
      task: setAndRun(['Unmeasured', 'As its neighbours']),
      solution: { edit: (scenario) => setOptions(scenario, { estimator: { kind: 'mean', prior: 'neighbours' } }) },
      measure: measureOf(watchedRun, (run) => run.scenario.estimator.prior === 'neighbours' && firstStart(run, 1)),
      conclusion: 'At {was, number} ms. One worker goes there and measures 20 ms.',
    },
    {
      text: 'With the microsecond, the run took 900 ms and a job 828 ms on average. What do you gain by an early start at Score?',
      question: choiceOf(
        ['The last job is done earlier', () => false],
        ['Only the average job is done earlier', (was) => was > 550 && was < 700],
        ['Nothing', (was) => was >= 800],
      ),
      task: setAndRun(['Unmeasured', 'As declared']),
      solution: { edit: (scenario) => setOptions(scenario, { estimator: { kind: 'mean', prior: 'declared' } }) },
      measure: measureOf(
        drainedRun,
        (run) => run.scenario.estimator.prior === 'declared' && inMilliseconds(run.metrics.meanFlowTime),
      ),
      conclusion: '{was, number} ms on average instead of 828, but the run took 910 ms.',
    },
  ],
  source: 'Robbins, 1952',
}

/** Returns when the first job started at a stage, in milliseconds. */
function firstStart({ trace }: FinishedRun, stage: number): number | null {
  let first: number | null = null
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (first === null && rows.kind[i] === STARTED && rows.stage[i] === stage) first = rowTime(rows, i)
  })
  return first === null ? null : first / MS
}
