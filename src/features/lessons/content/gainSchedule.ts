import { t } from '../../../language/translate.ts'
import { setOptions, setPolicy } from '../../../scenario/edit/edits.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, meanWaitOf, measureOf } from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

const gains = { kp: 1, ki: 0, kd: 0, every: 50_000, setpoint: 0, up: -40, down: -4, max: null, clamp: null, lend: false } as const
const TUNED_AT = 10_000

export const gainScheduleLesson: Lesson = {
  key: 'gain-schedule',
  title: 'Gains that follow the load',
  about: 'The gains of a controller fit one service time. What if jobs take four times as long from now on?',
  initialScenario: () =>
    scenarioOf({
      title: t('A stage slows down'),
      stages: [{ ...stage('A', t('Serve'), constant(TUNED_AT)), work: 'wait', changes: [{ from: 600, service: constant(4 * TUNED_AT) }] }],
      source: { kind: 'regular', rate: 200, jobs: 2400 },
      workers: 40,
      policy: { kind: 'pid', ...gains },
      estimator: { kind: 'window', n: 20, prior: 'declared' },
    }),
  steps: [
    {
      text: 'Two hundred jobs come in each second, and each takes 10 ms. From job 600 on, each takes 40 ms. The controller hires one worker when 40 or more wait, and dismisses one when 4 or fewer do. It counts jobs, however long they take.',
      question: choiceOf(
        'How long does a job wait on average?',
        ['Less than 20 ms', (was) => was < 20],
        ['About 50 ms', (was) => was >= 20 && was < 80],
        ['More than 100 ms', (was) => was >= 100],
      ),
      ...pressRun,
      measure: measureOf(poolUnder('pid'), meanWaitOf),
      conclusion: '{was, number} ms. Forty jobs of 40 ms are four times as much work as forty of 10 ms, and one more worker helps a quarter as much.',
    },
    {
      text: 'So each gain should be four times as high when jobs take four times as long. The adaptive controller multiplies its gains by the estimated service time, divided by the one that they were tuned at.',
      question: { ask: 'How many milliseconds does a job wait now?', unit: 'ms', within: 20 },
      task: 'Set Policy to Adaptive PID controller. Give it the same numbers as before: Integral, Derivative 0; Hire at -40, Dismiss at -4; Clamp integral empty; Period 50 ms. Set Gains tuned at to 10 ms, and press Run.',
      hint: 'All of them are in Settings, under Who works where. Proportional and Queue aimed at are already right.',
      solution: { edit: (scenario) => setPolicy(scenario, { kind: 'adaptive', ...gains, tunedAt: TUNED_AT }) },
      measure: measureOf(poolUnder('adaptive'), (run) => run.scenario.estimator.kind === 'window' && meanWaitOf(run)),
      conclusion: '{was, number} ms, with 79 paid worker-seconds as before. The gain of the loop stays what it was at 10 ms.',
    },
    {
      text: 'Everything depends on that estimate. Here it is the mean of the latest 20 jobs. A mean of all jobs still counts the first 600 long after the stage has become slow.',
      question: choiceOf(
        'With the mean of all jobs, how long does a job wait?',
        ['Less than with the latest 20', (was) => was < 50],
        ['A little longer', (was) => was >= 53 && was < 100],
        ['As long as with fixed gains', (was) => was >= 100],
      ),
      task: 'Set Estimate to Mean of all measured, and press Run.',
      hint: 'Estimate is in Settings, below the numbers of the policy.',
      solution: { edit: (scenario) => setOptions(scenario, { estimator: { kind: 'mean', prior: 'declared' } }) },
      measure: measureOf(poolUnder('adaptive'), (run) => run.scenario.estimator.kind === 'mean' && meanWaitOf(run)),
      conclusion:
        '{was, number} ms. And if service times never change, the schedule changes nothing: the run is the same as under the PID controller, row by row.',
    },
  ],
  closing:
    'Gain scheduling is as old as autopilots: at twice the speed an aeroplane responds differently to its rudder. Karl Johan Astrom and Bjorn Wittenmark describe it in Adaptive Control (1995), with controllers that estimate more than one number.',
}

/** Finds a run of the slow stage under the numbers of this lesson. */
function poolUnder(kind: 'pid' | 'adaptive') {
  return drainedWhere(({ scenario: { policy, stages } }) => {
    if ((policy.kind !== 'pid' && policy.kind !== 'adaptive') || policy.kind !== kind || stages[0].changes.length !== 1) return false
    const same = policy.ki === 0 && policy.kd === 0 && policy.up === gains.up && policy.down === gains.down && policy.every === gains.every
    return same && policy.clamp === null && (policy.kind === 'pid' || policy.tunedAt === TUNED_AT)
  })
}
