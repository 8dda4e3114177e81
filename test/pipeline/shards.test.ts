import { describe, expect, test } from 'vitest'
import { NONE } from '../../src/pipeline/rows.ts'
import { createShards, passUnreachable, type ShardQueue } from '../../src/pipeline/shards.ts'
import type { Topology } from '../../src/pipeline/topology.ts'
import { createChance } from '../fixtures/chance.ts'

const JOBS = 40
const WORKERS = 6

/** Stages with links between them; shards look at nothing else. */
function graph(links: readonly (readonly [number, number])[], capacity: readonly number[]): Topology {
  const stages = capacity.length
  const ends = (from: 0 | 1, s: number) => Int16Array.from(links.filter((link) => link[from] === s).map((link) => link[1 - from]))
  const ways = Array.from({ length: stages }, (_, s) => ends(0, s))
  const before = Array.from({ length: stages }, (_, s) => ends(1, s))
  return { stages, ways, before, capacity: Int32Array.from(capacity) } as unknown as Topology
}

type Standing = 'to come' | 'waits' | 'held' | 'passed'

/** The plain way: what the comment of a queue in shards says, found again at every look. */
class PlainQueue {
  readonly standing: Standing[] = Array.from({ length: JOBS }, () => 'to come')
  readonly owners = new Map<number, number>()
  shards = 1
  wanted = 1
  private begun = 0
  private readonly reach: (shards: number) => number

  constructor(reach: (shards: number) => number) {
    this.reach = reach
  }

  first(fits: (standing: Standing) => boolean): number {
    const at = this.standing.findIndex(fits)
    return at < 0 ? JOBS : at
  }
  least = (): number => this.first((standing) => standing !== 'passed')
  unbegun = (): number => this.first((standing) => standing === 'to come' || standing === 'waits')

  private mayBegin(ticket: number): boolean {
    return this.standing[ticket] === 'waits' && ticket < this.reach(this.shards) && (this.wanted === this.shards || ticket < this.begun)
  }

  startable(): number[] {
    const heads = Array.from({ length: this.shards }, (_, k) =>
      this.standing.findIndex((standing, ticket) => ticket % this.shards === k && standing !== 'passed'),
    )
    return heads.filter((ticket) => ticket >= 0 && this.mayBegin(ticket)).sort((a, b) => a - b)
  }

  following(ticket: number): number {
    const next = this.standing.findIndex((standing, other) => other > ticket && other % this.shards === ticket % this.shards && standing !== 'passed')
    return next >= 0 && this.mayBegin(next) ? next : NONE
  }

  deal(workers: number): void {
    this.wanted = workers === 0 ? this.shards : workers
    this.change()
  }

  hold(ticket: number, worker: number): void {
    this.standing[ticket] = 'held'
    this.owners.set(ticket % this.shards, worker)
    this.begun = Math.max(this.begun, ticket + 1)
  }

  pass(ticket: number): void {
    this.standing[ticket] = 'passed'
    this.change()
  }

  private change(): void {
    if (this.least() < this.begun) return
    this.shards = this.wanted
    for (const k of [...this.owners.keys()]) if (k >= this.shards) this.owners.delete(k)
  }
}

function listed(queue: ShardQueue): number[] {
  const jobs: number[] = []
  queue.forEach((job) => {
    jobs.push(job)
  })
  return jobs
}

/** All that a queue answers, by one name each. */
function answersOf(queue: ShardQueue) {
  const startable = queue.startable()
  return {
    'may start': startable,
    length: queue.length,
    first: queue.peek(),
    'shards in force, wanted': [queue.shards, queue.wanted],
    'first not passed': queue.least,
    'first not begun': queue.unbegun,
    waits: listed(queue),
    'owners by ticket': Array.from({ length: JOBS }, (_, ticket) => queue.ownerOf(ticket)),
    'is an owner': Array.from({ length: WORKERS }, (_, worker) => queue.isOwner(worker)),
    'what follows': startable.map((ticket) => queue.following(ticket)),
  }
}

function answersOfPlain(plain: PlainQueue): ReturnType<typeof answersOf> {
  const startable = plain.startable()
  return {
    'may start': startable,
    length: startable.length,
    first: startable[0] ?? NONE,
    'shards in force, wanted': [plain.shards, plain.wanted],
    'first not passed': plain.least(),
    'first not begun': plain.unbegun(),
    waits: plain.standing.flatMap((standing, ticket) => (standing === 'waits' ? [ticket] : [])),
    'owners by ticket': plain.standing.map((_, ticket) => plain.owners.get(ticket % plain.shards) ?? NONE),
    'is an owner': Array.from({ length: WORKERS }, (_, worker) => [...plain.owners.values()].includes(worker)),
    'what follows': startable.map((ticket) => plain.following(ticket)),
  }
}

describe('a queue in shards', () => {
  test('offers the tickets that the plain way offers, while tickets come, are begun, go back, fail and pass and the shards change', () => {
    let changes = 0
    for (let seed = 0; seed < 60; seed++) {
      const chance = createChance(seed)
      let tail = 0
      // Every other seed at a stage before another: there it reaches to the last job.
      const isLast = seed % 2 === 0
      const [queue] = createShards(isLast ? graph([], [0]) : graph([[0, 1]], [0, 0]), JOBS, WORKERS, () => tail).queues
      const plain = new PlainQueue((shards) => (isLast ? tail + shards : JOBS))
      const of = (...standings: Standing[]) => plain.standing.flatMap((standing, ticket) => (standings.includes(standing) ? [ticket] : []))
      for (let step = 0; step < 100; step++) {
        const [coming, held, waits] = [of('to come').filter((ticket) => ticket < tail + 15), of('held'), of('waits')]
        const act = chance.pick(['come', 'come', 'begin', 'begin', 'begin', 'pass', 'pass', 'pass', 'back', 'fail', 'skip', 'deal', 'leave'])
        if (act === 'come' && coming.length > 0) {
          const ticket = chance.pick(coming)
          plain.standing[ticket] = 'waits'
          queue.push(ticket)
        } else if (act === 'begin' && plain.startable().length > 0) {
          const worker = chance.below(WORKERS)
          const [asked] = plain.startable()
          // A worker takes a ticket and, now and then, what follows it in its shard.
          const batch = [chance.percent(50) ? asked : chance.pick(plain.startable())]
          while (chance.percent(40) && plain.following(batch[batch.length - 1]) !== NONE) batch.push(plain.following(batch[batch.length - 1]))
          for (const ticket of batch) {
            if (queue.peek() === ticket) expect(queue.take()).toBe(ticket)
            else expect(queue.remove(ticket)).toBe(true)
            queue.hold(ticket, worker)
            plain.hold(ticket, worker)
          }
        } else if (act === 'pass' && held.length > 0) {
          const ticket = chance.pick(held)
          queue.pass(ticket)
          plain.pass(ticket)
        } else if (act === 'back' && held.length > 0) {
          const ticket = chance.pick(held)
          queue.putBack([ticket])
          plain.standing[ticket] = 'waits'
        } else if (act === 'fail' && waits.length > 0) {
          const ticket = chance.pick(waits)
          expect(queue.remove(ticket)).toBe(true)
          expect(queue.remove(ticket)).toBe(false)
          queue.pass(ticket)
          plain.pass(ticket)
        } else if (act === 'skip' && coming.length > 0) {
          // A ticket that can come here no more.
          const ticket = chance.pick(coming)
          queue.pass(ticket)
          plain.pass(ticket)
        } else if (act === 'deal') {
          const before = plain.shards
          const workers = chance.below(WORKERS + 1)
          queue.deal(workers)
          plain.deal(workers)
          if (plain.shards !== before) changes++
        } else if (act === 'leave' && plain.standing[tail] === 'passed') tail++
        expect(answersOf(queue), `after step ${step}, ${act}, of seed ${seed}`).toEqual(answersOfPlain(plain))
      }
    }
    expect(changes).toBeGreaterThan(50)
  })

  test('with no ticket to start has nothing to take', () => {
    const [queue] = createShards(graph([], [0]), 4, 2, () => 0).queues
    expect([queue.length, queue.peek(), queue.take(), queue.remove(2), queue.startable()]).toEqual([0, NONE, NONE, false, []])
    expect(queue.ownerOf(0)).toBe(NONE)
  })
})

describe('how far shards reach', () => {
  test('is to the last job where queues behind have no bound, and to their free places where one has', () => {
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
    // Ticket 3 would be the fourth that stage 1 has not begun.
    expect(queues[0].startable()).toEqual([0, 1, 2])
    queues[1].push(0)
    queues[1].hold(0, 1)
    expect(queues[0].startable()).toEqual([0, 1, 2, 3])
    const open = createShards(graph([[0, 1]], [0, 0]), JOBS, 20, () => 0).queues[0]
    for (let ticket = 0; ticket < 20; ticket++) open.push(ticket)
    open.deal(20)
    expect(open.startable()).toHaveLength(20)
  })

  test('is at a last stage as many tickets as there are shards, from the first that has not left', () => {
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
  /** 0 routes to 1 or 2; 1 goes on to 3, and both 2 and 3 meet at 4. */
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
    const pass = (stage: number, to: number, job: number) => passUnreachable(shards, topology, stage, to, job, (at) => passed.push(at))
    return { shards, passed, pass }
  }

  test('passes the stages that it cannot reach any more, and not those that it reaches another way', () => {
    const { shards, passed, pass } = routed()
    pass(0, 2, 0)
    expect(passed).toEqual([1, 3])
    expect(shards.queues.map(({ least }) => least)).toEqual([0, 1, 0, 1, 0])
  })

  test('passes a stage with several feeders when it comes by none of them', () => {
    const { shards, passed, pass } = routed()
    pass(0, 1, 0)
    expect(passed).toEqual([2])
    // Then it fails at stage 1: nothing leads to 3 or 4.
    pass(1, NONE, 0)
    expect(passed).toEqual([2, 3, 4])
    expect(shards.queues.map(({ least }) => least)).toEqual([0, 0, 1, 1, 1])
    // Another job is counted by itself.
    pass(0, 1, 1)
    expect(passed.slice(3)).toEqual([2])
  })

  test('passes a stage with three feeders only when the third has let it go', () => {
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
    for (const stage of [0, 1, 2]) passUnreachable(shards, topology, stage, NONE, 0, (at) => passed.push(`${at} after ${stage}`))
    expect(passed).toEqual(['3 after 2'])
    // Links are counted only where there are several.
    expect(shards.missed.map(({ length }) => length)).toEqual([0, 0, 0, JOBS])
  })
})

test('a ticket that is taken waits no more, and the queue does not offer it again', () => {
  const [queue] = createShards(graph([[0, 1]], [0, 0]), JOBS, WORKERS, () => 0).queues
  for (const ticket of [0, 1]) queue.push(ticket)
  expect([queue.take(), queue.take(), listed(queue)]).toEqual([0, NONE, [1]])
})
