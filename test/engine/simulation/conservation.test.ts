import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../src/trace/digest.ts'
import { stateAt } from '../../../src/trace/trace.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { constant, play } from './play.ts'

describe('whatever the scenario', () => {
  test('the same scenario gives the same run', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ graphs: true }), async (scenario) => {
        expect(digestOf((await play(scenario)).trace)).toBe(digestOf((await play(scenario)).trace))
      }),
      { numRuns: 30 },
    )
  })
})

describe('every kind of source comes to an end', () => {
  const at = [
    [0, 500],
    [2_000_000, 3000],
  ]
  test.each([
    [{ kind: 'batch', jobs: 40 }, 40],
    [{ kind: 'batch', jobs: 0 }, 0],
    [{ kind: 'poisson', rate: 900, jobs: 40 }, 40],
    [{ kind: 'regular', rate: 900, jobs: 40 }, 40],
    [{ kind: 'sine', max: 20, every: 100_000, duration: 1_000_000 }, -1],
    [{ kind: 'bursts', rate: 10, burstRate: 900, on: 10_000, off: 50_000, jobs: 40 }, 40],
    [{ kind: 'steps', at, jobs: 40 }, 40],
    [{ kind: 'curve', points: at, jobs: 40 }, 40],
    [{ kind: 'times', at: [0, 0, 5, 9999] }, 4],
    [{ kind: 'times', at: [] }, 0],
    [{ kind: 'groups', groups: [5, 0, 20], order: 'spread' }, 25],
    [{ kind: 'lines', jobs: 40 }, 40],
  ])('%o', async (source, jobs) => {
    const { trace } = await play({ source, stages: [constant('A', 900), constant('B', 700)], workers: 2 })
    const { arrived, released } = stateAt(trace, Infinity).counts
    expect(trace.ending).toBe('drained')
    expect(released).toBe(arrived)
    if (jobs >= 0) expect(arrived).toBe(jobs)
    else expect(arrived).toBeGreaterThan(20)
  })
})
