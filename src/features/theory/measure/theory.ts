import { t } from '../../../language/translate.ts'
import { topologyOf } from '../../../pipeline/topology.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { blockedForecast, isBlockedLine, MAX_ROOM, unstableLine } from './blockedLine.ts'
import { type Forecast, forecastFrom, type GapVariation, type Law, type Waits } from './forecast.ts'
import { forkForecast, unknownFork } from './forkForecast.ts'
import { type Station, stationsOf } from './stations.ts'
import { unknownSharing, waitsAt } from './stationWaits.ts'

/**
 * What theory says of a scenario in which nothing moves. Jobs come at random (Poisson) unless it says otherwise:
 *
 *   M/M/1, M/M/c   exponential services, one worker or several                            Erlang 1917
 *   M/D/1, M/G/1   constant or any services, one worker                                   Pollaczek 1930, Khinchine 1932
 *   M/D/c          constant services, several workers                                     Crommelin 1932
 *   M/G/1-SJF      any services, one worker, the shortest job first                       Phipps 1956
 *   D/M/1          jobs at a steady pace, exponential services, one worker                Kendall 1953
 *   G/G/c          any services, several workers, or jobs at a steady pace: nearly        Allen and Cunneen
 *   M/M/1-PS, M/M/c-PS, M/G/1-PS   threads that share the cores evenly                    Kleinrock 1967, Sakata et al. 1969
 *   tandem         exponential services at several stages in a line                       Burke 1956, Jackson 1957
 *   network        the same where jobs are routed, each stage with its share of them      Jackson 1957
 *   blocking       two stages with a bounded queue between them                           Konheim and Reiser 1976
 *   fork           copies of a job at stages that are alike, which leave together         Flatto and Hahn 1984, Nelson and Tantawi 1988
 *   line           all at once or at a steady pace, constant services, one worker each    by hand: see linearForecast
 *
 * In a tandem or network, what leaves a stage with exponential services comes at random to the next, so that the last of each way may have any law.
 * A bounded queue at the source loses no job: the source holds jobs back, in order, so that waits are as with any room, and formulas for
 * lost jobs (Erlang B, M/M/c/K) have no use here.
 *
 * Returns the forecast, or all the reasons, in words, why there is none. The scenario must have come out of `parse`.
 */
export function theoryOf(scenario: Scenario): Forecast | { readonly reasons: readonly string[] } {
  const { source } = scenario
  const found = stationsOf(scenario)
  const reasons = 'reasons' in found ? [...found.reasons] : []
  const stations = 'stations' in found ? found.stations : []
  const rate = source.kind === 'poisson' || source.kind === 'regular' ? source.rate / 1e6 : 0
  const gaps: GapVariation = source.kind === 'poisson' ? 1 : 0
  const paced = source.kind === 'regular' && stations.length === 1 && stations[0].shape !== 'constant' && stations[0].threads === 0
  if (countJobs(source) === 0) reasons.push(t('No job ever comes.'))
  if (source.kind === 'poisson' || paced) reasons.push(...unsteady(scenario, stations, rate, gaps))
  else reasons.push(...uneven(scenario, stations))
  if (reasons.length > 0) return { reasons }
  if (source.kind !== 'poisson' && !paced) return linearForecast(scenario, stations, rate)
  if (isBlockedLine(stations)) return blockedForecast(scenario, stations, rate)
  const waits = stations.map((station) => waitsAt(station, rate * station.share, gaps))
  if (topologyOf(scenario).copies) return forkForecast(scenario, waits, rate)
  const [only] = waits
  const law: Law = waits.length === 1 ? only.law : stations.some(({ share }) => share < 1) ? 'network' : 'tandem'
  return forecastFrom(scenario, law, waits, rate)
}

/** Returns why stations to which jobs come for ever have no known steady state. */
function unsteady(scenario: Scenario, stations: readonly Station[], rate: number, gaps: GapVariation): string[] {
  const reasons: string[] = []
  const blocked = isBlockedLine(stations)
  if (topologyOf(scenario).copies) reasons.push(...unknownFork(scenario, stations))
  if (blocked) reasons.push(...unstableLine(stations, rate))
  for (const station of stations) {
    const { name, share, mean, servers, threads, variance, shape, goesOn } = station
    if (!blocked) reasons.push(...unknownQueue(station, topologyOf(scenario).firsts, gaps))
    if (threads > 0) {
      reasons.push(...unknownSharing(station, rate, countJobs(scenario.source)))
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
    if (goesOn && shape !== 'exponential')
      reasons.push(t('A stage before others has a closed form only with exponential services; those of {name} are not.', { name }))
  }
  return reasons
}

/** Returns why a queue that is bounded, or not in an order that ignores sizes, has no known law. */
function unknownQueue({ name, room, discipline, shape, stages, servers, threads, goesOn }: Station, firsts: Int16Array, gaps: GapVariation): string[] {
  const reasons: string[] = []
  const alone = stages.length === 1 && threads === 0
  if (room !== null && !(firsts.length === 1 && stages[0] === firsts[0]))
    reasons.push(
      t(
        'The queue of {name} is bounded: it holds back what comes before. A law is known only for two stages with one worker each, and exponential services, and up to {MAX_ROOM} jobs between them.',
        { name, MAX_ROOM },
      ),
    )
  else if (room !== null && !(alone && gaps === 1 && shape === 'exponential' && discipline !== 'shortest'))
    reasons.push(t('The queue of {name} is bounded: how many jobs wait before it is known only with exponential services.', { name }))
  if (discipline === 'shortest' && !(alone && servers === 1 && gaps === 1 && !goesOn))
    reasons.push(t('{name} takes the shortest job first: a law is known only for one worker at a last stage, with jobs at random (Poisson).', { name }))
  return reasons
}

/** Returns why stations without Poisson arrivals are not the deterministic line. */
function uneven(scenario: Scenario, stations: readonly Station[]): string[] {
  const { source } = scenario
  if (source.kind !== 'batch' && source.kind !== 'regular' && source.kind !== 'lines' && source.kind !== 'image')
    return [t('Jobs come neither at random at one rate (Poisson), nor at a steady pace, nor all at once.')]
  if (topologyOf(scenario).copies) return unknownFork(scenario, [])
  if (stations.some(({ shape }) => shape !== 'constant'))
    return [t('Jobs do not come at random at one rate (Poisson); without that, a closed form needs constant services, or one stage and a steady pace.')]
  if (stations.some(({ threads }) => threads > 0)) return [t('Threads that share the cores have a closed form only where jobs come at random (Poisson).')]
  const bounded = stations.find(({ room }) => room !== null)
  if (bounded !== undefined) return [t('The queue of {name} is bounded.', { name: bounded.name })]
  return stations.some(({ servers }) => servers > 1) ? [t('Constant services have a simple closed form only with one worker a stage.')] : []
}

/**
 * Returns the exact forecast of a linear pipeline: jobs all at once (`rate` 0) or at a steady pace, constant services, one
 * worker a stage. Each station lets one job through every so often, and no job waits behind a slower station:
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
