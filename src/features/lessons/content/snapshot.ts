import { t } from '../../../language/translate.ts'
import { setOptions, setPolicy } from '../../../scenario/edit/edits.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, inSeconds, type MeasuredRun, measureOf, openDecision, SECOND } from './evidence.ts'
import { type Lesson, pressRun, rangeChoices, setAndRun, tryValue } from './lesson.ts'

export const snapshotLesson: Lesson = {
  key: 'snapshot',
  title: 'A snapshot of the queues',
  about: 'Why does another policy finish the average job sooner?',
  initialScenario: () =>
    scenarioOf({
      stages: [
        stage('A', t('Wash'), constant(SECOND)),
        stage('B', t('Dry'), constant(SECOND)),
        stage('C', t('Fold'), constant(SECOND)),
      ],
      source: { kind: 'batch', jobs: 60 },
      workers: 4,
      policy: { kind: 'leastScore', lend: true },
      estimator: { kind: 'mean', prior: 'declared' },
    }),
  steps: [
    {
      text: 'Sixty shirts are washed, dried and folded, a second each: 180 s of work for four workers, so at least 45 s. Under Least total time, how long is a shirt in the laundry on average?',
      question: rangeChoices('{n} s', 27, 40),
      ...pressRun,
      measure: measureOf(laundryBy('leastScore', 0), flowTime),
      conclusion: '{was, number} s. The run took 45 s, the shortest possible time, but most shirts leave late.',
    },
    {
      text: 'The policy makes a sum as small as possible: the work that waits at each stage now, divided by its workers + 1. It ignores what happens to a shirt afterwards.',
      task: 'Pause, and open a decision at which more than 30 shirts wait at Dry and Fold together.',
      hint: tryValue('{n} s', 24),
      solution: { at: () => 24 * SECOND },
      measure: measureOf(
        (evidence) => evidence.run?.scenario.stages.length === 3 && openDecision(evidence),
        ({ policy, stages: [, dry, fold] }) =>
          policy === 'leastScore' && dry.waiting + fold.waiting > 30 && dry.waiting + fold.waiting,
      ),
      conclusion:
        '{was, number} shirts are started and not done. In the snapshot, work at Wash counts as much as work at Fold.',
    },
    {
      text: 'Nearest the sink first serves the last stage first, so started shirts are finished first. How long is a shirt in the laundry now?',
      question: { unit: 's', within: 2 },
      task: setAndRun(['Policy', 'Nearest the sink first']),
      solution: { edit: (scenario) => setPolicy(scenario, 'sinkFirst') },
      measure: measureOf(laundryBy('sinkFirst', 0), flowTime),
      conclusion: '{was, number} s instead of 31 s, and the run took 45 s as before.',
    },
    {
      text: 'But workers changed stage 176 times instead of 23. If a change costs a second, a shirt takes 36 s under Least total time. And under Nearest the sink first?',
      question: rangeChoices('{n} s', 30, 40),
      task: setAndRun(['Switch cost', '{n} s', 1]),
      solution: { edit: (scenario) => setOptions(scenario, { switchCost: SECOND }) },
      measure: measureOf(laundryBy('sinkFirst', SECOND), flowTime),
      conclusion: '{was, number} s, and the run took 89 s instead of 52 s.',
    },
  ],
  source: 'Schrage, 1968',
}

/** Finds a run of the sixty shirts by four workers, under a policy and at a cost of changes. */
function laundryBy(policy: PolicyKind, switchCost: number) {
  return drainedWhere(({ metrics, scenario }) => {
    const same = metrics.jobs === 60 && scenario.stages.length === 3 && scenario.workers === 4
    return same && scenario.policy.kind === policy && scenario.switchCost === switchCost
  })
}

function flowTime({ metrics }: MeasuredRun): number {
  return inSeconds(metrics.meanFlowTime)
}
