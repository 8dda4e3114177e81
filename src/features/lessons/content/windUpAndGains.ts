import { t } from '../../../language/translate.ts'
import { setOptions, setPolicy } from '../../../scenario/edit/edits.ts'
import type { PidPolicy, Scenario } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, type Evidence, endedRun, type MeasuredRun, meanWaitOf, measureOf, SECOND } from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

const pid: PidPolicy & { readonly lend: boolean } = {
  kind: 'pid',
  kp: 1,
  ki: 0,
  kd: 0,
  every: 10_000,
  setpoint: 0,
  up: -100,
  down: -20,
  max: null,
  clamp: null,
  lend: false,
}
const withPid = (by: Partial<PidPolicy>) => (scenario: Scenario) => setPolicy(scenario, { ...pid, ...by })

export const windUpLesson: Lesson = {
  key: 'wind-up',
  title: 'Control and wind-up',
  about: 'A pool that hires and dismisses workers by its queue, and what goes wrong when it remembers too well.',
  initialScenario: () =>
    scenarioOf({
      title: t('Elastic pool'),
      stages: [stage('A', t('Serve'), constant(25_000))],
      source: { kind: 'sine', max: 120, every: 100_000, duration: 60 * SECOND, jobs: null },
      workers: 40,
      policy: pid,
    }),
  steps: [
    {
      text: 'The load rises and falls every 6 s. A controller checks the queue a hundred times a second: with 100 or more waiting it hires one worker, with 20 or fewer it dismisses one. That is proportional control, P.',
      question: choiceOf(
        'How many jobs will wait on average?',
        ['Almost none', (was) => was < 20],
        ['About sixty, between the two limits', (was) => was >= 40 && was < 100],
        ['More than a hundred', (was) => was >= 100],
      ),
      ...pressRun,
      measure: measureOf(pool, (run) => run.policy.ki === 0 && run.policy.kd === 0 && meanQueueOf(run)),
      conclusion:
        '{was, number} on average. It reacts only to the queue of this moment: as long as fewer than 100 wait, it hires no worker.',
    },
    {
      text: 'Now let it remember. The integral part, I, adds up how many have waited, and for how long; the longer a queue has lasted, the sooner a worker is hired.',
      question: choiceOf(
        'What is the smallest number of workers in the pool after the first ten seconds?',
        ['None or one: it empties whenever the load is low', (was) => was <= 1],
        ['About ten', (was) => was > 1 && was < 20],
        ['About thirty: it never shrinks again', (was) => was >= 20],
      ),
      task: 'In Settings, set Integral to 0.05 and press Run.',
      hint: 'Integral is under Who works where, below Proportional.',
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
        '{was, number}. The sum of all waiting can only grow: even with an empty queue it keeps the output beyond the limit at which a worker is dismissed. The integral has wound up.',
    },
    {
      text: 'One remedy is a clamp, a limit for the integral part. With an empty queue that part is the whole output, and a worker is dismissed only when the output is at most 20 away from zero: so the clamp must be at most 20.',
      task: 'Set Clamp integral so that the pool shrinks to five workers or fewer at some time after the first ten seconds.',
      hint: 'It is below Dismiss at. With 15 the pool shrinks and grows again.',
      solution: { edit: withPid({ ki: 0.05, clamp: 15 }) },
      measure: measureOf(
        pool,
        (run) => run.policy.ki > 0 && run.policy.clamp !== null && fewest(run) <= 5 && meanQueueOf(run),
      ),
      conclusion:
        'It shrinks and grows, but {was, number} jobs wait on average: with such a low limit, the memory is of little use.',
    },
    {
      text: 'There is a better remedy. With an empty queue as the aim, the error never changes its sign, so the integral never unwinds. Aim at a queue that can also be undershot.',
      task: 'Clear Clamp integral, and set Queue aimed at so that fewer than 20 wait on average and the pool still shrinks to five workers or fewer.',
      hint: 'Aim at a few jobs, such as 5.',
      solution: { edit: withPid({ ki: 0.05, setpoint: 5 }) },
      measure: measureOf(
        pool,
        (run) =>
          run.policy.setpoint > 0 &&
          run.policy.clamp === null &&
          fewest(run) <= 5 &&
          run.metrics.stages[0].meanQueue < 20 &&
          meanQueueOf(run),
      ),
      conclusion:
        '{was, number} wait on average, and the pool shrinks whenever the load is low: in every quiet period the sum unwinds a little.',
    },
  ],
  closing:
    'Proportional, integral, derivative: Nicolas Minorsky described the three in 1922, after watching how helmsmen steer ships, and Ziegler and Nichols explained in 1942 how to set them. Every integral that asks for more than is possible winds up.',
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
  about: 'The gains of a controller fit one service time. What if jobs take four times as long from now on?',
  initialScenario: () =>
    scenarioOf({
      title: t('A stage slows down'),
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
      text: 'Two hundred jobs come in each second, and each takes 10 ms. From job 600 on, each takes 40 ms. The controller hires one worker when 40 or more wait, and dismisses one when 4 or fewer do. It counts jobs, however long they take.',
      question: choiceOf(
        'How long does a job wait on average?',
        ['Less than 20 ms', (was) => was < 20],
        ['About 50 ms', (was) => was >= 20 && was < 80],
        ['More than 100 ms', (was) => was >= 100],
      ),
      ...pressRun,
      measure: measureOf(poolUnder('pid'), meanWaitOf),
      conclusion:
        '{was, number} ms. Forty jobs of 40 ms are four times as much work as forty of 10 ms, and one more worker helps a quarter as much.',
    },
    {
      text: 'So each gain should be four times as high when jobs take four times as long. The adaptive controller multiplies its gains by the estimated service time, divided by the one that they were tuned at.',
      question: { ask: 'How many milliseconds does a job wait now?', unit: 'ms', within: 20 },
      task: 'Set Policy to Adaptive PID controller. Give it the same numbers as before: Integral, Derivative 0; Hire at -40, Dismiss at -4; Clamp integral empty; Period 50 ms. Set Gains tuned at to 10 ms, and press Run.',
      hint: 'All of them are in Settings, under Who works where. Proportional and Queue aimed at are already right.',
      solution: { edit: (scenario) => setPolicy(scenario, { kind: 'adaptive', ...gains, tunedAt: TUNED_AT }) },
      measure: measureOf(poolUnder('adaptive'), (run) => run.scenario.estimator.kind === 'window' && meanWaitOf(run)),
      conclusion:
        '{was, number} ms, with 79 paid worker-seconds as before. The gain of the loop stays what it was at 10 ms.',
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
