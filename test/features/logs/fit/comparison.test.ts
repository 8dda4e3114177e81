import { scaleLinear } from 'd3-scale'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitBands } from '../../../../src/features/logs/draw/logDrawing.ts'
import { compareWithLog, isNear, playQueues, unexplainedIn } from '../../../../src/features/logs/fit/comparison.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { createChart, extendChart } from '../../../../src/measures/series/chart.ts'
import { valueAt } from '../../../../src/measures/series/steps.ts'
import { STARTED } from '../../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { endOf, type Trace, traceRow } from '../../../../src/trace/trace.ts'
import { defaultPalette } from '../../../../src/views/drawing/palette.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { digestOf } from '../../../trace/digestOf.ts'
import { stageFrom } from './stages.ts'

const service = { kind: 'uniform', min: 200, max: 3000 }
const seeded = (seed: number) =>
  scenarioWith({
    seed,
    source: { kind: 'poisson', rate: 1200, jobs: 60 },
    stages: [
      { id: 'A', service },
      { id: 'B', service },
    ],
    workers: 3,
  })
/** Four jobs at once: A serves them in 10, 20, 30 and 40 ms, B each in 5. */
const four = scenarioWith({
  source: { kind: 'batch', jobs: 4 },
  stages: [
    { id: 'A', service: { kind: 'constant', mean: 10_000 } },
    { id: 'B', service: { kind: 'constant', mean: 5000 } },
  ],
  workers: 2,
  policy: { kind: 'fixed', allocation: { A: 1, B: 1 } },
})

function queuesOf(trace: Trace) {
  const chart = createChart(trace)
  extendChart(chart)
  return chart.queues
}

const rowsOf = (trace: Trace) => Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))

/** The longest queue that lasted between two times, looked at in the middle between any two rows. */
function peakOf(trace: Trace, stage: number, since: number, until: number): number {
  const steps = queuesOf(trace)[stage]
  const times = [...new Set([0, ...rowsOf(trace).map(({ time }) => time)])]
  const lasting = times
    .slice(1)
    .flatMap((to, k) => (to > since && times[k] <= until ? [valueAt(steps, (times[k] + to) / 2)] : []))
  return Math.max(0, ...lasting)
}

describe('the queues of a run', () => {
  test('are those of its trace at the times asked for, with the longest between two times and the first jobs that had not begun', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 0, max: 60_000 }),
        fc.integer({ min: 0, max: 60_000 }),
        async (seed, a, b) => {
          const [since, until] = [Math.min(a, b), Math.max(a, b)]
          const scenario = seeded(seed)
          const trace = await playSimulation(scenario, 0)
          const times = Float64Array.from([0, since, until, until + 0.5, endOf(trace), endOf(trace) + 1e6])
          const found = await playQueues(scenario, times, { since, until })
          expect(digestOf(found.trace)).toBe(digestOf(trace))
          expect(found.sampled.map((queue) => Array.from(queue))).toEqual(
            queuesOf(trace).map((steps) => Array.from(times, (time) => valueAt(steps, time))),
          )
          expect(found.peaks).toEqual([0, 1].map((stage) => peakOf(trace, stage, since, until)))
          const startedJobs = rowsOf(trace).filter(({ time, kind }) => kind === STARTED && time < since)
          expect(found.startedJobs).toEqual(
            [0, 1].map((stage) =>
              Math.max(0, ...startedJobs.filter((row) => row.stage === stage).map(({ job }) => job + 1)),
            ),
          )
          const { stages } = metricsOf(trace)
          for (const [s, { meanQueue }] of stages.entries()) expect(found.means[s]).toBeCloseTo(meanQueue, 9)
        },
      ),
      { numRuns: repeats(60) },
    )
  })
})

test('queues that a stuck run leaves behind last beyond its end', async () => {
  const stuck = { ...four, policy: { kind: 'fixed', lend: false, allocation: { A: 2, B: 0 } } } as Scenario
  const { sampled, trace } = await playQueues(stuck, Float64Array.of(10_000, 99_999, 1e6))
  expect([trace.ending, Array.from(sampled[1])]).toEqual(['stuck', [2, 4, 4]])
})

describe('a run beside the log', () => {
  /** Queues of A in `four` at these times: 3, 2, 1, 0, 0. */
  const time = Float64Array.of(0, 10_000, 20_000, 30_000, 40_000)

  test('is known between the samples too, whatever they are', async () => {
    const { stages, queues, distance } = await compareWithLog(
      { time, stages: [stageFrom([3, 2, 1, 0, 0]), stageFrom([0, 0, 0, 0, 0], { name: 'B' })] },
      four,
    )
    expect(queues.map((queue) => Array.from(queue))).toEqual([
      [3, 2, 1, 0, 0],
      [0, 0, 0, 0, 0],
    ])
    const [{ parts, ...A }, B] = stages
    expect(A).toEqual({ name: 'A', logged: 1.2, run: 1.5, whole: 60_000 / 45_000, error: 0.375 / 1.2 })
    expect(parts).toEqual([
      { from: 0, to: 1, logged: 2.5, run: 3 },
      { from: 1, to: 2, logged: 1.5, run: 2 },
      { from: 2, to: 3, logged: 0.5, run: 1 },
      { from: 3, to: 4, logged: 0, run: 0 },
    ])
    expect([B.name, B.error, B.logged]).toEqual(['B', 0, 0])
    // Short queues are measured by four jobs.
    expect(distance).toBeCloseTo(3 * ((1.5 - 1.2) / 4) ** 2 + 0.5 * (0.375 / 4) ** 2, 12)
  })

  test('differs by the error of its parts, and by the difference of its means, which counts six times as much', async () => {
    const logged = [13, 2, 1, 10, 20]
    const { stages, distance } = await compareWithLog(
      { time, stages: [stageFrom(logged), stageFrom([2, 2, 2, 2, 2], { name: 'B' })] },
      four,
    )
    // By part the log has 7.5, 1.5, 5.5 and 15 in the mean, the run 3, 2, 1 and 0.
    expect(stages.map(({ error }) => error)).toEqual([(4.5 + 0.5 + 4.5 + 15) / 4 / 9.2, 1])
    const ofA = 3 * ((9.2 - 60 / 45) / 9.2) ** 2 + 0.5 * (24.5 / 4 / 9.2) ** 2
    const ofB = 3 * (2 / 4) ** 2 + 0.5 * (2 / 4) ** 2
    expect(distance).toBeCloseTo(ofA + ofB, 12)
  })

  test('is near where every stage is off by no more than eight hundredths of its mean queue, of four jobs at least', () => {
    const stage = (logged: number, run: number, whole: number) => ({
      name: 'A',
      logged,
      run,
      whole,
      error: 0,
      parts: [],
    })
    const near = (...stages: ReturnType<typeof stage>[]) => isNear({ stages, queues: [], distance: 0 })
    expect([near(stage(100, 108, 92)), near(stage(100, 108.1, 100)), near(stage(100, 100, 91.9))]).toEqual([
      true,
      false,
      false,
    ])
    expect([near(stage(1, 1.31, 1)), near(stage(1, 1.33, 1)), near(stage(1, 1, 0.67))]).toEqual([true, false, false])
    expect([near(stage(9, 9, 9), stage(100, 120, 100)), near()]).toEqual([false, true])
  })
})

const time = Float64Array.from({ length: 25 }, (_, k) => k * 10)
/** A stage of 24 parts, with the mean queues of log and run in each. */
function stageOf(pairs: readonly (readonly [logged: number, run: number])[]) {
  const mean = (k: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[k], 0) / pairs.length
  const parts = pairs.map(([logged, run], k) => ({ from: k, to: k + 1, logged, run }))
  return { name: 'A', logged: mean(0), run: mean(1), whole: mean(1), error: 0, parts }
}

describe('the unexplained part of a run', () => {
  test('is every part in which it is off by half of the mean queue and by two jobs, and nothing else', () => {
    const queue = fc.double({ min: 0, max: 40, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.tuple(queue, queue), { minLength: 24, maxLength: 24 }), (pairs) => {
        const stage = stageOf(pairs)
        const gaps = unexplainedIn(stage, time)
        const isOff = pairs.map(([logged, run]) => Math.abs(logged - run) > Math.max(2, stage.logged / 2))
        expect(pairs.map((_, k) => gaps.some(({ from, to }) => time[k] >= from && time[k + 1] <= to))).toEqual(isOff)
        expect(unexplainedIn(stageOf(pairs.map(() => [1, 3])), time)).toEqual([])
        expect(gaps.every(({ to }, k) => k === 0 || gaps[k].from > gaps[k - 1].to || to > gaps[k].from)).toBe(true)
      }),
    )
  })

  test('is named with both queues and has its own background in the picture', () => {
    const pairs = Array.from({ length: 24 }, (_, k) => (k === 4 || k === 5 ? ([10, 2] as const) : ([1, 1] as const)))
    const gaps = unexplainedIn(stageOf(pairs), time)
    expect(gaps).toEqual([{ name: 'A', from: 40, to: 60, logged: 10, run: 2 }])
    const queues = new Float64Array(25)
    const [A, B] = fitBands({
      palette: defaultPalette('light'),
      time,
      gaps,
      stages: ['A', 'B'].map((name, k) => ({ name, colourIndex: k, logged: queues, run: queues })),
    })
    const plot = { x: scaleLinear([0, 240], [0, 240]), y: scaleLinear([0, 10], [100, 0]) }
    expect(A.series(plot).map(({ part, d }) => (part === 'gap' ? d : part))).toEqual([
      'M40.0,100V0H60.0V100Z',
      'logged',
      'run',
    ])
    expect(B.series(plot).map(({ part }) => part)).toEqual(['logged', 'run'])
  })
})
