import { isolated, t } from '../../../language/translate.ts'
import { frameAt } from '../../../measures/frame/frame.ts'
import { startUpAt } from '../../../measures/frame/startUps.ts'
import { spanAt } from '../../../measures/series/lanes.ts'
import { workerOrderAt } from '../../../measures/workers/workerWords.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { clock, count, duration } from '../../../views/drawing/format.ts'
import type { Run } from '../run/runStore.ts'

/** Returns the lines of a tooltip about a worker at time t: who and where, at which job and until when, and what it has fetched ahead. */
export function workerHint({ trace, chart }: Run, worker: number, t0: Micros): string[] {
  const { status, stage, since, jobsInHand, prefetched } = frameAt(trace, t0).workers[worker]
  const name = t('Worker {worker}', { worker: count(worker + 1) })
  const named = stage < 0 ? name : `${name} · ${isolated(trace.scenario.stages[stage].name)}`
  const starting = startUpAt(trace, worker, { status, stage }, t0)
  if (starting !== null) return [named, t('Starting up until {until}', { until: clock(starting.until) })]
  if (status === 'idle') return [named, t('Idle since {since}', { since: clock(since) })]
  if (status === 'lost') return [named, t('Lost at {since}', { since: clock(since) })]
  if (status === 'absent')
    return [name, since > 0 ? t('Left at {since}', { since: clock(since) }) : t('Has not joined yet')]
  const order = workerOrderAt(trace, worker, t0)
  const span = spanAt(chart.lanes, worker, t0)
  const time =
    span === null
      ? t('since {since}', { since: clock(since) })
      : t('{from} to {to} ({length})', {
          from: clock(span.began),
          to: clock(span.ended),
          length: duration(span.ended - span.began),
        })
  const what =
    order === null
      ? []
      : [
          order.jobs === 1
            ? t('Job {job}', { job: count(order.job + 1) })
            : t('{n, plural, one {# job} other {# jobs}} from job {job}, {left} left', {
                n: order.jobs,
                job: count(order.job + 1),
                left: count(jobsInHand - prefetched),
              }),
        ]
  const ahead = prefetched > 0 ? [t('{n, number} fetched in advance', { n: prefetched })] : []
  return [named, [...what, time].join(' · '), ...ahead]
}
