import { describe, expect, test } from 'vitest'
import { steadyMean } from '../../../../src/features/theory/measure/nskart.ts'
import { createAreas, steadyInSteps } from '../../../../src/features/theory/measure/steadyState.ts'
import { ARRIVED, FINISHED, GATHERED, RELEASED, type Row, STARTED } from '../../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { runToEnd } from '../../../../src/trace/follow.ts'
import { type Trace, traceRow } from '../../../../src/trace/trace.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'

const line = (jobs: number, rest: object = {}) =>
  scenarioWith({
    source: { kind: 'poisson', rate: 700, jobs },
    stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'exponential', mean: 1000 }, work: 'wait' })),
    workers: 3,
    policy: { kind: 'fixed', allocation: { A: 1, B: 1 } },
    ...rest,
  })

/** The plain version: every series from rows as objects. `enters` says by stage which rows bring a job to its queue. */
function plainly(trace: Trace, enters: readonly ((row: Row) => boolean)[]) {
  const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))
  const timesOf = (holds: (row: Row) => boolean) => new Map(rows.filter(holds).map(({ job, time }) => [job, time]))
  const arrived = timesOf(({ kind }) => kind === ARRIVED)
  const released = timesOf(({ kind }) => kind === RELEASED)
  const times = [...arrived.values()]
  const [from, to, slices] = [times[0], times[times.length - 1], times.length]
  const slice = (to - from) / slices
  /** The mean number, at most `most`, of those that are between two times, in each slice. */
  const levels = (start: Map<number, number>, end: Map<number, number>, most = Infinity) => {
    const events = [
      ...Array.from(start.values(), (time) => [time, 1]),
      ...Array.from(end.values(), (time) => [time, -1]),
    ].sort((a, b) => a[0] - b[0])
    const areas = new Float64Array(slices)
    let level = 0
    for (const [e, [time, by]] of events.entries()) {
      level += by
      const [left, right] = [Math.max(from, time), Math.min(to, events[e + 1]?.[0] ?? to)]
      for (let k = Math.max(0, Math.floor((left - from) / slice) - 1); k < slices && from + k * slice < right; k++)
        areas[k] +=
          Math.max(0, Math.min(right, from + (k + 1) * slice) - Math.max(left, from + k * slice)) *
          Math.min(level, most)
    }
    return [...areas].map((area) => area / slice)
  }
  const spans = (start: Map<number, number>, end: Map<number, number>) =>
    new Map(Array.from(end, ([job, time]) => [job, time - (start.get(job) ?? Number.NaN)]))
  const stages = enters.map((isEntry, s) => {
    const entered = timesOf(isEntry)
    const started = timesOf(({ kind, stage }) => kind === STARTED && stage === s)
    const served = spans(
      started,
      timesOf(({ kind, stage }) => kind === FINISHED && stage === s),
    )
    return {
      waits: spans(entered, started),
      queue: levels(entered, started, trace.scenario.stages[s].capacity ?? Infinity),
      /** The flow times of the jobs that arrived in each slice. The last job arrives at its end. */
      brought: Array.from({ length: slices }, (_, k) => {
        let sum = 0
        for (const [job, time] of arrived)
          if (time < to && Math.floor((time - from) / slice) === k) sum += served.get(job) ?? 0
        return sum / slice / trace.scenario.workers
      }),
    }
  })
  return {
    flow: [...spans(arrived, released).values()],
    inside: levels(arrived, released),
    wait: [...released.keys()].map((job) => stages.reduce((sum, { waits }) => sum + (waits.get(job) ?? 0), 0)),
    busy: stages[0].brought.map((_, k) => stages.reduce((sum, { brought }) => sum + brought[k], 0)),
    stages,
  }
}

const isArrival = ({ kind }: Row) => kind === ARRIVED
const isFinish =
  (s: number) =>
  ({ kind, stage }: Row) =>
    kind === FINISHED && stage === s

/** Parts of a job wait at A and B at once, and at C when the part of B may still wait. D gets what both have served. */
const withParts = {
  stages: ['A', 'B', 'C', 'D'].map((id) => ({
    id,
    service: { kind: 'exponential', mean: 1000 },
    work: 'wait',
    ...(id === 'D' && { join: 'all' }),
  })),
  links: ['source>A', 'source>B', 'A>C', 'C>D', 'B>D', 'D>sink'].map((link) => link.split('>')),
  workers: 4,
  policy: { kind: 'fixed', allocation: { A: 1, B: 1, C: 1, D: 1 } },
}

const small = {
  stages: ['A', 'B'].map((id) => ({
    id,
    service: { kind: 'exponential', mean: 1000 },
    work: 'wait',
    ...(id === 'A' && { capacity: 2 }),
  })),
}

describe('steady figures', () => {
  test.each([
    ['of a line', line(1300), [isArrival, isFinish(0)]],
    ['where the first queue is small, and jobs wait outside', line(1300, small), [isArrival, isFinish(0)]],
    [
      'where jobs have parts',
      line(1300, withParts),
      [isArrival, isArrival, isFinish(0), ({ kind, stage }: Row) => kind === GATHERED && stage === 3],
    ],
  ])('equal those of series that are summed plainly over every job and slice: %s', async (_, scenario, enters) => {
    const trace = await playSimulation(scenario, 0)
    const steady = runToEnd(steadyInSteps(trace))
    if (steady === null) throw new Error('too short')
    const plain = plainly(trace, enters)
    for (const [measured, values] of [
      [steady.meanFlowTime, plain.flow],
      [steady.meanJobsInSystem, plain.inside],
      [steady.meanWait, plain.wait],
      [steady.utilisation, plain.busy],
      ...plain.stages.flatMap(({ waits, queue, brought }, s) => {
        const { meanWait, meanQueue, utilisation } = steady.stages[s]
        return [[meanWait, [...waits.values()]] as const, [meanQueue, queue] as const, [utilisation, brought] as const]
      }),
    ] as const) {
      const expected = steadyMean(Float64Array.from(values))
      if (measured === null || expected === null) throw new Error('too short')
      for (const key of ['mean', 'low', 'high', 'warmUp'] as const)
        expect(Math.abs(measured[key] - expected[key])).toBeLessThan(1e-9 * (1 + Math.abs(expected[key])))
    }
    expect(steady.settled).toBe(traceRow(trace, indexOfArrival(trace, steady.warmUp)).time)
  })

  test('of a long run come from entries that stand for several jobs each', async () => {
    const trace = await playSimulation(line(41_000), 0)
    const steady = runToEnd(steadyInSteps(trace))
    const flow = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i)).reduce<{
      arrived: number[]
      times: number[]
    }>(
      (sums, { kind, job, time }) => {
        if (kind === ARRIVED) sums.arrived[job] = time
        if (kind === RELEASED) sums.times.push(time - sums.arrived[job])
        return sums
      },
      { arrived: [], times: [] },
    ).times
    // 41,000 jobs in at most 20,480 entries: three jobs each, and two left over.
    const entries = Float64Array.from(
      { length: Math.floor(flow.length / 3) },
      (_, k) => (flow[3 * k] + flow[3 * k + 1] + flow[3 * k + 2]) / 3,
    )
    expect(steady?.meanFlowTime).toEqual(steadyMean(entries))
  })

  test('are null for a run that is short, is stopped, or loses a worker', async () => {
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
