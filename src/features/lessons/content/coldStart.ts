import { t } from '../../../language/translate.ts'
import { rowTime, STARTED } from '../../../pipeline/rows.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { eachRow } from '../../../trace/trace.ts'
import { drainedRun, type FinishedRun, inMilliseconds, MS, measureOf, openDecision, watchedRun } from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

export const coldStartLesson: Lesson = {
  key: 'cold-start',
  title: 'Cold start',
  about: 'A stage where no worker has worked yet: what should its estimate be?',
  initialScenario: () =>
    scenarioOf({
      title: t('Cold start'),
      stages: [stage('A', t('Fetch'), constant(5 * MS)), stage('B', t('Score'), constant(20 * MS)), stage('C', t('Save'), constant(5 * MS))],
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
      conclusion: '{was, number} jobs × 0.001 ms = {votes, number} ms of votes; the panel shows 0. In fact they are {work, number} ms of work.',
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
      conclusion: 'At {was, number} ms. One worker goes there and measures 20 ms. From then on Score has the votes that it should have.',
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
      measure: measureOf(drainedRun, (run) => run.scenario.estimator.prior === 'declared' && inMilliseconds(run.metrics.meanFlowTime)),
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
