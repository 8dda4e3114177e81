import type { Forecast } from '../../src/features/theory/measure/forecast.ts'
import type { SteadyState } from '../../src/features/theory/measure/steadyState.ts'
import { laws } from '../../src/features/theory/measure/theoryWords.ts'
import { type Interval, isInside } from '../../src/measures/figures/comparison.ts'
import { cases, figuresFor, forecastOf, JOBS, lines, steadyFor } from './cases.ts'

/** The table of docs/theory.md in Markdown, and how many of all intervals contain the theoretical value. */
export interface Held {
  readonly text: string
  readonly inside: number
  readonly all: number
}

/** Plays every `step`th case, with all lines after them. */
export async function theoryTable(step = 1): Promise<Held> {
  const rows: string[][] = [
    ['law', 'case', 'seed', 'in theory, ms', 'measured, with its 95% interval', 'inside'],
    ['---', '---', '---:', '---:', '---:', '---:'],
  ]
  const all: boolean[] = []
  for (const { name, scenario } of cases.filter((_, k) => k % step === 0)) {
    const forecast = forecastOf(scenario)
    const steady = await steadyFor(scenario)
    // Jobs that share a core hardly wait, but take longer; parts of a job wait for each other at the end.
    const key = forecast.law.endsWith('-PS') || forecast.law === 'fork' ? 'meanFlowTime' : 'meanWait'
    const { mean, low, high } = steady[key]
    const inside = isInside(steady[key], forecast[key])
    rows.push([
      laws()[forecast.law].name,
      name,
      String(scenario.seed),
      ms(forecast[key]),
      `${ms(mean)} (${ms(low)} to ${ms(high)})`,
      inside ? 'yes' : 'no',
    ])
    all.push(...pairsOf(forecast, steady).map(([predicted, measured]) => isInside(measured, predicted)))
  }
  for (const { name, scenario } of lines) {
    const forecast = forecastOf(scenario)
    const figures = await figuresFor(scenario)
    const exact = ms(forecast.meanWait) === ms(figures.meanWait) && forecast.makespan === figures.makespan
    rows.push([laws().line.name, name, '', ms(forecast.meanWait), ms(figures.meanWait), exact ? 'exactly' : 'no'])
  }
  const inside = all.filter((each) => each).length
  const text = [
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    'Mean waits; under processor sharing, and of forks, mean flow times.',
    `${JOBS.toLocaleString('en')} jobs each, without the warm-up that was found. Of all ${all.length} intervals (utilisation, waits, queues, flow time, jobs in`,
    `the system, for the whole and for every stage) ${inside} hold what theory says. Those of one run are alike, so they miss together.`,
  ].join('\n')
  return { text, inside, all: all.length }
}

/** Every predicted figure, with its measurement. Waits that are 0 on both sides, or of less than one job in all, are left out. */
export function pairsOf(forecast: Forecast, steady: SteadyState): (readonly [predicted: number, measured: Interval])[] {
  const pairs: (readonly [number, Interval])[] = [
    [forecast.utilisation, steady.utilisation],
    [forecast.meanWait, steady.meanWait],
    [forecast.meanFlowTime, steady.meanFlowTime],
    [forecast.meanJobsInSystem, steady.meanJobsInSystem],
  ]
  forecast.stages.forEach(({ utilisation, meanQueue, meanWait }, s) => {
    const stage = steady.stages[s]
    pairs.push([utilisation, stage.utilisation], [meanQueue, stage.meanQueue])
    if (stage.meanWait !== null) pairs.push([meanWait, stage.meanWait])
  })
  const waiting = forecast.stations.reduce((sum, { waits }) => sum + waits * forecast.jobs, 0)
  return pairs.filter(([predicted, { mean }]) => predicted > 0 && (waiting >= 1 || mean > 0))
}

function ms(us: number): string {
  return (us / 1000).toFixed(3)
}
