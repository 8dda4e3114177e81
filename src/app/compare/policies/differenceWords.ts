import { t } from '../../../language/translate.ts'
import type { FirstDifference } from '../../../measures/decisions/firstDifference.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count, duration, exactDuration, signedPercent } from '../../../views/drawing/format.ts'

/** Returns until when two runs are the same, and how they differ then. */
export function differenceWords(difference: FirstDifference, names: readonly string[], scenario: Scenario): string {
  return t('Until {time} both runs are the same, row for row. {parting}', {
    time: clock(difference.time),
    parting: sentence(difference, names, scenario),
  })
}

function sentence({ by, decisions: [d, e], sameBallot }: FirstDifference, names: readonly string[], scenario: Scenario): string {
  const told = (decision: number) => t('decision {decision}', { decision: count(decision + 1) })
  if (by === 'orders') {
    const after = d < 0 ? t('before any decision') : t('after {d}', { d: told(d) })
    return t('Then, {after}, with the same targets, they send, hire or dismiss other workers.', { after })
  }
  if (d < 0 || e < 0) return t('Then only {names} sets targets.', { names: names[d < 0 ? 1 : 0] })
  const what = sameBallot
    ? t('the same {n, plural, one {queue} other {queues}} and the same estimates', { n: scenario.stages.length })
    : t('what each was asked')
  return d === e
    ? t('At {d}, on {what}, they set different targets.', { d: told(d), what })
    : t('Then ({d} of the one, {e} of the other) they set different targets.', { d: told(d), e: told(e) })
}

/** Returns how the two runs ended: makespan, flow time and moves. */
export function followedWords([x, y]: readonly [Metrics, Metrics], names: readonly string[]): string {
  const gap = y.makespan - x.makespan
  const left = [x, y].some(({ jobs, completed }) => completed < jobs) ? t(' (not every job got through)') : ''
  const makespan =
    gap === 0
      ? t('both end after {makespan}{left};', { makespan: exactDuration(x.makespan), left })
      : t('{names} ends {gap} sooner, {makespan} against {makespan2} ({gap2}){left};', {
          names: names[gap > 0 ? 0 : 1],
          gap: duration(Math.abs(gap)),
          makespan: exactDuration(Math.min(x.makespan, y.makespan)),
          makespan2: exactDuration(Math.max(x.makespan, y.makespan)),
          gap2: signedPercent(Math.abs(gap) / Math.min(x.makespan, y.makespan)),
          left,
        })
  return t('{makespan} a job takes {meanFlowTime} and {meanFlowTime2} on average, workers move {switches} and {switches2} times.', {
    makespan,
    meanFlowTime: duration(x.meanFlowTime),
    meanFlowTime2: duration(y.meanFlowTime),
    switches: count(x.switches),
    switches2: count(y.switches),
  })
}
