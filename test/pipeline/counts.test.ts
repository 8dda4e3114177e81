import { describe, expect, test } from 'vitest'
import {
  ABSENT,
  type Counts,
  copyCounts,
  countsFrom,
  createCounts,
  IDLE,
  keepCounts,
} from '../../src/pipeline/counts.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

const line = scenarioWith({
  stages: [{ id: 'A' }, { id: 'B' }, { id: 'C' }],
  workers: 5,
  workerEvents: [{ at: 3, kind: 'join', worker: 5 }],
})
/** All numbers differ, so that a swap of two is noticed. */
function fill(counts: Counts, from: number): Counts {
  let next = from
  for (const column of Object.values(counts))
    if (ArrayBuffer.isView(column)) (column as Uint8Array).set((column as Uint8Array).map(() => next++))
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
  test('have idle workers without a stage, and exclude later workers', () => {
    const { status, stage, movedFrom, live, waiting } = createCounts(line)
    expect([[...status], [...stage], [...movedFrom], live, waiting.length]).toEqual([
      [IDLE, IDLE, IDLE, IDLE, IDLE, ABSENT],
      Array(6).fill(-1),
      Array(6).fill(-1),
      5,
      3,
    ])
  })

  test('have no workers where the policy hires', () => {
    const policy = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 0, up: -1, down: 1 }
    const { status, live } = createCounts(scenarioWith({ stages: [{ id: 'A' }], workers: 3, policy }))
    expect([[...status], live]).toEqual([[ABSENT, ABSENT, ABSENT], 0])
  })
})

describe('a copy of counts', () => {
  test('has the same numbers, and the two are independent', () => {
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
})
