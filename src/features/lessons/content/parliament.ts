import { t } from '../../../language/translate.ts'
import { setWorkers } from '../../../scenario/edit/edits.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { measureOf, openDecision, SECOND } from './evidence.ts'
import { type Lesson, moveTo, type Step, tryValue } from './lesson.ts'

export const parliamentLesson: Lesson = {
  key: 'parliament',
  title: 'Seats as a parliament',
  about: 'How are six seats shared among three stages?',
  initialScenario: () =>
    scenarioOf({
      stages: [
        stage('A', t('Scan'), constant(SECOND)),
        stage('B', t('Sort'), constant(2 * SECOND)),
        stage('C', t('File'), constant(SECOND)),
      ],
      source: { kind: 'batch', jobs: 12 },
      workers: 6,
      estimator: { kind: 'mean', prior: 'declared' },
    }),
  steps: [
    {
      text: 'Votes are the work that waits: letters × service time. At 1.000 s, Scan has 6,000 ms of votes and Sort has 12,000 ms. How many of the six workers does Sort get?',
      question: { unit: 'seats', within: 0 },
      task: 'Press Run, pause, and move the playhead to 1.000 s. See the panel Decision.',
      solution: { at: () => SECOND },
      measure: seatsWhere(6, [6, 6, 0], 1),
      conclusion: '{was, number} of six: twice the votes, twice the seats.',
    },
    {
      text: 'Each seat goes to the highest bid. A stage with w seats bids votes / ((w + 1)(w + 2)). At 3.000 s the votes are 2,000 ms, 12,000 ms and 4,000 ms. How many of the six seats does Sort get?',
      question: { unit: 'seats', within: 0 },
      task: moveTo(3),
      hint: 'Sort bids 6,000, 2,000, 1,000 and 600 ms; File 2,000, 667 and 333; Scan 1,000 and 333. Of equal bids the earlier stage wins.',
      solution: { at: () => 3 * SECOND },
      measure: seatsWhere(6, [2, 6, 4], 1),
      conclusion: '{was, number}: its fourth bid, 600 ms, is less than the second bid of File, 667 ms.',
    },
    {
      text: 'A stage is done once no more jobs can come to it: it has no votes and gets no seat.',
      task: 'Find a moment at which Scan is done and File has three seats.',
      hint: tryValue('{n} s', 6),
      solution: { at: () => 6 * SECOND },
      measure: measureOf(
        (evidence) => evidence.run?.scenario.workers === 6 && openDecision(evidence),
        ({ stages: [scan, , file] }) => scan.done && file.seatsAfter === 3 && 3,
      ),
      conclusion: 'Scan is done, and File has {was, number} seats: seats follow the work that waits.',
    },
    {
      text: 'A seventh worker joins. At 1.000 s Scan has 5,000 ms of votes and Sort has 14,000 ms. How many of the seven seats does Sort get?',
      question: { unit: 'seats', within: 0 },
      task: 'Set Workers to 7, press Run, pause, and move the playhead to 1.000 s.',
      hint: 'Sort bids 7,000, 2,333, 1,167, 700 and 467 ms; Scan bids 2,500, 833 and 417.',
      solution: { edit: (scenario) => setWorkers(scenario, 7), at: () => SECOND },
      measure: seatsWhere(7, [5, 7, 0], 1),
      conclusion: '{was, number} for Sort, and two for Scan.',
    },
  ],
  source: 'Gross, 1956; Fox, 1966',
}

/** Measures the seats of a stage at the open decision, if it had these numbers of workers and of waiting jobs by stage. */
function seatsWhere(workers: number, waiting: readonly number[], stage: number): Step['measure'] {
  return measureOf(
    openDecision,
    ({ policy, workers: present, stages }) =>
      policy === 'leastScore' &&
      present === workers &&
      waiting.every((jobs, s) => stages[s]?.waiting === jobs) &&
      stages[stage].seatsAfter,
  )
}
