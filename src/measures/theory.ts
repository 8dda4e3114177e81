import { countJobs } from '../scenario/limits.ts'
import type { Micros, Scenario } from '../scenario/scenario.ts'
import { serviceMean } from '../scenario/serviceMean.ts'
import { erlangC } from './erlang.ts'
import { lineTheory } from './line.ts'
import { type Station, stationsOf } from './stations.ts'

/**
 * What theory says about a scenario in which nothing moves: the figures of a run that goes on for ever (`steady`), or those
 * of this very run (`line`). They bear the names of `Figures` and mean the same.
 *
 *   M/M/1, M/M/c   Poisson arrivals, exponential services, one worker or several          Erlang 1917
 *   M/D/1, M/G/1   Poisson arrivals, constant or any services, one worker                 Pollaczek 1930, Khinchine 1932
 *   tandem         Poisson arrivals, exponential services at several stages in a line     Burke 1956, Jackson 1957
 *   line           all at once or at a steady pace, constant services, one worker each    by hand: see line.ts
 */
export type Law = 'M/M/1' | 'M/M/c' | 'M/D/1' | 'M/G/1' | 'tandem' | 'line'

export interface Theory {
  readonly law: Law
  /** Whether the figures are those of a run without end; else they are exact. */
  readonly steady: boolean
  readonly stations: readonly StationTheory[]
  /** Jobs a microsecond; 0 where all come at once. */
  readonly arrivalRate: number
  /** How many jobs come in all. */
  readonly jobs: number
  readonly utilisation: number
  readonly meanWait: Micros
  readonly meanFlowTime: Micros
  readonly meanJobsInSystem: number
  /** Exact, or null in a run without end. */
  readonly makespan: Micros | null
  /** In the scenario's numbering. */
  readonly stages: readonly StageTheory[]
}

export interface StationTheory extends Station {
  /** Share of its servers' time that goes into serving: 0..1. */
  readonly load: number
  /** The share of jobs that have to wait. */
  readonly waits: number
  readonly meanWait: Micros
  /** About how long the beginning is remembered; 0 where it is not forgotten at all. */
  readonly relaxation: Micros
}

export interface StageTheory {
  /** Its part of the whole's. */
  readonly utilisation: number
  readonly meanQueue: number
  readonly meanWait: Micros
}

/** The closed form of a scenario, or all reasons, in words, why there is none. */
export function theoryOf(scenario: Scenario): Theory | { readonly reasons: readonly string[] } {
  const { source } = scenario
  const found = stationsOf(scenario)
  const reasons = 'reasons' in found ? [...found.reasons] : []
  const stations = 'stations' in found ? found.stations : []
  if (countJobs(source) === 0) reasons.push('No job ever comes.')
  if (source.kind === 'poisson') {
    const rate = source.rate / 1e6
    reasons.push(...unsteady(stations, rate))
    return reasons.length > 0 ? { reasons } : steadyTheory(scenario, stations, rate)
  }
  if (source.kind !== 'batch' && source.kind !== 'regular' && source.kind !== 'lines')
    reasons.push('Jobs come neither at random at one rate (Poisson), nor at a steady pace, nor all at once.')
  else if (stations.some(({ shape }) => shape !== 'constant'))
    reasons.push('Jobs do not come at random at one rate (Poisson), and without that a closed form needs constant services.')
  else if (stations.some(({ servers }) => servers > 1)) reasons.push('Constant services have a closed form here only with one worker a stage.')
  return reasons.length > 0 ? { reasons } : lineTheory(scenario, stations, source.kind === 'regular' ? source.rate / 1e6 : 0)
}

/** Why a line of stations under Poisson arrivals has no known steady state. */
function unsteady(stations: readonly Station[], rate: number): string[] {
  const reasons: string[] = []
  for (const { name, mean, servers, variance, shape } of stations) {
    if (rate * mean >= servers)
      reasons.push(`More work comes to ${name} than ${servers === 1 ? 'one worker' : `${servers} workers`} can do: the queue grows without end.`)
    if (variance === Infinity) reasons.push(`The service times of ${name} have no variance, so that the mean wait is infinite.`)
    if (shape === 'exponential') continue
    if (stations.length > 1) reasons.push(`Several stages have a closed form only with exponential services; those of ${name} are not.`)
    else if (servers > 1) reasons.push(`Several workers have a closed form only with exponential services; those of ${name} are not.`)
  }
  return reasons
}

function steadyTheory(scenario: Scenario, stations: readonly Station[], rate: number): Theory {
  const all = stations.map((station) => stationTheory(station, rate))
  const meanWait = all.reduce((sum, station) => sum + station.meanWait, 0)
  const meanFlowTime = meanWait + all.reduce((sum, { mean }) => sum + mean, 0)
  return {
    law: lawOf(all),
    steady: true,
    stations: all,
    arrivalRate: rate,
    jobs: countJobs(scenario.source),
    utilisation: all.reduce((sum, { mean }) => sum + rate * mean, 0) / scenario.workers,
    meanWait,
    meanFlowTime,
    meanJobsInSystem: rate * meanFlowTime,
    makespan: null,
    stages: scenario.stages.map(({ service }, s) => {
      const waited = all.find(({ stages }) => stages[0] === s)?.meanWait ?? 0
      return { utilisation: (rate * serviceMean(service)) / scenario.workers, meanQueue: rate * waited, meanWait: waited }
    }),
  }
}

function lawOf(stations: readonly StationTheory[]): Law {
  const [{ shape, servers }] = stations
  if (stations.length > 1) return 'tandem'
  if (shape === 'exponential') return servers === 1 ? 'M/M/1' : 'M/M/c'
  return shape === 'constant' ? 'M/D/1' : 'M/G/1'
}

function stationTheory(station: Station, rate: number): StationTheory {
  const { mean, variance, servers } = station
  const offered = rate * mean
  const load = offered / servers
  const waits = erlangC(servers, offered)
  // Erlang C; for one server of any service Pollaczek and Khinchine's, which is the same with E[S^2] = 2 mean^2.
  const meanWait = servers > 1 ? (waits * mean) / (servers - offered) : (rate * (variance + mean * mean)) / (2 * (1 - load))
  // Odoni and Roth (1983) for one server, with squared coefficients of variation 1 of the gaps; c servers are c times as quick.
  const left = 1 - Math.sqrt(load)
  const relaxation = ((1 + variance / (mean * mean)) * mean) / servers / (2.8 * left * left)
  return { ...station, load, waits, meanWait, relaxation }
}
