import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import type { PidPolicy, Scenario } from '../../../scenario/model/scenario.ts'
import { type Evidence, endedRun, type MeasuredRun, measureOf, SECOND } from './evidence.ts'
import { type Lesson, presetScenario, pressRun, rangeChoices, setAndRun, tryValue } from './lesson.ts'

const withPid = (patch: Partial<PidPolicy>) => (scenario: Scenario) =>
  scenario.policy.kind === 'pid' ? setPolicy(scenario, { ...scenario.policy, ...patch }) : scenario

export const windUpLesson: Lesson = {
  key: 'wind-up',
  title: 'Control and wind-up',
  about: 'What goes wrong when a controller remembers too well?',
  initialScenario: () => presetScenario('elastic-p', t('Serve')),
  steps: [
    {
      text: 'The load rises and falls every 6 s. Proportional control hires one worker when 100 or more jobs wait, and dismisses one at 20 or fewer. How many jobs wait on average?',
      question: rangeChoices('{n}', 20, 100),
      ...pressRun,
      measure: measureOf(pool, (run) => run.policy.ki === 0 && run.policy.kd === 0 && meanQueueOf(run)),
      conclusion: '{was, number} on average. While fewer than 100 wait, it hires no worker.',
    },
    {
      text: 'The integral part adds up how many jobs have waited, and for how long. What is the smallest number of workers after the first ten seconds?',
      question: rangeChoices('{n}', 2, 20),
      task: setAndRun(['Integral', '{n}', 0.05]),
      solution: { edit: withPid({ ki: 0.05 }) },
      measure: measureOf(
        pool,
        (run) =>
          run.policy.ki === 0.05 &&
          run.policy.clamp === null &&
          run.policy.setpoint === 0 &&
          run.policy.kd === 0 &&
          fewest(run),
      ),
      conclusion:
        '{was, number}. The sum of all waiting only grows, so even with an empty queue no worker is dismissed: the integral has wound up.',
    },
    {
      text: 'A clamp limits the integral part. A worker is dismissed only when the output is at most 20.',
      task: 'Set Clamp integral so that the pool shrinks to five workers or fewer after the first ten seconds.',
      hint: tryValue('{n}', 15),
      solution: { edit: withPid({ clamp: 15 }) },
      measure: measureOf(
        pool,
        (run) => run.policy.ki > 0 && run.policy.clamp !== null && fewest(run) <= 5 && meanQueueOf(run),
      ),
      conclusion: 'The pool shrinks and grows, but {was, number} jobs wait on average.',
    },
    {
      text: 'With an empty queue as the aim, the error never changes its sign. Aim at a queue that can also be shorter.',
      task: 'Clear Clamp integral, and set Queue aimed at so that fewer than 20 wait on average and the pool still shrinks to five workers.',
      hint: tryValue('{n}', 5),
      solution: { edit: withPid({ clamp: null, setpoint: 5 }) },
      measure: measureOf(
        pool,
        (run) =>
          run.policy.setpoint > 0 &&
          run.policy.clamp === null &&
          fewest(run) <= 5 &&
          run.metrics.stages[0].meanQueue < 20 &&
          meanQueueOf(run),
      ),
      conclusion: '{was, number} wait on average: in every quiet period the sum unwinds a little.',
    },
  ],
  source: 'Minorsky, 1922; Ziegler and Nichols, 1942',
}

/** Finds a run of this pool under this load, even if it left jobs behind. */
function pool(evidence: Evidence): (MeasuredRun & { readonly policy: PidPolicy }) | null {
  const run = endedRun(evidence)
  const policy = run?.scenario.policy
  return run !== null && policy?.kind === 'pid' && run.scenario.source.kind === 'sine' ? { ...run, policy } : null
}

/** Returns the fewest workers between the first ten seconds and the end of the load. */
function fewest({ metrics: { workersOverTime: steps, makespan } }: MeasuredRun): number {
  const counted = steps.filter(([from], i) => (steps[i + 1]?.[0] ?? makespan) > 10 * SECOND && from < 59 * SECOND)
  return Math.min(...counted.map(([, workers]) => workers))
}

function meanQueueOf({ metrics }: MeasuredRun): number {
  return Math.round(metrics.stages[0].meanQueue)
}
