import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CriticalPath,
  criticalPathInSteps,
  pathLegs,
} from '../../../../src/features/reality/measure/criticalPath.ts'
import { makespanOf } from '../../../../src/measures/figures/totals.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { phasesOf } from '../../../../src/scenario/model/schedule.ts'
import { runToEnd } from '../../../../src/trace/follow.ts'
import type { Trace } from '../../../../src/trace/trace.ts'
import { createServices } from '../../../../src/workload/service.ts'
import { anyScenario } from '../../../fixtures/anyScenario.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { scenarios, workedExample } from '../../../measures/scenarios.ts'

const pathOf = (trace: Trace): CriticalPath => runToEnd(criticalPathInSteps(trace))
const sum = (times: Float64Array) => times.reduce((total, time) => total + time, 0)

describe('the critical path of a run', () => {
  test('adds up to the makespan, and in a simulation without a network messages take no time', async () => {
    let long = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          scenarios,
          ...[false, true].map((graphs) =>
            anyScenario({ graphs, policies: ['leastScore', 'fixed', 'single', 'pid', 'threshold'] }),
          ),
        ),
        async (scenario) => {
          const trace = await playSimulation(scenario, 0)
          const { times, makespan, services } = pathOf(trace)
          expect(makespan).toBe(makespanOf(trace))
          expect(pathLegs.reduce((total, leg) => total + sum(times[leg]), 0)).toBe(makespan)
          expect([...times.message]).toEqual(scenario.stages.map(() => 0).concat(0))
          if (scenario.network === null) expect([...times.network]).toEqual([...times.message])
          // After a job that throws, a worker far away continues with its second batch before the scheduler receives it.
          else if (sum(times.undone) === 0) for (const time of times.network) expect(time).toBeGreaterThanOrEqual(0)
          for (const leg of ['work', 'batch', 'change', 'undone', 'clock'] as const)
            for (const time of times[leg]) expect(time).toBeGreaterThanOrEqual(0)
          if (phasesOf(scenario).every(({ cores, workers }) => cores >= workers) && scenario.workerEvents.length === 0)
            expect(sum(times.longer)).toBe(0)
          if (services.reduce((total, each) => total + each, 0) > 5) long++
        },
      ),
      { numRuns: repeats(150) },
    )
    expect(long).toBeGreaterThan(repeats(25) / 2)
  })

  test('of the worked example is the work of one worker from beginning to end', async () => {
    const { times, services, makespan } = pathOf(await playSimulation(workedExample, 0))
    expect(makespan).toBe(3_000_000)
    expect(sum(times.work)).toBe(3_000_000)
    expect([...services].reduce((total, each) => total + each, 0)).toBe(3)
  })

  test('goes from an idle worker to the job that it was waiting for, and on to the arrival', async () => {
    const stages = ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean: 1000 } }))
    const scenario = scenarioWith({
      source: { kind: 'times', at: [0, 50_000] },
      stages,
      workers: 2,
      policy: { kind: 'onePerStage' },
    })
    const { times, services } = pathOf(await playSimulation(scenario, 0))
    expect([...times.work]).toEqual([1000, 1000, 0])
    expect([...times.clock]).toEqual([0, 0, 50_000])
    expect([...services]).toEqual([1, 1])
  })

  test('goes from a join to the latest part, and from that to the split of the job', async () => {
    const stages = [100, 400, 50, 10].map((mean, s) => ({
      id: 'ABCD'[s],
      service: { kind: 'constant', mean },
      ...(s === 3 ? { join: 'all' } : {}),
    }))
    const links = ['source>A', 'A>B', 'A>C', 'B>D', 'C>D', 'D>sink'].map((link) => link.split('>'))
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 1 },
      stages,
      links,
      workers: 4,
      policy: { kind: 'onePerStage' },
    })
    const { times, services } = pathOf(await playSimulation(scenario, 0))
    expect([...times.work]).toEqual([100, 400, 0, 10, 0])
    expect([...times.longer]).toEqual([0, 0, 0, 0, 0])
    expect([...services]).toEqual([1, 1, 0, 1])
  })

  test('counts the wait of a job for the rest of its batch, but not earlier work on other jobs of the batch', async () => {
    const stages = [
      { id: 'A', service: { kind: 'constant', mean: 1000 } },
      { id: 'B', service: { kind: 'constant', mean: 10 } },
    ]
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 4 },
      stages,
      workers: 2,
      batch: { size: 4 },
      policy: { kind: 'onePerStage' },
    })
    const { times } = pathOf(await playSimulation(scenario, 0))
    // The batch of B waits for the four of A; its first job is the first of A, which waited for three others.
    expect([...times.work]).toEqual([1000, 40, 0])
    expect([...times.batch]).toEqual([3000, 0, 0])
  })

  test('counts a batch that came back unserved as lost time, and its worker as at the group that threw', async () => {
    const stages = [{ id: 'A', service: { kind: 'constant', mean: 1000 }, fails: { jobs: [1], tries: 2 } }]
    const source = { kind: 'groups', groups: [2, 1], order: 'asProduced' }
    const { times, makespan } = pathOf(
      await playSimulation(scenarioWith({ source, stages, workers: 1, batch: { size: 3 }, groupSwitchCost: 70 }), 0),
    )
    // The second throws while the third is behind it, which counts for no try; then the first is served, the second throws twice, and the third is of the other group.
    expect(makespan).toBe(2000 + 1000 + 2000 + 1070)
    expect([times.undone, times.change, times.work, times.message].map((time) => time[0])).toEqual([4000, 70, 2000, 0])
  })

  test('has the cost of switching stage and group, and the time that sharing cores adds to a service', async () => {
    const source = { kind: 'groups', groups: [3, 3], order: 'asProduced' }
    const stages = ['A', 'B'].map((id) => ({ id, service: { kind: 'uniform', min: 500, max: 1500 } }))
    const alone = scenarioWith({ source, stages, workers: 1, switchCost: 100, groupSwitchCost: 10, batch: { size: 3 } })
    const changed = pathOf(await playSimulation(alone, 0))
    const services = createServices(alone)
    const work = [0, 1]
      .flatMap((stage) => [0, 1, 2, 3, 4, 5].map((job) => services.at(stage, job)))
      .reduce((total, each) => total + each, 0)
    expect(sum(changed.times.work)).toBe(work)
    expect(sum(changed.times.change)).toBe(changed.makespan - work)
    expect(sum(changed.times.change)).toBeGreaterThan(100)
    const shared = scenarioWith({
      source: { kind: 'batch', jobs: 40 },
      stages: stages.slice(0, 1),
      workers: 4,
      cores: 1,
    })
    const { times, makespan } = pathOf(await playSimulation(shared, 0))
    expect(sum(times.longer)).toBeGreaterThan(makespan / 2)
  })
})
