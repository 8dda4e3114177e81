import { t } from '../../../language/translate.ts'
import { setOptions, setPolicy } from '../../../scenario/edit/edits.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, meanWaitOf, measureOf } from './evidence.ts'
import { type Lesson, pressRun, rangeChoices, setAndRun } from './lesson.ts'

const gains = {
  kp: 1,
  ki: 0,
  kd: 0,
  every: 50_000,
  setpoint: 0,
  up: -40,
  down: -4,
  max: null,
  clamp: null,
  lend: false,
} as const
const TUNED_AT = 10_000

export const gainScheduleLesson: Lesson = {
  key: 'gain-schedule',
  title: 'Gains that follow the load',
  about: 'The gains of a controller fit one service time. What if jobs take four times as long?',
  initialScenario: () =>
    scenarioOf({
      stages: [
        {
          ...stage('A', t('Serve'), constant(TUNED_AT)),
          work: 'wait',
          changes: [{ from: 600, service: constant(4 * TUNED_AT) }],
        },
      ],
      source: { kind: 'regular', rate: 200, jobs: 2400 },
      workers: 40,
      policy: { kind: 'pid', ...gains },
      estimator: { kind: 'window', n: 20, prior: 'declared' },
    }),
  steps: [
    {
      text: 'From job 600 on, each job takes 40 ms instead of 10 ms. The controller hires at 40 waiting jobs and dismisses at 4. How long does a job wait on average?',
      question: rangeChoices('{n} ms', 20, 100),
      ...pressRun,
      measure: measureOf(poolUnder('pid'), meanWaitOf),
      conclusion:
        '{was, number} ms. Forty jobs are now four times as much work, and one more worker helps a quarter as much.',
    },
    {
      text: 'The gains of the adaptive controller grow with the estimated service time. How long does a job wait now?',
      question: { unit: 'ms', within: 20 },
      task: 'Set Policy to Adaptive PID controller, Integral and Derivative to 0, Hire at to -40, Dismiss at to -4, Period to 50 ms, Gains tuned at to 10 ms, and clear Clamp integral. Press Run.',
      solution: { edit: (scenario) => setPolicy(scenario, { kind: 'adaptive', ...gains, tunedAt: TUNED_AT }) },
      measure: measureOf(poolUnder('adaptive'), (run) => run.scenario.estimator.kind === 'window' && meanWaitOf(run)),
      conclusion: '{was, number} ms, with 79 paid worker-seconds as before.',
    },
    {
      text: 'Its estimate is the mean of the latest 20 jobs. How long does a job wait with the mean of all jobs?',
      question: rangeChoices('{n} ms', 50, 100),
      task: setAndRun(['Estimate', 'Mean of all']),
      solution: { edit: (scenario) => setOptions(scenario, { estimator: { kind: 'mean', prior: 'declared' } }) },
      measure: measureOf(poolUnder('adaptive'), (run) => run.scenario.estimator.kind === 'mean' && meanWaitOf(run)),
      conclusion: '{was, number} ms: the mean still counts the first 600 jobs.',
    },
  ],
}

/** Finds a run of the slow stage under the numbers of this lesson. */
function poolUnder(kind: 'pid' | 'adaptive') {
  return drainedWhere(({ scenario: { policy, stages } }) => {
    if ((policy.kind !== 'pid' && policy.kind !== 'adaptive') || policy.kind !== kind || stages[0].changes.length !== 1)
      return false
    const same =
      policy.ki === 0 &&
      policy.kd === 0 &&
      policy.up === gains.up &&
      policy.down === gains.down &&
      policy.every === gains.every
    return same && policy.clamp === null && (policy.kind === 'pid' || policy.tunedAt === TUNED_AT)
  })
}
