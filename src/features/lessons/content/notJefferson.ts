import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { decisionWithIndex, type FinishedRun, measureOf, openDecision, SECOND, watchedRun } from './evidence.ts'
import { choiceOf, type Lesson } from './lesson.ts'

const stages = ['A', 'B', 'C', 'D'] as const

export const notJeffersonLesson: Lesson = {
  key: 'not-jefferson',
  title: 'Why it is not Jefferson’s method',
  about: 'One large party, three small ones and eight seats: two policies that look alike, and what each of them aims at.',
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
      conclusion: 'From power {was, number} on, the large stage takes all seats: that is how far the two policies are apart.',
    },
  ],
  closing:
    'The United States shared out seats by Jefferson’s method from 1792 to 1842, and have used that of Huntington and Hill since 1941. Giving seats by votes / ((w + 1)(w + 2)) is that later method applied to the square roots of the votes, with one seat for each stage to begin with.',
}

/** Returns the seats by stage at the first decision, if the run has the four stages and this policy. */
function firstSeatsBy(policy: PolicyKind, run: FinishedRun | null): readonly number[] | null {
  if (run === null || run.scenario.stages.length !== 4 || run.scenario.workers !== 8 || run.trace.decisions.length === 0) return null
  const decision = decisionWithIndex(run, 0)
  return decision.policy === policy ? decision.stages.map(({ seatsAfter }) => seatsAfter) : null
}
