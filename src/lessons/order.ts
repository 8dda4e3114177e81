import { t } from '../language/translate.ts'
import { setOptions } from '../scenario/edit/edits.ts'
import type { Scenario } from '../scenario/model/scenario.ts'
import { constant, preset, stage } from '../scenario/presets/preset.ts'
import { drainedRun, type Evidence, evidenceFrame, type MeasuredRun } from './evidence.ts'
import type { Lesson } from './lesson.ts'

const MS = 1000
const ring = (slots: number) => (scenario: Scenario) => setOptions(scenario, { order: { kind: 'buffer', slots } })

export const orderLesson: Lesson = {
  key: 'order',
  title: () => t('Order and its price'),
  about: () => t('What comes first shall leave first: what does that cost when one job in a hundred is long?'),
  initialScenario: () =>
    preset('', t('Film studio'), '', {
      seed: 3,
      stages: [stage('A', t('Unpack'), constant(2 * MS)), stage('B', t('Convert'), { kind: 'bimodal', fast: 8 * MS, slow: 400 * MS, pSlow: 0.01 })],
      source: { kind: 'regular', rate: 200, jobs: 600 },
      workers: 4,
    }).scenario,
  steps: [
    {
      text: () =>
        t(
          'Six hundred films come in, one every 5 ms. To unpack one takes 2 ms, to convert it 8 ms, but one in a hundred takes 400 ms. Each leaves as soon as it is ready.',
        ),
      task: () => t('Press Run.'),
      hint: () => t('Run is the red button at the top.'),
      solution: {},
      measure(evidence) {
        const run = studio(evidence)
        return run?.scenario.order.kind === 'none' ? inMillis(run.metrics.p50FlowTime) : null
      },
      conclusion: (was) => t('Half of them are out within {was, number} ms: 2 + 8, and no waiting. A long one is overtaken by those behind it.', { was }),
    },
    {
      text: () =>
        t(
          'Now they shall leave in the order in which they came. At the exit stands a buffer, a ring of 32 places: what is ready early waits there for what came before it, and nobody may begin what the ring has no place for.',
        ),
      question: {
        ask: () => t('Within what time will half of them be out now?'),
        choices: [
          { text: () => t('10 ms: only the few behind a long one wait'), fits: (was) => was < 15 },
          { text: () => t('About 20 ms'), fits: (was) => was >= 15 && was < 100 },
          { text: () => t('More than 200 ms'), fits: (was) => was > 200 },
        ],
      },
      task: () => t('Press the circle at the exit, choose In order, by a buffer, set Slots to 32, and press Run.'),
      hint: () => t('The circle is at the right end of the pipeline; what it asks stands in the panel Scenario.'),
      solution: { edit: ring(32) },
      measure(evidence) {
        const { order } = evidence.run?.scenario ?? {}
        const run = studio(evidence)
        return run !== null && order?.kind === 'buffer' && order.slots === 32 ? inMillis(run.metrics.p50FlowTime) : null
      },
      conclusion: (was) => t('{was, number} ms. One long film holds up all who come after it, also those who are long ready.', { was }),
    },
    {
      text: () => t('See it happen: the one whose turn it is sits at Convert, the ring is full, films wait, and still workers have nothing to do.'),
      task: () => t('Pause at an instant at which more than 25 films wait at the exit, more than five at a stage, and a worker is idle.'),
      hint: () => t('Around 0.4 s, 0.8 s or 1.3 s. At the exit stands how many wait there; an idle worker’s lane is empty.'),
      solution: { at: () => 400 * MS },
      measure(evidence) {
        const frame = evidenceFrame(evidence)
        if (frame === null || frame.parked <= 25 || !frame.stages.some(({ waiting }) => waiting > 5)) return null
        return frame.workers.some(({ status }) => status === 'idle') ? frame.parked : null
      },
      conclusion: (was) =>
        t('{was, number} films are ready and may not leave, and whoever could begin another has no place for it. That is called head-of-line blocking.', {
          was,
        }),
    },
    {
      text: () => t('More places let the workers run further ahead of the long one.'),
      task: () => t('Find a ring with which half of the films are out within 10 ms again.'),
      hint: () => t('Slots stands where you set it to 32. Double it.'),
      solution: { edit: ring(64) },
      measure(evidence) {
        const { order } = evidence.run?.scenario ?? {}
        const run = studio(evidence)
        return run !== null && order?.kind === 'buffer' && run.metrics.p50FlowTime <= 10 * MS ? order.slots : null
      },
      conclusion: (was) =>
        t(
          'With {was, number} places most films are as quick as without order. But the mean stays seven times as long, however large the ring: who comes right behind a long one has to wait for it.',
          { was },
        ),
    },
  ],
  closing: () =>
    t(
      'Order costs twice: finished work waits, and where room is short workers do too. In network switches it is known what that takes away: with queues served strictly in order at most 58.6% of the lines’ capacity is left (Karol, Hluchyj and Morgan 1987).',
    ),
}

/** Returns a run in which the four workers finished all six hundred films. */
function studio(evidence: Evidence): MeasuredRun | null {
  const run = drainedRun(evidence)
  return run !== null && run.scenario.workers === 4 && run.metrics.jobs === 600 ? run : null
}

function inMillis(time: number): number {
  return Math.round(time / MS)
}
