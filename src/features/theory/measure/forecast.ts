import { initialWorkerCount } from '../../../scenario/model/defaults.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import type { Station } from './stations.ts'

export type StationLaw =
  | 'M/M/1'
  | 'M/M/c'
  | 'M/M/c+M'
  | 'M/D/1'
  | 'M/D/c'
  | 'M/G/1'
  | 'M/G/1-SJF'
  | 'D/M/1'
  | 'D/D/1'
  | 'G/G/c'
  | 'M/M/1-PS'
  | 'M/M/c-PS'
  | 'M/G/1-PS'
export type Law = StationLaw | 'tandem' | 'network' | 'blocking' | 'fork' | 'line'

/** How irregular arrivals are: the squared coefficient of variation of the gaps is 1 for random arrivals, 0 at a steady pace. */
export type GapVariation = 1 | 0

/** The metrics of a whole run that theory knows. They have the names of `Metrics` and the same meaning. */
export type ForecastKey = 'utilisation' | 'meanWait' | 'meanFlowTime' | 'meanJobsInSystem'

/** The expected metrics of a run by theory. */
export interface Forecast extends Readonly<Record<ForecastKey, number>> {
  readonly law: Law
  /** Whether a figure is from an approximate formula. */
  readonly approximate: boolean
  readonly stations: readonly Waits[]
  /** Jobs a microsecond; 0 where all come at once. */
  readonly arrivalRate: number
  /** The number of all jobs. */
  readonly jobs: number
  /** How the forecast is exact; null where it holds for a run without end. */
  readonly makespan: Micros | null
  /** In the scenario's numbers. */
  readonly stages: readonly StageForecast[]
}

/** How long jobs wait at a station. */
export interface Waits extends Station {
  readonly law: StationLaw
  readonly gaps: GapVariation
  /** How many times longer a job takes where it shares a core; else 1. */
  readonly stretch: number
  /** Share of its servers' time spent serving: 0..1. */
  readonly load: number
  /** The share of jobs that have to wait. */
  readonly waits: number
  readonly meanWait: Micros
  /** By class, the most urgent first; null where there are none, or no law is known of them. */
  readonly classWaits: readonly Micros[] | null
  /** The share of jobs that their clients give up. */
  readonly gaveUp: number
  /** How many of the waiting jobs find no room in its queue, and wait outside. */
  readonly outside: number
  /** How long the beginning of a run has an effect, roughly; 0 in an exact forecast. */
  readonly relaxation: Micros
}

/** `utilisation`: its part of the whole's. */
export type StageForecast = Readonly<Record<'utilisation' | 'meanQueue' | 'meanWait', number>>

/** Returns how long the beginning of a run has an effect at a station, roughly: Odoni and Roth (1983); c servers are c times as quick. */
export function relaxationOf({ mean, variance, servers }: Station, load: number, gaps: GapVariation = 1): Micros {
  const left = 1 - Math.sqrt(load)
  return ((gaps + variance / (mean * mean)) * mean) / servers / (2.8 * left * left)
}

/** Shorter runs of an M/M/1 queue have intervals that hold too seldom; from here on nineteen in twenty do. */
const RELAXATIONS = 50

/** Returns how many jobs a run must have for its intervals to hold. It ignores the run itself, since a run that looks calm may just be too short. */
export function jobsForIntervals({ stations, arrivalRate }: Forecast): number {
  const slowest = stations.reduce((most, { relaxation }) => Math.max(most, relaxation), 0)
  return Math.ceil(RELAXATIONS * slowest * arrivalRate)
}

/**
 * Returns all metrics from the waits: by Little's law (1961) a mean number is a mean time multiplied by the jobs in a unit of time. `beyond`: the
 * makespan of an exact run, and the flow time where parts of a job wait for each other.
 */
export function forecastFrom(
  scenario: Scenario,
  law: Law,
  stations: readonly Waits[],
  arrivalRate: number,
  beyond: Partial<Pick<Forecast, 'makespan' | 'meanFlowTime' | 'approximate'>> = {},
): Forecast {
  const jobs = countJobs(scenario.source)
  const { makespan = null } = beyond
  const pace = makespan === null ? arrivalRate : jobs / makespan
  const meanWait = stations.reduce((sum, station) => sum + station.share * station.meanWait, 0)
  const served = stations.reduce(
    (sum, { share, mean, stretch, gaveUp }) => sum + share * mean * stretch * (1 - gaveUp),
    0,
  )
  const meanFlowTime = beyond.meanFlowTime ?? meanWait + served
  const initialWorkers = initialWorkerCount(scenario)
  const stages = scenario.stages.map(({ service }, s): StageForecast => {
    // Where one worker runs each job to its end, all waiting is before the first stage.
    const before = stations.find((station) => station.stages[0] === s)
    const station = stations.find(({ stages: own }) => own.includes(s))
    const passing = pace * (station?.share ?? 1)
    const served = passing * (1 - (station?.gaveUp ?? 0))
    return {
      utilisation: (served * serviceMean(service) * (station?.stretch ?? 1)) / initialWorkers,
      meanQueue: passing * (before?.meanWait ?? 0) - (before?.outside ?? 0),
      meanWait: before?.meanWait ?? 0,
    }
  })
  const utilisation = stages.reduce((sum, stage) => sum + stage.utilisation, 0)
  const approximate = beyond.approximate ?? stations.some((station) => station.law === 'G/G/c')
  return {
    law,
    approximate,
    stations,
    arrivalRate,
    jobs,
    makespan,
    utilisation,
    meanWait,
    meanFlowTime,
    meanJobsInSystem: pace * meanFlowTime,
    stages,
  }
}
