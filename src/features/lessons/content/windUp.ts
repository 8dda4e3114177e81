import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import type { PidPolicy, Scenario } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { type Evidence, endedRun, type MeasuredRun, measureOf } from './evidence.ts'
import { type Lesson, pressRun } from './lesson.ts'

const SECOND = 1_000_000
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
const steered = (by: Partial<PidPolicy>) => (scenario: Scenario) => setPolicy(scenario, { ...pid, ...by })

export const windUpLesson: Lesson = {
  key: 'wind-up',
  title: 'Control and wind-up',
  about: 'A pool that hires and dismisses by its queue, and what goes wrong when it remembers too well.',
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
      text: 'The load swells and ebbs, a round every 6 s. A controller looks at the queue a hundred times a second: with 100 or more waiting it hires one worker, with 20 or fewer it dismisses one. That is proportional control, P.',
      question: {
        ask: 'How many jobs will wait on average?',
        choices: [
          ['Nearly none', (was) => was < 20],
          ['Some sixty, between the two bounds', (was) => was >= 40 && was < 100],
          ['More than a hundred', (was) => was >= 100],
        ],
      },
      ...pressRun,
      measure: measureOf(pool, (run) => run.policy.ki === 0 && run.policy.kd === 0 && Math.round(run.metrics.stages[0].meanQueue)),
      conclusion:
        '{was, number} on average. It acts on the queue of this moment and on nothing else: as long as fewer than 100 wait, that is good enough for it.',
    },
    {
      text: 'Let it remember. The integral part, I, adds up how many have waited, and for how long; the longer a queue has stood, the sooner one is hired.',
      question: {
        ask: 'How few workers will the pool ever have again, after the first ten seconds?',
        choices: [
          ['None or one: at each ebb it empties', (was) => was <= 1],
          ['About ten', (was) => was > 1 && was < 20],
          ['About thirty: it never shrinks again', (was) => was >= 20],
        ],
      },
      task: 'In Settings, set Integral to 0.05 and press Run.',
      hint: 'Integral stands under Who works where, below Proportional.',
      solution: { edit: steered({ ki: 0.05 }) },
      measure: measureOf(pool, (run) => run.policy.ki === 0.05 && run.policy.clamp === null && run.policy.setpoint === 0 && run.policy.kd === 0 && fewest(run)),
      conclusion:
        '{was, number}. The sum of all that ever waited can only grow: even with an empty queue it keeps the output beyond the bound at which one is dismissed. The integral has wound up.',
    },
    {
      text: 'One remedy is a clamp: the integral part may count for so much and no more. With an empty queue it is all there is, and one is dismissed only where that is no further than 20 from zero: so the clamp may be 20 at most.',
      task: 'Set Clamp integral so that the pool shrinks to five workers or fewer at some ebb after the first ten seconds.',
      hint: 'It stands below Dismiss at. With 15 the pool breathes again.',
      solution: { edit: steered({ ki: 0.05, clamp: 15 }) },
      measure: measureOf(pool, (run) => run.policy.ki > 0 && run.policy.clamp !== null && fewest(run) <= 5 && Math.round(run.metrics.stages[0].meanQueue)),
      conclusion: 'It breathes, but {was, number} jobs wait on average: tied so short, the memory is of little use.',
    },
    {
      text: 'There is a better remedy. Aimed at an empty queue, the error never changes its sign, so what has been wound up is never unwound. Aim at a queue that can also be undershot.',
      task: 'Empty Clamp integral, and set Queue aimed at so that fewer than 20 wait on average and the pool still shrinks to five workers or fewer.',
      hint: 'Aim at a handful: 5.',
      solution: { edit: steered({ ki: 0.05, setpoint: 5 }) },
      measure: measureOf(
        pool,
        (run) =>
          run.policy.setpoint > 0 &&
          run.policy.clamp === null &&
          fewest(run) <= 5 &&
          run.metrics.stages[0].meanQueue < 20 &&
          Math.round(run.metrics.stages[0].meanQueue),
      ),
      conclusion: '{was, number} wait on average, and at each ebb the pool shrinks: in every quiet stretch the sum unwinds a little.',
    },
  ],
  closing:
    'Proportional, integral, derivative: Nicolas Minorsky described the three in 1922, from watching how helmsmen steer ships, and Ziegler and Nichols told in 1942 how to set them. Wind-up comes with every integral that asks for more than there is.',
}

/** Returns a run of this pool under this load, even if it left jobs behind. */
function pool(evidence: Evidence): (MeasuredRun & { readonly policy: PidPolicy }) | null {
  const run = endedRun(evidence)
  const policy = run?.scenario.policy
  return run !== null && policy?.kind === 'pid' && run.scenario.source.kind === 'sine' ? { ...run, policy } : null
}

/** Returns the fewest workers between the first ten seconds and the end of the load. */
function fewest({ metrics: figures }: MeasuredRun): number {
  let least = Number.POSITIVE_INFINITY
  figures.workersOverTime.forEach(([from, workers], i) => {
    const until = figures.workersOverTime[i + 1]?.[0] ?? figures.makespan
    if (until > 10 * SECOND && from < 59 * SECOND) least = Math.min(least, workers)
  })
  return least
}
