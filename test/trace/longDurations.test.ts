import { describe, expect, test } from 'vitest'
import { createSimulation } from '../../src/engine/simulation/simulation.ts'
import {
  beganAt,
  createRows,
  endedAt,
  FINISHED,
  pushFinished,
  pushRow,
  rowAt,
  STARTED,
  sliceRows,
} from '../../src/pipeline/rows.ts'
import { record } from '../../src/runs/play/play.ts'
import { stateAt, traceRow } from '../../src/trace/trace.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

/** Rows store start times as 32-bit distances back: 71 minutes and 35 seconds. */
const HOUR = 3_600_000_000
const LIMIT = 2 ** 32 - 1

describe('work that lasts longer than the columns can store', () => {
  test('is kept, at the limit and beyond, when rows grow and when they are copied', () => {
    const rows = createRows(1)
    const some = [1, LIMIT - 1, LIMIT, LIMIT + 1, 5 * HOUR, 40_000 * HOUR]
    // Often enough that the columns grow after the first long entries.
    const spans = [...some, ...some, ...some]
    for (const span of spans) {
      pushRow(rows, 0, STARTED, 0, 0, 0)
      pushFinished(rows, 2 ** 50, 0, 0, 0, 2 ** 50 - span, 2 ** 50 - Math.floor(span / 3))
    }
    for (const copy of [rows, sliceRows(rows)]) {
      spans.forEach((span, k) => {
        const i = 2 * k + 1
        expect([beganAt(copy, i), endedAt(copy, i)]).toEqual([2 ** 50 - span, 2 ** 50 - Math.floor(span / 3)])
        expect(copy.lasted[i]).toBe(span - Math.floor(span / 3))
        expect(rowAt(copy, i).began).toBe(2 ** 50 - span)
      })
    }
  })

  test('is kept from the simulation to the trace', async () => {
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 5 },
      stages: [
        { id: 'A', service: { kind: 'constant', mean: 3 * HOUR } },
        { id: 'B', service: { kind: 'constant', mean: HOUR } },
      ],
      workers: 1,
      batch: { size: 3 },
      policy: { kind: 'leastScore' },
    })
    const trace = await record(createSimulation(), 'simulation', scenario, 0)
    const finished = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i)).filter(
      ({ kind }) => kind === FINISHED,
    )
    expect(finished.length).toBe(10)
    for (const { stage, began, ended } of finished) expect(ended - began).toBe(stage === 0 ? 3 * HOUR : HOUR)
    expect([...stateAt(trace, Infinity).counts.serviceSum]).toEqual([15 * HOUR, 5 * HOUR])
  })
})
