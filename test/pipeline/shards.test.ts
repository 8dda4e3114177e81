import { describe, expect, test } from 'vitest'
import { NONE } from '../../src/pipeline/rows.ts'
import { createShards, passUnreachable } from '../../src/pipeline/shards.ts'
import type { Topology } from '../../src/pipeline/topology.ts'

const JOBS = 40
const WORKERS = 6

/** Stages with links between them; shards use nothing else. */
function graph(links: readonly (readonly [number, number])[], capacity: readonly number[]): Topology {
  const stages = capacity.length
  const ends = (from: 0 | 1, s: number) =>
    Int16Array.from(links.filter((link) => link[from] === s).map((link) => link[1 - from]))
  const ways = Array.from({ length: stages }, (_, s) => ends(0, s))
  const before = Array.from({ length: stages }, (_, s) => ends(1, s))
  return { stages, ways, before, capacity: Int32Array.from(capacity) } as unknown as Topology
}

describe('how far shards reach', () => {
  test('is to the last job where the next queues are unbounded, and to their free places where one is bounded', () => {
    const { queues } = createShards(
      graph(
        [
          [0, 1],
          [0, 2],
          [0, 3],
        ],
        [0, 3, 0, 5],
      ),
      JOBS,
      WORKERS,
      () => 0,
    )
    for (let ticket = 0; ticket < 20; ticket++) queues[0].push(ticket)
    queues[0].deal(20)
    // Ticket 3 would be the fourth that stage 1 has not started.
    expect(queues[0].startable()).toEqual([0, 1, 2])
    queues[1].push(0)
    queues[1].hold(0, 1)
    expect(queues[0].startable()).toEqual([0, 1, 2, 3])
    const open = createShards(graph([[0, 1]], [0, 0]), JOBS, 20, () => 0).queues[0]
    for (let ticket = 0; ticket < 20; ticket++) open.push(ticket)
    open.deal(20)
    expect(open.startable()).toHaveLength(20)
  })

  test('at a last stage is as many tickets as there are shards, from the first that has not left', () => {
    let tail = 0
    const [queue] = createShards(graph([], [0]), JOBS, WORKERS, () => tail).queues
    for (let ticket = 0; ticket < 6; ticket++) queue.push(ticket)
    queue.deal(3)
    for (const ticket of [0, 1, 2]) {
      queue.remove(ticket)
      queue.hold(ticket, ticket)
      queue.pass(ticket)
    }
    expect(queue.startable()).toEqual([])
    tail = 2
    expect(queue.startable()).toEqual([3, 4])
  })
})

describe('a routed job', () => {
  /** 0 routes to 1 or 2; 1 leads to 3, and both 2 and 3 meet at 4. */
  const routed = () => {
    const topology = graph(
      [
        [0, 1],
        [0, 2],
        [1, 3],
        [2, 4],
        [3, 4],
      ],
      [0, 0, 0, 0, 0],
    )
    const shards = createShards(topology, JOBS, WORKERS, () => 0)
    const passed: number[] = []
    const pass = (stage: number, to: number, job: number) =>
      passUnreachable(shards, topology, stage, to, job, (at) => passed.push(at))
    return { shards, passed, pass }
  }

  test('passes the stages that it cannot reach any more, and not those that it reaches by another path', () => {
    const { shards, passed, pass } = routed()
    pass(0, 2, 0)
    expect(passed).toEqual([1, 3])
    expect(shards.queues.map(({ least }) => least)).toEqual([0, 1, 0, 1, 0])
  })

  test('passes a stage with several feeders when it cannot come from any of them', () => {
    const { shards, passed, pass } = routed()
    pass(0, 1, 0)
    expect(passed).toEqual([2])
    // Then it fails at stage 1: nothing leads to 3 or 4.
    pass(1, NONE, 0)
    expect(passed).toEqual([2, 3, 4])
    expect(shards.queues.map(({ least }) => least)).toEqual([0, 0, 1, 1, 1])
    // Another job is counted separately.
    pass(0, 1, 1)
    expect(passed.slice(3)).toEqual([2])
  })

  test('passes a stage with three feeders only after the third has passed it on', () => {
    const topology = graph(
      [
        [0, 3],
        [1, 3],
        [2, 3],
      ],
      [0, 0, 0, 0],
    )
    const shards = createShards(topology, JOBS, WORKERS, () => 0)
    const passed: string[] = []
    for (const stage of [0, 1, 2])
      passUnreachable(shards, topology, stage, NONE, 0, (at) => passed.push(`${at} after ${stage}`))
    expect(passed).toEqual(['3 after 2'])
    // Links are counted only where there are several.
    expect(shards.missed.map(({ length }) => length)).toEqual([0, 0, 0, JOBS])
  })
})
