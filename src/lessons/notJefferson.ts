import { t } from '../language/translate.ts'
import { setPolicy } from '../scenario/edit/edits.ts'
import type { PolicyKind } from '../scenario/model/scenario.ts'
import { constant, preset, stage } from '../scenario/presets/preset.ts'
import { decisionWithIndex, type Evidence, openDecision } from './evidence.ts'
import type { Lesson } from './lesson.ts'

const SECOND = 1_000_000
const stages = ['A', 'B', 'C', 'D'] as const

export const notJeffersonLesson: Lesson = {
  key: 'not-jefferson',
  title: () => t('Why it is not Jefferson’s rule'),
  about: () => t('One large party and three small ones, eight seats: two rules that look alike, and what each of them is after.'),
  initialScenario: () =>
    preset('', t('One large, three small'), '', {
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
    }).scenario,
  steps: [
    {
      text: () =>
        t(
          'Every one of a hundred jobs has four parts: one of 9 s and three of 1 s. So at the first decision the votes are 900, 100, 100 and 100, and there are eight workers.',
        ),
      question: {
        ask: () => t('By Least total time, how many seats will the large stage get?'),
        choices: [
          { text: () => t('8: it has by far the most votes'), fits: (was) => was === 8 },
          { text: () => t('6: three quarters of the votes, three quarters of the seats'), fits: (was) => was === 6 },
          { text: () => t('5: and each small one gets its seat'), fits: (was) => was === 5 },
          { text: () => t('2: two seats for each stage'), fits: (was) => was === 2 },
        ],
      },
      task: () => t('Press Run.'),
      hint: () => t('Run is the red button at the top. The first decision is at 0 s.'),
      solution: {},
      measure: (evidence) => firstSeats(evidence, 'leastScore')?.[0] ?? null,
      conclusion: (was) =>
        t(
          '{was, number}, and one for each small stage. The sum of votes / (seats + 1) is 900/6 + 3 × 100/2 = 300 s, and no other allocation makes it smaller.',
          { was },
        ),
    },
    {
      text: () => t('Jefferson’s rule looks much the same. A stage with w seats bids votes / (w + 1), and the highest bid gets the next seat.'),
      question: {
        ask: () => t('How many seats will the three small stages have together?'),
        choices: [
          { text: () => t('3, as before'), fits: (was) => was === 3 },
          { text: () => t('2'), fits: (was) => was === 2 },
          { text: () => t('None'), fits: (was) => was === 0 },
        ],
      },
      task: () => t('Set Policy to Jefferson, and press Run.'),
      hint: () => t('Policy is at the top of the page.'),
      solution: { edit: (scenario) => setPolicy(scenario, { kind: 'jefferson', lend: false }) },
      measure(evidence) {
        const seats = firstSeats(evidence, 'jefferson')
        return seats === null ? null : seats[1] + seats[2] + seats[3]
      },
      conclusion: (was) =>
        t(
          '{was, plural, =0 {None} other {#}}: the large stage bids 900, 450, 300, … and its eighth bid is 112.5, still more than 100. For the first nine seconds all eight work there.',
          { was },
        ),
    },
    {
      text: () =>
        t(
          'What is each rule after? After nine seconds 92 jobs wait at the large stage, 828 votes, and again it gets all eight seats. Divide the votes by seats + 1: 828/9 = 92 s, and three times 100/1. Jefferson’s rule makes the greatest of these as small as it can be. The rule of the article wants a small sum.',
        ),
      question: { ask: () => t('What is the sum under Jefferson’s seats?'), unit: () => t('s'), within: 0.5 },
      task: () => t('Pause, put the playhead on 9.000 s, and read the expected time in the panel Decision.'),
      hint: () => t('It is the second decision: the keys , and . go from one to the next.'),
      solution: { at: () => 9 * SECOND },
      measure(evidence) {
        const decision = openDecision(evidence)
        return decision?.index === 1 && decision.policy === 'jefferson' && firstSeats(evidence, 'jefferson') !== null ? decision.scoreAfter / SECOND : null
      },
      conclusion: (was) =>
        t(
          '{was, number} s. With five, one, one and one it would be 828/6 + 3 × 100/2 = 288 s. One rule cares for the worst-off stage, the other for all of them together: neither is wrong, they are after different things.',
          { was },
        ),
    },
    {
      text: () =>
        t('Between the two lies a whole family, Power: with 1 it is Least total time, and the larger the power, the more the worst-off stage counts.'),
      task: () => t('Set Policy to Power, and find the smallest power at which the small stages get no seat at the first decision.'),
      hint: () => t('The power stands in the panel Scenario, under Who works where. Try 4, then more; press Run each time and look at the first decision.'),
      solution: { edit: (scenario) => setPolicy(scenario, { kind: 'power', p: 6, lend: false }) },
      measure(evidence) {
        const policy = evidence.run?.scenario.policy
        return policy?.kind === 'power' && policy.p <= 6 && firstSeats(evidence, 'power')?.[0] === 8 ? policy.p : null
      },
      conclusion: (was) => t('From {was, number} on the large stage takes all: so far is it from one rule to the other.', { was }),
    },
  ],
  closing: () =>
    t(
      'The United States shared out seats by Jefferson’s rule from 1792 to 1842, and by Huntington and Hill’s since 1941. Giving seats by votes / ((w + 1)(w + 2)) is that later rule on the square roots of the votes, each stage with one seat to begin with.',
    ),
}

/** Returns the seats by stage at the first decision, if the run has the four stages and this policy. */
function firstSeats({ run }: Evidence, policy: PolicyKind): readonly number[] | null {
  if (run === null || run.scenario.stages.length !== 4 || run.scenario.workers !== 8 || run.trace.decisions.length === 0) return null
  const decision = decisionWithIndex(run, 0)
  return decision.policy === policy ? decision.stages.map(({ seatsAfter }) => seatsAfter) : null
}
