import { t } from '../language/translate.ts'
import { rowTime, STARTED } from '../pipeline/rows.ts'
import { setOptions } from '../scenario/edit/edits.ts'
import { constant, preset, stage } from '../scenario/presets/preset.ts'
import { eachRow } from '../trace/trace.ts'
import { drainedRun, type FinishedRun, openDecision } from './evidence.ts'
import type { Lesson } from './lesson.ts'

const MS = 1000

export const coldStartLesson: Lesson = {
  key: 'cold-start',
  title: () => t('Cold start'),
  about: () => t('A stage at which nobody has worked yet: what should one believe that it costs?'),
  initialScenario: () =>
    preset('', t('Cold start'), '', {
      stages: [stage('A', t('Fetch'), constant(5 * MS)), stage('B', t('Score'), constant(20 * MS)), stage('C', t('Save'), constant(5 * MS))],
      source: { kind: 'batch', jobs: 120 },
      workers: 4,
      policy: { kind: 'leastScore', lend: false },
      estimator: { kind: 'mean', prior: 'one' },
    }).scenario,
  steps: [
    {
      text: () =>
        t(
          '120 jobs, four workers. Votes are jobs × time, but the scheduler knows times only from what it has measured. As long as nobody has scored a job, this one believes that it takes a microsecond; in truth it takes 20 ms.',
        ),
      question: {
        ask: () => t('When will the first job be scored?'),
        choices: [
          { text: () => t('At 5 ms: as soon as the first jobs are fetched'), fits: (was) => was < 10 },
          { text: () => t('At about 15 ms: as soon as some more wait there'), fits: (was) => was >= 10 && was < 100 },
          { text: () => t('At 150 ms: when all 120 are fetched'), fits: (was) => was >= 100 },
        ],
      },
      task: () => t('Press Run.'),
      hint: () => t('Run is the red button at the top.'),
      solution: {},
      measure: ({ run }) => (run !== null && run.scenario.estimator.prior === 'one' ? firstStart(run, 1) : null),
      conclusion: (was) =>
        t(
          'At {was, number} ms. A microsecond times a hundred jobs is next to no votes: Score gets nobody until Fetch has nothing left, so nobody ever measures it.',
          { was },
        ),
    },
    {
      text: () => t('That one can read. While Fetch still works, jobs heap up at Score, and its votes stay next to nothing.'),
      task: () => t('Pause, and open a decision at which more than fifty jobs wait at Score and it has no seat.'),
      hint: () => t('Put the playhead on 100 ms, say. In the panel Decision a time that was never measured is set in italics.'),
      solution: { at: () => 100 * MS },
      measure(evidence) {
        const score = openDecision(evidence)?.stages[1]
        return score !== undefined && score.waiting > 50 && score.seatsAfter === 0 && score.measured === 0 ? score.waiting : null
      },
      conclusion: (was) =>
        t('{was, number} jobs × 1 µs = {was, number} µs of votes. They are worth {seconds, number} s of work.', { was, seconds: (was * 20) / 1000 }),
    },
    {
      text: () => t('Better to believe of an unknown stage what is known of the others: as its neighbours.'),
      question: {
        ask: () => t('When will the first job be scored now?'),
        choices: [
          { text: () => t('Before 50 ms'), fits: (was) => was < 50 },
          { text: () => t('Between 50 and 150 ms'), fits: (was) => was >= 50 && was < 150 },
          { text: () => t('At 150 ms, as before'), fits: (was) => was >= 150 },
        ],
      },
      task: () => t('In the panel Scenario set Unmeasured to As its neighbours, and press Run.'),
      hint: () => t('Unmeasured stands under Who works where. If the panel shows a stage, press the ground of the canvas first.'),
      solution: { edit: (scenario) => setOptions(scenario, { estimator: { kind: 'mean', prior: 'neighbours' } }) },
      measure: ({ run }) => (run !== null && run.scenario.estimator.prior === 'neighbours' ? firstStart(run, 1) : null),
      conclusion: (was) => t('At {was, number} ms. One worker is sent there, measures 20 ms, and from then on Score has the votes that are its due.', { was }),
    },
    {
      text: () =>
        t(
          'Which prior is the better one, then? Look at two numbers: when the last job is out, and how long a job is under way on average. With the microsecond they were 900 ms and 828 ms.',
        ),
      question: {
        ask: () => t('What does it bring to begin early at Score?'),
        choices: [
          { text: () => t('The last job is out a third earlier'), fits: () => false },
          { text: () => t('The average job is out a quarter earlier, the last one no earlier'), fits: (was) => was > 550 && was < 700 },
          { text: () => t('Nothing: the work is the same'), fits: (was) => was >= 800 },
        ],
      },
      task: () => t('Set Unmeasured to As declared, which tells the scheduler the truth from the start, and press Run. Then open the panel Figures.'),
      hint: () => t('In the panel Scenario, under Who works where.'),
      solution: { edit: (scenario) => setOptions(scenario, { estimator: { kind: 'mean', prior: 'declared' } }) },
      measure(evidence) {
        const run = drainedRun(evidence)
        return run !== null && run.scenario.estimator.prior === 'declared' ? Math.round(run.metrics.meanFlowTime / MS) : null
      },
      conclusion: (was) =>
        t(
          '{was, number} ms on average instead of 828, but the last job is out after 910 ms instead of 900: all hands were busy all the time either way. What was lost is when jobs come out.',
          { was },
        ),
    },
  ],
  closing: () =>
    t(
      'Whoever decides by what is measured must sometimes work where nothing is known, only to learn. Herbert Robbins put the question in 1952 for slot machines: how long to try, and when to trust what one knows?',
    ),
}

/** Returns when the first job started at a stage, in milliseconds. */
function firstStart({ trace }: FinishedRun, stage: number): number | null {
  let first: number | null = null
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (first === null && rows.kind[i] === STARTED && rows.stage[i] === stage) first = rowTime(rows, i)
  })
  return first === null ? null : first / MS
}
