import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divergenceOf, jobsInSystem, lagOf } from '../../../../src/features/reality/measure/residual.ts'
import { createChart, extendChart } from '../../../../src/measures/series/chart.ts'
import { valueAt } from '../../../../src/measures/series/steps.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { endOf, stateAt, type Trace } from '../../../../src/trace/trace.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { scenarios } from '../../../measures/scenarios.ts'

async function played(scenario: Scenario) {
  const trace = await playSimulation(scenario, 0)
  const chart = createChart(trace)
  extendChart(chart)
  return { trace, chart, jobs: jobsInSystem(chart) }
}

const inSystem = (trace: Trace, time: number) => {
  const { arrived, released, failed } = stateAt(trace, time).counts
  return arrived - released - failed
}

const outOf = (trace: Trace, time: number) => {
  const { released, failed } = stateAt(trace, time).counts
  return released + failed
}

const uneven = (more: object = {}) =>
  scenarioWith({
    source: { kind: 'batch', jobs: 200 },
    stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'exponential', mean: 1000 } })),
    workers: 4,
    seed: 3,
    ...more,
  })

describe('the first difference of a real run and its simulation', () => {
  test('jobs in the system are those that have arrived and not left, at every instant', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, fc.integer({ min: 0, max: 30_000 }), async (scenario, time) => {
        const { trace, jobs } = await played(scenario)
        for (const t of [time, endOf(trace)]) expect(valueAt(jobs, t)).toBe(inSystem(trace, t))
      }),
      { numRuns: repeats(60) },
    )
  })

  test('does not exist between a run and itself', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const [a, b] = [await played(scenario), await played(scenario)]
        expect(divergenceOf(a.trace, b.trace, a.chart.departures, b.chart.departures)).toMatchObject({
          seats: null,
          out: null,
        })
        expect(lagOf(a.chart.departures, b.chart.departures).every((lag) => lag === 0)).toBe(true)
      }),
      { numRuns: repeats(60) },
    )
  })

  test('is the first instant at which one run has more jobs out than the other by more than workers can hold', async () => {
    const [slow, quick] = [await played(uneven({ cores: 2 })), await played(uneven())]
    const { out, tolerance } = divergenceOf(slow.trace, quick.trace, slow.chart.departures, quick.chart.departures)
    if (out === null) throw new Error('they never part')
    expect(tolerance).toBe(4)
    const apart = (time: number) => Math.abs(outOf(slow.trace, time) - outOf(quick.trace, time))
    expect(apart(out.time)).toBeGreaterThan(tolerance)
    expect(out).toMatchObject({ real: outOf(slow.trace, out.time), simulated: outOf(quick.trace, out.time) })
    for (let time = 0; time < out.time; time += 13) expect(apart(time)).toBeLessThanOrEqual(tolerance)
    expect(apart(out.time - 1)).toBeLessThanOrEqual(tolerance)
  })

  test('is the first allocation that differs, not one that is only reached in more steps or at other times', async () => {
    const run = await played(uneven())
    const twice = await played(uneven())
    const stages = uneven().stages.map((stage) => ({ ...stage, service: { kind: 'exponential', mean: 2000 } }))
    const slow = await played(uneven({ stages }))
    // A run that is twice as slow in everything has no difference, only another pace.
    expect(divergenceOf(slow.trace, run.trace, slow.chart.departures, run.chart.departures).seats).toBeNull()
    const other = await played(uneven({ policy: { kind: 'jefferson' } }))
    const { seats } = divergenceOf(other.trace, twice.trace, other.chart.departures, twice.chart.departures)
    if (seats?.real == null || seats.simulated == null) throw new Error('they never part')
    expect(seats.real.seats).not.toEqual(seats.simulated.seats)
    expect(Array.from(stateAt(other.trace, seats.time).seats)).toEqual(seats.real.seats)
  })

  test('the lag of a job is the delay of its leaving, in order of leaving', async () => {
    const [slow, quick] = [await played(uneven({ cores: 2 })), await played(uneven())]
    const lag = lagOf(slow.chart.departures, quick.chart.departures)
    expect(lag.length).toBe(200)
    expect(lag[199]).toBe(endOf(slow.trace) - endOf(quick.trace))
  })
})
