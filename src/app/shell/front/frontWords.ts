import { t } from '../../../language/translate.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { seconds } from '../../../views/drawing/format.ts'

/** Returns in words how much faster the scheduler was. */
export function gapSentence(fixed: Micros, moved: Micros, workers: number): string {
  return t('{slow} against {fast}: {ratio, plural, one {as fast} other {# times faster}} with the same {workers, plural, one {worker} other {# workers}}.', {
    slow: seconds(fixed, 1),
    fast: seconds(moved, 1),
    ratio: tenths(fixed / moved),
    workers,
  })
}

/** Returns what happens midway, in words: the first stage that changes, after how many jobs, and how much slower it gets. */
export function changeSentence({ stages }: Scenario): string {
  const stage = stages.find(({ changes }) => changes.length > 0)
  if (stage === undefined) return ''
  const [{ from, service }] = stage.changes
  const times = tenths(serviceMean(service) / serviceMean(stage.service))
  return t('After {from, plural, one {# job} other {# jobs}}, {stage} gets {times, plural, one {slower} other {# times slower}}.', {
    from,
    stage: stage.name,
    times,
  })
}

/** Rounds to one digit after the decimal point. */
function tenths(x: number): number {
  return Math.round(x * 10) / 10
}
