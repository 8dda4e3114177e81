import { describe, expect, test } from 'vitest'
import type { Scenario, Stage } from '../../src/scenario/model/scenario.ts'
import { createRandom, randomKey } from '../../src/workload/random.ts'
import { routingOf } from '../../src/workload/service.ts'

/** Stages A to D, of which A routes with these weights; routing uses nothing else. */
function routedBy(route: Readonly<Record<string, number>>, seed = 1): (stage: number, job: number) => number {
  const stages = ['A', 'B', 'C', 'D'].map((id) => ({ id, fanOut: id === 'A' ? { route } : 'copy' }) as unknown as Stage)
  return routingOf({ seed, stages } satisfies Pick<Scenario, 'seed' | 'stages'>)
}

const jobs = Array.from({ length: 4000 }, (_, job) => job)

describe('the way of a job from a stage that routes', () => {
  test('leads to the listed stages, in proportion to their weights, and to no other', () => {
    const to = routedBy({ B: 3, D: 1 })
    const counts = [0, 0, 0, 0]
    for (const job of jobs) counts[to(0, job)]++
    expect([counts[0], counts[2]]).toEqual([0, 0])
    // 4.5 standard deviations of a share of three quarters.
    expect(Math.abs(counts[1] - 3000)).toBeLessThan(4.5 * Math.sqrt(4000 * 0.75 * 0.25))
  })

  test('depends only on the ratio of the weights, not on their sum', () => {
    const small = routedBy({ B: 0.25, C: 0.5, D: 0.25 })
    const great = routedBy({ B: 100, C: 200, D: 100 })
    for (const job of jobs) expect(great(0, job)).toBe(small(0, job))
  })

  test('is the only link, if there is one', () => {
    expect(new Set(jobs.map((job) => routedBy({ C: 0.000001 })(0, job)))).toEqual(new Set([2]))
  })

  test('is pinned by the seed and the id of the stage: a change here would change every shared scenario', () => {
    const ways = (seed: number) =>
      Array.from({ length: 12 }, (_, job) => routedBy({ B: 1, C: 1, D: 2 }, seed)(0, job)).join('')
    expect([ways(1), ways(2)]).toEqual(['111231333331', '212333113233'])
  })

  test('does not depend on the service time of the job there, nor on the routes of other stages: each has its own random numbers', () => {
    const stages = ['A', 'B'].map((id) => ({ id, fanOut: { route: { A: 1, B: 1 } } }) as unknown as Stage)
    const to = routingOf({ seed: 1, stages })
    const [costs, gaps] = ['A', 'source'].map((id) => createRandom(1, randomKey(id)))
    for (const other of [
      (job: number) => costs(job, 0) < 0.5,
      (job: number) => gaps(job, 0) < 0.5,
      (job: number) => to(1, job) === 0,
    ]) {
      const together = jobs.filter((job) => other(job) === (to(0, job) === 0)).length
      expect(Math.abs(together - 2000)).toBeLessThan(4.5 * Math.sqrt(4000 / 4))
    }
  })

  test('is computed only where jobs are routed', () => {
    expect(() => routedBy({ B: 1 })(1, 0)).toThrow('stage 1 routes nothing')
  })
})
