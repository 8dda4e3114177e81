import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { type Forecast, forecastFrom, waitsAt } from './forecast.ts'
import { type Station, stationsOf } from './stations.ts'

/**
 * Returns the forecast of a scenario that stays the same during the run, or all reasons why it has none. In a tandem or network, what leaves
 * a stage with exponential services arrives at random at the next (Burke 1956, Jackson 1957), so the last stage may have any law.
 */
export function theoryOf(scenario: Scenario): Forecast | { readonly reasons: readonly string[] } {
  const { source } = scenario
  const found = stationsOf(scenario)
  const reasons = 'reasons' in found ? [...found.reasons] : []
  const stations = 'stations' in found ? found.stations : []
  const rate = source.kind === 'poisson' ? source.rate / 1e6 : 0
  if (source.kind !== 'poisson') reasons.push(t('Jobs do not arrive at random at one rate (Poisson).'))
  if (countJobs(source) === 0) reasons.push(t('No job ever arrives.'))
  reasons.push(...stations.flatMap((station) => unknownQueue(station, rate)))
  if (reasons.length > 0) return { reasons }
  const waits = stations.map((station) => waitsAt(station, rate * station.share))
  const law = waits.length === 1 ? waits[0].law : stations.some(({ share }) => share < 1) ? 'network' : 'tandem'
  return forecastFrom(scenario, law, waits, rate)
}

/** Returns why a station with endless arrivals has no known steady state. */
function unknownQueue({ name, share, mean, servers, variance, exponential, hasSuccessor }: Station, rate: number) {
  const reasons: string[] = []
  if (rate * share * mean >= servers)
    reasons.push(t('More work arrives at {name} than its workers can do: the queue grows without end.', { name }))
  if (variance === Infinity) reasons.push(t('The mean wait at {name} is infinite.', { name }))
  if (!exponential && servers > 1) reasons.push(t('With several workers {name} needs exponential services.', { name }))
  if (!exponential && hasSuccessor)
    reasons.push(t('As a stage before others {name} needs exponential services.', { name }))
  return reasons
}
