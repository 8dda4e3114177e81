import { t } from '../../../language/translate.ts'
import { setWorkers } from '../../../scenario/edit/edits.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { measureOf, openDecision, SECOND } from './evidence.ts'
import type { Lesson, Step } from './lesson.ts'

export const parliamentLesson: Lesson = {
  key: 'parliament',
  title: 'Seats as a parliament',
  about: 'Workers are seats, waiting work is votes: how six seats are shared among three stages, one at a time.',
  initialScenario: () =>
    scenarioOf({
      title: t('Post office'),
      stages: [stage('A', t('Scan'), constant(SECOND)), stage('B', t('Sort'), constant(2 * SECOND)), stage('C', t('File'), constant(SECOND))],
      source: { kind: 'batch', jobs: 12 },
      workers: 6,
      estimator: { kind: 'mean', prior: 'declared' },
    }),
  steps: [
    {
      text: 'Twelve letters are scanned (1,000 ms each), sorted (2,000 ms) and filed (1,000 ms). The votes of a stage are the work that waits there: letters × service time. At 1.000 s six letters wait at Scan and six at Sort.',
      question: { ask: 'Scan has 6,000 ms of votes and Sort has 12,000 ms. How many of the six workers does Sort get?', unit: 'seats', within: 0 },
      task: 'Press Run, pause, and move the playhead to 1.000 s. The panel Decision shows which stage got which seat, under How the seats were given.',
      hint: 'The keys , and . go from decision to decision; so do the arrows beside Pause. It is the second decision.',
      solution: { at: () => SECOND },
      measure: seatsWhere(6, [6, 6, 0], 1),
      conclusion: '{was, number} of six: twice the votes, twice the seats. The half circle above the pipeline is this parliament, with a seat for each worker.',
    },
    {
      text: 'Seats are given one at a time. A stage with w seats bids votes / ((w + 1)(w + 2)): half its votes for the first, a sixth for the second, a twelfth for the third. The highest bid wins. At 3.000 s the votes are 2,000 ms, 12,000 ms and 4,000 ms.',
      question: { ask: 'Work it out, or guess: how many of the six seats does Sort get now?', unit: 'seats', within: 0 },
      task: 'Move the playhead to 3.000 s.',
      hint: 'In milliseconds, Sort bids 6,000, then 2,000, 1,000 and 600; File bids 2,000, 667 and 333; Scan bids 1,000 and 333. Take the six highest; of equal bids the earlier stage wins. It is the fourth decision.',
      solution: { at: () => 3 * SECOND },
      measure: seatsWhere(6, [2, 6, 4], 1),
      conclusion:
        '{was, number}: by its share of the votes Sort could ask for four, but its fourth bid, 600 ms, is less than the second bid of File, 667 ms. The panel Decision shows every bid.',
    },
    {
      text: 'A stage is done once no more jobs can come to it: it has no votes and gets no seat.',
      task: 'Find a moment at which Scan is done and File has three seats.',
      hint: 'The band Targets shows the parliament over time. From 6 s on the target of File is three.',
      solution: { at: () => 6 * SECOND },
      measure: measureOf(
        (evidence) => evidence.run?.scenario.workers === 6 && openDecision(evidence),
        ({ stages: [scan, , file] }) => scan.done && file.seatsAfter === 3 && 3,
      ),
      conclusion: 'Scan is done, and File has {was, number} seats although it is the last stage: seats follow the work that waits.',
    },
    {
      text: 'A seventh worker joins. At 1.000 s seven letters have been scanned: five still wait at Scan, seven at Sort, so the votes are 5,000 ms and 14,000 ms.',
      question: { ask: 'Seven seats: how many for Sort?', unit: 'seats', within: 0 },
      task: 'Set Workers to 7, press Run, pause, and move the playhead to 1.000 s.',
      hint: 'In milliseconds, Sort bids 7,000, then 2,333, 1,167, 700 and 467; Scan bids 2,500, 833 and 417.',
      solution: { edit: (scenario) => setWorkers(scenario, 7), at: () => SECOND },
      measure: seatsWhere(7, [5, 7, 0], 1),
      conclusion: '{was, number} for Sort, and two for Scan. You have just done what the scheduler does at every decision.',
    },
  ],
  closing:
    'Giving each seat to the highest bid makes the sum of votes / (seats + 1) as small as possible, although no other allocation is tried. Oliver Gross in 1956 and Bennett Fox in 1966 showed that this greedy method is exact for such sums.',
}

/** Measures the seats of a stage at the open decision, if it had these numbers of workers and of waiting jobs by stage. */
function seatsWhere(workers: number, waiting: readonly number[], stage: number): Step['measure'] {
  return measureOf(
    openDecision,
    ({ policy, workers: present, stages }) =>
      policy === 'leastScore' && present === workers && waiting.every((jobs, s) => stages[s]?.waiting === jobs) && stages[stage].seatsAfter,
  )
}
