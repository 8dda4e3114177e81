import { t } from '../language/translate.ts'
import { setWorkers } from '../scenario/edit/edits.ts'
import { constant, preset, stage } from '../scenario/presets/preset.ts'
import { type Evidence, openDecision } from './evidence.ts'
import type { Lesson } from './lesson.ts'

const SECOND = 1_000_000

export const parliamentLesson: Lesson = {
  key: 'parliament',
  title: () => t('Seats as a parliament'),
  about: () => t('Workers are seats, waiting work is votes: how six seats are shared among three stages, one after the other.'),
  initialScenario: () =>
    preset('', t('Post office'), '', {
      stages: [stage('A', t('Scan'), constant(SECOND)), stage('B', t('Sort'), constant(2 * SECOND)), stage('C', t('File'), constant(SECOND))],
      source: { kind: 'batch', jobs: 12 },
      workers: 6,
      estimator: { kind: 'mean', prior: 'declared' },
    }).scenario,
  steps: [
    {
      text: () =>
        t(
          'Twelve letters are to be scanned (1 s), sorted (2 s) and filed (1 s). A stage has as many votes as it has work waiting: letters × seconds. At 1 s six letters wait at Scan and six at Sort.',
        ),
      question: { ask: () => t('Six votes for Scan, twelve for Sort, six workers: how many seats for Sort?'), unit: () => t('seats'), within: 0 },
      task: () => t('Press Run, pause, and put the playhead on 1.000 s: there the panel Decision shows who got which seat.'),
      hint: () => t('The keys , and . go from decision to decision; so do the arrows beside Pause. It is the second decision.'),
      solution: { at: () => SECOND },
      measure: (evidence) => seatsWhere(evidence, 6, [6, 6, 0], 1),
      conclusion: (was) =>
        t('{was, number} of six: twice the votes, twice the seats. The half circle above the pipeline is this parliament, a seat a worker.', { was }),
    },
    {
      text: () =>
        t(
          'Seats are given one at a time. A stage with w seats bids votes / ((w + 1)(w + 2)): half its votes for the first, a sixth for the second, a twelfth for the third. The highest bid wins. At 3 s the votes are 2, 12 and 4.',
        ),
      question: { ask: () => t('Work it out, or guess: how many of the six seats does Sort get now?'), unit: () => t('seats'), within: 0 },
      task: () => t('Put the playhead on 3.000 s.'),
      hint: () =>
        t(
          'Bids of Sort: 6, 2, 1, 0.6. Of File: 2, 0.67, 0.33. Of Scan: 1, 0.33. Take the six highest; of equal ones the stage further up wins. It is the fourth decision.',
        ),
      solution: { at: () => 3 * SECOND },
      measure: (evidence) => seatsWhere(evidence, 6, [2, 6, 4], 1),
      conclusion: (was) =>
        t(
          '{was, number}: by its share of the votes Sort could ask for four, but its fourth bid, 0.6, is less than the second of File, 0.67. Round by round the panel shows every bid.',
          { was },
        ),
    },
    {
      text: () => t('Once nothing can come to a stage any more it is done: it has no votes and gets no seat.'),
      task: () => t('Find an instant at which Scan is done and three workers have their seats at File.'),
      hint: () => t('The band Seats shows the parliament over time. From 6 s on File has three seats.'),
      solution: { at: () => 6 * SECOND },
      measure(evidence) {
        const decision = openDecision(evidence)
        if (decision === null || evidence.run?.scenario.workers !== 6) return null
        const [scan, , file] = decision.stages
        return scan.done && file.seatsAfter === 3 ? file.seatsAfter : null
      },
      conclusion: (was) =>
        t('Scan is done, and {was, number} seats have gone to File, though it is the last of the line: seats follow the work that waits.', { was }),
    },
    {
      text: () => t('A seventh worker comes. At 1 s seven letters have been scanned: five still wait at Scan, seven at Sort, so the votes are 5 and 14.'),
      question: { ask: () => t('Seven seats: how many for Sort?'), unit: () => t('seats'), within: 0 },
      task: () => t('Set Workers to 7, press Run, pause, and put the playhead on 1.000 s.'),
      hint: () => t('Bids of Sort: 7, 2.33, 1.17, 0.7, 0.47. Of Scan: 2.5, 0.83, 0.42.'),
      solution: { edit: (scenario) => setWorkers(scenario, 7), at: () => SECOND },
      measure: (evidence) => seatsWhere(evidence, 7, [5, 7, 0], 1),
      conclusion: (was) => t('{was, number} for Sort, and two for Scan. You have now reckoned as the scheduler does at every decision.', { was }),
    },
  ],
  closing: () =>
    t(
      'Giving seat after seat to the highest bid makes the sum of votes / (seats + 1) as small as it can be, though no other allocation was tried. That this greedy way is exact for such sums was shown by Oliver Gross in 1956 and by Bennett Fox in 1966.',
    ),
}

/** Returns the seats of a stage at the open decision, if that had so many workers and so many jobs waiting at each stage. */
function seatsWhere(evidence: Evidence, workers: number, waiting: readonly number[], stage: number): number | null {
  const decision = openDecision(evidence)
  if (decision === null || decision.policy !== 'leastScore' || decision.workers !== workers) return null
  return waiting.every((jobs, s) => decision.stages[s]?.waiting === jobs) ? decision.stages[stage].seatsAfter : null
}
