import { t } from '../../../language/translate.ts'
import { type Topology, topologyOf } from '../../../pipeline/topology.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { type Forecast, forecastFrom, type Waits } from './forecast.ts'
import type { Station } from './stations.ts'

/** Returns the stages of a fork at the end of a line, or right after the source: each has a part of every job and leads to the sink. Null for any other graph. */
function partsOf({ firsts, ways, routes, stages }: Topology): Int16Array | null {
  let parts = firsts
  let before = 0
  while (parts.length === 1 && ways[parts[0]].length > 0) {
    before++
    if (routes[parts[0]] === 1) return null
    parts = ways[parts[0]]
  }
  return parts.length > 1 && before + parts.length === stages && parts.every((stage) => ways[stage].length === 0) ? parts : null
}

/** Returns why stages of which some get copies have no known law. */
export function unknownFork(scenario: Scenario, stations: readonly Station[]): string[] {
  const parts = partsOf(topologyOf(scenario))
  const own = stations.filter(({ stages }) => parts?.includes(stages[0]))
  const alike = ({ shape, servers, mean, discipline, room, threads }: Station) =>
    shape === 'exponential' && servers === 1 && mean === own[0].mean && discipline === 'fifo' && room === null && threads === 0
  if (scenario.source.kind === 'poisson' && parts !== null && own.length === parts.length && own.every(alike)) return []
  return [
    t(
      'The parts of a copied job wait for each other. A law is known only where jobs come at random (Poisson) and each part visits one stage with one worker, first come first served, with exponential services of one mean.',
    ),
  ]
}

/** Returns the forecast of a line at whose end each job is copied to stages that are alike. All of its parts have left when it has. */
export function forkForecast(scenario: Scenario, stations: readonly Waits[], rate: number): Forecast {
  const parts = partsOf(topologyOf(scenario)) ?? new Int16Array()
  const last = stations.filter(({ stages }) => parts.includes(stages[0]))
  const before = stations.filter((station) => !last.includes(station))
  const [{ meanWait, mean, load }] = last
  const meanFlowTime = before.reduce((sum, station) => sum + station.meanWait + station.mean, forkJoinFactor(last.length, load) * (meanWait + mean))
  return forecastFrom(scenario, 'fork', stations, rate, { meanFlowTime, approximate: last.length > 2 })
}

/** Servers of a fork, first come first served, each with exponential services of mean 1 / rate and Poisson arrivals at `load` of it: all alike. */

/**
 * Returns the mean time until all of `parts` equal parts of a job are through, over the mean time of one part. Exact for two (Flatto and Hahn 1984);
 * for more an approximation, off by less than 5% up to 32 parts in the simulations of its authors (Nelson and Tantawi 1988):
 *
 *     two      (12 - load) / 8
 *     more     that x (H / H2 + 4/11 (1 - H / H2) load)        H = 1 + 1/2 + ... + 1/parts, H2 = 3/2
 */
export function forkJoinFactor(parts: number, load: number): number {
  if (parts === 1) return 1
  let harmonic = 0
  for (let k = 1; k <= parts; k++) harmonic += 1 / k
  const ratio = harmonic / 1.5
  return ((12 - load) / 8) * (ratio + (4 / 11) * (1 - ratio) * load)
}
