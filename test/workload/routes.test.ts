import { describe, expect, test } from 'vitest'
import type { Scenario, Stage } from '../../src/scenario/model/scenario.ts'
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

  test('is pinned by the seed and the id of the stage: a change here would change every shared scenario', () => {
    const ways = (seed: number) =>
      Array.from({ length: 12 }, (_, job) => routedBy({ B: 1, C: 1, D: 2 }, seed)(0, job)).join('')
    expect([ways(1), ways(2)]).toEqual(['111231333331', '212333113233'])
  })
})
