import { study } from '../../../app/session/study/study.ts'
import { t } from '../../../language/translate.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { emptyPoints, type FeederPoint, feederTasks, withAnswer, withFeederTask } from '../study/feederSweep.ts'

/** Plays the scenario with each number of feeders. The key leaves out the present number: all of them are played. */
export const feederStudy = study<Scenario, readonly FeederPoint[]>({
  key: feederKey,
  async work(scenario, { show, ...control }) {
    let points = emptyPoints(scenario)
    show(points)
    const inputs = feederTasks(scenario).map((task) => ({ scenario, task }))
    await runJobs('feeders', inputs, {
      ...control,
      answer(_, answer) {
        points = withAnswer(points, answer)
        show(points)
      },
    })
    return points
  },
})

/** Returns a key of all that the study depends on: not the number of feeders, nor where a card stands. */
export function feederKey(scenario: Scenario): string {
  return comparisonKey(withFeederTask(scenario, { feeders: 1, whenTaken: 'wait' }))
}

/** Returns the results of the run with this number of feeders. */
export function feederDetails({ feeders, gaps, wait, skip }: FeederPoint, resource: boolean): string {
  if (gaps === null) return t('not played yet')
  const { whole, tail, jobs } = gaps
  const parts = [
    whole === null
      ? t('no two jobs share a group')
      : t('two jobs of a group stand at least {least} apart, in the median {median}', { least: count(whole.least), median: count(whole.median) }),
  ]
  if (whole !== null) parts.push(tailWords(feeders, tail, jobs))
  if (wait !== null && resource) parts.push(t('contended {contendedTime}', { contendedTime: duration(wait.contendedTime) }))
  if (wait !== null && wait.switchLoss > 0) parts.push(t('lost by changing groups {switchLoss}', { switchLoss: duration(wait.switchLoss) }))
  if (wait !== null) parts.push(t('done after {makespan}', { makespan: duration(wait.makespan) }))
  if (skip !== null) parts.push(t('or {makespan} if workers skip', { makespan: duration(skip.makespan) }))
  return parts.join('; ')
}

/** Returns in words up to which job the groups are as far apart as the feeders promise. */
function tailWords(feeders: number, tail: number, jobs: number): string {
  if (tail === jobs) return t('exactly {feeders} to the end: there is no tail', { feeders: count(feeders) })
  const why = t('where fewer groups than feeders are left')
  if (tail === 0) return t('all of it is tail, {why}', { why })
  return t('exactly {feeders} before the tail, which begins at job {tail} of {jobs}, {why}', {
    feeders: count(feeders),
    tail: count(tail + 1),
    jobs: count(jobs),
    why,
  })
}

export function feedersNamed(feeders: number): string {
  return t('{feeders, plural, one {# feeder} other {# feeders}}', { feeders })
}
