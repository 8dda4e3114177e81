import type { Forecast } from '../../src/features/theory/measure/forecast.ts'
import type { SteadyState } from '../../src/features/theory/measure/steadyState.ts'
import { laws } from '../../src/features/theory/measure/theoryWords.ts'
import { type Interval, isInside } from '../../src/measures/figures/comparison.ts'
import { cases, forecastOf, JOBS, steadyFor } from './cases.ts'

/** The table of docs/theory.md in Markdown, and how many of all intervals contain the theoretical value. */
export interface TheoryTable {
  readonly text: string
  readonly inside: number
  readonly all: number
}

/** Plays every `step`th case. */
export async function theoryTable(step = 1): Promise<TheoryTable> {
  const rows: string[][] = [
    ['law', 'case', 'seed', 'in theory, ms', 'measured, with its 95% interval', 'inside'],
    ['---', '---', '---:', '---:', '---:', '---:'],
  ]
  const all: boolean[] = []
  for (const { name, scenario } of cases.filter((_, k) => k % step === 0)) {
    const forecast = forecastOf(scenario)
    const steady = await steadyFor(scenario)
    const { mean, low, high } = steady.meanWait
    rows.push([
      laws()[forecast.law].name,
      name,
      String(scenario.seed),
      ms(forecast.meanWait),
      `${ms(mean)} (${ms(low)} to ${ms(high)})`,
      isInside(steady.meanWait, forecast.meanWait) ? 'yes' : 'no',
    ])
    all.push(...pairsOf(forecast, steady).map(([predicted, measured]) => isInside(measured, predicted)))
  }
  const inside = all.filter((each) => each).length
  const text = [
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `Mean waits of ${JOBS.toLocaleString('en')} jobs. Of all ${all.length} intervals (utilisation, waits, queues, flow time, jobs in the system) ${inside} hold what theory says.`,
  ].join('\n')
  return { text, inside, all: all.length }
}

/** Every predicted figure that is not 0, with its measurement. */
function pairsOf(forecast: Forecast, steady: SteadyState): (readonly [predicted: number, measured: Interval])[] {
  const keys = ['utilisation', 'meanWait', 'meanFlowTime', 'meanJobsInSystem'] as const
  const pairs = keys.map((key): readonly [number, Interval] => [forecast[key], steady[key]])
  forecast.stages.forEach(({ utilisation, meanQueue, meanWait }, s) => {
    const stage = steady.stages[s]
    pairs.push([utilisation, stage.utilisation], [meanQueue, stage.meanQueue])
    if (stage.meanWait !== null) pairs.push([meanWait, stage.meanWait])
  })
  return pairs.filter(([predicted]) => predicted > 0)
}

function ms(us: number): string {
  return (us / 1000).toFixed(3)
}
