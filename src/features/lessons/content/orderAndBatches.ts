import { t } from '../../../language/translate.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { constant, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import {
  drainedWhere,
  evidenceFrame,
  inMilliseconds,
  inPercent,
  inSeconds,
  type MeasuredRun,
  MS,
  measureOf,
  SECOND,
} from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

const ring = (slots: number) => (scenario: Scenario) => setOptions(scenario, { order: { kind: 'buffer', slots } })

/** Finds a run in which the four workers finished all six hundred films. */
const studio = drainedWhere(({ scenario, metrics }) => scenario.workers === 4 && metrics.jobs === 600)

export const orderLesson: Lesson = {
  key: 'order',
  title: 'Order and its price',
  about: 'Jobs must leave in the order in which they came: what does that cost when one job in a hundred is long?',
  initialScenario: () =>
    scenarioOf({
      title: t('Film studio'),
      seed: 3,
      stages: [
        stage('A', t('Unpack'), constant(2 * MS)),
        stage('B', t('Convert'), { kind: 'bimodal', fast: 8 * MS, slow: 400 * MS, pSlow: 0.01 }),
      ],
      source: { kind: 'regular', rate: 200, jobs: 600 },
      workers: 4,
    }),
  steps: [
    {
      text: 'Six hundred films come in, one every 5 ms. Unpacking takes 2 ms and converting 8 ms, but one film in a hundred takes 400 ms. Each leaves as soon as it is ready.',
      ...pressRun,
      measure: measureOf(
        studio,
        (run) => run.scenario.order.kind === 'none' && inMilliseconds(run.metrics.p50FlowTime),
      ),
      conclusion:
        'Half of them leave within {was, number} ms: 2 + 8, without waiting. The films behind a long one overtake it.',
    },
    {
      text: 'Now films must leave in the order in which they came. At the exit is a buffer, a ring of 32 slots: a film that is ready early waits there for the films before it, and a film that has no slot in the ring must not start.',
      question: choiceOf(
        'Within what time will half of them leave now?',
        ['10 ms: only the few behind a long one wait', (was) => was < 15],
        ['About 20 ms', (was) => was >= 15 && was < 100],
        ['More than 200 ms', (was) => was > 200],
      ),
      task: 'Press the circle at the exit, choose In order, by a buffer, set Slots to 32, and press Run.',
      hint: 'The circle is at the right end of the pipeline; its settings are in Settings.',
      solution: { edit: ring(32) },
      measure: measureOf(studio, (run) => slotsOf(run) === 32 && inMilliseconds(run.metrics.p50FlowTime)),
      conclusion: '{was, number} ms. One long film holds up all films after it, even those that have long been ready.',
    },
    {
      text: 'Watch it happen: the next film to leave is still at Convert, the ring is full, films wait, and yet workers have nothing to do.',
      task: 'Pause at a moment when more than 25 films wait at the exit, more than five wait at a stage, and a worker is idle.',
      hint: 'Try around 0.4 s, 0.8 s or 1.3 s. The exit shows how many wait there; an idle worker’s lane is empty.',
      solution: { at: () => 400 * MS },
      measure: measureOf(
        evidenceFrame,
        ({ parked, stages, workers }) =>
          parked > 25 &&
          stages.some(({ waiting }) => waiting > 5) &&
          workers.some(({ status }) => status === 'idle') &&
          parked,
      ),
      conclusion:
        '{was, number} films are ready and may not leave, and idle workers have no slot for another film. That is called head-of-line blocking.',
    },
    {
      text: 'More slots let the workers get further ahead of a long film.',
      task: 'Find a ring with which half of the films leave within 10 ms again.',
      hint: 'Slots is where you set it to 32. Double it.',
      solution: { edit: ring(64) },
      measure: measureOf(studio, (run) => run.metrics.p50FlowTime <= 10 * MS && slotsOf(run)),
      conclusion:
        'With {was, number} slots most films are as fast as without order. But the mean stays seven times as long, however large the ring: the films right behind a long one have to wait for it.',
    },
  ],
  closing:
    'Order costs twice: finished work waits, and where space is short workers do too. For network switches the loss is known: with queues served strictly in order, at most 58.6% of the lines’ capacity is left (Karol, Hluchyj and Morgan 1987).',
}

/** Returns the slots of the ring; false where the films leave as they are ready. */
function slotsOf({ scenario: { order } }: MeasuredRun): number | false {
  return order.kind === 'buffer' && order.slots
}

const inBatches = (size: number) => (scenario: Scenario) => setOptions(scenario, { batch: { size, inHand: 1 } })

/** Finds a run in which the two workers finished all sixty toys. */
const workshop = drainedWhere(
  ({ scenario, metrics }) => scenario.switchCost === 2 * SECOND && scenario.workers === 2 && metrics.jobs === 60,
)

export const batchesLesson: Lesson = {
  key: 'batches',
  title: 'Batches and switches',
  about: 'Changing from one place to another takes time. How many jobs should a worker take at once?',
  initialScenario: () =>
    scenarioOf({
      title: t('Toy workshop'),
      stages: [
        stage('A', t('Cut'), constant(SECOND)),
        stage('B', t('Glue'), constant(SECOND)),
        stage('C', t('Paint'), constant(SECOND)),
      ],
      source: { kind: 'batch', jobs: 60 },
      workers: 2,
      switchCost: 2 * SECOND,
      policy: { kind: 'sinkFirst', lend: true },
    }),
  steps: [
    {
      text: 'Two people make sixty toys. Each toy is cut, glued and painted, a second each. They first finish the toys that are started, and clearing the bench for another kind of work takes 2 s.',
      question: choiceOf(
        'How much of their time do they really spend on cutting, gluing and painting?',
        ['More than 80%', (was) => was > 80],
        ['About half', (was) => was > 40 && was <= 80],
        ['About a third', (was) => was <= 40],
      ),
      ...pressRun,
      measure: measureOf(workshop, (run) => run.scenario.batch.size === 1 && inPercent(run.metrics.utilisation)),
      conclusion:
        '{was, number}%: each second of work is followed by two of clearing up. It takes 268 s; without any changes it would be 90 s.',
    },
    {
      text: 'So do several toys of one kind before the bench is cleared. That is a batch: a worker takes several jobs at once and reports them together.',
      task: 'Choose a batch size that finishes everything within 110 s.',
      hint: 'Batch is in Settings, under Workers. Try 10, and press Run.',
      solution: { edit: inBatches(10) },
      measure: measureOf(workshop, (run) => run.metrics.makespan <= 110 * SECOND && inSeconds(run.metrics.makespan)),
      conclusion: '{was, number} s. A change now costs time once per batch, not once per toy.',
    },
    {
      text: 'So fewer changes are better. What about all sixty toys in a single batch?',
      question: choiceOf(
        'When will everything be done?',
        ['After about 94 s: with only two changes', (was) => was < 100],
        ['After 100 to 150 s', (was) => was >= 100 && was < 150],
        ['After more than 180 s', (was) => was > 180],
      ),
      task: 'Set Batch to 60, and press Run.',
      hint: 'In Settings, under Workers.',
      solution: { edit: inBatches(60) },
      measure: measureOf(workshop, (run) => (run.scenario.batch.size ?? 0) >= 60 && inSeconds(run.metrics.makespan)),
      conclusion:
        '{was, number} s: one worker holds everything, and the other never has anything to do. No other worker can take work out of a batch.',
    },
    {
      text: 'With thirty it takes 94 s, the shortest possible time, but no toy is ready before the 94th second. A buyer cares about something else: how long a toy takes on average.',
      task: 'Find a batch size that finishes everything within 110 s, while a toy takes at most 72 s on average.',
      hint: 'Mean flow time is in Results. With 30 it is 94 s. Try something near 10.',
      solution: { edit: inBatches(10) },
      measure: measureOf(
        workshop,
        (run) =>
          run.metrics.makespan <= 110 * SECOND &&
          run.metrics.meanFlowTime <= 72 * SECOND &&
          inSeconds(run.metrics.meanFlowTime),
      ),
      conclusion:
        '{was, number} s on average. Small batches cost many changes; in large ones finished toys wait for each other. The best size lies in between.',
    },
  ],
  closing:
    'How many parts should one make at once? Ford Whitman Harris asked that in 1913 and found that the best lot size grows with the square root of the cost of a change. Here the balance is the same, with time instead of money.',
}
