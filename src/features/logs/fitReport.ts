import { tableOf } from '../../headless/report.ts'
import { toShortFragment } from '../../scenario/link/codec.ts'
import { MAX_SHORT } from '../../scenario/model/limits.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { counted } from '../../scenario/model/words.ts'
import { percent, seconds } from '../../views/drawing/format.ts'
import type { Fit } from './fit/fitLog.ts'
import type { Gap } from './fit/unexplained.ts'

/** Rates that are shown. */
const SHOWN = 12

/** Returns what a fit found for people: the queues, how far they are off, the arrivals, what was assumed, and the link of the scenario. */
export function fitReport({ scenario, stages, gaps, rates, assumed, runs }: Fit): string {
  const head = `${counted(countJobs(scenario.source), 'job')}, ${counted(stages.length, 'stage')}, ${counted(scenario.workers, 'worker')}, seed ${scenario.seed}; the nearest of ${counted(runs, 'run')}`
  const queues = tableOf([
    ['mean queue', 'logged', 'of the run', 'until its end', 'mean error', 'in jobs'],
    ...stages.map(({ name, logged, run, whole, error }) => [
      name,
      ...[logged, run, whole].map((queue) => queue.toFixed(2)),
      percent(error, 0),
      (error * logged).toFixed(2),
    ]),
  ])
  const arrivals = tableOf([['arrivals from', 'jobs/s'], ...rates.slice(0, SHOWN).map(([from, rate]) => [seconds(from, 0), rate.toFixed(2)])])
  const more = rates.length > SHOWN ? `\nand ${counted(rates.length - SHOWN, 'more rate')}` : ''
  const link = toShortFragment(scenario)
  return [
    head,
    `${queues}\nThe error is the mean distance of the two queues, each averaged over equal parts of the log, over the mean logged queue.`,
    gaps.length === 0
      ? 'Nowhere in the log is the run off by more than 2 jobs and by more than half of the queue.'
      : ['Not explained:', ...gaps.map(gapText)].join('\n'),
    arrivals + more,
    ['Assumed:', ...assumed].join('\n'),
    link.length <= MAX_SHORT ? link : 'The scenario is too long for a link. Use --json, and open it as a file.',
  ].join('\n\n')
}

function gapText({ name, from, to, logged, run }: Gap): string {
  return `${name}, ${seconds(from, 0)} to ${seconds(to, 0)}: ${logged.toFixed(1)} waited in the log, ${run.toFixed(1)} in the run`
}
