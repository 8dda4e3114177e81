import { t } from '../../../language/translate.ts'
import { setPolicy, setSource } from '../../../scenario/edit/edits.ts'
import type { ElasticKind } from '../../../scenario/model/policies.ts'
import type { ElasticPolicy, Micros, PerSecond, Scenario } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, meanWaitOf, measureOf, SECOND } from './evidence.ts'
import { type Lesson, pressRun, rangeChoices, setAndRun } from './lesson.ts'

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
  about: 'A rush comes at the same time as yesterday. Which controller is ready for it?',
  initialScenario: () =>
    scenarioOf({
      stages: [{ ...stage('A', t('Serve'), constant(40_000)), work: 'wait' }],
      source: rush(4),
      workers: 40,
      policy: { kind: 'pid', ...pool, kp: 1, ki: 0, kd: 0, setpoint: 0, up: -10, down: -1, clamp: null },
      estimator: { kind: 'window', n: 20, prior: 'declared' },
    }),
  steps: [
    {
      text: 'After 4 s, eight times as many jobs come for 4 s: they need 16 workers instead of 2. A controller hires one worker every 100 ms while 10 or more jobs wait. How long does a job wait on average?',
      question: rangeChoices('{n} ms', 20, 1000),
      ...pressRun,
      measure: measureOf(poolBy('pid', 4), meanWaitOf),
      conclusion: '{was, number} ms. It reacts only once the queue has grown.',
    },
    {
      text: 'AIMD adds three workers a tick while too many jobs wait, and shrinks the pool when a worker is idle. How long does a job wait now?',
      question: { unit: 'ms', within: 15 },
      task: setAndRun(
        ['Policy', 'AIMD controller'],
        ['Hire above', '{n}', 4],
        ['Hire at once', '{n}', 3],
        ['Keep', '{n}', 0.7],
        ['Period', '{n} ms', 100],
      ),
      solution: { edit: byPolicy({ kind: 'aimd', ...pool, high: 4, idle: 200_000, increase: 3, decrease: 0.7 }) },
      measure: measureOf(poolBy('aimd', 4), meanWaitOf),
      conclusion:
        '{was, number} ms, for 91 paid worker-seconds instead of 108. The pool never settles: that is its price.',
    },
    {
      text: 'Yesterday had the same rush at the same time, so a predictive controller hires in advance.',
      task: 'Set Policy to Predictive controller, press Take the arrivals of this scenario, set Period to 100 ms and press Run.',
      solution: {
        edit: byPolicy({
          kind: 'predictive',
          ...pool,
          profile: yesterday,
          lead: SECOND / 2,
          utilisation: 0.8,
          alpha: 0.05,
        }),
      },
      measure: measureOf(poolBy('predictive', 4), meanWaitOf),
      conclusion: '{was, number} ms, for 110 paid worker-seconds: the workers were there when the rush came.',
    },
    {
      text: 'Today the rush comes two seconds early; the profile is still yesterday’s. Under AIMD a job would wait 37 ms. And under the predictive controller?',
      question: rangeChoices('{n} ms', 10, 37),
      task: 'Select the source, make its rate rise at 2 s and fall at 6 s, and press Run.',
      solution: { edit: (scenario) => setSource(scenario, rush(2)) },
      measure: measureOf(poolBy('predictive', 2), meanWaitOf),
      conclusion: '{was, number} ms. A forecast helps only when days are alike.',
    },
  ],
  source: 'Chiu and Jain, 1989; Winters, 1960',
}

function byPolicy(policy: ElasticPolicy & { readonly lend: boolean }) {
  return (scenario: Scenario) => setPolicy(scenario, policy)
}

/** Finds a run under this kind of controller, every 100 ms, whose rush comes after `quiet` seconds. A profile must be that of yesterday. */
function poolBy(kind: ElasticKind, quiet: number) {
  return drainedWhere(({ scenario: { source, policy } }) => {
    if (
      source.kind !== 'steps' ||
      policy.kind !== kind ||
      policy.every !== pool.every ||
      source.at[1]?.[0] !== quiet * SECOND
    )
      return false
    return policy.kind !== 'predictive' || policy.profile.some(([time, rate]) => time === 4 * SECOND && rate === 400)
  })
}
