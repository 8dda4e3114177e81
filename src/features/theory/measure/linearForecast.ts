import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { type Forecast, forecastFrom, type Waits } from './forecast.ts'
import type { Station } from './stations.ts'

/**
 * Returns the exact forecast of a linear pipeline: jobs all at once (`rate` 0) or at a steady pace, constant services, one
 * worker a stage. Each station lets one job through every so often, and nobody waits behind a slower station:
 *
 *     pace           gap           max(gap, s1)      max(gap, s1, s2)
 *              ──►  [ s1 ]   ──►     [ s2 ]    ──►   ...
 *     job k waits    k (pace after - pace before)    at each, k = 0, 1, ...
 *
 * So the last of n jobs leaves at sum s + (n - 1) max s or, where the gap is longer, as long after its arrival as all services
 * take. At a steady pace arrivals are rounded to whole microseconds, and waits differ by as much.
 *
 * @param rate jobs a microsecond
 */
export function linearForecast(scenario: Scenario, stations: readonly Station[], rate: number): Forecast {
  const jobs = countJobs(scenario.source)
  const gap = rate > 0 ? 1 / rate : 0
  const whole = stations.reduce((sum, { mean }) => sum + mean, 0)
  const slowest = stations.reduce((most, { mean }) => Math.max(most, mean), 0)
  const makespan = whole + Math.max((jobs - 1) * slowest, Math.round((jobs - 1) * gap))
  let pace = gap
  const waits = stations.map((station): Waits => {
    const before = pace
    pace = Math.max(pace, station.mean)
    const meanWait = ((jobs - 1) / 2) * (pace - before)
    const load = (jobs * station.mean) / makespan
    return { ...station, law: 'D/D/1', gaps: 0, load, waits: pace > before ? (jobs - 1) / jobs : 0, meanWait, outside: 0, stretch: 1, relaxation: 0 }
  })
  return forecastFrom(scenario, 'line', waits, rate, { makespan })
}
