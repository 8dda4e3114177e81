import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { type Occupancy, occupancyOf } from '../../../src/measures/figures/occupancy.ts'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { type Trace, timeOf } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { workedExample } from '../scenarios.ts'

/** The plain version: the frame of every instant, weighted by its duration. */
function plainly(trace: Trace): Occupancy {
  const { makespan } = metricsOf(trace)
  const times = [...new Set(Array.from({ length: trace.length }, (_, row) => timeOf(trace, row)))].filter(
    (time) => time < makespan,
  )
  const frames = times.map((time, k) => ({ frame: frameAt(trace, time), lasted: (times[k + 1] ?? makespan) - time }))
  const queued = frames.map(({ frame, lasted }) => ({
    lasted,
    jobs: frame.stages.reduce((sum, { waiting }) => sum + waiting, 0),
  }))
  const mean = (sum: number) => (makespan > 0 ? sum / makespan : 0)
  return {
    meanQueued: mean(queued.reduce((sum, { jobs, lasted }) => sum + jobs * lasted, 0)),
    mostQueued: Math.max(0, ...queued.map(({ jobs }) => jobs)),
    seats: trace.scenario.stages.map((_, s) =>
      mean(frames.reduce((sum, { frame, lasted }) => sum + frame.stages[s].seats * lasted, 0)),
    ),
  }
}

describe('the mean queues and seats', () => {
  test('of the worked example match a calculation by hand', async () => {
    // Queues (1,0), (0,1), (0,0) and seats (2,0), (1,1), (0,2), a second each.
    expect(occupancyOf(await playSimulation(workedExample, 0))).toEqual({
      meanQueued: 2 / 3,
      mostQueued: 1,
      seats: [1, 1],
    })
  })

  test('end with the work: events after the last worker has left change nothing', async () => {
    const workerEvents = [0, 1].map((worker) => ({ at: 2_500_000, kind: 'leave', worker }))
    const trace = await playSimulation(
      scenarioWith({ ...workedExample, source: { kind: 'times', at: [0, 4_000_000, 9_000_000] }, workerEvents }),
      0,
    )
    expect(timeOf(trace, trace.length - 1)).toBeGreaterThan(metricsOf(trace).makespan)
    expect(occupancyOf(trace)).toEqual(plainly(trace))
    expect(occupancyOf(trace).mostQueued).toBe(0)
  })
})
