import { t } from '../../language/translate.ts'
import { countJobs } from '../../scenario/model/limits.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { erlangC } from './erlang.ts'
import { type Forecast, forecastFrom, type Law, relaxationOf, type Waits } from './forecast.ts'
import { linearForecast } from './linearForecast.ts'
import { sharedWaits, unknownSharing } from './processorSharing.ts'
import { type Station, stationsOf } from './stations.ts'

/**
 * What theory says of a scenario in which nothing moves:
 *
 *   M/M/1, M/M/c   Poisson arrivals, exponential services, one worker or several          Erlang 1917
 *   M/D/1, M/G/1   Poisson arrivals, constant or any services, one worker                 Pollaczek 1930, Khinchine 1932
 *   M/M/1-PS, M/M/c-PS, M/G/1-PS   the same of threads that share the cores evenly       Kleinrock 1967, Sakata et al. 1969
 *   tandem         Poisson arrivals, exponential services at several stages in a line     Burke 1956, Jackson 1957
 *   network        the same where jobs are routed, each stage with its share of them      Jackson 1957
 *   line           all at once or at a steady pace, constant services, one worker each    by hand: see linearForecast.ts
 *
 * Returns the forecast, or all the reasons, in words, why there is none. The scenario must have come out of `parse`.
 */
export function theoryOf(scenario: Scenario): Forecast | { readonly reasons: readonly string[] } {
  const { source } = scenario
  const found = stationsOf(scenario)
  const reasons = 'reasons' in found ? [...found.reasons] : []
  const stations = 'stations' in found ? found.stations : []
  const rate = source.kind === 'poisson' || source.kind === 'regular' ? source.rate / 1e6 : 0
  if (countJobs(source) === 0) reasons.push(t('No job ever comes.'))
  if (source.kind === 'poisson') reasons.push(...unsteady(stations, rate, countJobs(source)))
  else reasons.push(...uneven(scenario, stations))
  if (reasons.length > 0) return { reasons }
  if (source.kind !== 'poisson') return linearForecast(scenario, stations, rate)
  const waits = stations.map((station) => (station.threads > 0 ? sharedWaits : steadyWaits)(station, rate * station.share))
  return forecastFrom(scenario, lawOf(stations), waits, rate, null)
}

/** Returns why stations with Poisson arrivals have no known steady state. */
function unsteady(stations: readonly Station[], rate: number, jobs: number): string[] {
  const reasons: string[] = []
  for (const station of stations) {
    const { name, share, mean, servers, threads, variance, shape } = station
    if (threads > 0) {
      reasons.push(...unknownSharing(station, rate, jobs))
      continue
    }
    if (rate * share * mean >= servers)
      reasons.push(
        t('More work comes to {name} than its {n, plural, =1 {worker} one {# worker} other {# workers}} can do: the queue grows without end.', {
          name,
          n: servers,
        }),
      )
    if (variance === Infinity) reasons.push(t('The service times of {name} have no variance: the mean wait is infinite.', { name }))
    if (shape === 'exponential' || (stations.length === 1 && servers === 1)) continue
    const many = stations.length > 1 ? 'stages' : 'workers'
    reasons.push(t('Several {many} have a closed form only with exponential services; those of {name} are not.', { many, name }))
  }
  return reasons
}

/** Returns why stations without Poisson arrivals are not the deterministic line. */
function uneven({ source }: Scenario, stations: readonly Station[]): string[] {
  if (source.kind !== 'batch' && source.kind !== 'regular' && source.kind !== 'lines' && source.kind !== 'image')
    return [t('Jobs come neither at random at one rate (Poisson), nor at a steady pace, nor all at once.')]
  if (stations.some(({ shape }) => shape !== 'constant'))
    return [t('Jobs do not come at random at one rate (Poisson); without that, a closed form needs constant services.')]
  if (stations.some(({ threads }) => threads > 0)) return [t('Threads that share the cores have a closed form only where jobs come at random (Poisson).')]
  return stations.some(({ servers }) => servers > 1) ? [t('Constant services have a simple closed form only with one worker a stage.')] : []
}

function lawOf(stations: readonly Station[]): Law {
  const [{ shape, servers, threads, stages }] = stations
  if (stations.some(({ share }) => share < 1)) return 'network'
  if (stations.length > 1) return 'tandem'
  if (threads > 0) return shape !== 'exponential' || stages.length > 1 ? 'M/G/1-PS' : servers === 1 ? 'M/M/1-PS' : 'M/M/c-PS'
  if (shape === 'exponential') return servers === 1 ? 'M/M/1' : 'M/M/c'
  return shape === 'constant' ? 'M/D/1' : 'M/G/1'
}

function steadyWaits(station: Station, rate: number): Waits {
  const { mean, variance, servers } = station
  const offered = rate * mean
  const load = offered / servers
  const waits = erlangC(servers, offered)
  // Erlang's formula; for one server Pollaczek's and Khinchine's, which is the same where E[S^2] = 2 mean^2.
  const meanWait = servers > 1 ? (waits * mean) / (servers - offered) : (rate * (variance + mean * mean)) / (2 * (1 - load))
  return { ...station, load, waits, meanWait, stretch: 1, relaxation: relaxationOf(station, load) }
}
