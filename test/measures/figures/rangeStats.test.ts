import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { createRangeIndex, extendRangeIndex, type RangeIndex, type RangeStats, statsWithin } from '../../../src/measures/figures/rangeStats.ts'
import { makespanOf } from '../../../src/measures/figures/totals.ts'
import { type Chart, createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { ARRIVED, FAILED, FINISHED, RELEASED, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { initialWorkerCount } from '../../../src/scenario/model/defaults.ts'
import { endOf, type Trace, traceRow } from '../../../src/trace/trace.ts'
import { anyScenario, elasticPolicies } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { figuresAreTrue } from '../../seeds/naiveFigures.ts'
import { naiveFiguresOf } from '../naiveRun.ts'
import { scenarios, workedExample } from '../scenarios.ts'

function prepared(trace: Trace): { chart: Chart; rangeIndex: RangeIndex } {
  const chart = createChart(trace)
  extendChart(chart)
  const rangeIndex = createRangeIndex(trace)
  // In two goes, as a page takes them in.
  extendRangeIndex(rangeIndex, Math.floor(trace.length / 3))
  extendRangeIndex(rangeIndex)
  return { chart, rangeIndex }
}

const zero = (value: number) => (Number.isNaN(value) ? 0 : value)

describe('the figures of a stretch', () => {
  test('of the worked example can be worked out by hand', async () => {
    const trace = await playSimulation(workedExample, 0)
    const { chart, rangeIndex } = prepared(trace)
    // From 1 s to 2 s one worker serves job 2 at A and the other job 0 at B, where job 1 waits.
    expect(statsWithin(rangeIndex, chart, 1_000_000, 2_000_000, 3_000_000)).toEqual({
      from: 1_000_000,
      to: 2_000_000,
      arrivals: 0,
      completed: 0,
      failed: 0,
      decisions: 1,
      moves: 1,
      throughput: 0,
      utilisation: 1,
      meanWait: Number.NaN,
      meanFlowTime: Number.NaN,
      stages: [
        { utilisation: 0.5, meanQueue: 0, meanSeats: 1, starts: 1, meanWait: 1_000_000 },
        { utilisation: 0.5, meanQueue: 1, meanSeats: 1, starts: 1, meanWait: 0 },
      ],
    })
  })

  test('of the whole run are those of the run', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        const { chart, rangeIndex } = prepared(trace)
        const whole = metricsOf(trace)
        const figures = statsWithin(rangeIndex, chart, 0, makespanOf(trace), makespanOf(trace))
        expect([figures.arrivals, figures.completed, figures.failed, figures.moves, figures.decisions]).toEqual([
          ...[whole.jobs, whole.completed, whole.failed, whole.switches, trace.decisions.length],
        ])
        expect(zero(figures.throughput)).toBeCloseTo(whole.throughput, 6)
        expect(zero(figures.utilisation)).toBeCloseTo(whole.utilisation, 9)
        expect(zero(figures.meanWait)).toBeCloseTo(whole.meanWait, 6)
        expect(zero(figures.meanFlowTime)).toBeCloseTo(whole.meanFlowTime, 6)
        figures.stages.forEach((stage, s) => {
          expect(zero(stage.utilisation)).toBeCloseTo(whole.stages[s].utilisation, 9)
          expect(zero(stage.meanQueue)).toBeCloseTo(whole.stages[s].meanQueue, 6)
          // A wait that ended in a failure is a wait, but no start.
          if (whole.failed === 0) expect(zero(stage.meanWait)).toBeCloseTo(whole.stages[s].meanWait, 6)
        })
      }),
      { numRuns: repeats(120) },
    )
  })

  test('of parts laid end to end add up to the whole', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }), async (scenario, cuts) => {
        const trace = await playSimulation(scenario, 0)
        const { chart, rangeIndex } = prepared(trace)
        const end = makespanOf(trace)
        const rims = [0, ...[...cuts].sort((a, b) => a - b).map((cut) => Math.round(cut * end)), end]
        const parts = rims.slice(1).map((to, k) => statsWithin(rangeIndex, chart, rims[k], to, end))
        const whole = statsWithin(rangeIndex, chart, 0, end, end)
        const sum = (of: (figures: RangeStats) => number) => parts.reduce((all, part) => all + zero(of(part)), 0)
        for (const key of ['arrivals', 'completed', 'failed', 'decisions', 'moves'] as const) expect(sum((part) => part[key])).toBe(whole[key])
        const left = ({ completed, failed }: RangeStats) => completed + failed
        expect(sum((part) => zero(part.meanFlowTime) * left(part))).toBeCloseTo(zero(whole.meanFlowTime) * left(whole), 4)
        expect(sum((part) => zero(part.meanWait) * left(part))).toBeCloseTo(zero(whole.meanWait) * left(whole), 4)
        whole.stages.forEach((stage, s) => {
          const length = (part: RangeStats) => part.to - part.from
          expect(sum((part) => part.stages[s].starts)).toBe(stage.starts)
          expect(sum((part) => zero(part.stages[s].meanWait) * part.stages[s].starts)).toBeCloseTo(zero(stage.meanWait) * stage.starts, 4)
          expect(sum((part) => zero(part.stages[s].meanQueue) * length(part))).toBeCloseTo(zero(stage.meanQueue) * end, 4)
          expect(sum((part) => zero(part.stages[s].meanSeats) * length(part))).toBeCloseTo(zero(stage.meanSeats) * end, 4)
        })
      }),
      { numRuns: repeats(120) },
    )
  })

  test('are what a plain walk over the rows counts', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, fc.nat(10_000), fc.nat(10_000), async (scenario, x, y) => {
        const trace = await playSimulation(scenario, 0)
        const { chart, rangeIndex } = prepared(trace)
        const end = makespanOf(trace)
        const [from, to] = [Math.min(x, y), Math.max(x, y)]
        const figures = statsWithin(rangeIndex, chart, from, to, end)
        const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))
        const inside = (time: number) => time >= from && to > from && (to >= end ? time <= end : time < to)
        const number = (kind: number, stage?: number) =>
          rows.filter((row) => row.kind === kind && inside(row.time) && (stage ?? row.stage) === row.stage).length
        if (from >= end) return
        expect([figures.arrivals, figures.completed, figures.failed]).toEqual([number(ARRIVED), number(RELEASED), number(FAILED)])
        expect(figures.stages.map(({ starts }) => starts)).toEqual(figures.stages.map((_, s) => number(STARTED, s)))
        const worked = rows
          .filter(({ kind }) => kind === FINISHED)
          .reduce((sum, { began, ended }) => sum + Math.max(0, Math.min(ended, to, end) - Math.max(began, from)), 0)
        const utilisations = figures.stages.reduce((sum, { utilisation }) => sum + utilisation, 0)
        expect(zero(utilisations)).toBeCloseTo(zero(figures.utilisation), 9)
        if (scenario.workerEvents.length === 0)
          expect(zero(figures.utilisation)).toBeCloseTo(zero(worked / (initialWorkerCount(scenario) * (Math.min(to, end) - from))), 9)
      }),
      { numRuns: repeats(120) },
    )
  })

  test('of any run and stretch are those that are computed from its rows in plain code', async () => {
    const runs = fc.oneof(...[{ graphs: true }, { policies: elasticPolicies }].map((kind) => anyScenario({ jobs: 20, ...kind })))
    const place = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1))
    await fc.assert(
      fc.asyncProperty(runs, place, place, async (scenario, x, y) => {
        const trace = await playSimulation(scenario, 0)
        const { chart, rangeIndex } = prepared(trace)
        const end = endOf(trace)
        const [from, to] = [x, y].sort((a, b) => a - b).map((share) => Math.floor(share * end))
        if (to > from) figuresAreTrue(statsWithin(rangeIndex, chart, from, to, end), naiveFiguresOf(trace).ofStretch(from, to), 1e-9)
      }),
      { numRuns: repeats(100) },
    )
  })
})
