import { type Forecast, jobsForIntervals } from '../../src/features/theory/measure/forecast.ts'
import type { SteadyMean } from '../../src/features/theory/measure/nskart.ts'
import { isInside } from '../../src/measures/figures/comparison.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'
import { forecastOf, queue } from './cases.ts'
import { type PlainFigures, plainLine } from './plainLine.ts'

const exponential = (mean: number) => ({ kind: 'exponential', mean })

/** Queues for which theory knows every value, to check the intervals. */
export const systems: readonly {
  readonly name: string
  readonly servers: readonly number[]
  scenario(jobs: number, seed: number): Scenario
}[] = [
  ...[0.5, 0.8, 0.9].map((load) => ({
    name: `M/M/1, load ${load}`,
    servers: [1],
    scenario: (jobs: number, seed: number) =>
      queue(load, 1, undefined, { seed, source: { kind: 'poisson', rate: 1000 * load, jobs } }),
  })),
  {
    name: 'M/M/4, load 0.8',
    servers: [4],
    scenario: (jobs, seed) => queue(0.8, 4, undefined, { seed, source: { kind: 'poisson', rate: 3200, jobs } }),
  },
  {
    name: 'tandem, loads 0.8, 0.6, 0.7',
    servers: [1, 1, 1],
    scenario: (jobs, seed) =>
      scenarioWith({
        seed,
        source: { kind: 'poisson', rate: 800, jobs },
        stages: [1000, 750, 875].map((mean, s) => ({ id: 'ABC'[s], service: exponential(mean), work: 'wait' })),
        workers: 3,
        policy: { kind: 'onePerStage' },
      }),
  },
]

const figures: readonly {
  readonly name: string
  predicted(theory: Forecast): number
  measured(figures: PlainFigures): SteadyMean
}[] = [
  { name: 'wait', predicted: (theory) => theory.meanWait, measured: ({ meanWait }) => meanWait },
  { name: 'flow time', predicted: (theory) => theory.meanFlowTime, measured: ({ meanFlowTime }) => meanFlowTime },
  {
    name: 'queue of the first stage',
    predicted: (theory) => theory.stages[0].meanQueue,
    measured: ({ meanQueue }) => meanQueue,
  },
  { name: 'utilisation', predicted: (theory) => theory.utilisation, measured: ({ utilisation }) => utilisation },
]

/** How many intervals of one figure contain the theoretical value. */
export interface Coverage {
  readonly system: string
  readonly jobs: number
  readonly figure: string
  readonly runs: number
  readonly held: number
  /** Half the length of the interval over the theoretical value, on average. */
  readonly half: number
}

/** Plays each system with the seeds 1 to `seeds`. Returns for each figure how often its interval contains the value. */
export function* coverageOf(
  seeds: number,
  lengths: readonly number[] = [20_000, 60_000],
): Generator<readonly Coverage[]> {
  for (const { name, servers, scenario } of systems)
    for (const jobs of lengths) {
      const theory = forecastOf(scenario(jobs, 1))
      if (jobsForIntervals(theory) > jobs) throw new Error(`${name} gives no intervals for ${jobs} jobs`)
      const held = figures.map(() => 0)
      const half = figures.map(() => 0)
      for (let seed = 1; seed <= seeds; seed++) {
        const played = plainLine(scenario(jobs, seed), servers)
        figures.forEach(({ predicted, measured }, f) => {
          const interval = measured(played)
          if (isInside(interval, predicted(theory))) held[f]++
          half[f] += (interval.high - interval.low) / 2 / predicted(theory) / seeds
        })
      }
      yield figures.map(({ name: figure }, f) => ({
        system: name,
        jobs,
        figure,
        runs: seeds,
        held: held[f],
        half: half[f],
      }))
    }
}

/** Returns the coverage as rows of a Markdown table: a system and a length per row. */
export function coverageRow(all: readonly Coverage[]): string {
  const cells = all.map(({ held, runs, half }) => `${((100 * held) / runs).toFixed(1)}% (±${(100 * half).toFixed(0)}%)`)
  return `| ${[all[0].system, all[0].jobs.toLocaleString('en'), ...cells].join(' | ')} |`
}

export const coverageHead = [
  ['system', 'jobs', ...figures.map(({ name }) => name)],
  ['---', '---:', ...figures.map(() => '---:')],
]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n')
