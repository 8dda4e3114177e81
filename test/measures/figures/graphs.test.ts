import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOrderLog, extendOrderLog } from '../../../src/features/order/measure/orderLog.ts'
import { theoryOf } from '../../../src/features/theory/measure/theory.ts'
import { leastFlowOf, lowerBoundOf } from '../../../src/measures/figures/lowerBound.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { createRangeIndex, extendRangeIndex, statsWithin } from '../../../src/measures/figures/rangeStats.ts'
import { createJobPlaces, extendJobPlaces, GIVEN_UP, kindOfPlace, moveJobsTo, OUT } from '../../../src/measures/jobs/jobPlaces.ts'
import { createJourney, extendJourney } from '../../../src/measures/jobs/journey.ts'
import { createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { FINISHED, STARTED } from '../../../src/pipeline/rows.ts'
import { endOf, stateAt } from '../../../src/trace/trace.ts'
import { constant, play, playTrace } from '../../engine/simulation/play.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const links = (text: string) => text.split(' ').map((link) => link.split('>'))
const fork = {
  source: { kind: 'batch', jobs: 6 },
  stages: [constant('A', 100), constant('B', 400), constant('C', 50), constant('D', 10, { join: 'all' })],
  links: links('source>A A>B A>C B>D C>D D>sink'),
  workers: 8,
}

describe('a part that is taken out of a queue, since its job has failed elsewhere,', () => {
  // Job 0 fails at A after 10, and its part leaves the queue of B. Job 1 waits 10 at A and 20 at B.
  const scenario = scenarioWith({
    source: { kind: 'batch', jobs: 2 },
    stages: [constant('A', 10, { fails: { jobs: [0], tries: 1 } }), constant('B', 100), constant('C', 1, { join: 'all' })],
    links: links('source>A source>B A>C B>C C>sink'),
    workers: 1,
    policy: { kind: 'longestQueue', lend: false },
  })

  test('has waited, as a part of its job, but its wait was not until a start there', async () => {
    const { trace } = await play(scenario)
    const { stages, meanWait } = metricsOf(trace)
    expect(stages[1].meanWait).toBe(20)
    expect(meanWait).toBe((10 + 30) / 2)
    const ranges = createRangeIndex(trace)
    extendRangeIndex(ranges)
    const chart = createChart(trace)
    extendChart(chart)
    const stretch = statsWithin(ranges, chart, 0, endOf(trace), endOf(trace))
    expect(stretch.meanWait).toBe((10 + 30) / 2)
    expect(stretch.stages[1]).toMatchObject({ starts: 1, meanWait: 20 })
  })
})

describe('of any graph', () => {
  test('the figures keep Little his law, for the whole and queue by queue, and no run beats its bound', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ graphs: true, jobs: 40 }), async (scenario) => {
        const { trace } = await play(scenario)
        if (trace.ending !== 'drained') return
        const figures = metricsOf(trace)
        const { meanJobsInSystem, makespan, meanFlowTime, jobs } = figures
        expect(meanJobsInSystem * makespan).toBeCloseTo(meanFlowTime * jobs, 3)
        // What waits in queues, and outside, is what jobs and their parts have waited: nothing is forgotten and nothing counted twice.
        const queued = figures.stages.reduce((sum, { meanQueue }) => sum + meanQueue, 0) * makespan
        const waited = figures.meanWait * jobs
        if (scenario.stages.every(({ capacity }) => capacity === null)) expect(queued).toBeCloseTo(waited, 3)
        else expect(queued).toBeLessThanOrEqual(waited + 0.001)
        expect(lowerBoundOf(scenario).time).toBeLessThanOrEqual(endOf(trace))
        expect(leastFlowOf(scenario)).toBeLessThanOrEqual(Math.round(meanFlowTime))
        const theory = theoryOf(scenario)
        if (trace.topology.copies) expect(theory).toHaveProperty('reasons')
      }),
      { numRuns: 100 },
    )
  })

  test('the journey of a job has a leg for every time that a part of it was served, and ends when its last part has left', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ graphs: true, jobs: 12 }), fc.nat({ max: 11 }), async (scenario, job) => {
        const { trace, rows } = await play(scenario)
        const journey = createJourney(job)
        extendJourney(journey, trace)
        const own = rows.filter((row) => row.job === job)
        expect(journey.legs.filter(({ outcome }) => outcome === 'served')).toHaveLength(own.filter(({ kind }) => kind === FINISHED).length)
        expect(journey.legs.filter(({ startedAt }) => startedAt >= 0)).toHaveLength(own.filter(({ kind }) => kind === STARTED).length)
        if (trace.ending !== 'drained') return
        expect(journey.legs.filter(({ outcome }) => outcome === 'waiting' || outcome === 'in hand')).toEqual([])
        if (journey.arrivedAt >= 0) expect(journey.leftAt).toBeGreaterThanOrEqual(journey.arrivedAt)
        const { counts } = stateAt(trace, Infinity)
        const places = createJobPlaces(trace, counts.arrived)
        extendJobPlaces(places)
        moveJobsTo(places, Infinity)
        const ends = Array.from(places.places, kindOfPlace)
        expect([ends.filter((place) => place === OUT).length, ends.filter((place) => place === GIVEN_UP).length]).toEqual([counts.released, counts.failed])
        const log = createOrderLog(trace)
        extendOrderLog(log)
        expect([log.parked, log.tail]).toEqual([0, counts.arrived])
      }),
      { numRuns: 100 },
    )
  })
})

describe('of a fork that joins again', () => {
  test('the bound by a path is the longest way of a part', () => {
    const bound = lowerBoundOf(scenarioWith({ ...fork, source: { kind: 'batch', jobs: 1 } }))
    expect(bound).toMatchObject({ name: 'path', time: 510, work: 510 })
  })

  test('the bound by work counts what every part takes', () => {
    expect(lowerBoundOf(scenarioWith({ ...fork, workers: 2 }))).toMatchObject({ name: 'work', work: 6 * 560, time: 3 * 560 })
  })

  test('the bound by work counts of a route only the way that a job takes', async () => {
    const routed = { ...fork, stages: fork.stages.map((stage, i) => ({ ...stage, join: 'merge', ...(i === 0 && { fanOut: { route: { B: 1, C: 1 } } }) })) }
    const { work } = lowerBoundOf(scenarioWith({ ...routed, workers: 1 }))
    expect(work).toBe(endOf(await playTrace({ ...routed, workers: 1 })))
  })

  test('a job that is through at one branch waits in no queue for the other', async () => {
    const figures = metricsOf(await playTrace({ ...fork, source: { kind: 'batch', jobs: 1 } }))
    expect(figures).toMatchObject({ meanWait: 0, meanFlowTime: 510, completed: 1 })
  })
})
