import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { type Forecast, forecastFrom, waitsAt } from './forecast.ts'
import { applying, type Station, stationsOf } from './stations.ts'

/**
 * Returns the forecast of a scenario that stays the same during the run, or all reasons why it has none. In a tandem or network, what leaves
 * a stage with exponential services arrives at random at the next (Burke 1956, Jackson 1957), so the last stage may have any law.
 */
export function theoryOf(scenario: Scenario): Forecast | { readonly reasons: readonly string[] } {
  const { source } = scenario
  const found = stationsOf(scenario)
  // Without a reason against them, the stations are those of queueing theory.
  const stations = found.reasons.length > 0 ? [] : found.stations
  const rate = source.kind === 'poisson' ? source.rate / 1e6 : 0
  const reasons = [
    ...found.reasons,
    ...applying(
      source.kind !== 'poisson' && t('Jobs do not arrive at random at one rate (Poisson).'),
      countJobs(source) === 0 && t('No job ever arrives.'),
    ),
    ...stations.flatMap((station) => unknownQueue(station, rate)),
  ]
  if (reasons.length > 0) return { reasons }
  const waits = stations.map((station) => waitsAt(station, rate * station.share))
  const law = waits.length === 1 ? waits[0].law : stations.some(({ share }) => share < 1) ? 'network' : 'tandem'
  return forecastFrom(scenario, law, waits, rate)
}

/** Returns why a station with endless arrivals has no known steady state. */
function unknownQueue({ name, share, mean, servers, variance, exponential, hasSuccessor }: Station, rate: number) {
  return applying(
    rate * share * mean >= servers &&
      t('More work arrives at {name} than its workers can do: the queue grows without end.', { name }),
    variance === Infinity && t('The mean wait at {name} is infinite.', { name }),
    !exponential &&
      (servers > 1 || hasSuccessor) &&
      t('With several workers, or before others, {name} needs exponential services.', { name }),
  )
}
