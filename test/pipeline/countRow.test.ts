import { describe, expect, test } from 'vitest'
import { countRow } from '../../src/pipeline/countRow.ts'
import { BUSY, type Counts, createCounts, IDLE } from '../../src/pipeline/counts.ts'
import { createRows, kinds, NONE, pushFinished, pushRow, type RowKind } from '../../src/pipeline/rows.ts'
import { topologyOf } from '../../src/pipeline/topology.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

/** Two stages and rows in words: `started 0 A 1`, a worker, a stage and a job. Returns the counts after them. */
function countsAfter(more: object, ...lines: (readonly [time: number, row: string])[]): Counts {
  const scenario = scenarioWith({ stages: [{ id: 'A' }, { id: 'B' }], workers: 3, batch: { size: 4 }, ...more })
  const topology = topologyOf(scenario)
  const counts = createCounts(scenario)
  const rows = createRows()
  for (const [time, line] of lines) {
    const [kind, worker, stage, job] = line.split(' ')
    const [w, s, j] = [Number(worker ?? NONE), stage === undefined ? NONE : 'AB'.indexOf(stage), Number(job ?? NONE)]
    if (kind === 'finished') pushFinished(rows, time, s, w, j, time - 5, time)
    else pushRow(rows, time, kinds.indexOf(kind as RowKind), s, w, j)
    countRow(topology, counts, rows, rows.length - 1)
  }
  return counts
}
const arrived = (...jobs: number[]) => jobs.map((job) => [0, `arrived -1 - ${job}`] as const)

describe('a worker in the counts', () => {
  test('has changed stage when it starts at another stage than before, from that time, and not at the same one', () => {
    const first = countsAfter({}, ...arrived(0, 1), [3, 'started 1 A 0'])
    expect([first.stage[1], first.movedFrom[1], first.movedAt[1], first.since[1]]).toEqual([0, NONE, 3, 3])
    const again = [
      [3, 'started 1 A 0'],
      [9, 'finished 1 A 0'],
      [12, 'started 1 A 1'],
      [20, 'finished 1 A 1'],
    ] as const
    const same = countsAfter({}, ...arrived(0, 1), ...again)
    expect([same.stage[1], same.movedFrom[1], same.movedAt[1], same.since[1], same.status[1]]).toEqual([
      0,
      NONE,
      3,
      20,
      IDLE,
    ])
    const moved = countsAfter({}, ...arrived(0, 1), ...again, [30, 'started 1 B 0'])
    expect([moved.stage[1], moved.movedFrom[1], moved.movedAt[1], moved.since[1], moved.status[1]]).toEqual([
      1,
      0,
      30,
      30,
      BUSY,
    ])
  })
})
