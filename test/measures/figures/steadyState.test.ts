import { describe, expect, test } from 'vitest'
import { steadyMean } from '../../../src/measures/figures/nskart.ts'
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

/** The plain twin: every series from rows as objects. */
function plainly(trace: Trace) {
  const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))
  const of = (kind: number, stage: number) =>
    new Map(rows.filter((row) => row.kind === kind && (stage < 0 || row.stage === stage)).map((row) => [row.job, row.time]))
  const arrived = of(ARRIVED, -1)
  const released = of(RELEASED, -1)
  const times = [...arrived.values()]
  const of1 = { start: of(STARTED, 1), end: of(FINISHED, 1) }
  const [from, to, slices] = [times[0], times[times.length - 1], times.length]
  /** Areas in microseconds one by one are too many, so by intervals clipped to each slice. */
  const levels = (start: Map<number, number>, end: Map<number, number>) =>
    Array.from({ length: slices }, (_, k) => {
      const [left, right] = [from + ((to - from) * k) / slices, from + ((to - from) * (k + 1)) / slices]
      let area = 0
      for (const [job, time] of start) area += Math.max(0, Math.min(right, end.get(job) ?? to) - Math.max(left, time))
      return area / (right - left)
    })
  const spans = (start: Map<number, number>, end: Map<number, number>) => Array.from(end, ([job, time]) => time - (start.get(job) ?? Number.NaN))
  return {
    flow: spans(arrived, released),
    inside: levels(arrived, released),
    wait: spans(of(FINISHED, 0), of(STARTED, 1)),
    queue: levels(of(FINISHED, 0), of(STARTED, 1)),
    /** What the jobs that arrived in each slice took of stage 1. The last job arrives at its end. */
    brought: Array.from({ length: slices }, (_, k) => {
      let sum = 0
      for (const [job, time] of arrived)
        if (time < to && Math.floor(((time - from) / (to - from)) * slices) === k) sum += (of1.end.get(job) ?? 0) - (of1.start.get(job) ?? 0)
      return sum / ((to - from) / slices)
    }),
  }
}

describe('steady figures', () => {
  test('are those of the series that plain sums over every job and slice make', async () => {
    const trace = await playSimulation(line(1300), 0)
    const steady = runToEnd(steadyInSteps(trace))
    if (steady === null) throw new Error('too short')
    const plain = plainly(trace)
    for (const [measured, values] of [
      [steady.meanFlowTime, plain.flow],
      [steady.meanJobsInSystem, plain.inside],
      [steady.stages[1].meanWait, plain.wait],
      [steady.stages[1].meanQueue, plain.queue],
      [steady.stages[1].utilisation, plain.brought.map((time) => time / 3)],
    ] as const) {
      const expected = steadyMean(Float64Array.from(values))
      if (measured === null || expected === null) throw new Error('too short')
      for (const key of ['mean', 'low', 'high', 'warmUp'] as const) expect(measured[key]).toBeCloseTo(expected[key], 7)
    }
    expect(steady.settled).toBe(traceRow(trace, indexOfArrival(trace, steady.warmUp)).time)
  })

  test('of a long run come from entries that stand for several jobs each', async () => {
    const trace = await playSimulation(line(41_000), 0)
    const steady = runToEnd(steadyInSteps(trace))
    const flow = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i)).reduce<{ arrived: number[]; times: number[] }>(
      (sums, { kind, job, time }) => {
        if (kind === ARRIVED) sums.arrived[job] = time
        if (kind === RELEASED) sums.times.push(time - sums.arrived[job])
        return sums
      },
      { arrived: [], times: [] },
    ).times
    // 41,000 jobs in at most 20,480 entries: three jobs each, and two left over.
    const entries = Float64Array.from({ length: Math.floor(flow.length / 3) }, (_, k) => (flow[3 * k] + flow[3 * k + 1] + flow[3 * k + 2]) / 3)
    expect(steady?.meanFlowTime).toEqual(steadyMean(entries))
  })

  test('are refused to a run that is short, stopped, or in which a worker went', async () => {
    const of = async (scenario: ReturnType<typeof line>) => runToEnd(steadyInSteps(await playSimulation(scenario, 0)))
    expect(await of(line(1279))).toBeNull()
    expect(await of(line(1280))).not.toBeNull()
    expect(await of(line(1400, { workerEvents: [{ at: 1000, kind: 'leave', worker: 2 }] }))).toBeNull()
  })
})

function indexOfArrival(trace: Trace, job: number): number {
  for (let i = 0; i < trace.length; i++) {
    const row = traceRow(trace, i)
    if (row.kind === ARRIVED && row.job === job) return i
  }
  return -1
}

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
