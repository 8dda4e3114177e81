import { serviceMean } from '../../../scenario/model/distributions.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { erlangC } from './erlang.ts'
import type { Station } from './stations.ts'

export type StationLaw = 'M/M/1' | 'M/M/c' | 'M/G/1'
export type Law = StationLaw | 'tandem' | 'network'

/** The metrics of a whole run that theory knows. They have the names of `Metrics` and the same meaning. */
export type ForecastKey = 'utilisation' | 'meanWait' | 'meanFlowTime' | 'meanJobsInSystem'

/** The expected metrics of an endless run. */
export interface Forecast extends Readonly<Record<ForecastKey, number>> {
  readonly law: Law
  readonly stations: readonly Waits[]
  /** Jobs a microsecond. */
  readonly arrivalRate: number
  /** The number of all jobs. */
  readonly jobs: number
  /** In the scenario's numbers. */
  readonly stages: readonly StageForecast[]
}

/** How long jobs wait at a station. */
export interface Waits extends Station {
  readonly law: StationLaw
  /** Share of its servers' time spent serving: 0..1. */
  readonly load: number
  /** The share of jobs that have to wait. */
  readonly waits: number
  readonly meanWait: Micros
  /** By class, the most urgent first; null where there are none, or where they age. */
  readonly classWaits: readonly Micros[] | null
  /** How long the beginning of a run has an effect, roughly. */
  readonly relaxation: Micros
}

/** `utilisation`: its part of the whole's. */
export type StageForecast = Readonly<Record<'utilisation' | 'meanQueue' | 'meanWait', number>>

/** Returns how long jobs wait at a station where they arrive at random at `rate` (jobs per microsecond). */
export function waitsAt(station: Station, rate: number): Waits {
  const { mean, variance, servers, exponential } = station
  const load = (rate * mean) / servers
  // For other services there is one worker, so that the wait is that of Pollaczek 1930 and Khinchine 1932.
  const waits = exponential ? erlangC(servers, rate * mean) : load
  const meanWait = exponential
    ? (waits * mean) / (servers - rate * mean)
    : (rate * (variance + mean * mean)) / (2 * (1 - load))
  const law = !exponential ? 'M/G/1' : servers === 1 ? 'M/M/1' : 'M/M/c'
  const classWaits = classWaitsAt(station, load, meanWait)
  return { ...station, law, load, waits, meanWait, classWaits, relaxation: relaxationOf(station, load) }
}

/**
 * Returns the mean wait of each class where no service is interrupted: W0 / ((1 - s) (1 - t)), s being the load of all classes before it and t that with
 * its own; W0 = (1 - load) x the wait of first come, first served (Cobham 1954; Kesten and Runnenburg 1957).
 */
function classWaitsAt({ classes }: Station, load: number, meanWait: Micros): Micros[] | null {
  if (classes === null || classes.age) return null
  let upTo = 0
  return classes.shares.map((share) => {
    const first = 1 - upTo
    upTo += load * share
    return (meanWait * (1 - load)) / (first * (1 - upTo))
  })
}

/** Returns how long the beginning of a run has an effect at a station, roughly: Odoni and Roth (1983); c servers are c times as quick. */
function relaxationOf({ mean, variance, servers }: Station, load: number): Micros {
  const slow = 1 - Math.sqrt(load)
  return (mean * (1 + variance / (mean * mean))) / (2.8 * servers * slow * slow)
}

/** In shorter runs the means of the batches depend on each other, and the intervals hold too seldom. */
const RELAXATIONS = 100

/** Returns how many jobs a run must have for its intervals to hold. It ignores the run itself, since a run that looks calm may just be too short. */
export function jobsForIntervals({ stations, arrivalRate }: Forecast): number {
  const slowest = stations.reduce((longest, { relaxation }) => Math.max(longest, relaxation), 0)
  return Math.ceil(RELAXATIONS * slowest * arrivalRate)
}

/** Returns all metrics from the waits: by Little's law (1961) a mean number is a mean time multiplied by the jobs in a unit of time. */
export function forecastFrom(scenario: Scenario, law: Law, stations: readonly Waits[], arrivalRate: number): Forecast {
  const meanWait = stations.reduce((sum, station) => sum + station.share * station.meanWait, 0)
  const meanFlowTime = stations.reduce((sum, { share, mean }) => sum + share * mean, meanWait)
  const workers = scenario.workers
  const stages = scenario.stages.map(({ service }, s): StageForecast => {
    // Where one worker runs each job to its end, all waiting happens at the first stage.
    const wait = stations.find((station) => station.stages[0] === s)?.meanWait ?? 0
    const passing = arrivalRate * (stations.find((station) => station.stages.includes(s))?.share ?? 1)
    return { utilisation: (passing * serviceMean(service)) / workers, meanQueue: passing * wait, meanWait: wait }
  })
  return {
    law,
    stations,
    arrivalRate,
    jobs: countJobs(scenario.source),
    utilisation: stages.reduce((sum, stage) => sum + stage.utilisation, 0),
    meanWait,
    meanFlowTime,
    meanJobsInSystem: arrivalRate * meanFlowTime,
    stages,
  }
}
