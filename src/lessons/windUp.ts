import { t } from '../language/translate.ts'
import { setPolicy } from '../scenario/edit/edits.ts'
import type { PidPolicy, Scenario } from '../scenario/model/scenario.ts'
import { constant, preset, stage } from '../scenario/presets/preset.ts'
import { type Evidence, endedRun, type MeasuredRun } from './evidence.ts'
import type { Lesson } from './lesson.ts'

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
  title: () => t('Control and wind-up'),
  about: () => t('A pool that hires and dismisses by its queue, and what goes wrong when it remembers too well.'),
  initialScenario: () =>
    preset('', t('Elastic pool'), '', {
      stages: [stage('A', t('Serve'), constant(25_000))],
      source: { kind: 'sine', max: 120, every: 100_000, duration: 60 * SECOND, jobs: null },
      workers: 40,
      policy: pid,
    }).scenario,
  steps: [
    {
      text: () =>
        t(
          'The load swells and ebbs, a round every 6 s. A controller looks at the queue a hundred times a second: with 100 or more waiting it hires one worker, with 20 or fewer it dismisses one. That is proportional control, P.',
        ),
      question: {
        ask: () => t('How many jobs will wait on average?'),
        choices: [
          { text: () => t('Nearly none'), fits: (was) => was < 20 },
          { text: () => t('Some sixty, between the two bounds'), fits: (was) => was >= 40 && was < 100 },
          { text: () => t('More than a hundred'), fits: (was) => was >= 100 },
        ],
      },
      task: () => t('Press Run.'),
      hint: () => t('Run is the red button at the top.'),
      solution: {},
      measure(evidence) {
        const run = pool(evidence)
        return run !== null && run.policy.ki === 0 && run.policy.kd === 0 ? Math.round(run.metrics.stages[0].meanQueue) : null
      },
      conclusion: (was) =>
        t('{was, number} on average. It acts on the queue of this moment and on nothing else: as long as fewer than 100 wait, that is good enough for it.', {
          was,
        }),
    },
    {
      text: () =>
        t('Let it remember. The integral part, I, adds up how many have waited, and for how long; the longer a queue has stood, the sooner one is hired.'),
      question: {
        ask: () => t('How few workers will the pool ever have again, after the first ten seconds?'),
        choices: [
          { text: () => t('None or one: at each ebb it empties'), fits: (was) => was <= 1 },
          { text: () => t('About ten'), fits: (was) => was > 1 && was < 20 },
          { text: () => t('About thirty: it never shrinks again'), fits: (was) => was >= 20 },
        ],
      },
      task: () => t('In the panel Scenario set Integral to 0.05, and press Run.'),
      hint: () => t('Integral stands under Who works where, below Proportional.'),
      solution: { edit: steered({ ki: 0.05 }) },
      measure(evidence) {
        const run = pool(evidence)
        return run !== null && run.policy.ki === 0.05 && run.policy.clamp === null && run.policy.setpoint === 0 && run.policy.kd === 0 ? fewest(run) : null
      },
      conclusion: (was) =>
        t(
          '{was, number}. The sum of all that ever waited can only grow: even with an empty queue it keeps the output beyond the bound at which one is dismissed. The integral has wound up.',
          { was },
        ),
    },
    {
      text: () =>
        t(
          'One remedy is a clamp: the integral part may count for so much and no more. With an empty queue it is all there is, and one is dismissed only where that is no further than 20 from zero: so the clamp may be 20 at most.',
        ),
      task: () => t('Set Clamp integral so that the pool shrinks to five workers or fewer at some ebb after the first ten seconds.'),
      hint: () => t('It stands below Dismiss at. With 15 the pool breathes again.'),
      solution: { edit: steered({ ki: 0.05, clamp: 15 }) },
      measure(evidence) {
        const run = pool(evidence)
        return run !== null && run.policy.ki > 0 && run.policy.clamp !== null && fewest(run) <= 5 ? Math.round(run.metrics.stages[0].meanQueue) : null
      },
      conclusion: (was) => t('It breathes, but {was, number} jobs wait on average: tied so short, the memory is of little use.', { was }),
    },
    {
      text: () =>
        t(
          'There is a better remedy. Aimed at an empty queue, the error never changes its sign, so what has been wound up is never unwound. Aim at a queue that can also be undershot.',
        ),
      task: () => t('Empty Clamp integral, and set Queue aimed at so that fewer than 20 wait on average and the pool still shrinks to five workers or fewer.'),
      hint: () => t('Aim at a handful: 5.'),
      solution: { edit: steered({ ki: 0.05, setpoint: 5 }) },
      measure(evidence) {
        const run = pool(evidence)
        const asked = run !== null && run.policy.setpoint > 0 && run.policy.clamp === null && fewest(run) <= 5 && run.metrics.stages[0].meanQueue < 20
        return asked ? Math.round(run.metrics.stages[0].meanQueue) : null
      },
      conclusion: (was) => t('{was, number} wait on average, and at each ebb the pool shrinks: in every quiet stretch the sum unwinds a little.', { was }),
    },
  ],
  closing: () =>
    t(
      'Proportional, integral, derivative: Nicolas Minorsky described the three in 1922, from watching how helmsmen steer ships, and Ziegler and Nichols told in 1942 how to set them. Wind-up comes with every integral that asks for more than there is.',
    ),
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
