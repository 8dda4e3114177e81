import { t } from '../../../language/translate.ts'
import { setOptions, setPolicy, setSource, setStage } from '../../../scenario/edit/edits.ts'
import type { PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { constant, exponential, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import {
  drainedRun,
  drainedWhere,
  type Evidence,
  inPercent,
  inSeconds,
  type MeasuredRun,
  MS,
  measureOf,
  openDecision,
  SECOND,
} from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

const accounts = {
  kind: 'groups',
  groups: [36, 32, 28, 26, 22, 20, 18, 16, 14, 12, 10, 6],
  order: 'asProduced',
  feeders: 8,
  window: 100,
} as const
const spreadBy = (feeders: number) => (scenario: Scenario) =>
  setSource(scenario, { ...accounts, order: 'spread', feeders })

/** The measured number is in seconds, since browsers have stored it so; the panel Results shows milliseconds. */
const inMillis = (was: number) => ({ ms: Math.round(was * 1000) })

export const contentionLesson: Lesson = {
  key: 'contention',
  title: 'Contention and spreading',
  about:
    'Workers that all need the same thing wait in line: why the order of the work can matter more than the number of workers.',
  initialScenario: () =>
    scenarioOf({
      title: t('Bank'),
      seed: 4,
      stages: [
        stage('A', t('Read'), exponential(4 * MS)),
        { ...stage('B', t('Book'), exponential(12 * MS)), resource: 'group' },
        stage('C', t('Confirm'), exponential(4 * MS)),
      ],
      source: accounts,
      workers: 6,
    }),
  steps: [
    {
      text: '240 bookings for twelve accounts come in, one account after the other. Only one booking of an account can be made at a time. Six workers take the bookings as they come.',
      question: choiceOf(
        'How much of the time are the six workers really busy?',
        ['More than 80%', (was) => was > 80],
        ['About half', (was) => was > 45 && was <= 80],
        ['About a third', (was) => was <= 45],
      ),
      ...pressRun,
      measure: measureOf(
        bank,
        (run) => run.order === 'asProduced' && run.whenTaken === 'wait' && inPercent(run.metrics.utilisation),
      ),
      conclusion:
        '{was, number}%, and it takes 2.34 s: neighbours in the queue belong to the same account, so one worker books while the others hold their bookings and wait.',
    },
    {
      text: 'Now only the order of the work changes: each of eight feeders holds one account, and they hand out one booking each in turn.',
      question: choiceOf(
        'How long will it take?',
        ['As long as before: it is the same work', (was) => was > 2],
        ['About 1.5 s', (was) => was > 1.2 && was <= 2],
        ['Less than half: about 900 ms', (was) => was <= 1.17],
      ),
      task: 'Press the circle where jobs come in, set Order to Spread by feeders with eight feeders, and press Run.',
      hint: 'The circle is at the left end of the pipeline; its settings are in Settings.',
      solution: { edit: spreadBy(8) },
      measure: measureOf(
        bank,
        (run) =>
          run.order === 'spread' && run.feeders === 8 && run.whenTaken === 'wait' && inSeconds(run.metrics.makespan),
      ),
      conclusion:
        '{ms, number} ms. Neighbours in the queue now belong to different accounts, so six workers find six free accounts.',
      values: inMillis,
    },
    {
      text: 'Feeders cost something too: each keeps an account open. How many are enough?',
      task: 'Find the smallest number of feeders that finishes everything within 1.1 s.',
      hint: 'Feeders is below Order. With two it takes 1.62 s.',
      solution: { edit: spreadBy(4) },
      measure: measureOf(
        bank,
        (run) =>
          run.order === 'spread' &&
          run.whenTaken === 'wait' &&
          run.feeders <= 4 &&
          run.metrics.makespan <= 1.1 * SECOND &&
          run.feeders,
      ),
      conclusion: '{was, number} are enough, because at most {was, number} workers are at Book at a time.',
    },
    {
      text: 'Or let the workers choose: a worker that meets a taken account takes the next booking whose account is free.',
      question: choiceOf(
        'In the order As produced again, account by account, but with skipping: how long will it take? Six workers need at least 0.79 s for this work.',
        ['About 800 ms', (was) => was < 0.85],
        ['About 1.2 s', (was) => was >= 1 && was < 1.5],
        ['About 2 s: the bookings of an account are still side by side', (was) => was >= 1.5],
      ),
      task: 'Set the order back to As produced; then press Book on the canvas, set Same group to Skip the taken, and press Run.',
      hint: 'Order is in the settings of the circle at the left, Same group in those of the stage Book.',
      solution: { edit: (scenario) => setStage(setSource(scenario, accounts), 'B', { whenTaken: 'skip' }) },
      measure: measureOf(
        bank,
        (run) => run.order === 'asProduced' && run.whenTaken === 'skip' && inSeconds(run.metrics.makespan),
      ),
      conclusion:
        '{ms, number} ms, and no worker ever waits in line. Workers only need to see which accounts are taken before they take a job.',
      values: inMillis,
    },
  ],
  closing:
    'Work that only one can do at a time limits what many can do together: Gene Amdahl said so of computers in 1967. But how much of the work that really is depends on the order in which it is handed out, and you can choose the order.',
}

interface Bank extends MeasuredRun {
  readonly order: string
  readonly feeders: number
  readonly whenTaken: string
}

/** Finds a run in which the six workers finished all bookings of the twelve accounts. */
function bank(evidence: Evidence): Bank | null {
  const run = drainedRun(evidence)
  if (run === null || run.scenario.workers !== 6 || run.metrics.jobs !== 240 || run.scenario.source.kind !== 'groups')
    return null
  const { order, feeders } = run.scenario.source
  const book = run.scenario.stages.find(({ id }) => id === 'B')
  return book?.resource === 'group' ? { ...run, order, feeders, whenTaken: book.whenTaken } : null
}

export const snapshotLesson: Lesson = {
  key: 'snapshot',
  title: 'A snapshot of the queues',
  about: 'Least total time keeps all workers busy. Why does another policy finish the average job sooner?',
  initialScenario: () =>
    scenarioOf({
      title: t('Laundry'),
      stages: [
        stage('A', t('Wash'), constant(SECOND)),
        stage('B', t('Dry'), constant(SECOND)),
        stage('C', t('Fold'), constant(SECOND)),
      ],
      source: { kind: 'batch', jobs: 60 },
      workers: 4,
      policy: { kind: 'leastScore', lend: true },
      estimator: { kind: 'mean', prior: 'declared' },
    }),
  steps: [
    {
      text: 'Sixty shirts are there from the start. Each is washed, dried and folded, a second each. That is 180 s of work for four workers, so no policy can finish before 45 s.',
      question: choiceOf(
        'Under Least total time, how long is a shirt in the laundry on average?',
        ['About 23 s: half of 45 s', (was) => was < 27],
        ['About 31 s', (was) => was >= 27 && was < 40],
        ['45 s, as long as the last one', (was) => was >= 40],
      ),
      ...pressRun,
      measure: measureOf(laundryBy('leastScore', 0), flowTime),
      conclusion:
        '{was, number} s. The last shirt is done after 45 s: no worker was idle, so the run cannot end sooner. But most shirts leave late.',
    },
    {
      text: 'Why? The policy adds up one number for each stage: the work that waits there now, divided by its workers + 1. It places the workers so that this sum is smallest. That is a snapshot: it does not ask what happens to a shirt afterwards.',
      task: 'Pause, and open a decision at which more than 30 shirts wait at Dry and Fold together.',
      hint: 'Move the playhead to 24 s, for example. The table in the panel Decision shows how many wait.',
      solution: { at: () => 24 * SECOND },
      measure: measureOf(
        (evidence) => evidence.run?.scenario.stages.length === 3 && openDecision(evidence),
        ({ policy, stages: [, dry, fold] }) =>
          policy === 'leastScore' && dry.waiting + fold.waiting > 30 && dry.waiting + fold.waiting,
      ),
      conclusion:
        '{was, number} shirts are started and not done. In the snapshot a second of work at Wash counts as much as one at Fold. But only the second at Fold finishes a shirt.',
    },
    {
      text: 'Nearest the sink first ignores service times. It gives each stage as many workers as it can keep busy, beginning with the last stage: shirts that are started are finished first.',
      question: { ask: 'How long is a shirt in the laundry on average now?', unit: 's', within: 2 },
      task: 'Set Policy to Nearest the sink first, and press Run.',
      hint: 'Policy is at the top of the page.',
      solution: { edit: (scenario) => setPolicy(scenario, 'sinkFirst') },
      measure: measureOf(laundryBy('sinkFirst', 0), flowTime),
      conclusion:
        '{was, number} s instead of 31 s, and the last shirt is done after 45 s as before. Both policies keep all four workers busy. They differ in which shirts are done first, and that decides the mean.',
    },
    {
      text: 'It has a price: the workers changed stage 176 times instead of 23. So let each change cost a second. Under Least total time a shirt is then in the laundry for 36 s on average.',
      question: choiceOf(
        'And how long under Nearest the sink first?',
        ['Less than 30 s: it is still ahead', (was) => was < 30],
        ['About 36 s: they are equal', (was) => was >= 30 && was < 40],
        ['More than 40 s', (was) => was >= 40],
      ),
      task: 'In Settings, set Switch cost to 1 s and press Run.',
      hint: 'Switch cost is under Workers. If the panel shows a stage, press the empty canvas first.',
      solution: { edit: (scenario) => setOptions(scenario, { switchCost: SECOND }) },
      measure: measureOf(laundryBy('sinkFirst', SECOND), flowTime),
      conclusion:
        '{was, number} s: the workers walk back and forth between the stages, and the last shirt is done after 89 s instead of 52 s. The snapshot moves few workers, and that helps where moving costs time.',
    },
  ],
  closing:
    'On one machine, the job with the least time left should go first: Linus Schrage proved in 1968 that no other order has a smaller mean time in the system. Nearest the sink first is that idea for a pipeline. After each run the status line says whether another policy would have had a smaller mean flow time.',
}

/** Finds a run of the sixty shirts by four workers, under a policy and at a cost of changes. */
function laundryBy(policy: PolicyKind, switchCost: number) {
  return drainedWhere(({ metrics, scenario }) => {
    const same = metrics.jobs === 60 && scenario.stages.length === 3 && scenario.workers === 4
    return same && scenario.policy.kind === policy && scenario.switchCost === switchCost
  })
}

function flowTime({ metrics }: MeasuredRun): number {
  return inSeconds(metrics.meanFlowTime)
}
