import {
  createFirstStarts,
  extendFirstStarts,
  type FirstStarts,
  firstStartOf,
  firstUnstartedJob,
} from '../../../measures/jobs/jobPlaces.ts'
import { expectedLength } from '../../../scenario/edit/faults.ts'
import { firstWhole } from '../../../scenario/model/halving.ts'
import type { Micros, Scenario, Source } from '../../../scenario/model/scenario.ts'
import { countJobs, lastArrival } from '../../../scenario/model/sources.ts'
import { createArrivals, NO_MORE } from '../../../workload/arrivals.ts'
import type { Run } from '../../session/run/runStore.ts'

/** Translates between jobs and times at a stage. */
export interface JobClock {
  timeOf(stage: string, job: number): Micros
  jobAt(stage: string, time: Micros): number
  /** Grows when times may have changed. */
  readonly version: number
  /** Whether all rows of the run so far have been read. */
  readonly whole: boolean
}

const ROWS_A_FRAME = 200_000

/** Returns when the run began each job at a stage, else the expected arrival. Jobs that arrive together are spread evenly. */
export function jobClockOf(
  scenario: Scenario,
  run: Run | null,
  stages: readonly string[],
  maxRows = ROWS_A_FRAME,
): JobClock {
  const firstStarts = firstStartsIn(run, stages, maxRows)
  const last = Math.max(0, countJobs(scenario.source) - 1)
  const expected = expectationOf(scenario)
  return {
    timeOf(stage, job) {
      const known = firstStarts.get(stage)
      const startedAt = known === undefined ? Infinity : firstStartOf(known, job)
      return startedAt < Infinity ? startedAt : expected.timeOf(job)
    },
    jobAt(stage, time) {
      const known = firstStarts.get(stage)
      return Math.min(
        last,
        known === undefined || known.jobs === 0 ? expected.jobAt(time) : firstUnstartedJob(known, time),
      )
    },
    version: [...firstStarts.values()].reduce((sum, { rows }) => sum + rows, 0),
    whole: [...firstStarts.values()].every(({ rows, trace }) => rows === trace.length),
  }
}

/** For each run, by stage: when its jobs began, as far as known. */
const beginsByRun = new WeakMap<Run, Map<string, FirstStarts>>()

function firstStartsIn(run: Run | null, stages: readonly string[], maxRows: number): ReadonlyMap<string, FirstStarts> {
  const firstStarts = (run && beginsByRun.get(run)) ?? new Map<string, FirstStarts>()
  if (run === null) return firstStarts
  beginsByRun.set(run, firstStarts)
  for (const id of stages) {
    const s = run.scenario.stages.findIndex((stage) => stage.id === id)
    if (s < 0) continue
    const ofStage = firstStarts.get(id) ?? createFirstStarts(run.trace, s)
    extendFirstStarts(ofStage, maxRows)
    firstStarts.set(id, ofStage)
  }
  return firstStarts
}

/** Returns when each job is expected, and the job expected at a time. */
function expectationOf(scenario: Scenario): { timeOf(job: number): Micros; jobAt(time: Micros): number } {
  const { source } = scenario
  const jobs = Math.max(1, countJobs(source))
  if (lastArrival(source) <= 0) {
    const length = expectedLength(scenario)
    return {
      timeOf: (job) => Math.round((Math.min(job, jobs) / jobs) * length),
      jobAt: (time) => Math.round((time / length) * jobs),
    }
  }
  const times = arrivalsOf(scenario)
  return {
    timeOf: (job) => times[Math.min(job, times.length - 1)] ?? 0,
    jobAt: (time) => firstWhole(0, times.length, (job) => times[job] >= time),
  }
}

/** The arrivals of a source with the random seed that they were calculated for. */
const arrivalsBySource = new WeakMap<Source, { readonly seed: number; readonly times: Float64Array }>()

function arrivalsOf(scenario: Scenario): Float64Array {
  const { source, seed } = scenario
  const known = arrivalsBySource.get(source)
  if (known?.seed === seed) return known.times
  const found: number[] = []
  const arrivals = createArrivals(scenario)
  for (let time = arrivals.next(); time !== NO_MORE; time = arrivals.next()) found.push(time)
  const times = Float64Array.from(found)
  arrivalsBySource.set(source, { seed, times })
  return times
}
