import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createJobPlaces,
  extendJobPlaces,
  IN_HANDS,
  kindOfPlace,
  moveJobsTo,
  PARKED,
  stageOf,
  WAITING,
  workerOf,
} from '../../../src/measures/jobs/jobPlaces.ts'
import {
  createJourney,
  createQueuePlace,
  extendJourney,
  extendQueuePlace,
  type Journey,
  type Leg,
  whereaboutsAt,
} from '../../../src/measures/jobs/journey.ts'
import { valueAt } from '../../../src/measures/series/steps.ts'
import { frontOf } from '../../../src/pipeline/counts.ts'
import {
  ARRIVED,
  DISMISSED,
  FAILED,
  FINISHED,
  GATHERED,
  LOST,
  NONE,
  ROUTED,
  STARTED,
  THREW,
  WITHDRAWN,
} from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { endOf, stateBefore, type Trace, traceRow } from '../../../src/trace/trace.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { inFull, repeats } from '../../fixtures/extent.ts'
import { scenarios } from '../scenarios.ts'

function follow(trace: Trace, job: number): Journey {
  const journey = createJourney(job)
  extendJourney(journey, trace)
  return journey
}

function aheadAt(trace: Trace, job: number, leg: Leg, t: number): number {
  const place = createQueuePlace(trace, job, leg)
  extendQueuePlace(place)
  return valueAt(place.ahead, t)
}

test('a followed job is where the record of all jobs has it, at any instant', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, fc.integer({ min: 0, max: 20 }), async (scenario, job) => {
      const trace = await playSimulation(scenario, 0)
      const journey = follow(trace, job)
      const places = createJobPlaces(trace, 60)
      extendJobPlaces(places)
      const end = endOf(trace)
      for (let k = 0; k <= 30; k++) {
        const t = Math.round((k * end) / 30)
        moveJobsTo(places, t)
        const place = places.places[job]
        const [found, ...others] = whereaboutsAt(journey, t)
        expect(others).toEqual([])
        const what = kindOfPlace(place)
        expect(found?.at ?? 'nowhere').toBe(
          what === WAITING ? 'queue' : what === IN_HANDS ? 'hands' : what === PARKED ? 'parked' : 'nowhere',
        )
        if (found?.at === 'queue') expect(found.leg.stage).toBe(stageOf(place))
        if (found?.at === 'hands') expect([found.stage, found.worker]).toEqual([stageOf(place), workerOf(place)])
      }
    }),
    { numRuns: repeats(60) },
  )
})

/** The queues as lists in order of arrival, row by row, with returned jobs in front; reported for each instant. */
function plainQueues(trace: Trace): { readonly time: number; readonly queues: readonly (readonly number[])[] }[] {
  const queues: number[][] = trace.scenario.stages.map(() => [])
  const hands: number[][] = []
  const told = []
  for (let i = 0; i < trace.length; i++) {
    const { kind, time, stage, worker, job } = traceRow(trace, i)
    const { counts } = stateBefore(trace, i)
    const layBack = (many: number, at: number) => queues[at].unshift(...hands[worker].splice(0, many))
    const { firsts, ways, routes, joins } = trace.topology
    const comesTo = (stages: Iterable<number>) => {
      for (const to of stages) queues[to].push(job)
    }
    if (kind === ARRIVED) comesTo(firsts)
    if (kind === STARTED || kind === FAILED || kind === WITHDRAWN) queues[stage].splice(queues[stage].indexOf(job), 1)
    if (kind === STARTED) {
      hands[worker] ??= []
      hands[worker].push(job)
    }
    if (kind === FINISHED) {
      hands[worker].splice(hands[worker].indexOf(job), 1)
      if (routes[stage] === 0) comesTo(ways[stage].filter((to) => joins[to] === 0))
    }
    if ((kind === ROUTED && joins[stage] === 0) || (kind === GATHERED && stage !== NONE)) comesTo([stage])
    if (kind === THREW) layBack(frontOf(counts, worker), counts.stage[worker])
    if (kind === LOST && counts.jobsInHand[worker] > 0) layBack(counts.jobsInHand[worker], counts.stage[worker])
    if (kind === DISMISSED && job !== NONE) layBack(counts.jobsInHand[worker], counts.stage[worker])
    if (i + 1 === trace.length || traceRow(trace, i + 1).time > time)
      told.push({ time, queues: queues.map((queue) => [...queue]) })
  }
  return told
}

test('as many jobs are before it as in a plain list of the queue', async () => {
  let waited = 0
  let inParts = 0
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(scenarios, anyScenario({ graphs: true, jobs: 20 })),
      fc.integer({ min: 0, max: 20 }),
      async (scenario, job) => {
        const trace = await playSimulation(scenario, 0)
        const journey = follow(trace, job)
        for (const { time, queues } of plainQueues(trace)) {
          const found = whereaboutsAt(journey, time).flatMap((place) => (place.at === 'queue' ? [place.leg] : []))
          const expected = queues.flatMap((queue, stage) => (queue.includes(job) ? [[stage, queue.indexOf(job)]] : []))
          expect(found.map((leg) => [leg.stage, aheadAt(trace, job, leg, time)]).sort((a, b) => a[0] - b[0])).toEqual(
            expected,
          )
          if (found.length > 0) waited++
          if (found.length > 1) inParts++
        }
      },
    ),
    // A fixed list, in which enough jobs wait in parts.
    { numRuns: repeats(240), seed: 3 },
  )
  expect(waited).toBeGreaterThan(50)
  if (inFull) expect(inParts).toBeGreaterThan(2)
})
