import { t } from '../../../language/translate.ts'
import { kindName } from '../../../scenario/model/policies.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { clock, fixed } from '../../../views/drawing/format.ts'
import type { Find } from '../finder.ts'
import type { Found } from '../finderShrink.ts'
import type { Contest, FinderMeasure } from '../finderTrial.ts'

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
    worse: kindName(worse, scenario.policy),
    than: kindName(than, scenario.policy),
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

/** Returns in a sentence where the two runs of a find differ first, with the stage at which they differ most. */
export function partingSentence({ worse, than }: Contest, { scenario, parting }: Find): string {
  if (parting === null) return ''
  const names = { worse: kindName(worse, scenario.policy), than: kindName(than, scenario.policy), time: clock(parting.time) }
  if (parting.by === 'orders') return t('The first difference is at {time}: with the same targets, {worse} and {than} send different workers.', names)
  const [ones, others] = parting.seats
  const gaps = ones.map((n, s) => Math.abs(n - others[s]))
  const s = gaps.indexOf(Math.max(...gaps))
  return t(
    'The first difference is at {time}: {worse} gives {stage} {n, plural, =0 {no worker} one {# worker} other {# workers}}, {than} gives it {m, number}.',
    { ...names, stage: scenario.stages[s].name, n: ones[s], m: others[s] },
  )
}
