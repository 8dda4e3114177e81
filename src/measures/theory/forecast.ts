import { crewOf } from '../../scenario/model/defaults.ts'
import { countJobs } from '../../scenario/model/limits.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { serviceMean } from '../../scenario/model/serviceMean.ts'
import type { Station } from './stations.ts'

export type Law = 'M/M/1' | 'M/M/c' | 'M/D/1' | 'M/G/1' | 'M/M/1-PS' | 'M/M/c-PS' | 'M/G/1-PS' | 'tandem' | 'network' | 'line'

/** What theory foretells of a run. The figures bear the names of `Figures` and mean the same. */
export interface Forecast {
  readonly law: Law
  readonly stations: readonly Waits[]
  /** Jobs a microsecond; 0 where all come at once. */
  readonly arrivalRate: number
  /** How many jobs come in all. */
  readonly jobs: number
  /** Exact; null where the figures are those of a run without end. */
  readonly makespan: Micros | null
  readonly utilisation: number
  readonly meanWait: Micros
  readonly meanFlowTime: Micros
  readonly meanJobsInSystem: number
  /** In the scenario's numbering. */
  readonly stages: readonly StageForecast[]
}

/** How long jobs wait at a station. */
export interface Waits extends Station {
  /** How many times longer than by itself a job is served where it shares a core; else 1. */
  readonly stretch: number
  /** Share of its servers' time that goes into serving: 0..1. */
  readonly load: number
  /** The share of jobs that have to wait. */
  readonly waits: number
  readonly meanWait: Micros
  /** About how long a beginning is remembered; 0 in an exact forecast. */
  readonly relaxation: Micros
}

export interface StageForecast {
  /** Its part of the whole's. */
  readonly utilisation: number
  readonly meanQueue: number
  readonly meanWait: Micros
}

/** All figures from the waits alone: by Little's law (1961) a mean number is a mean time multiplied by the jobs that pass in a unit of time. */
export function forecastFrom(scenario: Scenario, law: Law, stations: readonly Waits[], arrivalRate: number, makespan: Micros | null): Forecast {
  const jobs = countJobs(scenario.source)
  const pace = makespan === null ? arrivalRate : jobs / makespan
  const meanWait = stations.reduce((sum, station) => sum + station.share * station.meanWait, 0)
  const meanFlowTime = meanWait + stations.reduce((sum, { share, mean, stretch }) => sum + share * mean * stretch, 0)
  const crew = crewOf(scenario)
  const stages = scenario.stages.map(({ service }, s): StageForecast => {
    // Where one worker runs each job to its end, all waiting is done before the first stage.
    const wait = stations.find((station) => station.stages[0] === s)?.meanWait ?? 0
    const station = stations.find(({ stages: own }) => own.includes(s))
    const passing = pace * (station?.share ?? 1)
    return { utilisation: (passing * serviceMean(service) * (station?.stretch ?? 1)) / crew, meanQueue: passing * wait, meanWait: wait }
  })
  const utilisation = stages.reduce((sum, stage) => sum + stage.utilisation, 0)
  return { law, stations, arrivalRate, jobs, makespan, utilisation, meanWait, meanFlowTime, meanJobsInSystem: pace * meanFlowTime, stages }
}
