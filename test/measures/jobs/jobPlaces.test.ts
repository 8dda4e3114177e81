import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import {
  createJobPlaces,
  extendJobPlaces,
  GIVEN_UP,
  IN_HANDS,
  type JobPlaces,
  kindOfPlace,
  moveJobsTo,
  OUT,
  PARKED,
  stageOf,
  TO_COME,
  WAITING,
  workerOf,
} from '../../../src/measures/jobs/jobPlaces.ts'
import { LOST, THREW } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { countJobs } from '../../../src/scenario/model/sources.ts'
import { type Trace, traceRow } from '../../../src/trace/trace.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

function logOf(trace: Trace, most = Infinity): JobPlaces {
  const log = createJobPlaces(trace, countJobs(trace.scenario.source))
  while (!extendJobPlaces(log, most));
  return log
}

/** Some times of rows in random order, and the times at which a batch returned to its queue. */
function timesOf(trace: Trace, shares: readonly number[]): number[] {
  const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))
  const back = rows.filter(({ kind }) => kind === THREW || kind === LOST)
  return [...shares.map((share) => rows[Math.floor(share * (rows.length - 1))]), ...back.reverse()].map(
    ({ time }) => time,
  )
}

describe('the place of every job', () => {
  test('agrees with the counts of the frame at every time, in any order of times', async () => {
    const someShares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(anyScenario(), someShares, fc.integer({ min: 1, max: 90 }), async (scenario, shares, most) => {
        const trace = await playSimulation(scenario, 0)
        const log = logOf(trace, most)
        for (const time of timesOf(trace, shares)) {
          const frame = frameAt(trace, time)
          moveJobsTo(log, time)
          const count = (accepts: (place: number) => boolean) =>
            log.places.reduce((sum, place) => sum + (accepts(place) ? 1 : 0), 0)
          const is = (what: number, stage?: number) =>
            count((place) => kindOfPlace(place) === what && (stage === undefined || stageOf(place) === stage))
          expect([is(OUT), is(PARKED), is(GIVEN_UP)]).toEqual([frame.released, frame.parked, frame.failed])
          expect(log.places.length - is(TO_COME)).toBe(frame.arrived)
          frame.stages.forEach(({ waiting, inHands }, s) => {
            const outside = s === trace.topology.first ? frame.outside : 0
            expect([is(WAITING, s), is(IN_HANDS, s)]).toEqual([waiting + outside, inHands])
          })
          frame.workers.forEach(({ jobsInHand }, w) => {
            expect(count((place) => kindOfPlace(place) === IN_HANDS && workerOf(place) === w)).toBe(jobsInHand)
          })
        }
      }),
      { numRuns: repeats(70) },
    )
  })

  test('is known for a run that grows meanwhile', async () => {
    const trace = await playSimulation(
      scenarioWith({ stages: [{ id: 'A' }, { id: 'B' }], source: { kind: 'batch', jobs: 5 }, workers: 2 }),
      0,
    )
    const log = createJobPlaces(trace, 5)
    const whole = logOf(trace)
    for (let done = false; !done; ) {
      done = extendJobPlaces(log, 1)
      moveJobsTo(log, Infinity)
      expect([...log.places]).toEqual([...log.latest])
    }
    moveJobsTo(whole, Infinity)
    expect(log.places).toEqual(whole.places)
    expect([...log.worked]).toEqual([2000, 2000, 2000, 2000, 2000])
    moveJobsTo(log, -1)
    expect([...log.places]).toEqual([0, 0, 0, 0, 0])
  })
})
