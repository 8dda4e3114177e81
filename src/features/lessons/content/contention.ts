import { t } from '../../../language/translate.ts'
import { setSource, setStage } from '../../../scenario/edit/edits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { exponential, scenarioOf, stage } from '../../../scenario/presets/preset.ts'
import { drainedRun, type Evidence, inPercent, inSeconds, type MeasuredRun, MS, measureOf, SECOND } from './evidence.ts'
import { choiceOf, type Lesson, pressRun } from './lesson.ts'

const accounts = { kind: 'groups', groups: [36, 32, 28, 26, 22, 20, 18, 16, 14, 12, 10, 6], order: 'asProduced', feeders: 8, window: 100 } as const
const spreadBy = (feeders: number) => (scenario: Scenario) => setSource(scenario, { ...accounts, order: 'spread', feeders })

/** The measured number is in seconds, since browsers have stored it so; the panel Results shows milliseconds. */
const inMillis = (was: number) => ({ ms: Math.round(was * 1000) })

export const contentionLesson: Lesson = {
  key: 'contention',
  title: 'Contention and spreading',
  about: 'Workers that all need the same thing wait in line: why the order of the work can matter more than the number of workers.',
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
      measure: measureOf(bank, (run) => run.order === 'asProduced' && run.whenTaken === 'wait' && inPercent(run.metrics.utilisation)),
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
      measure: measureOf(bank, (run) => run.order === 'spread' && run.feeders === 8 && run.whenTaken === 'wait' && inSeconds(run.metrics.makespan)),
      conclusion: '{ms, number} ms. Neighbours in the queue now belong to different accounts, so six workers find six free accounts.',
      values: inMillis,
    },
    {
      text: 'Feeders cost something too: each keeps an account open. How many are enough?',
      task: 'Find the smallest number of feeders that finishes everything within 1.1 s.',
      hint: 'Feeders is below Order. With two it takes 1.62 s.',
      solution: { edit: spreadBy(4) },
      measure: measureOf(
        bank,
        (run) => run.order === 'spread' && run.whenTaken === 'wait' && run.feeders <= 4 && run.metrics.makespan <= 1.1 * SECOND && run.feeders,
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
      measure: measureOf(bank, (run) => run.order === 'asProduced' && run.whenTaken === 'skip' && inSeconds(run.metrics.makespan)),
      conclusion: '{ms, number} ms, and no worker ever waits in line. Workers only need to see which accounts are taken before they take a job.',
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
  if (run === null || run.scenario.workers !== 6 || run.metrics.jobs !== 240 || run.scenario.source.kind !== 'groups') return null
  const { order, feeders } = run.scenario.source
  const book = run.scenario.stages.find(({ id }) => id === 'B')
  return book?.resource === 'group' ? { ...run, order, feeders, whenTaken: book.whenTaken } : null
}
