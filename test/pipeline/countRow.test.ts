import { describe, expect, test } from 'vitest'
import { countRow } from '../../src/pipeline/countRow.ts'
import { BUSY, type Counts, createCounts, GONE, IDLE } from '../../src/pipeline/counts.ts'
import { createRows, kinds, NONE, pushFinished, pushRow, type RowKind } from '../../src/pipeline/rows.ts'
import { topologyOf } from '../../src/pipeline/topology.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

/** Two stages and rows in words: `started 0 A 1`, a worker, a stage and a job. Answers with the counts after them. */
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

test('a run in the counts is stopped and exhausted when rows say so, and a phase further with each that begins', () => {
  const seen = ({ stopped, exhausted, phase, time }: Counts) => [stopped, exhausted, phase, time]
  expect(seen(countsAfter({}))).toEqual([false, false, 0, 0])
  expect(seen(countsAfter({}, [4, 'exhausted'], [5, 'turned']))).toEqual([false, true, 1, 5])
  expect(seen(countsAfter({}, [4, 'turned'], [5, 'turned'], [7, 'stopped'], [9, 'tick']))).toEqual([true, false, 2, 9])
})

describe('a worker in the counts', () => {
  test('has moved when it starts at another stage than before, at that time, and not when it starts at the same one', () => {
    const first = countsAfter({}, ...arrived(0, 1), [3, 'started 1 A 0'])
    expect([first.stage[1], first.movedFrom[1], first.movedAt[1], first.since[1]]).toEqual([0, NONE, 3, 3])
    const again = [
      [3, 'started 1 A 0'],
      [9, 'finished 1 A 0'],
      [12, 'started 1 A 1'],
      [20, 'finished 1 A 1'],
    ] as const
    const same = countsAfter({}, ...arrived(0, 1), ...again)
    expect([same.stage[1], same.movedFrom[1], same.movedAt[1], same.since[1], same.status[1]]).toEqual([0, NONE, 3, 20, IDLE])
    const moved = countsAfter({}, ...arrived(0, 1), ...again, [30, 'started 1 B 0'])
    expect([moved.stage[1], moved.movedFrom[1], moved.movedAt[1], moved.since[1], moved.status[1]]).toEqual([1, 0, 30, 30, BUSY])
  })

  test('is at its batch since it got the first job of it, and at a second batch since the first is done', () => {
    const batch = [...arrived(0, 1, 2, 3), [5, 'started 0 A 0'], [5, 'started 0 A 1'], [7, 'second 0 A'], [7, 'started 0 A 2'], [7, 'started 0 A 3']] as const
    const both = countsAfter({}, ...batch)
    expect([both.jobsInHand[0], both.prefetched[0], both.prefetching[0], both.since[0], both.inHands[0], both.busy[0]]).toEqual([4, 2, 1, 5, 4, 1])
    const half = countsAfter({}, ...batch, [11, 'finished 0 A 0'])
    expect([half.jobsInHand[0], half.prefetched[0], half.prefetching[0], half.since[0]]).toEqual([3, 2, 1, 5])
    const next = countsAfter({}, ...batch, [11, 'finished 0 A 0'], [11, 'finished 0 A 1'])
    expect([next.jobsInHand[0], next.prefetched[0], next.prefetching[0], next.since[0], next.busy[0]]).toEqual([2, 0, 0, 11, 1])
  })

  test('lays back the batch that threw and goes on with the second; one that is lost lays back both', () => {
    const batch = [...arrived(0, 1, 2), [5, 'started 0 A 0'], [7, 'second 0 A'], [7, 'started 0 A 1'], [7, 'started 0 A 2']] as const
    const threw = countsAfter({}, ...batch, [9, 'threw 0 A 0'])
    expect([threw.waiting[0], threw.inHands[0], threw.jobsInHand[0], threw.prefetched[0], threw.since[0], threw.status[0], threw.busy[0]]).toEqual([
      1,
      2,
      2,
      0,
      9,
      BUSY,
      1,
    ])
    const lost = countsAfter({}, ...batch, [9, 'lost 0'])
    expect([lost.waiting[0], lost.inHands[0], lost.jobsInHand[0], lost.prefetched[0], lost.prefetching[0], lost.since[0], lost.status[0]]).toEqual([
      3,
      0,
      0,
      0,
      0,
      9,
      GONE,
    ])
    expect([lost.busy[0], lost.live]).toEqual([0, 2])
    const alone = countsAfter({}, ...arrived(0), [5, 'started 0 A 0'], [9, 'threw 0 A 0'])
    expect([alone.waiting[0], alone.busy[0], alone.status[0], alone.since[0]]).toEqual([1, 0, IDLE, 9])
  })

  test('that joins has no stage, even under a number that had one', () => {
    const joined = countsAfter({}, ...arrived(0), [3, 'started 2 A 0'], [4, 'lost 2'], [8, 'joined 2'])
    expect([joined.status[2], joined.stage[2], joined.movedFrom[2], joined.since[2], joined.live]).toEqual([IDLE, NONE, NONE, 8, 3])
  })

  test('that is hired stands at its stage from then on; dismissed idle it leaves at once, dismissed busy after its last job', () => {
    const pool = { policy: { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 0, up: -1, down: 1 } }
    const hired = [...arrived(0), [3, 'hired 1 A'], [6, 'started 1 A 0']] as const
    const there = countsAfter(pool, [3, 'hired 1 B'])
    expect([there.live, there.status[1], there.stage[1], there.since[1], there.movedFrom[1], there.movedAt[1]]).toEqual([1, IDLE, 1, 3, NONE, 3])
    const idle = countsAfter(pool, [3, 'hired 1 A'], [5, 'dismissed 1 A'])
    expect([idle.live, idle.status[1], idle.stage[1], idle.leaving[1], idle.since[1]]).toEqual([0, 0, NONE, 0, 5])
    const busy = countsAfter(pool, ...hired, [8, 'dismissed 1 A'])
    expect([busy.live, busy.status[1], busy.leaving[1], busy.jobsInHand[1]]).toEqual([1, BUSY, 1, 1])
    const done = countsAfter(pool, ...hired, [8, 'dismissed 1 A'], [9, 'finished 1 A 0'])
    expect([done.live, done.status[1], done.stage[1], done.leaving[1]]).toEqual([0, 0, NONE, 0])
    const lost = countsAfter(pool, ...hired, [8, 'dismissed 1 A'], [9, 'lost 1'])
    expect([lost.live, lost.status[1], lost.leaving[1], lost.waiting[0]]).toEqual([0, GONE, 0, 1])
    // One that waits for a resource lays its job back: the row names it.
    const waits = countsAfter(pool, ...hired, [8, 'dismissed 1 A 0'])
    expect([waits.live, waits.status[1], waits.waiting[0], waits.inHands[0], waits.busy[0]]).toEqual([0, 0, 1, 0, 0])
  })
})
