import { type Begins, begunAt, createBegins, extendBegins, firstUnbegunAt } from '../../../measures/jobs/begins.ts'
import { expectedLength } from '../../../scenario/edit/faults.ts'
import { countJobs, lastArrival } from '../../../scenario/model/limits.ts'
import type { Micros, Scenario, Source } from '../../../scenario/model/scenario.ts'
import { createArrivals, NO_MORE } from '../../../workload/arrivals.ts'
import type { Run } from '../../session/run/runStore.ts'

/** Where jobs stand on the axis of time, and from which of them on nobody has been begun at an instant. */
export interface JobClock {
  timeOf(stage: string, job: number): Micros
  jobAt(stage: string, time: Micros): number
  /** More whenever one of the times may be another. */
  readonly version: number
  /** Whether the run has been looked through as far as it goes. */
  readonly whole: boolean
}

/** Rows looked at in a frame, for each stage. */
const ROWS_A_FRAME = 200_000

/**
 * A job stands where it was begun at the stage in the run that is shown. Where it was not, or before any run, it stands where it
 * arrives; of jobs that are all there at once it is guessed that they are begun evenly.
 */
export function jobClockOf(scenario: Scenario, run: Run | null, stages: readonly string[], most = ROWS_A_FRAME): JobClock {
  const begins = run === null ? new Map<string, Begins>() : begunIn(run, stages, most)
  const last = Math.max(0, countJobs(scenario.source) - 1)
  const expected = expectationOf(scenario)
  return {
    timeOf(stage, job) {
      const known = begins.get(stage)
      const begun = known === undefined ? Infinity : begunAt(known, job)
      return begun < Infinity ? begun : expected.timeOf(job)
    },
    jobAt(stage, time) {
      const known = begins.get(stage)
      return Math.min(last, known === undefined || known.jobs === 0 ? expected.jobAt(time) : firstUnbegunAt(known, time))
    },
    version: [...begins.values()].reduce((sum, { rows }) => sum + rows, 0),
    whole: [...begins.values()].every(({ rows, trace }) => rows === trace.length),
  }
}

let seen: { readonly run: Run; readonly begins: Map<string, Begins> } | null = null

/** Those of the stages that the run had, as far as it has been looked through. */
function begunIn(run: Run, stages: readonly string[], most: number): Map<string, Begins> {
  if (seen?.run !== run) seen = { run, begins: new Map() }
  for (const id of stages) {
    const s = run.scenario.stages.findIndex((stage) => stage.id === id)
    if (s < 0) continue
    const own = seen.begins.get(id) ?? createBegins(run.trace, s)
    extendBegins(own, most)
    seen.begins.set(id, own)
  }
  return seen.begins
}

interface Expectation {
  timeOf(job: number): Micros
  jobAt(time: Micros): number
}

function expectationOf(scenario: Scenario): Expectation {
  const { source } = scenario
  const jobs = Math.max(1, countJobs(source))
  if (lastArrival(source) <= 0) {
    const length = expectedLength(scenario)
    return { timeOf: (job) => Math.round((Math.min(job, jobs) / jobs) * length), jobAt: (time) => Math.round((time / length) * jobs) }
  }
  const times = arrivalsOf(scenario)
  return {
    timeOf: (job) => times[Math.min(job, times.length - 1)] ?? 0,
    jobAt(time) {
      let low = 0
      let high = times.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if (times[middle] < time) low = middle + 1
        else high = middle
      }
      return low
    },
  }
}

let arrived: { readonly source: Source; readonly seed: number; readonly times: Float64Array } | null = null

function arrivalsOf(scenario: Scenario): Float64Array {
  const { source, seed } = scenario
  if (arrived?.source === source && arrived.seed === seed) return arrived.times
  const times: number[] = []
  const arrivals = createArrivals(scenario)
  for (let time = arrivals.next(); time !== NO_MORE; time = arrivals.next()) times.push(time)
  arrived = { source, seed, times: Float64Array.from(times) }
  return arrived.times
}
