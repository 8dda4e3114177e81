import { t } from '../../../language/translate.ts'
import { setFeeders, setSource, setStage } from '../../../scenario/edit/edits.ts'
import { drainedRun, type Evidence, inPercent, type MeasuredRun, makespanOf, measureOf, SECOND } from './evidence.ts'
import { type Lesson, presetScenario, pressRun, rangeChoices, setAndRun } from './lesson.ts'

/** The measured number is in seconds, since browsers have stored it so; the panel Results shows milliseconds. */
const inMillis = (was: number) => ({ ms: Math.round(was * 1000) })

export const contentionLesson: Lesson = {
  key: 'contention',
  title: 'Contention and spreading',
  about: 'What happens when workers need the same thing?',
  initialScenario: () => presetScenario('jobs-contend', t('Read'), t('Book'), t('Confirm')),
  steps: [
    {
      text: '240 bookings for twelve accounts come in, account by account. Only one booking of an account can be made at a time. How much of the time are the six workers busy?',
      question: rangeChoices('{n}%', 45, 80),
      ...pressRun,
      measure: measureOf(
        bank,
        (run) => run.order === 'asProduced' && run.whenTaken === 'wait' && inPercent(run.metrics.utilisation),
      ),
      conclusion:
        '{was, number}%, and the run takes 2.34 s: neighbours in the queue belong to the same account and wait for each other.',
    },
    {
      text: 'Now eight feeders hold one account each and hand out bookings in turn. How long does the run take?',
      question: rangeChoices('{n} s', 1.2, 2),
      task: 'Press the circle where jobs come in, set Order to Spread by feeders with eight feeders, and press Run.',
      solution: { edit: (scenario) => setFeeders(scenario, 8) },
      measure: measureOf(
        bank,
        (run) => run.order === 'spread' && run.feeders === 8 && run.whenTaken === 'wait' && makespanOf(run),
      ),
      conclusion: '{ms, number} ms. Neighbours now belong to different accounts, so all six workers find a free one.',
      values: inMillis,
    },
    {
      task: 'Find the smallest number of feeders that finishes everything within 1.1 s.',
      solution: { edit: (scenario) => setFeeders(scenario, 4) },
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
      text: 'Instead, a worker that meets a taken account can take the next booking with a free one. How long does that run take? Six workers need at least 0.79 s.',
      question: rangeChoices('{n} s', 0.85, 1.5),
      task: setAndRun(['Order', 'As produced'], ['Same group', 'Skip the taken']),
      solution: {
        edit: (scenario) =>
          setStage(setSource(scenario, presetScenario('jobs-contend').source), 'B', { whenTaken: 'skip' }),
      },
      measure: measureOf(bank, (run) => run.order === 'asProduced' && run.whenTaken === 'skip' && makespanOf(run)),
      conclusion: '{ms, number} ms: no worker waits in line.',
      values: inMillis,
    },
  ],
  source: 'Amdahl, 1967',
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
