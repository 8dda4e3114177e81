import { describe, expect, test } from 'vitest'
import { divisorsOf } from '../../src/allocation/rules.ts'
import { NONE } from '../../src/pipeline/rows.ts'
import { canGive, createPosting, drawPosts, matchPosts, mostWanted, type Posting, type PostTable } from '../../src/scheduler/posts.ts'
import { Roster } from '../../src/scheduler/roster.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'

interface World {
  readonly posting: Posting
  readonly table: PostTable
}

/** Places 0, 1, ... in tie order, where jobs may start, workers stand and seats are; place k is stage k. */
function worldOf({
  runnable,
  staffed,
  seats,
  weights = runnable.map(() => 1),
  lend = true,
  kind = 'leastScore',
  idle = 0,
  held = 0,
  batch = 1,
  adaptive = false,
}: {
  readonly runnable: readonly number[]
  readonly staffed: readonly number[]
  readonly seats: readonly number[]
  readonly weights?: readonly number[]
  readonly lend?: boolean
  readonly kind?: string
  readonly idle?: number
  readonly held?: number
  readonly batch?: number
  readonly adaptive?: boolean
}): World {
  const stages = runnable.length
  const posting = createPosting(stages, 20, Int32Array.from(runnable))
  posting.staffed.set(staffed)
  posting.idle = idle
  posting.held = held
  const table = {
    scenario: { policy: { kind, lend }, batch: { size: adaptive ? undefined : batch }, stages: runnable.map(() => ({ resource: null })), switchCost: 0 },
    state: { shards: null, counts: { waiting: Int32Array.from(runnable) } },
    stageOf: Int16Array.from(runnable.keys()),
    weights: Float64Array.from(weights),
    divisors: divisorsOf('jefferson', 40),
    seats: Int32Array.from(seats),
    roster: new Roster(stages, 20),
    // Services so short that batches may have any length.
    estimates: { count: runnable.map(() => 1), mean: runnable.map(() => 1) },
    messages: { roundTrip: 0 },
  } as unknown as PostTable
  return { posting, table }
}

function anyWorld(chance: Chance) {
  const stages = chance.between(1, 4)
  const some = (most: number) => Array.from({ length: stages }, () => chance.below(most + 1))
  const lend = chance.percent(50)
  return {
    runnable: some(3),
    staffed: some(3),
    seats: some(3),
    weights: some(4),
    lend,
    idle: chance.below(9),
    held: chance.below(4),
    batch: chance.between(1, 3),
  }
}

/** The plain way: of all places that may have a worker the one that comes first when they are sorted. */
function plainMostWanted({ runnable, staffed, seats, weights, lend }: ReturnType<typeof anyWorld>): number {
  const open = [...runnable.keys()].filter((k) => runnable[k] > 0 && (lend || seats[k] > staffed[k]))
  const short = (k: number) => seats[k] - staffed[k]
  const claim = (k: number) => weights[k] / (staffed[k] + 1)
  return open.sort((a, b) => short(b) - short(a) || claim(b) - claim(a) || a - b)[0] ?? NONE
}

describe('where one more worker is wanted most', () => {
  test('is where most seats are empty, then where its claim is greater, then at the first place', () => {
    for (let seed = 0; seed < 2000; seed++) {
      const asked = anyWorld(createChance(seed))
      const { posting, table } = worldOf(asked)
      expect(mostWanted(posting, table), `seed ${seed}`).toBe(plainMostWanted(asked))
    }
  })

  test('is nowhere without a job that may start, and without an empty seat unless the policy lends', () => {
    const full = { runnable: [2, 2], staffed: [1, 2], seats: [1, 1] }
    const wanted = (more: Parameters<typeof worldOf>[0]) => {
      const { posting, table } = worldOf(more)
      return mostWanted(posting, table)
    }
    expect(wanted({ ...full, lend: false })).toBe(NONE)
    expect(wanted({ ...full, lend: true })).toBe(0)
    expect(wanted({ ...full, seats: [1, 3], lend: false })).toBe(1)
    expect(wanted({ ...full, seats: [5, 5], runnable: [0, 0] })).toBe(NONE)
    // Far above its seats a place is still served, if nowhere else a job may start.
    expect(wanted({ runnable: [1], staffed: [19], seats: [0] })).toBe(0)
  })
})

describe('posts', () => {
  test('are drawn one by one where a worker is wanted most, as many as idle workers are not held back', () => {
    for (let seed = 0; seed < 1000; seed++) {
      const asked = anyWorld(createChance(seed))
      const { posting, table } = worldOf(asked)
      drawPosts(posting, table)
      const [runnable, staffed] = [[...asked.runnable], [...asked.staffed]]
      const drawn: number[] = []
      while (drawn.length < asked.idle - asked.held) {
        const best = plainMostWanted({ ...asked, runnable, staffed })
        if (best === NONE) break
        drawn.push(best)
        staffed[best]++
        runnable[best] -= asked.batch
      }
      expect([...posting.place.slice(0, posting.posts)], `seed ${seed}`).toEqual(drawn)
      expect([...posting.staffed], `workers after seed ${seed}`).toEqual(staffed)
      expect([...posting.runnable], `jobs left after seed ${seed}`).toEqual(runnable)
      expect([...posting.size.slice(0, posting.posts)]).toEqual(drawn.map(() => asked.batch))
    }
  })

  test('take a share of the jobs each: of all workers who are there then, lent ones too, or of the seats if these are more (seeds 1 to 300)', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const chance = createChance(seed)
      const [jobs, seats, staffed, idle] = [chance.between(1, 60), chance.below(8), chance.below(8), chance.between(1, 10)]
      const { posting, table } = worldOf({ runnable: [jobs], staffed: [staffed], seats: [seats], idle, adaptive: true })
      drawPosts(posting, table)
      const shares: number[] = []
      for (let [left, there] = [jobs, staffed + 1]; left > 0 && shares.length < idle; there++) {
        shares.push(Math.ceil(left / Math.max(seats, there)))
        left -= shares[shares.length - 1]
      }
      expect([...posting.size.subarray(0, posting.posts)], `seed ${seed}`).toEqual(shares)
    }
  })

  test('are matched to workers who are there, then to those without a stage if posts are pinned, then to the lowest numbers', () => {
    for (let seed = 0; seed < 1000; seed++) {
      const chance = createChance(seed)
      const stages = chance.between(1, 3)
      const kind = chance.pick(['leastScore', 'leastScore', 'single'])
      const lend = chance.percent(50)
      const { posting, table } = worldOf({ runnable: Array.from({ length: stages }, () => 9), staffed: [], seats: [], kind, lend })
      const at = new Map<number, number>()
      for (let worker = 0; worker < 12; worker++) if (chance.percent(60)) at.set(worker, chance.between(NONE, stages - 1))
      const idle = [...at.keys()]
      for (const worker of idle) table.roster.free(worker, at.get(worker) ?? NONE)
      posting.idle = idle.length
      posting.posts = kind === 'single' ? Math.min(1, idle.length) : chance.below(idle.length + 1)
      for (let p = 0; p < posting.posts; p++) posting.place[p] = chance.below(stages)
      matchPosts(posting, table)
      const free = [...idle]
      const worker: number[] = Array.from({ length: posting.posts }, () => NONE)
      const match = (fits: (candidate: number, place: number) => boolean) => {
        for (const p of worker.keys()) {
          const found = worker[p] === NONE ? free.findIndex((candidate) => fits(candidate, posting.place[p])) : -1
          if (found >= 0) worker[p] = free.splice(found, 1)[0]
        }
      }
      if (kind !== 'single') match((candidate, place) => at.get(candidate) === place)
      if (kind !== 'single' && !lend) match((candidate) => at.get(candidate) === NONE)
      match(() => true)
      expect([...posting.worker.slice(0, posting.posts)], `seed ${seed}`).toEqual(worker)
      // Matching alone makes nobody busy.
      for (const each of idle) expect(table.roster.isIdleAt(each, at.get(each) ?? NONE)).toBe(true)
    }
  })
})

describe('something can be given', () => {
  const state = { counts: {}, topology: { exclusive: Uint8Array.of(0, 1) } } as unknown as Parameters<typeof canGive>[1]
  const can = (runnable: readonly number[], idle: number, takers: Parameters<typeof canGive>[3] = null) => {
    const { posting } = worldOf({ runnable, staffed: [], seats: [], idle })
    return canGive(posting, state, Int16Array.of(0, 1), takers)
  }
  const everybody = { first: () => 7 } as unknown as Parameters<typeof canGive>[3]

  test('to an idle worker wherever a job may start', () => {
    expect([can([0, 1], 1), can([1, 0], 1), can([0, 0], 1), can([1, 1], 0)]).toEqual([true, true, false, false])
  })

  test('to a busy worker as a second batch, but never where jobs need a resource', () => {
    expect([can([1, 0], 0, everybody), can([0, 1], 0, everybody), can([0, 0], 0, everybody)]).toEqual([true, false, false])
  })
})
