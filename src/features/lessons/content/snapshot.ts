import { t } from '../../../language/translate.ts'
import { setOptions, setPolicy } from '../../../scenario/edit/edits.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, inSeconds, type MeasuredRun, measureOf, openDecision, SECOND } from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

export const snapshotLesson: Lesson = {
  key: 'snapshot',
  title: 'A snapshot of the queues',
  about: 'Least total time keeps all workers busy. Why does another policy finish the average job sooner?',
  initialScenario: () =>
    scenarioOf({
      title: t('Laundry'),
      stages: [stage('A', t('Wash'), constant(SECOND)), stage('B', t('Dry'), constant(SECOND)), stage('C', t('Fold'), constant(SECOND))],
      source: { kind: 'batch', jobs: 60 },
      workers: 4,
      policy: { kind: 'leastScore', lend: true },
      estimator: { kind: 'mean', prior: 'declared' },
    }),
  steps: [
    {
      text: 'Sixty shirts are there from the start. Each is washed, dried and folded, a second each. That is 180 s of work for four workers, so no policy can finish before 45 s.',
      question: choiceOf(
        'Under Least total time, how long is a shirt in the laundry on average?',
        ['About 23 s: half of 45 s', (was) => was < 27],
        ['About 31 s', (was) => was >= 27 && was < 40],
        ['45 s, as long as the last one', (was) => was >= 40],
      ),
      ...pressRun,
      measure: measureOf(laundryBy('leastScore', 0), flowTime),
      conclusion: '{was, number} s. The last shirt is done after 45 s: no worker was idle, so the run cannot end sooner. But most shirts leave late.',
    },
    {
      text: 'Why? The policy adds up one number for each stage: the work that waits there now, divided by its workers + 1. It places the workers so that this sum is smallest. That is a snapshot: it does not ask what happens to a shirt afterwards.',
      task: 'Pause, and open a decision at which more than 30 shirts wait at Dry and Fold together.',
      hint: 'Move the playhead to 24 s, for example. The table in the panel Decision shows how many wait.',
      solution: { at: () => 24 * SECOND },
      measure: measureOf(
        (evidence) => evidence.run?.scenario.stages.length === 3 && openDecision(evidence),
        ({ policy, stages: [, dry, fold] }) => policy === 'leastScore' && dry.waiting + fold.waiting > 30 && dry.waiting + fold.waiting,
      ),
      conclusion:
        '{was, number} shirts are started and not done. In the snapshot a second of work at Wash counts as much as one at Fold. But only the second at Fold finishes a shirt.',
    },
    {
      text: 'Nearest the sink first ignores service times. It gives each stage as many workers as it can keep busy, beginning with the last stage: shirts that are started are finished first.',
      question: { ask: 'How long is a shirt in the laundry on average now?', unit: 's', within: 2 },
      task: 'Set Policy to Nearest the sink first, and press Run.',
      hint: 'Policy is at the top of the page.',
      solution: { edit: (scenario) => setPolicy(scenario, 'sinkFirst') },
      measure: measureOf(laundryBy('sinkFirst', 0), flowTime),
      conclusion:
        '{was, number} s instead of 31 s, and the last shirt is done after 45 s as before. Both policies keep all four workers busy. They differ in which shirts are done first, and that decides the mean.',
    },
    {
      text: 'It has a price: the workers changed stage 176 times instead of 23. So let each change cost a second. Under Least total time a shirt is then in the laundry for 36 s on average.',
      question: choiceOf(
        'And how long under Nearest the sink first?',
        ['Less than 30 s: it is still ahead', (was) => was < 30],
        ['About 36 s: they are equal', (was) => was >= 30 && was < 40],
        ['More than 40 s', (was) => was >= 40],
      ),
      task: 'In Settings, set Switch cost to 1 s and press Run.',
      hint: 'Switch cost is under Workers. If the panel shows a stage, press the empty canvas first.',
      solution: { edit: (scenario) => setOptions(scenario, { switchCost: SECOND }) },
      measure: measureOf(laundryBy('sinkFirst', SECOND), flowTime),
      conclusion:
        '{was, number} s: the workers walk back and forth between the stages, and the last shirt is done after 89 s instead of 52 s. The snapshot moves few workers, and that helps where moving costs time.',
    },
  ],
  closing:
    'On one machine, the job with the least time left should go first: Linus Schrage proved in 1968 that no other order has a smaller mean time in the system. Nearest the sink first is that idea for a pipeline. After each run the status line says whether another policy would have had a smaller mean flow time.',
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
