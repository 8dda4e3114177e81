import type { StageComparison } from '../runs/fit/comparison.ts'
import type { Fit } from '../runs/fit/fitLog.ts'
import { toShortFragment } from '../scenario/link/codec.ts'
import { countJobs, MAX_SHORT } from '../scenario/model/limits.ts'
import { counted } from '../scenario/model/words.ts'
import { percent, seconds } from '../views/drawing/format.ts'
import { tableOf } from './report.ts'

/** Rates that are shown. */
const SHOWN = 12
/** A part of the log is not explained where the run is off by half of the mean queue, and by so many jobs. */
const [HALF, JOBS] = [0.5, 2]

/** Returns what a fit found for people: the queues, how far they are off, the arrivals, what was assumed, and the link of the scenario. */
export function fitReport({ scenario, stages, time, rates, assumed, runs }: Fit): string {
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
  const gaps = stages.flatMap((stage) => gapsOf(stage, time))
  const arrivals = tableOf([['arrivals from', 'jobs/s'], ...rates.slice(0, SHOWN).map(([from, rate]) => [seconds(from, 0), rate.toFixed(2)])])
  const more = rates.length > SHOWN ? `\nand ${counted(rates.length - SHOWN, 'more rate')}` : ''
  const link = toShortFragment(scenario)
  return [
    head,
    `${queues}\nThe error is the mean distance of the two queues, each averaged over equal parts of the log, over the mean logged queue.`,
    gaps.length === 0 ? 'No stretch of the log is left unexplained.' : ['Not explained:', ...gaps].join('\n'),
    arrivals + more,
    ['Assumed:', ...assumed].join('\n'),
    link.length <= MAX_SHORT ? link : 'The scenario is too long for a link. Use --json, and open it as a file.',
  ].join('\n\n')
}

/** Returns the stretches in which the run has clearly another queue than the log. */
function gapsOf({ name, logged, parts }: StageComparison, time: Float64Array): string[] {
  const off = parts.map((part) => Math.abs(part.run - part.logged) > Math.max(JOBS, HALF * logged))
  const gaps: string[] = []
  for (let k = 0; k < parts.length; k++) {
    if (!off[k]) continue
    let end = k
    while (off[end + 1]) end++
    const within = parts.slice(k, end + 1)
    const mean = (of: 'logged' | 'run') => (within.reduce((sum, part) => sum + part[of], 0) / within.length).toFixed(1)
    gaps.push(
      `${name}, ${seconds(time[parts[k].from], 0)} to ${seconds(time[parts[end].to], 0)}: ${mean('logged')} waited in the log, ${mean('run')} in the run`,
    )
    k = end
  }
  return gaps
}
