import { countJobs } from '../scenario/limits.ts'
import type { Micros, Scenario } from '../scenario/scenario.ts'
import { serviceMean } from '../scenario/serviceMean.ts'
import type { Station } from './stations.ts'
import type { StationTheory, Theory } from './theory.ts'

/**
 * The deterministic line: jobs all at once (`rate` 0) or at a steady pace, constant services, one worker a station. Each
 * station is a tap that lets a job through every so often, and whoever stands behind slower taps does not wait:
 *
 *     pace before      gap           max(gap, s1)      max(gap, s1, s2)
 *                 ──►  [ s1 ]  ──►   [ s2 ]     ──►    ...
 *     job k waits      k (pace after - pace before)    at each
 *
 * so that the last of n jobs leaves at sum s + (n - 1) max s, or as long after its arrival as all services take, if the gap
 * is longer. Exact; at a steady pace arrivals are rounded to whole microseconds, and waits so far off.
 */
export function lineTheory(scenario: Scenario, stations: readonly Station[], rate: number): Theory {
  const jobs = countJobs(scenario.source)
  const gap = rate > 0 ? 1 / rate : 0
  const whole = stations.reduce((sum, { mean }) => sum + mean, 0)
  const slowest = stations.reduce((most, { mean }) => Math.max(most, mean), 0)
  const makespan = whole + Math.max((jobs - 1) * slowest, Math.round((jobs - 1) * gap))
  const all = waits(stations, gap, jobs, makespan)
  const meanWait = all.reduce((sum, station) => sum + station.meanWait, 0)
  return {
    law: 'line',
    steady: false,
    stations: all,
    arrivalRate: rate,
    jobs,
    utilisation: (jobs * whole) / (makespan * scenario.workers),
    meanWait,
    meanFlowTime: meanWait + whole,
    meanJobsInSystem: (jobs * (meanWait + whole)) / makespan,
    makespan,
    stages: scenario.stages.map(({ service }, s) => {
      const waited = all.find(({ stages }) => stages[0] === s)?.meanWait ?? 0
      return {
        utilisation: (jobs * serviceMean(service)) / (makespan * scenario.workers),
        meanQueue: (jobs * waited) / makespan,
        meanWait: waited,
      }
    }),
  }
}

function waits(stations: readonly Station[], gap: number, jobs: number, makespan: Micros): StationTheory[] {
  let pace = gap
  return stations.map((station) => {
    const before = pace
    pace = Math.max(pace, station.mean)
    const meanWait = ((jobs - 1) / 2) * (pace - before)
    return { ...station, load: (jobs * station.mean) / makespan, waits: pace > before ? (jobs - 1) / jobs : 0, meanWait, relaxation: 0 }
  })
}
