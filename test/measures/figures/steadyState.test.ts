import { describe, expect, test } from 'vitest'
import { BATCHES, intervalOf, isInside } from '../../../src/measures/figures/confidence.ts'
import { steadyInSteps } from '../../../src/measures/figures/steadyState.ts'
import { createAreas } from '../../../src/measures/series/areas.ts'
import { runToEnd } from '../../../src/measures/series/inOneGo.ts'
import { ARRIVED, FINISHED, RELEASED, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { type Trace, traceRow } from '../../../src/trace/trace.ts'
import { parsed } from '../scenarios.ts'

const line = (jobs: number, rest: object = {}) =>
  parsed({
    source: { kind: 'poisson', rate: 700, jobs },
    stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'exponential', mean: 1000 }, work: 'wait' })),
    workers: 3,
    policy: { kind: 'fixed', allocation: { A: 1, B: 1 } },
    ...rest,
  })

/** The plain twin: jobs as objects, areas in microseconds one by one are too many, so by intervals clipped to each slice. */
function plainly(trace: Trace, warmUp: number, batch: number) {
  const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))
  const of = (kind: number, stage: number) =>
    new Map(rows.filter((row) => row.kind === kind && (stage < 0 || row.stage === stage)).map((row) => [row.job, row.time]))
  const arrived = of(ARRIVED, -1)
  const released = of(RELEASED, -1)
  const times = [...arrived.values()]
  const [from, to] = [times[warmUp], times[times.length - 1]]
  const slices = (start: Map<number, number>, end: Map<number, number>) =>
    Array.from({ length: BATCHES }, (_, b) => {
      const [left, right] = [from + ((to - from) * b) / BATCHES, from + ((to - from) * (b + 1)) / BATCHES]
      let area = 0
      for (const [job, time] of start) area += Math.max(0, Math.min(right, end.get(job) ?? to) - Math.max(left, time))
      return area / (right - left)
    })
  const batches = (start: Map<number, number>, end: Map<number, number>) =>
    Array.from({ length: BATCHES }, (_, b) => {
      let sum = 0
      for (let job = warmUp + b * batch; job < warmUp + (b + 1) * batch; job++) sum += (end.get(job) ?? 0) - (start.get(job) ?? 0)
      return sum / batch
    })
  return {
    meanFlowTime: batches(arrived, released),
    meanJobsInSystem: slices(arrived, released),
    second: {
      meanWait: batches(of(FINISHED, 0), of(STARTED, 1)),
      meanQueue: slices(of(FINISHED, 0), of(STARTED, 1)),
      busy: slices(of(STARTED, 1), of(FINISHED, 1)),
    },
  }
}

describe('steady figures', () => {
  test('agree with plain sums over every batch and slice', async () => {
    const trace = await playSimulation(line(700), 0)
    const steady = runToEnd(steadyInSteps(trace))
    if (steady === null) throw new Error('too short')
    expect([steady.warmUp, steady.batch]).toEqual([70, 31])
    const plain = plainly(trace, steady.warmUp, steady.batch)
    for (const [measured, means] of [
      [steady.meanFlowTime, plain.meanFlowTime],
      [steady.meanJobsInSystem, plain.meanJobsInSystem],
      [steady.stages[1].meanWait, plain.second.meanWait],
      [steady.stages[1].meanQueue, plain.second.meanQueue],
      [steady.stages[1].utilisation, plain.second.busy.map((busy) => busy / 3)],
    ] as const) {
      expect(measured.mean).toBeCloseTo(intervalOf(means).mean, 7)
      expect(measured.half).toBeCloseTo(intervalOf(means).half, 7)
    }
  })

  test('are refused to a run that is short, stopped, or in which a worker went', async () => {
    const of = async (scenario: ReturnType<typeof line>) => runToEnd(steadyInSteps(await playSimulation(scenario, 0)))
    expect(await of(line(444))).toBeNull()
    expect(await of(line(445))).not.toBeNull()
    expect(await of(line(600, { workerEvents: [{ at: 1000, kind: 'leave', worker: 2 }] }))).toBeNull()
  })
})

describe('an interval', () => {
  test('is the mean of 20 batches and t standard errors to each side', () => {
    const { mean, half } = intervalOf(Array.from({ length: BATCHES }, (_, b) => b))
    expect(mean).toBe(9.5)
    // Variance of 0..19 is 35; t of 19 degrees of freedom is 2.093.
    expect(half).toBeCloseTo(2.0930240544 * Math.sqrt(35 / 20), 8)
    expect(isInside({ mean, half }, mean + half)).toBe(true)
    expect(isInside({ mean, half }, mean - half - 1e-9)).toBe(false)
  })
})

describe('areas', () => {
  test('are cut at the ends of the slices', () => {
    const areas = createAreas(2, 10, 40, 3)
    areas.add(0, 2, 5) // 2 from 5 on, 1 from 15 on, 0 from 35 on
    areas.add(0, -1, 15)
    areas.add(0, -1, 35)
    areas.add(1, 4, 39)
    expect([...areas.means(0)]).toEqual([1.5, 1, 0.5])
    expect([...areas.means(1)]).toEqual([0, 0, 0.4])
  })
})
