import { describe, expect, test } from 'vitest'
import { createRows, pushFinished, pushRow, type Rows, STARTED } from '../../src/pipeline/rows.ts'
import { topologyOf } from '../../src/pipeline/topology.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { RoundTrips } from '../../src/scheduler/batches.ts'
import { valid } from '../fixtures/anyScenario.ts'

const two = (over: object = {}) =>
  valid({
    version: 1,
    source: { kind: 'batch', jobs: 9 },
    stages: [{ id: 'A' }, { id: 'B' }],
    workers: 3,
    batch: { adaptive: true },
    ...over,
  })

/** Returns the round trip measured from these rows. */
function measured(scenario: Scenario, note: (rows: Rows) => void): number {
  const rows = createRows()
  note(rows)
  const roundTrips = new RoundTrips(scenario, topologyOf(scenario))
  roundTrips.take(rows, 0)
  return roundTrips.roundTrip
}

/** A worker gets a job of 1000. The order takes `there`, the answer takes `back`, and the clock of the worker is wrong by `shift`. */
function serve(
  rows: Rows,
  given: number,
  worker: number,
  { there = 0, back = 0, stage = 0, jobs = 1, shift = 0 } = {},
): number {
  for (let job = 0; job < jobs; job++) pushRow(rows, given, STARTED, stage, worker, job)
  const began = given + there + shift
  const answered = given + there + 1000 * jobs + back
  for (let job = 0; job < jobs; job++)
    pushFinished(rows, answered, stage, worker, job, began + 1000 * job, began + 1000 * (job + 1))
  return answered
}

describe('the round trip', () => {
  test('is the time of both messages, without the work, whatever the clock of the worker says', () => {
    const trip = (shift: number) =>
      measured(two(), (rows) => serve(rows, 0, 0, { there: 300, back: 500, jobs: 4, shift }))
    expect([0, -300, 500].map(trip)).toEqual([800, 800, 800])
  })

  test('falls at once, and rises by an eighth per batch', () => {
    const trips = (...ways: number[]) =>
      measured(two(), (rows) => {
        let time = 0
        for (const there of ways) time = serve(rows, time, 0, { there })
      })
    expect(trips(800, 80)).toBe(80)
    expect(trips(80, 1_000_000)).toBe(91)
    expect(trips(80, 85)).toBe(85)
    expect(trips(80, 1_000_000, 1_000_000, 80)).toBe(80)
  })
})
