import { describe, expect, test } from 'vitest'
import {
  ABSENT,
  BUSY,
  type Counts,
  copyCounts,
  countPosted,
  countsFrom,
  createCounts,
  GONE,
  IDLE,
  isDrained,
  isOutside,
  keepCounts,
  markDone,
  waitingAfter,
} from '../../src/pipeline/counts.ts'
import { createState, roomFor } from '../../src/pipeline/state.ts'
import { topologyOf } from '../../src/pipeline/topology.ts'
import { diamond, scenarioWith } from '../fixtures/scenarios.ts'

const line = scenarioWith({ stages: [{ id: 'A' }, { id: 'B' }, { id: 'C' }], workers: 5, workerEvents: [{ at: 3, kind: 'join', worker: 5 }] })
const routed = scenarioWith({
  workers: 2,
  stages: [{ id: 'A', fanOut: { route: { B: 1, C: 3 } } }, { id: 'B' }, { id: 'C' }, { id: 'D' }],
  links: diamond,
})

/** Every number another one, so that two that change places are seen. */
function fill(counts: Counts, from: number): Counts {
  let next = from
  for (const column of Object.values(counts)) if (ArrayBuffer.isView(column)) (column as Uint8Array).set((column as Uint8Array).map(() => next++))
  return Object.assign(counts, {
    time: next++,
    arrived: next++,
    outside: next++,
    parked: next++,
    released: next++,
    failed: next++,
    phase: next++,
    live: next++,
  })
}

describe('counts before the first row', () => {
  test('have idle workers without a stage, and those who join later outside', () => {
    const { status, stage, movedFrom, live, waiting } = createCounts(line)
    expect([[...status], [...stage], [...movedFrom], live, waiting.length]).toEqual([
      [IDLE, IDLE, IDLE, IDLE, IDLE, ABSENT],
      Array(6).fill(-1),
      Array(6).fill(-1),
      5,
      3,
    ])
  })

  test('have nobody where the policy hires', () => {
    const policy = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 0, up: -1, down: 1 }
    const { status, live } = createCounts(scenarioWith({ stages: [{ id: 'A' }], workers: 3, policy }))
    expect([[...status], live]).toEqual([[ABSENT, ABSENT, ABSENT], 0])
  })

  test('are all zero but for that', () => {
    const { time, arrived, outside, parked, released, failed, exhausted, stopped, phase } = createCounts(line)
    expect([time, arrived, outside, parked, released, failed, exhausted, stopped, phase]).toEqual([0, 0, 0, 0, 0, 0, false, false, 0])
  })
})

describe('a copy of counts', () => {
  test('has the same numbers, and neither changes with the other', () => {
    for (const copied of [copyCounts, (counts: Counts) => countsFrom(keepCounts(counts), createCounts(line))]) {
      const counts = Object.assign(fill(createCounts(line), 1), { exhausted: true, stopped: true })
      const copy = copied(counts)
      expect(copy).toEqual(counts)
      const before = structuredClone(copy)
      fill(counts, 100)
      expect(copy).toEqual(before)
      fill(copy, 60)
      expect(counts).toEqual(Object.assign(fill(createCounts(line), 100), { exhausted: true, stopped: true }))
    }
  })

  test('comes from a checkpoint as often as it is asked for, each its own', () => {
    const kept = keepCounts(fill(createCounts(line), 1))
    const [first, second] = [countsFrom(kept, createCounts(line)), countsFrom(kept, createCounts(line))]
    fill(first, 50)
    expect(second).toEqual(fill(createCounts(line), 1))
  })
})

test('a worker takes no part before it comes and after it has gone', () => {
  expect([ABSENT, IDLE, BUSY, GONE].map(isOutside)).toEqual([true, false, false, true])
})

test('workers stand at their stage while they are there, busy or idle, and nowhere before their first post', () => {
  const counts = createCounts(line)
  counts.status.set([IDLE, BUSY, GONE, ABSENT, IDLE, BUSY])
  counts.stage.set([2, 2, 2, 0, -1, 0])
  const posted = [10, 10, 10]
  countPosted(counts, posted)
  expect(posted).toEqual([11, 10, 12])
})

test('a run is drained when its source is exhausted, all that came has left or failed, and no hand holds a part', () => {
  const counts = createCounts(line)
  expect(isDrained(counts)).toBe(false)
  Object.assign(counts, { exhausted: true, arrived: 5, released: 3, failed: 2 })
  expect(isDrained(counts)).toBe(true)
  counts.inHands[2] = 1
  expect(isDrained(counts)).toBe(false)
  counts.inHands[2] = 0
  expect([isDrained({ ...counts, released: 2 }), isDrained({ ...counts, exhausted: false })]).toEqual([false, false])
})

describe('stages that are done', () => {
  const doneIn = (counts: Counts, scenario: typeof line) => {
    const done = new Uint8Array(scenario.stages.length)
    markDone(topologyOf(scenario), counts, done)
    return [...done]
  }

  test('of a line: up to the first with a job before it, at it or outside', () => {
    const counts = createCounts(line)
    expect(doneIn(counts, line)).toEqual([0, 0, 0])
    counts.exhausted = true
    expect(doneIn(counts, line)).toEqual([1, 1, 1])
    counts.waiting[1] = 1
    expect(doneIn(counts, line)).toEqual([1, 0, 0])
    counts.waiting[1] = 0
    counts.inHands[2] = 1
    expect(doneIn(counts, line)).toEqual([1, 1, 0])
    counts.outside = 1
    expect(doneIn(counts, line)).toEqual([0, 0, 0])
  })

  test('of a graph: whatever the other branch still does', () => {
    const counts = createCounts(routed)
    counts.exhausted = true
    expect(doneIn(counts, routed)).toEqual([1, 1, 1, 1])
    counts.inHands[2] = 1
    expect(doneIn(counts, routed)).toEqual([1, 1, 0, 0])
    counts.inHands[2] = 0
    counts.inHands[1] = 1
    expect(doneIn(counts, routed)).toEqual([1, 0, 1, 0])
    counts.outside = 1
    expect(doneIn(counts, routed)).toEqual([0, 0, 0, 0])
  })
})

test('jobs that wait behind a stage count by the share that goes each way', () => {
  const counts = createCounts(routed)
  counts.waiting.set([100, 8, 20, 7])
  expect([0, 1, 2, 3].map((stage) => waitingAfter(topologyOf(routed), counts, stage))).toEqual([8 / 4 + (20 * 3) / 4, 7, 7, 0])
})

describe('room in the next queues', () => {
  const room = (more: object, waiting: readonly number[], inHands: readonly number[], queued: number) => {
    const scenario = scenarioWith({ workers: 2, ...more })
    const state = createState(
      scenario,
      () => 1,
      () => 0,
      () => 1,
    )
    state.counts.waiting.set(waiting)
    state.counts.inHands.set(inHands)
    return roomFor(state, 0, queued)
  }

  test('in a line is what the next queue holds, less what waits there and what is in hand before it', () => {
    const bounded = { stages: [{ id: 'A' }, { id: 'B', capacity: 9 }] }
    expect([room(bounded, [0, 3], [2, 5], 6), room(bounded, [0, 3], [2, 5], 4), room(bounded, [0, 3], [2, 5], 3)]).toEqual([4, 4, 3])
    expect([room(bounded, [0, 8], [4, 0], 2), room({ stages: [{ id: 'A' }, { id: 'B' }] }, [0, 8], [4, 0], 2)]).toEqual([0, 2])
  })

  test('in a graph is the least of all bounded ways, and every stage before a queue reserves room there', () => {
    const graph = (b: number | null, c: number | null) => ({
      stages: [
        { id: 'A', fanOut: { route: { B: 1, C: 1 } } },
        { id: 'B', capacity: b, fanOut: 'copy' },
        { id: 'C', capacity: c },
      ],
      links: [
        ['source', 'A'],
        ['A', 'B'],
        ['A', 'C'],
        ['B', 'C'],
        ['C', 'sink'],
      ],
    })
    // B: 10 - 3 - 1 in hand at A. C: 20 - 4 - 1 - 2 in hand at A and B.
    expect(room(graph(10, 20), [0, 3, 4], [1, 2, 7], 50)).toBe(6)
    expect(room(graph(null, 20), [0, 3, 4], [1, 2, 7], 50)).toBe(13)
    expect(room(graph(10, 9), [0, 3, 4], [1, 2, 7], 50)).toBe(2)
    expect(room(graph(10, 9), [0, 3, 9], [1, 2, 7], 50)).toBe(0)
    expect(room(graph(10, 20), [0, 3, 4], [1, 2, 7], 5)).toBe(5)
  })
})
