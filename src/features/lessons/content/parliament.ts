import { t } from '../../../language/translate.ts'
import { setPolicy, setWorkers } from '../../../scenario/edit/edits.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { decisionWithIndex, type FinishedRun, measureOf, openDecision, SECOND, watchedRun } from './evidence.ts'
import { choiceOf, type Lesson, type Step } from './lesson.ts'

export const parliamentLesson: Lesson = {
  key: 'parliament',
  title: 'Seats as a parliament',
  about: 'Workers are seats, waiting work is votes: how six seats are shared among three stages, one at a time.',
  initialScenario: () =>
    scenarioOf({
      title: t('Post office'),
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
      text: 'Twelve letters are scanned (1,000 ms each), sorted (2,000 ms) and filed (1,000 ms). The votes of a stage are the work that waits there: letters × service time. At 1.000 s six letters wait at Scan and six at Sort.',
      question: {
        ask: 'Scan has 6,000 ms of votes and Sort has 12,000 ms. How many of the six workers does Sort get?',
        unit: 'seats',
        within: 0,
      },
      task: 'Press Run, pause, and move the playhead to 1.000 s. The panel Decision shows which stage got which seat, under How the seats were given.',
      hint: 'The keys , and . go from decision to decision; so do the arrows beside Pause. It is the second decision.',
      solution: { at: () => SECOND },
      measure: seatsWhere(6, [6, 6, 0], 1),
      conclusion:
        '{was, number} of six: twice the votes, twice the seats. The half circle above the pipeline is this parliament, with a seat for each worker.',
    },
    {
      text: 'Seats are given one at a time. A stage with w seats bids votes / ((w + 1)(w + 2)): half its votes for the first, a sixth for the second, a twelfth for the third. The highest bid wins. At 3.000 s the votes are 2,000 ms, 12,000 ms and 4,000 ms.',
      question: {
        ask: 'Work it out, or guess: how many of the six seats does Sort get now?',
        unit: 'seats',
        within: 0,
      },
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
      conclusion:
        'Scan is done, and File has {was, number} seats although it is the last stage: seats follow the work that waits.',
    },
    {
      text: 'A seventh worker joins. At 1.000 s seven letters have been scanned: five still wait at Scan, seven at Sort, so the votes are 5,000 ms and 14,000 ms.',
      question: { ask: 'Seven seats: how many for Sort?', unit: 'seats', within: 0 },
      task: 'Set Workers to 7, press Run, pause, and move the playhead to 1.000 s.',
      hint: 'In milliseconds, Sort bids 7,000, then 2,333, 1,167, 700 and 467; Scan bids 2,500, 833 and 417.',
      solution: { edit: (scenario) => setWorkers(scenario, 7), at: () => SECOND },
      measure: seatsWhere(7, [5, 7, 0], 1),
      conclusion:
        '{was, number} for Sort, and two for Scan. You have just done what the scheduler does at every decision.',
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
      policy === 'leastScore' &&
      present === workers &&
      waiting.every((jobs, s) => stages[s]?.waiting === jobs) &&
      stages[stage].seatsAfter,
  )
}

const stages = ['A', 'B', 'C', 'D'] as const

export const notJeffersonLesson: Lesson = {
  key: 'not-jefferson',
  title: 'Why it is not Jefferson’s method',
  about:
    'One large party, three small ones and eight seats: two policies that look alike, and what each of them aims at.',
  initialScenario: () =>
    scenarioOf({
      title: t('One large, three small'),
      stages: [
        stage('A', t('Large'), constant(9 * SECOND)),
        stage('B', t('Small 1'), constant(SECOND)),
        stage('C', t('Small 2'), constant(SECOND)),
        stage('D', t('Small 3'), constant(SECOND)),
      ],
      links: [...stages.map((id) => ['source', id] as const), ...stages.map((id) => [id, 'sink'] as const)],
      source: { kind: 'batch', jobs: 100 },
      workers: 8,
      policy: { kind: 'leastScore', lend: false },
      estimator: { kind: 'mean', prior: 'declared' },
    }),
  steps: [
    {
      text: 'Each of a hundred jobs has four parts: one of 9 s and three of 1 s. So at the first decision the votes are 900 s, 100 s, 100 s and 100 s, and there are eight workers.',
      question: choiceOf(
        'Under Least total time, how many seats will the large stage get?',
        ['8: it has by far the most votes', (was) => was === 8],
        ['6: three quarters of the votes, three quarters of the seats', (was) => was === 6],
        ['5: and each small stage gets a seat', (was) => was === 5],
        ['2: two seats for each stage', (was) => was === 2],
      ),
      task: 'Press Run.',
      hint: 'Run is the red button at the top. The first decision is at 0 s.',
      measure: measureOf(
        (evidence) => firstSeatsBy('leastScore', watchedRun(evidence)),
        ([large]) => large,
      ),
      conclusion:
        '{was, number}, and one for each small stage. The sum of votes / (seats + 1) is 900/6 + 3 × 100/2 = 300 s, and no other allocation makes it smaller.',
    },
    {
      text: 'Jefferson’s method looks much the same. A stage with w seats bids votes / (w + 1), and the highest bid gets the next seat.',
      question: choiceOf(
        'How many seats will the three small stages have together?',
        ['3, as before', (was) => was === 3],
        ['2', (was) => was === 2],
        ['None', (was) => was === 0],
      ),
      task: 'Set Policy to Jefferson, and press Run.',
      hint: 'Policy is at the top of the page.',
      solution: { edit: (scenario) => setPolicy(scenario, { kind: 'jefferson', lend: false }) },
      measure: measureOf(
        (evidence) => firstSeatsBy('jefferson', watchedRun(evidence)),
        ([, ...small]) => small.reduce((sum, seats) => sum + seats),
      ),
      conclusion:
        '{was, plural, =0 {None} other {#}}: the large stage bids 900 s, 450 s, 300 s, … and its eighth bid is 113 s, still more than 100 s. For the first nine seconds all eight workers are there.',
    },
    {
      text: 'What does each policy aim at? At 9.000 s 92 jobs wait at the large stage, 828 s of votes, and again it gets all eight seats. Divide the votes by seats + 1: 828/9 = 92 s, and three times 100/1. Jefferson makes the largest of these as small as possible. Least total time does the same with their sum.',
      question: { ask: 'What is the sum with Jefferson’s seats?', unit: 's', within: 0.5 },
      task: 'Pause, move the playhead to 9.000 s, and read the expected time in the panel Decision, under Why not?',
      hint: 'It is the second decision: the keys , and . go from one to the next.',
      solution: { at: () => 9 * SECOND },
      measure: measureOf(
        (evidence) => firstSeatsBy('jefferson', evidence.run) && openDecision(evidence),
        ({ index, policy, scoreAfter }) => index === 1 && policy === 'jefferson' && scoreAfter / SECOND,
      ),
      conclusion:
        '{was, number} s. With five, one, one and one it would be 828/6 + 3 × 100/2 = 288 s. One policy helps the worst-off stage, the other all stages together. Neither is wrong: they aim at different things.',
    },
    {
      text: 'Between the two lies a whole family, Power. With power 1 it is Least total time; the larger the power, the more the worst-off stage counts.',
      task: 'Set Policy to Power, and find the smallest power at which the small stages get no seat at the first decision.',
      hint: 'The power is in Settings, under Who works where. Try 4, then more; press Run each time and look at the first decision.',
      solution: { edit: (scenario) => setPolicy(scenario, { kind: 'power', p: 6, lend: false }) },
      measure: measureOf(
        (evidence) => firstSeatsBy('power', watchedRun(evidence))?.[0] === 8 && evidence.run?.scenario.policy,
        (policy) => policy.kind === 'power' && policy.p <= 6 && policy.p,
      ),
      conclusion:
        'From power {was, number} on, the large stage takes all seats: that is how far the two policies are apart.',
    },
  ],
  closing:
    'The United States shared out seats by Jefferson’s method from 1792 to 1842, and have used that of Huntington and Hill since 1941. Giving seats by votes / ((w + 1)(w + 2)) is that later method applied to the square roots of the votes, with one seat for each stage to begin with.',
}

/** Returns the seats by stage at the first decision, if the run has the four stages and this policy. */
function firstSeatsBy(policy: PolicyKind, run: FinishedRun | null): readonly number[] | null {
  if (
    run === null ||
    run.scenario.stages.length !== 4 ||
    run.scenario.workers !== 8 ||
    run.trace.decisions.length === 0
  )
    return null
  const decision = decisionWithIndex(run, 0)
  return decision.policy === policy ? decision.stages.map(({ seatsAfter }) => seatsAfter) : null
}
