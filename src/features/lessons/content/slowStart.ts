import { frameAt } from '../../../measures/frame/frame.ts'
import { setPolicy, setStage } from '../../../scenario/edit/edits.ts'
import { startingParams } from '../../../scenario/model/policies.ts'
import type { Micros, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedWhere, evidenceFrame, makespanOf, measureOf, SECOND } from './evidence.ts'
import { type Lesson, moveTo, pressRun, rangeChoices, setAndRun } from './lesson.ts'

const rayData = { kind: 'rayData', ...startingParams('rayData'), lend: false } as const
const SLOW = 7 * SECOND
const QUICK = 180_000
/** The instant that the lesson looks at. */
const LOOK = 20 * SECOND

const startingIn = (startUp: Micros) => (scenario: Scenario) =>
  setStage(scenario, 'bottleneck', { startUp: constant(startUp) })

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
  about: 'Why did a Ray Data pipeline give 83 workers to its first stage and 4 to the stage that needs 70?',
  initialScenario: () =>
    scenarioOf({
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
      text: 'Two stages share 128 CPUs under the policy of Ray Data. Robber takes 0.17 s a block and starts up in 0.18 s; Bottleneck takes 0.21 s and starts up in 7 s. How many workers does Bottleneck have after 20 s?',
      question: rangeChoices('{n}', 5, 50),
      ...pressRun,
      measure: measureOf(rayBy(['rayData'], SLOW), ({ trace }) => frameAt(trace, LOOK).stages[1].staffed),
      conclusion: '{was, number}, and Robber has 83. The run takes 214 s; the published one took 178 s.',
    },
    {
      text: 'Ray Data adds one actor to a busy pool, but not while another of its actors starts up. So Bottleneck gets one in 7 s. How many blocks wait for it after 20 s?',
      question: { unit: 'jobs', within: 1000 },
      task: moveTo(20),
      solution: { at: () => LOOK },
      measure: (evidence) => {
        const frame =
          evidence.time !== null &&
          Math.abs(evidence.time - LOOK) <= SECOND &&
          rayBy(['rayData'], SLOW)({ ...evidence, watched: true }) &&
          evidenceFrame(evidence)
        return frame ? frame.stages[1].waiting : null
      },
      conclusion: '{was, number}. The policy does not read the queue: it counts only the jobs that its actors hold.',
    },
    {
      text: 'Perhaps one actor at a time is too few. How long does the run take with up to 16 at a time?',
      question: rangeChoices('{n} s', 100, 200),
      task: setAndRun(['actor_pool_max_upscaling_delta', '{n}', 16]),
      solution: { edit: (scenario) => setPolicy(scenario, { ...rayData, actor_pool_max_upscaling_delta: 16 }) },
      measure: measureOf(rayBy(['rayData'], SLOW, 16), makespanOf),
      conclusion: '{was, number} s. A pool grows by a seventh at most.',
    },
    {
      text: 'How long does the run take if a worker of Bottleneck starts up as fast as one of Robber?',
      question: { unit: 's', within: 10 },
      task: setAndRun(['actor_pool_max_upscaling_delta', '{n}', 1], ['Start-up', '{n} ms', 180]),
      solution: { edit: (scenario) => startingIn(QUICK)(setPolicy(scenario, rayData)) },
      measure: measureOf(rayBy(['rayData'], QUICK), makespanOf),
      conclusion: '{was, number} s. Both pools grow alike: the policy suits workers that start up quickly.',
    },
    {
      text: 'Now 7 s again, but a policy that gives each worker to the stage where it saves the most waiting. How long does the run take?',
      question: rangeChoices('{n} s', 70, 150),
      task: setAndRun(['Start-up', '{n} s', 7], ['Policy', 'Least total time']),
      solution: { edit: (scenario) => startingIn(SLOW)(setPolicy(scenario, 'leastScore')) },
      measure: measureOf(rayBy(['leastScore', 'switchAware', 'preallocate'], SLOW), makespanOf),
      conclusion: '{was, number} s. It sees the queue and starts 70 workers at the same time.',
    },
  ],
  source: 'ray-project/ray #65540',
}
