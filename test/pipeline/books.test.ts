import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apply, skipConsequences } from '../../src/pipeline/apply.ts'
import { countRow } from '../../src/pipeline/countRow.ts'
import { BUSY, type Counts, countStaffed, createCounts, IDLE, isDrained, markDone } from '../../src/pipeline/counts.ts'
import type { JobQueue } from '../../src/pipeline/discipline.ts'
import { applySeats } from '../../src/pipeline/journal.ts'
import { createOutlook, lookAhead } from '../../src/pipeline/outlook.ts'
import { kinds, PREFETCH, type Row, STARTED, STOPPED, TICK } from '../../src/pipeline/rows.ts'
import { createState, expectsReply, isWaiting, runnable, type State } from '../../src/pipeline/state.ts'
import { topologyOf } from '../../src/pipeline/topology.ts'
import type { Policy, Scenario } from '../../src/scenario/model/scenario.ts'
import { type Trace, traceRow } from '../../src/trace/trace.ts'
import { groupingOf } from '../../src/workload/groups.ts'
import { createServices, routingOf, sizesOf } from '../../src/workload/service.ts'
import { playTrace } from '../engine/simulation/play.ts'
import { anyScenario, elasticPolicies } from '../fixtures/anyScenario.ts'
import { Books } from '../seeds/books.ts'
import { naiveOutlook } from '../seeds/naiveOutlook.ts'

const by = <T>(length: number, value: (i: number) => T): T[] => Array.from({ length }, (_, i) => value(i))

/** The values of the counts, and below the same from books that hold lists of jobs instead of numbers. */
function counted(counts: Counts, stages: number, workers: number) {
  const posted = by(stages, () => 0)
  countStaffed(counts, posted)
  return {
    'time, arrived, outside': [counts.time, counts.arrived, counts.outside],
    'parked, released, failed, away, given up': [
      counts.parked,
      counts.released,
      counts.failed,
      counts.away,
      counts.gaveUp,
    ],
    'exhausted, stopped, phase, alive': [counts.exhausted, counts.stopped, counts.phase, counts.live],
    drained: isDrained(counts),
    waiting: [...counts.waiting],
    'in hands': [...counts.inHands],
    'waiting for other parts': [...counts.gathering],
    finished: [...counts.finished],
    'service time': [...counts.serviceSum],
    busy: [...counts.busy],
    'at each stage': posted,
    'by worker: idle or busy': by(workers, (w) => counts.status[w] === IDLE || counts.status[w] === BUSY),
    'by worker: busy': by(workers, (w) => counts.status[w] === BUSY),
    'by worker: stage': by(workers, (w) => (counts.status[w] === BUSY ? counts.stage[w] : null)),
    'by worker: jobs, prefetched': by(workers, (w) => [counts.jobsInHand[w], counts.prefetched[w]]),
    'by worker: since when at its batch': by(workers, (w) => (counts.status[w] === BUSY ? counts.since[w] : null)),
    'by worker: to leave': by(workers, (w) => counts.leaving[w]),
  }
}

function countedInBooks(books: Books, stages: number, workers: number): ReturnType<typeof counted> {
  const busy = (w: number) => books.hand(w).length > 0
  return {
    'time, arrived, outside': [books.time, books.arrived, books.outside.length],
    'parked, released, failed, away, given up': [
      books.parked.size,
      books.released.length,
      books.failed.size,
      books.away.size,
      books.gaveUp.size,
    ],
    'exhausted, stopped, phase, alive': [books.exhausted, books.stopped, books.phasesBegun, books.alive()],
    drained: books.drained(),
    waiting: by(stages, (s) => books.waiting(s)),
    'in hands': by(stages, (s) => books.inHands(s)),
    'waiting for other parts': by(stages, (s) => books.gathered.filter((part) => part.startsWith(`${s} `)).length),
    finished: books.measured.map((services) => services.length),
    'service time': [...books.serviceSum],
    busy: by(stages, (s) => books.busy(s)),
    'at each stage': by(stages, (s) => books.posted(s)),
    'by worker: idle or busy': by(workers, (w) => books.live[w] === true),
    'by worker: busy': by(workers, busy),
    'by worker: stage': by(workers, (w) => (busy(w) ? books.assigned[w] : null)),
    'by worker: jobs, prefetched': by(workers, (w) => [
      books.hand(w).length + books.second(w).length,
      books.second(w).length,
    ]),
    'by worker: since when at its batch': by(workers, (w) => (busy(w) ? books.givenAt[w] : null)),
    'by worker: to leave': by(workers, (w) => (books.going.has(w) ? 1 : 0)),
  }
}

function listed(queue: JobQueue): number[] {
  const jobs: number[] = []
  queue.forEach((job) => void jobs.push(job))
  return jobs
}

const policiesThatLook: readonly Policy[] = [
  { kind: 'preallocate', hops: 1, lend: true },
  { kind: 'preallocate', hops: 3, lend: true },
  { kind: 'deadline', due: 7000, lend: true },
]

/** Where each job is, and which jobs may start; done marks carry over from row to row. */
function placed(state: State, done: Uint8Array) {
  const { topology, counts, shards } = state
  const [stages, workers] = [topology.stages, counts.status.length]
  markDone(topology, counts, done)
  return {
    outside: listed(state.outside),
    queues: state.queues.map((queue) => (shards === null ? listed(queue) : listed(queue).sort((a, b) => a - b))),
    'too far ahead of the ring': state.early.map(listed),
    'failed ahead of the ring': listed(state.failedTickets),
    'may start': by(stages, (s) => runnable(state, s)),
    'may start by group or shard': by(stages, (s) => (shards?.queues[s] ?? state.skipping[s])?.startable() ?? null),
    hands: by(workers, (w) => state.workerJobs[w]),
    'waits for a resource': by(workers, (w) => isWaiting(state, w)),
    'a reply counts': by(workers, (w) => expectsReply(state, w, state.leases[w])),
    'has the lease of a second batch': by(workers, (w) => state.prefetchLeases[w] > 0),
    'served alone': [...state.tries.keys()].map((key) => `${key % 256} ${Math.floor(key / 256)}`).sort(),
    tail: state.buffer?.tail ?? null,
    done: [...done].map((mark) => mark === 1),
  }
}

function placedInBooks(books: Books, workers: number, slots: number): ReturnType<typeof placed> {
  const stages = books.line.length
  return {
    outside: books.outside,
    queues: books.queues.map((queue) =>
      books.shards === null ? queue.map(({ job }) => job) : queue.map(({ job }) => job).sort((a, b) => a - b),
    ),
    'too far ahead of the ring': books.early,
    'failed ahead of the ring': books.ordered
      ? [...books.failed].filter((job) => job >= books.tail + slots).sort((a, b) => a - b)
      : [],
    'may start': by(stages, (s) => books.runnable(s)),
    'may start by group or shard': by(stages, (s) => {
      const { resource, whenTaken } = books.scenario.stages[s]
      return books.shards !== null || (resource !== null && whenTaken === 'skip') ? books.ready(s) : null
    }),
    hands: by(workers, (w) => [...books.hand(w), ...books.second(w)]),
    'waits for a resource': by(workers, (w) => books.waitsSince(w) >= 0),
    'a reply counts': by(workers, (w) => books.hand(w).length > 0),
    'has the lease of a second batch': by(workers, (w) => books.second(w).length > 0),
    'served alone': [...books.tries.keys()].sort(),
    tail: books.ordered ? books.tail : null,
    done: by(stages, (s) => books.done(s)),
  }
}

/** What policies see besides the queues: coming jobs and their urgency. */
function seenAhead({ topology, counts }: State, arrivals: readonly number[]) {
  return policiesThatLook.map((policy) => {
    const outlook = createOutlook(topology)
    lookAhead(policy, topology, counts, arrivals, outlook)
    return by(topology.stages, (s) => [outlook.coming[s].toPrecision(9), outlook.urgency[s].toPrecision(9)])
  })
}

function seenAheadInBooks(books: Books): ReturnType<typeof seenAhead> {
  return policiesThatLook.map((policy) =>
    by(books.line.length, (s) => {
      const { coming, urgency } = naiveOutlook(books, policy, s)
      return [coming.toPrecision(9), urgency.toPrecision(9)]
    }),
  )
}

function expectSame(told: object, booked: object, row: Row): void {
  // Comparing texts is fast; where they differ, the lists say where.
  if (JSON.stringify(told) !== JSON.stringify(booked))
    expect(told, `after ${kinds[row.kind]} at ${row.time}`).toEqual(booked)
}

/** Applies a run row by row to counts, to a state and to books. While rows for parts of failed jobs are pending, they differ. */
function foldBesideBooks(trace: Trace, seen: Set<number>): void {
  const { scenario, decisions } = trace
  const topology = topologyOf(scenario)
  const services = createServices(scenario)
  const folds = [
    (stage: number, job: number) => services.at(stage, job),
    groupingOf(scenario),
    routingOf(scenario),
  ] as const
  const [counts, state, books] = [
    createCounts(scenario),
    createState(scenario, sizesOf(scenario, folds[0]), folds[1], folds[2]),
    new Books(scenario, ...folds),
  ]
  const [stages, workers] = [scenario.stages.length, counts.status.length]
  const done = new Uint8Array(stages)
  const seats = by(stages, () => 0)
  let d = 0
  for (let i = 0; i < trace.length; i++) {
    for (; d < decisions.length && decisions.row[d] === i; d++) {
      applySeats(decisions, d, seats)
      books.shards?.deal(seats)
      state.shards?.queues.forEach((queue, s) => void queue.deal(seats[s]))
    }
    const row = traceRow(trace, i)
    seen.add(row.kind)
    // Small runs fill one chunk.
    countRow(topology, counts, trace.chunks[0], i)
    apply(state, trace.chunks[0], i)
    skipConsequences(state)
    books.enter(row)
    if (books.owed.length > 0 || books.doomed.size > 0) continue
    const expected = countedInBooks(books, stages, workers)
    expectSame(counted(counts, stages, workers), expected, row)
    expectSame(counted(state.counts, stages, workers), expected, row)
    if (row.kind !== PREFETCH) expectSame(placed(state, done), placedInBooks(books, workers, topology.slots), row)
    if (row.kind === STARTED) expectSame(seenAhead(state, books.arrivedAt), seenAheadInBooks(books), row)
  }
}

test('counts and state agree after every row with books of lists, under every policy, with graphs, faults, batches, bounded queues and shards', async () => {
  const seen = new Set<number>()
  const orders = new Set<Scenario['order']['kind']>()
  const common = { graphs: true, workerEvents: true, fails: true, capacity: true, code: false, jobs: 25 }
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(anyScenario(common), anyScenario({ ...common, policies: elasticPolicies })),
      async (scenario) => {
        orders.add(scenario.order.kind)
        foldBesideBooks(await playTrace(scenario), seen)
      },
    ),
    { numRuns: 24, seed: 8 },
  )
  await fc.assert(
    fc.asyncProperty(anyScenario({ ...common, clients: true }), async (scenario) =>
      foldBesideBooks(await playTrace(scenario), seen),
    ),
    { numRuns: 16, seed: 8 },
  )
  const unseen = kinds.filter((_, kind) => !seen.has(kind) && kind !== STOPPED && kind !== TICK)
  expect([unseen, orders.size]).toEqual([[], 3])
})
