import { describe, expect, test } from 'vitest'
import { apply, settle } from '../../src/pipeline/apply.ts'
import { isDrained, markDone } from '../../src/pipeline/counts.ts'
import {
  ARRIVED,
  createRows,
  DISMISSED,
  EXHAUSTED,
  FAILED,
  JOINED,
  LOST,
  NONE,
  PREFETCH,
  pushFinished,
  pushRow,
  RELEASED,
  rowAt,
  STARTED,
  THREW,
} from '../../src/pipeline/rows.ts'
import { createState, expectsReply, isWaiting, runnable, type State, servedAlone } from '../../src/pipeline/state.ts'
import { groupingOf } from '../../src/workload/groups.ts'
import { routingOf } from '../../src/workload/service.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

/** A state and verbs to change it, each one row. Answers with what follows: `[kind, job]`. */
function world(input: object) {
  const parsed = scenarioWith({ workers: 2, ...input })
  const state = createState(parsed, (_, job) => 10 - job, groupingOf(parsed), routingOf(parsed))
  const rows = createRows()
  const row = (kind: number, stage: number, worker: number, job: number) => {
    pushRow(rows, 0, kind, stage, worker, job)
    return last()
  }
  const last = () => {
    apply(state, rows, rows.length - 1)
    const from = rows.length
    settle(state, rows, 0)
    return Array.from({ length: rows.length - from }, (_, k) => [rowAt(rows, from + k).kind, rowAt(rows, from + k).job])
  }
  return {
    state,
    arrive: (...jobs: number[]) => jobs.map((job) => row(ARRIVED, NONE, NONE, job)),
    start: (worker: number, stage: number, job: number) => row(STARTED, stage, worker, job),
    finish: (worker: number, stage: number, job: number) => {
      pushFinished(rows, 0, stage, worker, job, 0, 0)
      return last()
    },
    second: (worker: number, stage: number) => row(PREFETCH, stage, worker, NONE),
    threw: (worker: number, stage: number, job: number) => row(THREW, stage, worker, job),
    lose: (worker: number) => row(LOST, NONE, worker, NONE),
    dismiss: (worker: number, stage: number, job: number) => row(DISMISSED, stage, worker, job),
    join: (worker: number) => row(JOINED, NONE, worker, NONE),
    exhaust: () => row(EXHAUSTED, NONE, NONE, NONE),
  }
}

function queue(state: State, stage: number): number[] {
  const jobs: number[] = []
  state.queues[stage].forEach((job) => void jobs.push(job))
  return jobs
}

const stages = [{ id: 'A' }, { id: 'B' }]

describe('leases', () => {
  test('a reply counts once, and only under the lease of the batch in hand', () => {
    const { state, arrive, start, finish } = world({ stages })
    arrive(0, 1)
    start(0, 0, 0)
    const lease = state.leases[0]
    expect(expectsReply(state, 0, lease)).toBe(true)
    expect(expectsReply(state, 1, lease)).toBe(false)
    finish(0, 0, 0)
    expect(expectsReply(state, 0, lease)).toBe(false)
    start(0, 0, 1)
    expect(expectsReply(state, 0, lease)).toBe(false)
    expect(expectsReply(state, 0, state.leases[0])).toBe(true)
  })

  test('nobody is waited for under no lease, nor once the worker is lost', () => {
    const { state, arrive, start, lose } = world({ stages })
    expect(expectsReply(state, 0, 0)).toBe(false)
    arrive(0)
    start(0, 0, 0)
    const lease = state.leases[0]
    lose(0)
    expect(expectsReply(state, 0, lease)).toBe(false)
  })

  test('a batch has one lease for all its jobs, and keeps it until the last is reported', () => {
    const { state, arrive, start, finish } = world({ stages, batch: { size: 2 } })
    arrive(0, 1)
    start(0, 0, 0)
    const lease = state.leases[0]
    start(0, 0, 1)
    expect(state.leases[0]).toBe(lease)
    finish(0, 0, 0)
    expect(expectsReply(state, 0, lease)).toBe(true)
    finish(0, 0, 1)
    expect(expectsReply(state, 0, lease)).toBe(false)
  })

  test('a second batch has one of its own, which is that of the worker once the first is finished or thrown, and of no second batch any more', () => {
    for (const over of ['finish', 'threw', 'lose'] as const) {
      const { state, arrive, start, second, ...ends } = world({ stages, batch: { size: 1, inHand: 2 } })
      arrive(0, 1)
      start(0, 0, 0)
      second(0, 0)
      start(0, 0, 1)
      const [first, prefetched] = [state.leases[0], state.prefetchLeases[0]]
      expect(new Set([0, first, prefetched]).size).toBe(3)
      ends[over](0, 0, 0)
      expect([state.leases[0], state.prefetchLeases[0]], over).toEqual(over === 'lose' ? [0, 0] : [prefetched, 0])
      expect(expectsReply(state, 0, first)).toBe(false)
    }
  })
})

describe('what may start', () => {
  test('is bounded by the room in the next queue that nobody has reserved', () => {
    const { state, arrive, start, finish } = world({ stages: [{ id: 'A' }, { id: 'B', capacity: 2 }] })
    arrive(0, 1, 2, 3)
    expect(runnable(state, 0)).toBe(2)
    start(0, 0, 0)
    expect(runnable(state, 0)).toBe(1)
    finish(0, 0, 0)
    expect(runnable(state, 0)).toBe(1)
    start(0, 1, 0)
    expect(runnable(state, 0)).toBe(2)
  })

  test('stays nothing while failures have overfilled the next queue', () => {
    const { state, arrive, start, finish, threw } = world({ stages: [{ id: 'A' }, { id: 'B', capacity: 1 }] })
    arrive(0, 1, 2)
    start(0, 0, 0)
    finish(0, 0, 0)
    start(0, 1, 0)
    start(1, 0, 1)
    threw(0, 1, 0)
    finish(1, 0, 1)
    expect(queue(state, 1)).toEqual([0, 1])
    expect(runnable(state, 0)).toBe(0)
  })

  test('reaches as far as the ring at an ordered sink; who is early stands aside and comes in ticket order', () => {
    const { state, arrive, start, finish } = world({ stages: [{ id: 'A', discipline: 'lifo' }], order: { kind: 'buffer', slots: 2 } })
    arrive(0, 1, 2, 3)
    expect(queue(state, 0)).toEqual([1, 0])
    start(0, 0, 1)
    expect(finish(0, 0, 1)).toEqual([])
    expect(runnable(state, 0)).toBe(1)
    start(0, 0, 0)
    expect(finish(0, 0, 0)).toEqual([
      [RELEASED, 0],
      [RELEASED, 1],
    ])
    expect(queue(state, 0)).toEqual([3, 2])
  })
})

describe('failures', () => {
  test('a batch goes back in order and uncounted; a job alone is counted, and failed after its tries', () => {
    const fails = { jobs: [], tries: 2 }
    const { state, arrive, start, threw } = world({ stages: [{ id: 'A', fails }], batch: { size: 2 } })
    arrive(0, 1, 2)
    start(0, 0, 0)
    start(0, 0, 1)
    expect(threw(0, 0, 1)).toEqual([])
    expect(queue(state, 0)).toEqual([0, 1, 2])
    expect([0, 1, 2].map((job) => servedAlone(state, 0, job))).toEqual([true, true, false])
    start(0, 0, 0)
    expect(threw(0, 0, 0)).toEqual([])
    start(0, 0, 0)
    expect(threw(0, 0, 0)).toEqual([[FAILED, 0]])
    expect(queue(state, 0)).toEqual([1, 2])
  })

  test('of two jobs that throw at one time the one that fails leaves the queue, though the other stands before it', () => {
    const { state, arrive, start, threw } = world({ stages: [{ id: 'A', fails: { jobs: [], tries: 2 } }] })
    arrive(0, 1, 2)
    start(0, 0, 0)
    threw(0, 0, 0)
    start(0, 0, 0)
    start(1, 0, 1)
    const rows = createRows()
    for (const worker of [0, 1]) {
      pushRow(rows, 0, THREW, 0, worker, worker)
      apply(state, rows, worker)
    }
    expect(queue(state, 0)).toEqual([1, 0, 2])
    settle(state, rows, 0)
    expect([rowAt(rows, 2), rows.length]).toEqual([expect.objectContaining({ kind: FAILED, stage: 0, job: 0 }), 3])
    expect(queue(state, 0)).toEqual([1, 2])
  })

  test('a job whose worker is lost is not failed for it, however often that happens, and a batch is given out again whole', () => {
    const { state, arrive, start, lose, join, threw } = world({ stages: [{ id: 'A', fails: { jobs: [], tries: 2 } }], batch: { size: 2 } })
    arrive(0, 1)
    const loseWith = (...jobs: number[]) => {
      for (const job of jobs) start(0, 0, job)
      expect(lose(0)).toEqual([])
      expect(queue(state, 0)).toEqual([0, 1])
      join(0)
    }
    for (let k = 0; k < 5; k++) loseWith(0, 1)
    expect(servedAlone(state, 0, 0)).toBe(false)
    start(0, 0, 0)
    expect(threw(0, 0, 0)).toEqual([])
    for (let k = 0; k < 5; k++) loseWith(0)
    start(0, 0, 0)
    expect(threw(0, 0, 0)).toEqual([[FAILED, 0]])
  })

  test('a ticket given up within the ring lets those behind it go', () => {
    const { arrive, start, finish, threw } = world({ stages: [{ id: 'A', fails: { jobs: [], tries: 1 } }], order: { kind: 'buffer', slots: 3 } })
    arrive(0, 1)
    start(0, 0, 0)
    start(1, 0, 1)
    expect(finish(1, 0, 1)).toEqual([])
    expect(threw(0, 0, 0)).toEqual([
      [FAILED, 0],
      [RELEASED, 1],
    ])
  })

  test('a ticket given up far ahead of the ring is passed when the ring comes to it', () => {
    const { state, arrive, start, finish, threw } = world({
      stages: [{ id: 'A', fails: { jobs: [], tries: 1 } }, { id: 'B' }],
      order: { kind: 'buffer', slots: 1 },
    })
    arrive(0, 1, 2, 3)
    for (const job of [0, 1, 2, 3]) {
      start(0, 0, job)
      if (job === 0 || job === 3) finish(0, 0, job)
      else expect(threw(0, 0, job)).toEqual([[FAILED, job]])
    }
    start(0, 1, 0)
    expect(finish(0, 1, 0)).toEqual([[RELEASED, 0]])
    expect(queue(state, 1)).toEqual([3])
    start(0, 1, 3)
    expect(finish(0, 1, 3)).toEqual([[RELEASED, 3]])
  })
})

test('a stage is done when nothing can come to it, waits at it, or is in hands there; a run is drained when all have left', () => {
  const { state, arrive, start, finish, exhaust } = world({ stages })
  const done = () => {
    const marks = new Uint8Array(2)
    markDone(state.topology, state.counts, marks)
    return [...marks]
  }
  arrive(0)
  expect(done()).toEqual([0, 0])
  exhaust()
  expect(done()).toEqual([0, 0])
  start(0, 0, 0)
  expect(done()).toEqual([0, 0])
  finish(0, 0, 0)
  expect(done()).toEqual([1, 0])
  start(0, 1, 0)
  expect(done()).toEqual([1, 0])
  expect(isDrained(state.counts)).toBe(false)
  finish(0, 1, 0)
  expect(done()).toEqual([1, 1])
  expect(isDrained(state.counts)).toBe(true)
})

describe('where jobs of one group exclude each other', () => {
  const source = { kind: 'groups', groups: [2, 2] }
  const startable = (state: State) => state.skipping[0]?.startable() ?? []
  const exclusive = (more: object = {}) => world({ source, stages: [{ id: 'A', resource: 'group', ...more }] })

  test('a stage that skips taken resources may start one job of each group that nobody serves', () => {
    const { state, arrive, start, finish } = exclusive({ whenTaken: 'skip' })
    arrive(0, 1, 2, 3)
    expect([startable(state), runnable(state, 0)]).toEqual([[0, 2], 2])
    start(0, 0, 0)
    expect([startable(state), runnable(state, 0)]).toEqual([[2], 1])
    start(1, 0, 2)
    expect(runnable(state, 0)).toBe(0)
    expect(queue(state, 0)).toEqual([1, 3])
    finish(0, 0, 0)
    expect([startable(state), runnable(state, 0)]).toEqual([[1], 1])
  })

  test('a stage at which workers wait may start all, and tells who waits and who is granted what', () => {
    const { state, arrive, start, finish } = exclusive()
    arrive(0, 1, 2)
    start(0, 0, 0)
    start(1, 0, 1)
    expect([runnable(state, 0), isWaiting(state, 0), isWaiting(state, 1)]).toEqual([1, false, true])
    finish(0, 0, 0)
    expect([isWaiting(state, 1), state.granted]).toEqual([false, [1]])
  })

  test('a worker that is dismissed while it waits lays its job back and goes; one that serves finishes first', () => {
    const { state, arrive, start, finish, dismiss } = exclusive()
    arrive(0, 1)
    start(0, 0, 0)
    start(1, 0, 1)
    dismiss(1, 0, 1)
    expect([queue(state, 0), state.workerJobs, isWaiting(state, 1), state.counts.live]).toEqual([[1], [[0], []], false, 1])
    dismiss(0, 0, NONE)
    expect([state.workerJobs[0], state.counts.live]).toEqual([[0], 1])
    finish(0, 0, 0)
    expect([state.granted, state.counts.live]).toEqual([[], 0])
  })

  test('a worker that is lost, whether it waited or served, gives its job back', () => {
    const { state, arrive, start, lose } = exclusive({ fails: { jobs: [], tries: 1 } })
    arrive(0, 1)
    start(0, 0, 0)
    start(1, 0, 1)
    expect(lose(1)).toEqual([])
    expect(queue(state, 0)).toEqual([1])
    expect(lose(0)).toEqual([])
    expect(queue(state, 0)).toEqual([0, 1])
  })
})

test('in shards a ticket that begins before a smaller one leaves the smaller one where it is', () => {
  const { state, arrive, start, finish } = world({ stages: [{ id: 'A' }, { id: 'B' }], order: { kind: 'shard' } })
  state.shards?.queues[0].deal(2)
  arrive(0, 1, 2, 3)
  const seen = () => [state.shards?.queues[0].startable(), queue(state, 0), state.shards?.queues[0].ownerOf(1)]
  expect(seen()).toEqual([[0, 1], [0, 1, 2, 3], NONE])
  start(1, 0, 1)
  expect(seen()).toEqual([[0], [0, 2, 3], 1])
  finish(1, 0, 1)
  expect(seen()).toEqual([[0, 3], [0, 2, 3], 1])
})
