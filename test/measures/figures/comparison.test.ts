import { describe, expect, test } from 'vitest'
import { bestOf, columns, isWhole, speedUp } from '../../../src/measures/figures/comparison.ts'
import { lowerBoundOf } from '../../../src/measures/figures/lowerBound.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { occupancyOf } from '../../../src/measures/figures/occupancy.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { workedExample } from '../scenarios.ts'

describe('the comparison of policies', () => {
  test('marks the best of a column, all equal ones, and none if all are equal', () => {
    expect(bestOf([3, 1, 2], 'less')).toEqual([false, true, false])
    expect(bestOf([3, 1, 3], 'more')).toEqual([true, false, true])
    expect(bestOf([2, 2, 2], 'less')).toEqual([false, false, false])
    expect(bestOf([null, 4, null], 'less')).toEqual([false, false, false])
    expect(bestOf([null, 4, 0], 'less')).toEqual([false, false, true])
    expect(bestOf([], 'less')).toEqual([])
  })

  test('of the worked example matches a calculation by hand: twice as fast as one worker alone, full efficiency, at the bound', async () => {
    const trace = await playSimulation(workedExample, 0)
    const baseline = metricsOf(await playSimulation(scenarioWith({ ...workedExample, policy: { kind: 'single' } }), 0))
    const contender = {
      metrics: metricsOf(trace),
      occupancy: occupancyOf(trace),
      bound: lowerBoundOf(workedExample).time,
      workers: 2,
    }
    const row = Object.fromEntries(columns.map(({ key, of }) => [key, of(contender, baseline)]))
    expect(row).toEqual({
      makespan: 3e6,
      distance: 0,
      meanFlowTime: 8e6 / 3,
      p50FlowTime: 3e6,
      p99FlowTime: 3e6,
      meanJobsInSystem: 8 / 3,
      utilisation: 1,
      switches: 2,
      reordered: 1,
      meanQueued: 2 / 3,
      mostQueued: 1,
      speedUp: 2,
      efficiency: 1,
    })
    expect(columns[12].of(contender, null)).toBeNull()
  })

  test('a baseline that has not finished all jobs has no speed-up', async () => {
    const stages = [{ id: 'A', fails: { jobs: [1], tries: 1 } }]
    const failing = metricsOf(
      await playSimulation(
        scenarioWith({ source: { kind: 'batch', jobs: 4 }, stages, workers: 1, policy: { kind: 'single' } }),
        0,
      ),
    )
    expect(isWhole(failing)).toBe(false)
    expect(speedUp(failing, failing)).toBeNull()
  })
})
