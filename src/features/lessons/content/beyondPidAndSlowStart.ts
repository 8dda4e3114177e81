import { t } from '../../../language/translate.ts'
import { frameAt } from '../../../measures/frame/frame.ts'
import { setPolicy, setSource, setStage } from '../../../scenario/edit/edits.ts'
import { type ElasticKind, startingParams } from '../../../scenario/model/policies.ts'
import type { ElasticPolicy, Micros, PerSecond, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, evidenceFrame, inSeconds, type MeasuredRun, meanWaitOf, measureOf, SECOND } from './evidence.ts'
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
  about:
    'A rush comes at the same time as yesterday. Which controller is ready for it, and which one only sees the queue?',
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
      conclusion:
        '{was, number} ms. It notices the rush only when the queue has grown, and then it needs a tick for each worker. Three hundred jobs pile up.',
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

const rayData = { kind: 'rayData', ...startingParams('rayData'), lend: false } as const
const SLOW = 7 * SECOND
const QUICK = 180_000
/** The instant that the lesson looks at. */
const LOOK = 20 * SECOND

const startingIn = (startUp: Micros) => (scenario: Scenario) =>
  setStage(scenario, 'bottleneck', { startUp: constant(startUp) })
const makespanOf = ({ metrics }: MeasuredRun) => inSeconds(metrics.makespan)

/** Finds a run under one of these policies in which the workers of Bottleneck start up for this long; under Ray Data's with this step. */
function rayBy(kinds: readonly PolicyKind[], startUp: Micros, step = 1) {
  return drainedWhere(({ scenario: { stages, policy } }) => {
    const [, bottleneck] = stages
    if (stages.length !== 2 || bottleneck.startUp?.kind !== 'constant' || bottleneck.startUp.mean !== startUp)
      return false
    return kinds.includes(policy.kind) && (policy.kind !== 'rayData' || policy.actor_pool_max_upscaling_delta === step)
  })
}

export const slowStartLesson: Lesson = {
  key: 'slow-start',
  title: 'A slow start',
  about:
    'In August 2026 a Ray Data pipeline had 83 workers at its first stage and 4 at the stage that needs 70. Why, and what helps?',
  initialScenario: () =>
    scenarioOf({
      title: t('Ray Data, August 2026'),
      stages: [
        { ...stage('robber', 'Robber', constant(170_000)), startUp: constant(QUICK) },
        { ...stage('bottleneck', 'Bottleneck', constant(210_000)), startUp: constant(SLOW) },
      ],
      source: { kind: 'batch', jobs: 15_000 },
      workers: 128,
      policy: rayData,
    }),
  steps: [
    {
      text: 'Two stages share 128 CPUs. Robber needs 0.17 s for a block, Bottleneck 0.21 s, so about 57 and 71 workers would be right. A worker of Robber starts up in 0.18 s, one of Bottleneck in 7 s. The policy is the one of Ray Data, as in a published incident.',
      question: choiceOf(
        'How many workers does Bottleneck have after 20 s?',
        ['About 70, since its queue is long', (was) => was >= 50],
        ['About 20', (was) => was >= 5 && was < 50],
        ['Fewer than 5', (was) => was < 5],
      ),
      ...pressRun,
      measure: measureOf(rayBy(['rayData'], SLOW), ({ trace }) => frameAt(trace, LOOK).stages[1].staffed),
      conclusion:
        '{was, number}, and one of them still starts up. Robber has 83. The run takes 214 s, the published one took 178 s.',
    },
    {
      text: 'Why? Ray Data looks at each pool ten times a second. A busy pool gets one actor more, but not while one of its actors starts up. So Robber gets five a second, and Bottleneck one in 7 s.',
      question: { ask: 'How many blocks wait for Bottleneck after 20 s?', unit: 'jobs', within: 1000 },
      task: 'Move the playhead to 20 s, and look at the queue of Bottleneck.',
      hint: 'Click the timeline near 20 s. On the canvas, the card of Bottleneck shows how many wait and how many workers start up.',
      solution: { at: () => LOOK },
      measure: (evidence) => {
        const frame =
          evidence.time !== null &&
          Math.abs(evidence.time - LOOK) <= SECOND &&
          rayBy(['rayData'], SLOW)({ ...evidence, watched: true }) &&
          evidenceFrame(evidence)
        return frame ? frame.stages[1].waiting : null
      },
      conclusion:
        '{was, number}. The queue shows the bottleneck clearly, but the rule does not read it: it counts the jobs that the actors have in hand.',
    },
    {
      text: 'Perhaps the steps are too small: actor_pool_max_upscaling_delta allows one actor at a time.',
      question: choiceOf(
        'How long does the run take with up to 16 at a time?',
        ['About 60 s', (was) => was < 100],
        ['About 160 s', (was) => was >= 100 && was < 200],
        ['As long as before', (was) => was >= 200],
      ),
      task: 'Set actor_pool_max_upscaling_delta to 16, and press Run.',
      hint: 'It is in Settings, under Who works where.',
      solution: { edit: (scenario) => setPolicy(scenario, { ...rayData, actor_pool_max_upscaling_delta: 16 }) },
      measure: measureOf(rayBy(['rayData'], SLOW, 16), makespanOf),
      conclusion:
        '{was, number} s. A pool grows by a seventh of itself at most. So a small pool still gets one actor, and then waits for it.',
    },
    {
      text: 'So is it the start-up time? Suppose that a worker of Bottleneck is ready as soon as one of Robber.',
      question: { ask: 'How many seconds does the run take then?', unit: 's', within: 10 },
      task: 'Set actor_pool_max_upscaling_delta back to 1, and the start-up of Bottleneck to 180 ms. Then press Run.',
      hint: 'Select Bottleneck on the canvas. Its start-up is in its form.',
      solution: { edit: (scenario) => startingIn(QUICK)(setPolicy(scenario, rayData)) },
      measure: measureOf(rayBy(['rayData'], QUICK), makespanOf),
      conclusion:
        '{was, number} s. Both pools grow alike now. The rule suits workers that start up quickly. Those of Bottleneck need 7 s.',
    },
    {
      text: 'A start-up of 7 s again, but a policy that gives each worker to the stage where it saves the most waiting time. A worker starts up at a stage with its first job there.',
      question: choiceOf(
        'How long does the run take?',
        ['About 200 s: the start-ups take as long as before', (was) => was >= 150],
        ['About 100 s', (was) => was >= 70 && was < 150],
        ['About 50 s', (was) => was < 70],
      ),
      task: 'Set the start-up of Bottleneck back to 7 s and Policy to Least total time. Then press Run.',
      hint: 'Switch-aware and Preallocate count too.',
      solution: { edit: (scenario) => startingIn(SLOW)(setPolicy(scenario, 'leastScore')) },
      measure: measureOf(rayBy(['leastScore', 'switchAware', 'preallocate'], SLOW), makespanOf),
      conclusion:
        '{was, number} s. It sees the queue, and 70 workers start up at the same time instead of one after the other. Switch-aware and Preallocate need as long. Without any start-up, 15,000 blocks are 44.5 s of work for each CPU.',
    },
  ],
  closing:
    'The report is ray-project/ray #65540. The document on known systems says what is modelled and what is not. NVIDIA’s Xenna plans for all stages at once from measured rates: compare it under Policy.',
}
