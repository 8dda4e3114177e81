import { describe, expect, test } from 'vitest'
import {
  bestSchedule,
  type Chains,
  type OptimumGoal,
  type PlannedStart,
} from '../../../../src/features/compare/study/optimum.ts'
import { createRandom, randomKey } from '../../../../src/workload/random.ts'
import { repeats } from '../../../fixtures/extent.ts'

const goals: readonly OptimumGoal[] = ['makespan', 'flow']

/** A few jobs with short whole times, so that equal ones and ties are frequent. */
function anyChains(seed: number, most: number): Chains {
  const random = createRandom(seed, randomKey('optimum'))
  let drawn = 0
  const below = (n: number) => Math.floor(random(0, drawn++) * n)
  const jobs = 1 + below(most)
  const stages = 1 + below(2)
  const services = Array.from({ length: jobs }, () =>
    Array.from({ length: Math.max(1, stages - (below(4) === 0 ? 1 : 0)) }, () => [1, 1, 2, 5][below(4)]),
  )
  return { workers: 1 + below(2), arrivals: services.map(() => (below(2) === 0 ? 0 : below(3))), services }
}

/** The least cost by plain enumeration: at every whole time, every set of jobs that may begin, also the empty set. It has no bounds, and tries each state once. */
function bruteForce({ workers, arrivals, services, inOrder = false }: Chains, goal: OptimumGoal): number {
  const horizon = Math.max(...arrivals) + services.flat().reduce((a, b) => a + b, 0)
  let least = Infinity
  const tried = new Set<string>()
  const at = (now: number, places: readonly number[], ready: readonly number[], left: number): void => {
    if (places.every((place, job) => place === services[job].length)) {
      least = Math.min(least, left)
      return
    }
    if (now > horizon || left >= least) return
    const moment = [now, left, ...places, ...ready].join(' ')
    if (tried.has(moment)) return
    tried.add(moment)
    const busy = ready.filter((time, job) => places[job] > 0 && time > now).length
    const open = places.flatMap((place, job) => (place < services[job].length && ready[job] <= now ? [job] : []))
    for (let chosen = 0; chosen < 1 << open.length; chosen++) {
      const begins = open.filter((_, k) => (chosen >> k) & 1)
      if (begins.length > workers - busy) continue
      const overtakes = (job: number, other: number) =>
        places[other] === places[job] && ready[other] < ready[job] && !begins.includes(other)
      if (inOrder && begins.some((job) => open.some((other) => overtakes(job, other)))) continue
      const ends = new Map(begins.map((job) => [job, now + services[job][places[job]]]))
      const leaving = begins.filter((job) => places[job] + 1 === services[job].length).map((job) => ends.get(job) ?? 0)
      const cost = goal === 'makespan' ? Math.max(left, ...leaving) : left + leaving.reduce((a, b) => a + b, 0)
      at(
        now + 1,
        places.map((place, job) => place + (ends.has(job) ? 1 : 0)),
        ready.map((time, job) => ends.get(job) ?? time),
        cost,
      )
    }
  }
  at(
    0,
    services.map(() => 0),
    arrivals,
    0,
  )
  return least
}

/** Throws unless the starts are a schedule: in order, with enough workers, and of this cost. */
function costOf({ workers, arrivals, services }: Chains, starts: readonly PlannedStart[], goal: OptimumGoal): number {
  const ends = services.map((chain, job) => {
    let ready = arrivals[job]
    for (const [k, time] of chain.entries()) {
      const start = starts.find((each) => each.job === job && each.place === k)
      if (start === undefined || start.time < ready) throw new Error(`job ${job} begins too soon`)
      ready = start.time + time
    }
    return ready
  })
  const busyAt = (time: number) =>
    starts.filter((each) => each.time <= time && time < each.time + services[each.job][each.place]).length
  for (const { time } of starts) expect(busyAt(time)).toBeLessThanOrEqual(workers)
  return goal === 'makespan' ? Math.max(...ends) : ends.reduce((a, b) => a + b, 0)
}

describe('the best schedule', () => {
  test('costs the same as full enumeration, and is a schedule', () => {
    for (let seed = 0; seed < repeats(32); seed++) {
      const chains = anyChains(seed, 3)
      // Full enumeration takes too long for more.
      if (chains.services.flat().reduce((a, b) => a + b, 0) > 12) continue
      for (const goal of goals) {
        const best = bestSchedule(chains, goal, 1_000_000)
        expect([seed, goal, best.cost, best.proven]).toEqual([seed, goal, bruteForce(chains, goal), true])
        expect(costOf(chains, best.starts, goal)).toBe(best.cost)
      }
    }
  })

  test('in queue order costs the same as full enumeration in that order', () => {
    const seen = { dearer: 0, equal: 0 }
    for (let seed = 0; seed < repeats(100); seed++) {
      const chains = { ...anyChains(seed, 3 + (seed % 2)), inOrder: true }
      if (chains.services.flat().reduce((a, b) => a + b, 0) > (chains.services.length > 3 ? 9 : 12)) continue
      for (const goal of goals) {
        const best = bestSchedule(chains, goal, 1_000_000)
        expect([seed, goal, best.cost, best.proven]).toEqual([seed, goal, bruteForce(chains, goal), true])
        expect(costOf(chains, best.starts, goal)).toBe(best.cost)
        seen[best.cost > bestSchedule({ ...chains, inOrder: false }, goal, 1_000_000).cost ? 'dearer' : 'equal']++
      }
    }
    expect(Math.min(seen.dearer, seen.equal)).toBeGreaterThan(0)
  })

  test('lets a worker wait on purpose if that is best', () => {
    // A long job is there; a short one comes at once after. With one worker the sum of leaving times is less if the short one goes first.
    const chains = { workers: 1, arrivals: [0, 1], services: [[100], [1]] }
    expect(bestSchedule(chains, 'flow', 1000)).toMatchObject({
      cost: 2 + 102,
      starts: [{ job: 1 }, { job: 0 }],
      proven: true,
    })
  })

  const equal = { workers: 2, arrivals: Array(8).fill(0), services: Array(8).fill([5, 5]) }
  const uneven = {
    workers: 2,
    arrivals: [0, 0, 0, 4, 4, 7],
    services: [
      [3, 5],
      [5, 5],
      [2, 5],
      [4, 4],
      [1, 7],
      [1, 1],
    ],
  }
  const single = { workers: 1, arrivals: [0, 1, 1, 5, 6], services: [[9], [2], [4], [1], [3]] }
  const five = { workers: 2, arrivals: [0, 0, 0, 0, 0], services: [[7], [5], [3], [4], [4]] }
  test.each<[string, Chains, OptimumGoal, cost: number, steps: number]>([
    ['five jobs', five, 'flow', 37, 80],
    ['five jobs in order', { ...five, inOrder: true }, 'flow', 37, 102],
    ['one worker in order', { ...single, inOrder: true }, 'flow', 70, 28],
    ['eight equal jobs', equal, 'flow', 200, 67],
    ['uneven jobs', uneven, 'flow', 83, 1387],
    ['uneven jobs in order', { ...uneven, inOrder: true }, 'flow', 91, 2419],
  ])(
    'of %s is proven in no more and no fewer steps than it was: the bound, the memory and equal jobs cut off the rest',
    (_, chains, goal, cost, steps) => {
      expect(bestSchedule(chains, goal, steps)).toMatchObject({ cost, proven: true })
      expect(bestSchedule(chains, goal, steps - 1).proven).toBe(false)
    },
  )

  test('can be searched below a given cost, and exists for no jobs', () => {
    for (const goal of goals) {
      const { cost, starts } = bestSchedule(uneven, goal, 10_000)
      expect(bestSchedule(uneven, goal, 10_000, cost + 1)).toMatchObject({ cost, starts, proven: true })
      expect(bestSchedule(uneven, goal, 10_000, cost)).toEqual({ cost: Infinity, starts: [], proven: true })
      expect(bestSchedule({ workers: 1, arrivals: [], services: [] }, goal, 10)).toEqual({
        cost: 0,
        starts: [],
        proven: true,
      })
    }
  })
})
