import { t } from '../../../language/translate.ts'
import type { Found } from '../../../runs/study/finderShrink.ts'
import type { Contest, FinderMeasure } from '../../../runs/study/finderTrial.ts'
import { countJobs } from '../../../scenario/model/limits.ts'
import { policies } from '../../../scenario/model/policies.ts'
import { fixed } from '../../../views/drawing/format.ts'

/** Returns what the figures are called from which one is chosen. */
export const measureNames = (): Readonly<Record<FinderMeasure, string>> => ({
  makespan: t('makespan'),
  meanWait: t('mean wait'),
  meanFlowTime: t('mean flow time'),
  p50FlowTime: t('median flow time'),
  p99FlowTime: t('99% flow time'),
  meanJobsInSystem: t('jobs in the system'),
  switches: t('moves of workers'),
  reordered: t('jobs out of order'),
  contendedTime: t('waiting for taken groups'),
})

const counts: readonly FinderMeasure[] = ['meanJobsInSystem', 'switches', 'reordered']

/** Returns in a sentence what was found. */
export function findSentence({ worse, than, measure }: Contest, { scenario, ratio }: Found): string {
  const values = {
    worse: policies[worse].name(),
    than: policies[than].name(),
    ratio: fixed(ratio, ratio < 1.095 ? 2 : 1),
    measure: measureNames()[measure],
    stages: scenario.stages.length,
    workers: scenario.workers,
    jobs: countJobs(scenario.source),
  }
  return counts.includes(measure)
    ? t(
        '{worse} has {ratio} times as many as {than} ({measure}) on {stages, plural, one {# stage} other {# stages}}, {workers, plural, one {# worker} other {# workers}} and {jobs, plural, one {# job} other {# jobs}}.',
        values,
      )
    : t(
        '{worse} takes {ratio} times as long as {than} ({measure}) on {stages, plural, one {# stage} other {# stages}}, {workers, plural, one {# worker} other {# workers}} and {jobs, plural, one {# job} other {# jobs}}.',
        values,
      )
}
