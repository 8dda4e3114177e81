import { t } from '../../../language/translate.ts'
import { setPolicy, setSource } from '../../../scenario/edit/edits.ts'
import type { ElasticKind } from '../../../scenario/model/policies.ts'
import type { ElasticPolicy, Micros, PerSecond, Scenario } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, meanWaitOf, measureOf, SECOND } from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

const pool = { every: 100_000, max: null, lend: false } as const

/** A rush of four seconds after `quiet` seconds, then four quiet seconds. */
const rush = (quiet: number) =>
  ({
    kind: 'steps',
    at: [
      [0, 50],
      [quiet * SECOND, 400],
      [(quiet + 4) * SECOND, 50],
    ],
    jobs: 1800 + 50 * quiet,
  }) as const

/** The same as a line with jumps. */
const yesterday: readonly (readonly [Micros, PerSecond])[] = [
  [0, 50],
  [4 * SECOND, 50],
  [4 * SECOND, 400],
  [8 * SECOND, 400],
  [8 * SECOND, 50],
]

export const beyondPidLesson: Lesson = {
  key: 'beyond-pid',
  title: 'Beyond PID',
  about: 'A rush comes at the same time as yesterday. Which controller is ready for it, and which one only sees the queue?',
  initialScenario: () =>
    scenarioOf({
      title: t('A rush'),
      stages: [{ ...stage('A', t('Serve'), constant(40_000)), work: 'wait' }],
      source: rush(4),
      workers: 40,
      policy: { kind: 'pid', ...pool, kp: 1, ki: 0, kd: 0, setpoint: 0, up: -10, down: -1, clamp: null },
      estimator: { kind: 'window', n: 20, prior: 'declared' },
    }),
  steps: [
    {
      text: 'After four quiet seconds, eight times as many jobs come for four seconds. Then 16 workers are needed instead of 2. Every 100 ms a controller counts the waiting jobs: at 10 or more it hires one worker, at 1 or none it dismisses one.',
      question: choiceOf(
        'How long does a job wait on average?',
        ['Less than 20 ms: it checks often enough', (was) => was < 20],
        ['About 300 ms', (was) => was >= 20 && was < 1000],
        ['More than a second', (was) => was >= 1000],
      ),
      ...pressRun,
      measure: measureOf(poolBy('pid', 4), meanWaitOf),
      conclusion: '{was, number} ms. It notices the rush only when the queue has grown, and then it needs a tick for each worker. Three hundred jobs pile up.',
    },
    {
      text: 'Additive increase, multiplicative decrease: while too many jobs wait, it adds three workers at each tick. As soon as a worker has been idle for 0.2 s, the pool shrinks to seven tenths. There are no gains to tune.',
      question: { ask: 'How many milliseconds does a job wait now?', unit: 'ms', within: 15 },
      task: 'Set Policy to AIMD controller. Then set Hire above to 4, Hire at once to 3, Keep to 0.7 and Period to 100 ms, and press Run.',
      hint: 'All of them are in Settings, under Who works where.',
      solution: { edit: byPolicy({ kind: 'aimd', ...pool, high: 4, idle: 200_000, increase: 3, decrease: 0.7 }) },
      measure: measureOf(poolBy('aimd', 4), meanWaitOf),
      conclusion:
        '{was, number} ms, with 91 paid worker-seconds instead of 108. Look at Pool: up in steps of three, down by three tenths, and never steady during the rush. That is its price.',
    },
    {
      text: 'Both notice the rush too late, because they look at the queue. But yesterday had the same rush at the same time. A predictive controller hires for the jobs that yesterday’s profile predicts for the next half second.',
      task: 'Set Policy to Predictive controller, press Take the arrivals of this scenario, set Period to 100 ms and press Run.',
      hint: 'The button is below the drawing of the profile. Look ahead stays at 500 ms.',
      solution: { edit: byPolicy({ kind: 'predictive', ...pool, profile: yesterday, lead: SECOND / 2, utilisation: 0.8, alpha: 0.05 }) },
      measure: measureOf(poolBy('predictive', 4), meanWaitOf),
      conclusion:
        '{was, number} ms, for 110 paid worker-seconds: the workers were there when the rush came. A controller that looks at the queue must let it grow first.',
    },
    {
      text: 'Today the rush comes two seconds early, but the profile is still yesterday’s. Under AIMD, which uses no forecast, a job would wait 37 ms today.',
      question: choiceOf(
        'And the predictive controller?',
        ['About 1 ms, as before', (was) => was < 10],
        ['Less than under AIMD, but more than before', (was) => was >= 10 && was < 37],
        ['More than under AIMD', (was) => was >= 37],
      ),
      task: 'Select the source and make its rate rise at 2 s and fall at 6 s. Leave the profile as it is, and press Run.',
      hint: 'Select the source on the canvas and change the times of its steps: 2 s 400 and 6 s 50.',
      solution: { edit: (scenario) => setSource(scenario, rush(2)) },
      measure: measureOf(poolBy('predictive', 2), meanWaitOf),
      conclusion:
        '{was, number} ms. It sees more jobs than predicted and corrects by the ratio, but that takes time; and when yesterday’s rush is due, it hires for one that is already over. A forecast helps only as far as days are alike.',
    },
  ],
  closing:
    'Chiu and Jain showed in 1989 why additive increase and multiplicative decrease share a network fairly; TCP still works that way. Winters forecast sales in 1960 from a season and a smoothed level, like the profile and the ratio of the predictive controller.',
}

function byPolicy(policy: ElasticPolicy & { readonly lend: boolean }) {
  return (scenario: Scenario) => setPolicy(scenario, policy)
}

/** Finds a run under this kind of controller, every 100 ms, whose rush comes after `quiet` seconds. A profile must be that of yesterday. */
function poolBy(kind: ElasticKind, quiet: number) {
  return drainedWhere(({ scenario: { source, policy } }) => {
    if (source.kind !== 'steps' || policy.kind !== kind || policy.every !== pool.every || source.at[1]?.[0] !== quiet * SECOND) return false
    return policy.kind !== 'predictive' || policy.profile.some(([time, rate]) => time === 4 * SECOND && rate === 400)
  })
}
