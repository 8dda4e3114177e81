import { type SteadyMean, steadyMean } from '../../src/features/theory/measure/nskart.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { createArrivals, NO_MORE } from '../../src/workload/arrivals.ts'
import { createServices } from '../../src/workload/service.ts'

/** The figures in the table of coverage. */
export interface PlainFigures {
  readonly meanWait: SteadyMean
  readonly meanFlowTime: SteadyMean
  /** Of the first stage. */
  readonly meanQueue: SteadyMean
  readonly utilisation: SteadyMean
}

/** Number of jobs per entry of a series, as in the steady state of a run. */
const grainOf = (jobs: number) => Math.max(1, Math.ceil(jobs / 20_480))

/**
 * Returns the figures of a line of queues, first come first served, with the given number of servers at each stage, by the recursion of Lindley (1952) and of
 * Kiefer and Wolfowitz (1955): the same arrivals and services as in a run, without a run, since 2,000 seeds of each take long. A test compares it with runs.
 */
export function plainLine(scenario: Scenario, servers: readonly number[]): PlainFigures {
  const arrivals = createArrivals(scenario)
  const services = createServices(scenario)
  const times: number[] = []
  for (let time = arrivals.next(); time !== NO_MORE; time = arrivals.next()) times.push(time)
  const jobs = times.length
  const arrived = Float64Array.from(times)
  const slices = Math.floor(jobs / grainOf(jobs))
  const [from, slice] = [arrived[0], (arrived[jobs - 1] - arrived[0]) / slices]
  const queued = new Float64Array(slices)
  const brought = new Float64Array(slices)
  const waited = new Float64Array(jobs)
  const finished = new Float64Array(jobs)
  let order = Int32Array.from(times, (_, job) => job)
  let ready = arrived
  servers.forEach((workers, stage) => {
    const free = new Float64Array(workers)
    const servedBy = new Int32Array(jobs)
    for (const job of order) {
      const worker = nextWorker(free, ready[job])
      servedBy[job] = worker
      const start = Math.max(ready[job], free[worker])
      const service = services.at(stage, job)
      const k = Math.floor((arrived[job] - from) / slice)
      if (k < slices) brought[k] += service
      if (stage === 0) spread(queued, arrived[job] - from, start - from, slice)
      waited[job] += start - ready[job]
      finished[job] = start + service
      free[worker] = finished[job]
    }
    ready = finished.slice()
    if (workers > 1) order = order.slice().sort((a, b) => ready[a] - ready[b] || servedBy[a] - servedBy[b])
  })
  const all = servers.reduce((sum, workers) => sum + workers, 0)
  return {
    meanWait: meanOfJobs(waited, order),
    meanFlowTime: meanOfJobs(
      finished.map((time, job) => time - arrived[job]),
      order,
    ),
    meanQueue: mean(queued.map((area) => area / slice)),
    utilisation: mean(brought.map((time) => time / slice / all)),
  }
}

/** The first idle worker; if none is idle, the one that is free first. */
function nextWorker(free: Float64Array, time: number): number {
  let first = 0
  for (let w = 0; w < free.length; w++) {
    if (free[w] <= time) return w
    if (free[w] < free[first]) first = w
  }
  return first
}

function meanOfJobs(values: Float64Array, order: Int32Array): SteadyMean {
  const grain = grainOf(values.length)
  const entries = new Float64Array(Math.floor(values.length / grain))
  for (let i = 0; i < entries.length * grain; i++) entries[Math.floor(i / grain)] += values[order[i]]
  return mean(entries.map((sum) => sum / grain))
}

/** Adds the time from `start` to `end` to the slices that it overlaps, and nothing after the last slice. */
function spread(slices: Float64Array, start: number, end: number, slice: number): void {
  for (let k = Math.floor(start / slice); k < slices.length && k * slice < end; k++)
    slices[k] += Math.max(0, Math.min(end, (k + 1) * slice) - Math.max(start, k * slice))
}

function mean(values: Float64Array): SteadyMean {
  const found = steadyMean(values)
  if (found === null) throw new Error('the run is too short')
  return found
}
