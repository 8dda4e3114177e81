import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { decisionWithIndex, type FinishedRun, measureOf, openDecision, SECOND, watchedRun } from './evidence.ts'
import { type Lesson, numberChoices, setAndRun, tryValue } from './lesson.ts'

const stages = ['A', 'B', 'C', 'D'] as const

export const notJeffersonLesson: Lesson = {
  key: 'not-jefferson',
  title: 'Why it is not Jefferson’s method',
  about: 'What do two policies that look alike aim at?',
  initialScenario: () =>
    scenarioOf({
      stages: [
        stage('A', t('Large'), constant(9 * SECOND)),
        ...['B', 'C', 'D'].map((id, k) => stage(id, t('Small {n}', { n: k + 1 }), constant(SECOND))),
      ],
      links: [...stages.map((id) => ['source', id] as const), ...stages.map((id) => [id, 'sink'] as const)],
      source: { kind: 'batch', jobs: 100 },
      workers: 8,
      policy: { kind: 'leastScore', lend: false },
      estimator: { kind: 'mean', prior: 'declared' },
    }),
  steps: [
    {
      text: 'At the first decision the votes are 900 s, 100 s, 100 s and 100 s, and there are eight workers. Under Least total time, how many seats does the large stage get?',
      question: numberChoices('{n}', 8, 6, 5, 2),
      task: 'Press Run.',
      measure: measureOf(
        (evidence) => firstSeatsBy('leastScore', watchedRun(evidence)),
        ([large]) => large,
      ),
      conclusion:
        '{was, number}, and one for each small stage. The sum of votes / (seats + 1) is 900/6 + 3 × 100/2 = 300 s, the smallest possible.',
    },
    {
      text: 'In Jefferson’s method a stage with w seats bids votes / (w + 1). How many seats do the three small stages get together?',
      question: numberChoices('{n}', 3, 2, 0),
      task: setAndRun(['Policy', 'Apportionment'], ['Method', 'Jefferson']),
      solution: { edit: (scenario) => setPolicy(scenario, { kind: 'jefferson', lend: false }) },
      measure: measureOf(
        (evidence) => firstSeatsBy('jefferson', watchedRun(evidence)),
        ([, ...small]) => small.reduce((sum, seats) => sum + seats),
      ),
      conclusion: '{was, number}: the eighth bid of the large stage is 113 s, still more than 100 s.',
    },
    {
      text: 'At 9.000 s the large stage has 828 s of votes and all eight seats. Jefferson makes the largest votes / (seats + 1) as small as possible, Least total time their sum. What is the sum with Jefferson’s seats?',
      question: { unit: 's', within: 0.5 },
      task: 'Pause, move the playhead to 9.000 s, and read the expected time in the panel Decision, under Why not?',
      hint: 'Add 828/9 = 92 s and three times 100/1.',
      solution: { at: () => 9 * SECOND },
      measure: measureOf(
        (evidence) => firstSeatsBy('jefferson', evidence.run) && openDecision(evidence),
        ({ index, policy, scoreAfter }) => index === 1 && policy === 'jefferson' && scoreAfter / SECOND,
      ),
      conclusion: '{was, number} s. With five, one, one and one it would be 828/6 + 3 × 100/2 = 288 s.',
    },
    {
      text: 'Power lies between the two: with power 1 it is Least total time, and a larger power favours the worst-off stage.',
      task: 'Set Policy to Power, and find the smallest power at which the small stages get no seat at the first decision.',
      hint: tryValue('{n}', 4),
      solution: { edit: (scenario) => setPolicy(scenario, { kind: 'power', p: 6, lend: false }) },
      measure: measureOf(
        (evidence) => firstSeatsBy('power', watchedRun(evidence))?.[0] === 8 && evidence.run?.scenario.policy,
        (policy) => policy.kind === 'power' && policy.p <= 6 && policy.p,
      ),
      conclusion: 'From power {was, number} on, the large stage takes all seats.',
    },
  ],
  source: 'Balinski and Young, Fair Representation, 1982',
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
