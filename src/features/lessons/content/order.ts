import { t } from '../../../language/translate.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { drainedWhere, evidenceFrame, inMilliseconds, type MeasuredRun, MS, measureOf } from './evidence.ts'
import { type Lesson, presetScenario, pressRun, rangeChoices, tryValue } from './lesson.ts'

const ring = (slots: number) => (scenario: Scenario) => setOptions(scenario, { order: { kind: 'buffer', slots } })

/** Finds a run in which the four workers finished all six hundred films. */
const studio = drainedWhere(({ scenario, metrics }) => scenario.workers === 4 && metrics.jobs === 600)

export const orderLesson: Lesson = {
  key: 'order',
  title: 'Order and its price',
  about: 'Jobs must leave in the order in which they came. What does that cost?',
  initialScenario: () => ({
    ...presetScenario('price-of-order', t('Unpack'), t('Convert')),
    order: { kind: 'none' },
  }),
  steps: [
    {
      text: 'Six hundred films come, one every 5 ms. Unpacking takes 2 ms and converting 8 ms, but one film in a hundred takes 400 ms.',
      ...pressRun,
      measure: measureOf(
        studio,
        (run) => run.scenario.order.kind === 'none' && inMilliseconds(run.metrics.p50FlowTime),
      ),
      conclusion: 'Half of them leave within {was, number} ms: films overtake a long one.',
    },
    {
      text: 'Now films must leave in order. A ready film waits in a ring of 32 slots, and a film without a slot must not start. Within what time will half of them leave?',
      question: rangeChoices('{n} ms', 15, 100),
      task: 'Press the circle at the exit, choose In order, by a buffer, set Slots to 32, and press Run.',
      solution: { edit: ring(32) },
      measure: measureOf(studio, (run) => slotsOf(run) === 32 && inMilliseconds(run.metrics.p50FlowTime)),
      conclusion: '{was, number} ms. One long film holds up all films after it.',
    },
    {
      task: 'Pause when more than 25 films wait at the exit, more than five at a stage, and a worker is idle.',
      hint: tryValue('{n} s', 0.4),
      solution: { at: () => 400 * MS },
      measure: measureOf(
        evidenceFrame,
        ({ parked, stages, workers }) =>
          parked > 25 &&
          stages.some(({ waiting }) => waiting > 5) &&
          workers.some(({ status }) => status === 'idle') &&
          parked,
      ),
      conclusion: '{was, number} films are ready and may not leave. That is called head-of-line blocking.',
    },
    {
      task: 'Find a ring with which half of the films leave within 10 ms again.',
      hint: tryValue('{n}', 64),
      solution: { edit: ring(64) },
      measure: measureOf(studio, (run) => run.metrics.p50FlowTime <= 10 * MS && slotsOf(run)),
      conclusion:
        'With {was, number} slots most films are as fast as without order, but the mean stays seven times as long.',
    },
  ],
  source: 'Karol, Hluchyj and Morgan, 1987',
}

/** Returns the slots of the ring; false where the films leave as they are ready. */
function slotsOf({ scenario: { order } }: MeasuredRun): number | false {
  return order.kind === 'buffer' && order.slots
}
