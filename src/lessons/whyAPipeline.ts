import { t } from '../language/translate.ts'
import { setPolicy, setSource, setWorkers } from '../scenario/edit/edits.ts'
import { constant, preset, stage } from '../scenario/presets/preset.ts'
import { drainedRun, evidenceFrame, inPercent, inSeconds } from './evidence.ts'
import type { Lesson } from './lesson.ts'

const SECOND = 1_000_000

export const whyAPipelineLesson: Lesson = {
  key: 'why-a-pipeline',
  title: () => t('Why a pipeline at all?'),
  about: () => t('Three people and six loads of laundry: what is gained when everybody keeps to one place?'),
  initialScenario: () =>
    preset('', t('Laundry'), '', {
      stages: [stage('A', t('Wash'), constant(SECOND)), stage('B', t('Dry'), constant(SECOND)), stage('C', t('Fold'), constant(SECOND))],
      source: { kind: 'batch', jobs: 6 },
      workers: 1,
      policy: { kind: 'single', lend: false },
    }).scenario,
  steps: [
    {
      text: () => t('Six loads of laundry are to be washed, dried and folded; each takes a second at each place. One person does it all, load by load.'),
      task: () => t('Press Run and watch one person at work.'),
      hint: () => t('Run is the red button at the top; Ctrl+Enter does the same.'),
      solution: {},
      measure(evidence) {
        const run = drainedRun(evidence)
        return run !== null && run.scenario.workers === 1 && jobsOf(run.scenario.source) === 6 ? inSeconds(run.metrics.makespan) : null
      },
      conclusion: (was) => t('{was, number} seconds: six loads of three seconds each. At any time one place is in use, and the other two stand idle.', { was }),
    },
    {
      text: () => t('Now three people, each with a place of their own: one washes, one dries, one folds. A load still takes its three seconds.'),
      question: {
        ask: () => t('How long do six loads take?'),
        choices: [
          { text: () => t('18 s'), fits: (was) => was === 18 },
          { text: () => t('9 s'), fits: (was) => was === 9 },
          { text: () => t('8 s'), fits: (was) => was === 8 },
          { text: () => t('6 s'), fits: (was) => was === 6 },
        ],
      },
      task: () => t('Set Workers to 3 and Policy to One per stage, and press Run.'),
      hint: () => t('Both fields are at the top of the page.'),
      solution: { edit: (scenario) => setPolicy(setWorkers(scenario, 3), 'onePerStage') },
      measure(evidence) {
        const run = drainedRun(evidence)
        const asked = run !== null && run.scenario.workers === 3 && run.scenario.policy.kind === 'onePerStage' && jobsOf(run.scenario.source) === 6
        return asked ? inSeconds(run.metrics.makespan) : null
      },
      conclusion: (was) =>
        t('{was, number} seconds. The first load needs its three; from then on one load a second is ready, and there are five more.', { was }),
    },
    {
      text: () => t('Three times as fast would have been 6 seconds. Where did the other two go?'),
      task: () => t('Pause, and put the playhead on an instant at which all three are at work.'),
      hint: () => t('Drag the playhead along the coloured lanes below: three of them side by side are three people at work, from 2 s to 6 s.'),
      solution: { at: () => 3 * SECOND },
      measure(evidence) {
        const frame = evidenceFrame(evidence)
        if (frame === null || evidence.run?.scenario.workers !== 3 || frame.workers.some(({ status }) => status !== 'busy')) return null
        return inSeconds(frame.time)
      },
      conclusion: (was) =>
        t(
          'At {was, number} s all three work. At first the dryer and the folder wait for a load, at the end the washer has none left: filling and draining take two seconds.',
          {
            was,
          },
        ),
    },
    {
      text: () => t('A pipeline is filled and drained once, however many loads go through it.'),
      task: () => t('Press the circle where jobs come in and set Jobs higher, until the three are busy more than 95% of the time.'),
      hint: () => t('With n loads it takes n + 2 seconds, so they are busy n of n + 2. Try 60 jobs, and press Run.'),
      solution: { edit: (scenario) => setSource(scenario, { kind: 'batch', jobs: 60 }) },
      measure(evidence) {
        const run = drainedRun(evidence)
        const asked = run !== null && run.scenario.policy.kind === 'onePerStage' && run.scenario.workers === 3 && run.metrics.utilisation > 0.95
        return asked ? inPercent(run.metrics.utilisation) : null
      },
      conclusion: (was) => t('Busy {was, number}% of the time: of a long stream of loads nearly nothing is lost to filling and draining.', { was }),
    },
    {
      text: () => t('Still nobody may help at another place. Let everybody go where work waits: that is what the other policies are for.'),
      question: {
        ask: () => t('How much of the time will the three be busy?'),
        choices: [
          { text: () => t('Less: they get into each other’s way'), fits: (was) => was < 95 },
          { text: () => t('All of it'), fits: (was) => was >= 100 },
          { text: () => t('As much as before'), fits: (was) => was >= 95 && was < 100 },
        ],
      },
      task: () => t('Set Policy to Least total time, and press Run.'),
      hint: () => t('Policy is at the top of the page.'),
      solution: { edit: (scenario) => setPolicy(scenario, 'leastScore') },
      measure(evidence) {
        const run = drainedRun(evidence)
        return run !== null && run.scenario.policy.kind === 'leastScore' && run.scenario.workers === 3 ? inPercent(run.metrics.utilisation) : null
      },
      conclusion: (was) =>
        t('{was, number}%: at first all three wash, at last all three fold. Who should work where, now? That is the question of this page.', { was }),
    },
  ],
  closing: () =>
    t(
      'A pipeline does not make a load quicker; it lets several loads be under way at once. And who keeps to one place need not change tools: Adam Smith counted that time among the gains of divided labour in 1776, at the making of pins.',
    ),
}

function jobsOf(source: { readonly kind: string; readonly jobs?: number | null }): number {
  return source.jobs ?? 0
}
