import { t } from '../../../language/translate.ts'
import { type Topology, topologyOf } from '../../../pipeline/topology.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { blockedForecast, isBlockedLine, MAX_ROOM, unstableLine } from './blockedLine.ts'
import { type Forecast, forecastFrom, type GapVariation, type Law, type Waits } from './forecast.ts'
import { type Station, stationsOf } from './stations.ts'
import { unknownSharing, waitsAt } from './stationWaits.ts'

/**
 * Returns the forecast of a scenario that stays the same during the run, or all reasons why it has none. `laws` in theoryWords.ts names the
 * laws and their sources. In a tandem or network, what leaves a stage with exponential services comes at random to the next, so that the last
 * stage of each way may have any law. A bounded queue at the source loses no job, so Erlang B and M/M/c/K have no use here.
 */
export function theoryOf(scenario: Scenario): Forecast | { readonly reasons: readonly string[] } {
  const { source } = scenario
  const found = stationsOf(scenario)
  const reasons = 'reasons' in found ? [...found.reasons] : []
  const stations = 'stations' in found ? found.stations : []
  const rate = source.kind === 'poisson' || source.kind === 'regular' ? source.rate / 1e6 : 0
  const gaps: GapVariation = source.kind === 'poisson' ? 1 : 0
  const paced =
    source.kind === 'regular' && stations.length === 1 && stations[0].shape !== 'constant' && stations[0].threads === 0
  if (source.kind !== 'poisson' && source.retry !== undefined && reasons.length === 0)
    reasons.push(t('Clients give up, and jobs do not come at random (Poisson).'))
  if (countJobs(source) === 0) reasons.push(t('No job ever arrives.'))
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

/** Returns why stations with endless arrivals have no known steady state. */
function unsteady(scenario: Scenario, stations: readonly Station[], rate: number, gaps: GapVariation): string[] {
  const reasons: string[] = []
  const blocked = isBlockedLine(stations)
  if (topologyOf(scenario).copies) reasons.push(...unknownFork(scenario, stations))
  if (blocked) reasons.push(...unstableLine(stations, rate))
  for (const station of stations) {
    const { name, share, mean, servers, threads, variance, shape, hasSuccessor } = station
    if (!blocked) reasons.push(...unknownQueue(station, topologyOf(scenario).firsts, gaps))
    if (threads > 0) {
      reasons.push(...unknownSharing(station, rate, countJobs(scenario.source)))
      continue
    }
    const values = { name, n: servers }
    if (station.patience === Infinity && rate * share * mean >= servers)
      reasons.push(
        t(
          'More work comes to {name} than its {n, plural, =1 {worker} one {# worker} other {# workers}} can do: the queue grows without end.',
          values,
        ),
      )
    if (variance === Infinity)
      reasons.push(t('The service times of {name} have no variance: the mean wait is infinite.', { name }))
    if (hasSuccessor && shape !== 'exponential')
      reasons.push(
        t('A stage before others has a closed form only with exponential services; those of {name} are not.', { name }),
      )
  }
  return reasons
}

/** Returns why a queue that is bounded, or not in an order that ignores sizes, has no known law. */
function unknownQueue(
  { name, room, discipline, shape, stages, servers, threads, hasSuccessor }: Station,
  firsts: Int16Array,
  gaps: GapVariation,
): string[] {
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
    reasons.push(
      t('The queue of {name} is bounded: how many jobs wait before it is known only with exponential services.', {
        name,
      }),
    )
  if (discipline === 'shortest' && !(alone && servers === 1 && gaps === 1 && !hasSuccessor))
    reasons.push(
      t(
        '{name} takes the shortest job first: a law is known only for one worker at a last stage, with jobs at random (Poisson).',
        { name },
      ),
    )
  return reasons
}

/** Returns why stations without Poisson arrivals are not the deterministic line. */
function uneven(scenario: Scenario, stations: readonly Station[]): string[] {
  const { source } = scenario
  if (!['batch', 'regular', 'lines', 'image', 'values'].includes(source.kind))
    return [t('Jobs come neither at random at one rate (Poisson), nor at a steady pace, nor all at once.')]
  if (topologyOf(scenario).copies) return unknownFork(scenario, [])
  if (stations.some(({ shape }) => shape !== 'constant'))
    return [
      t(
        'Jobs do not come at random at one rate (Poisson); without that, a closed form needs constant services, or one stage and a steady pace.',
      ),
    ]
  if (stations.some(({ threads }) => threads > 0))
    return [t('Threads that share the cores have a closed form only where jobs come at random (Poisson).')]
  const bounded = stations.find(({ room }) => room !== null)
  if (bounded !== undefined) return [t('The queue of {name} is bounded.', { name: bounded.name })]
  return stations.some(({ servers }) => servers > 1)
    ? [t('Constant services have a simple closed form only with one worker a stage.')]
    : []
}

/**
 * Returns the exact forecast of a linear pipeline: jobs all at once (`rate` 0) or at a steady pace of `rate` jobs a microsecond, constant services,
 * one worker a stage. A stage lets a job through every `max(gap, s1, s2, ...)`, and job k waits there for k times
 * the difference to the slowest stage before it. Arrivals are rounded to whole microseconds, and waits differ by as much.
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
    return {
      ...station,
      law: 'D/D/1',
      gaps: 0,
      load,
      waits: pace > before ? (jobs - 1) / jobs : 0,
      meanWait,
      classWaits: null,
      gaveUp: 0,
      outside: 0,
      stretch: 1,
      relaxation: 0,
    }
  })
  return forecastFrom(scenario, 'line', waits, rate, { makespan })
}

/** Returns the stages of a fork at the end of a line, or right after the source: each gets a part of every job. Null for any other graph. */
function partsOf({ firsts, ways, routes, stages }: Topology): Int16Array | null {
  let parts = firsts
  let before = 0
  while (parts.length === 1 && ways[parts[0]].length > 0) {
    before++
    if (routes[parts[0]] === 1) return null
    parts = ways[parts[0]]
  }
  return parts.length > 1 && before + parts.length === stages && parts.every((stage) => ways[stage].length === 0)
    ? parts
    : null
}

/** Returns why stages of which some get copies have no known law. */
function unknownFork(scenario: Scenario, stations: readonly Station[]): string[] {
  const parts = partsOf(topologyOf(scenario))
  const own = stations.filter(({ stages }) => parts?.includes(stages[0]))
  const alike = ({ shape, servers, mean, discipline, room, threads }: Station) =>
    shape === 'exponential' &&
    servers === 1 &&
    mean === own[0].mean &&
    discipline === 'fifo' &&
    room === null &&
    threads === 0
  if (scenario.source.kind === 'poisson' && parts !== null && own.length === parts.length && own.every(alike)) return []
  return [
    t(
      'The parts of a copied job wait for each other. A law is known only where jobs come at random (Poisson) and each part visits one stage with one worker, first come first served, with exponential services of one mean.',
    ),
  ]
}

/** Returns the forecast of a line at whose end each job is copied to stages that are alike. All of its parts have left when it has. */
function forkForecast(scenario: Scenario, stations: readonly Waits[], rate: number): Forecast {
  const parts = partsOf(topologyOf(scenario)) ?? new Int16Array()
  const last = stations.filter(({ stages }) => parts.includes(stages[0]))
  const before = stations.filter((station) => !last.includes(station))
  const [{ meanWait, mean, load }] = last
  const meanFlowTime = before.reduce(
    (sum, station) => sum + station.meanWait + station.mean,
    forkJoinFactor(last.length, load) * (meanWait + mean),
  )
  return forecastFrom(scenario, 'fork', stations, rate, { meanFlowTime, approximate: last.length > 2 })
}

/**
 * Returns the mean time until all of `parts` equal parts of a job are through, over that of one part: one worker each, exponential services, `load`.
 * Exact for two: (12 - load) / 8 (Flatto and Hahn 1984); for more off by less than 5% up to 32 parts (Nelson and Tantawi 1988).
 */
export function forkJoinFactor(parts: number, load: number): number {
  if (parts === 1) return 1
  let harmonic = 0
  for (let k = 1; k <= parts; k++) harmonic += 1 / k
  const ratio = harmonic / 1.5
  return ((12 - load) / 8) * (ratio + (4 / 11) * (1 - ratio) * load)
}
