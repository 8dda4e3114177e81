import { describe, expect, test } from 'vitest'
import { FINISHED } from '../../../src/pipeline/rows.ts'
import { createServices } from '../../../src/workload/service.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { constant, play } from './play.ts'

/**
 * A plain version of processor sharing, for one stage, first come first served: every burner gets cores / burners of a
 * core (at most one). Real-valued times, no rounding. Returns when each job ends.
 */
function naive(arrivals: readonly number[], cost: (job: number) => number, workers: number, cores: number): number[] {
  const left = new Map<number, number>()
  const through: number[] = []
  let now = 0
  let queue: number[] = []
  let next = 0
  while (next < arrivals.length || left.size > 0) {
    const speed = Math.min(1, cores / left.size)
    const end = now + Math.min(Infinity, ...left.values()) / speed
    const time = Math.min(end, arrivals[next] ?? Infinity)
    for (const [job, work] of left) left.set(job, work - (time - now) * speed)
    now = time
    for (const [job, work] of left) {
      if (work > 1e-6) continue
      left.delete(job)
      through[job] = now
    }
    while (next < arrivals.length && arrivals[next] <= now) queue.push(next++)
    while (queue.length > 0 && left.size < workers) {
      left.set(queue[0], cost(queue[0]))
      queue = queue.slice(1)
    }
  }
  return through
}

async function finishTimes(input: object): Promise<number[]> {
  const times: number[] = []
  for (const { kind, job, time } of (await play(input)).rows) if (kind === FINISHED) times[job] = time
  return times
}

describe('burning workers that outnumber the cores', () => {
  test.each([
    [4, 2],
    [8, 3],
    [5, 1],
    [3, 3],
    [7, 6],
  ])(
    'share them as the plain sum says, but for rounding to whole microseconds: %i workers, %i cores',
    async (workers, cores) => {
      for (let seed = 0; seed < 8; seed++) {
        const at = Array.from({ length: 30 }, (_, job) => job * 137 * (1 + (seed % 3)))
        const input = {
          seed,
          source: { kind: 'times', at },
          stages: [{ id: 'A', service: { kind: 'uniform', min: 200, max: 3000 } }],
          workers,
          cores,
        }
        const services = createServices(scenarioWith(input))
        const expected = naive(at, (job) => services.at(0, job), workers, cores)
        const found = await finishTimes(input)
        expect(found.length).toBe(30)
        // Every completion is put off to the next whole microsecond; what follows from it may be put off again.
        for (let job = 0; job < 30; job++) expect(Math.abs(found[job] - expected[job])).toBeLessThanOrEqual(job + 2)
      }
    },
  )

  test('waiting takes no core', async () => {
    const stages = [constant('A', 1000, { work: 'wait' })]
    expect(await finishTimes({ source: { kind: 'batch', jobs: 4 }, stages, workers: 4, cores: 1 })).toEqual([
      1000, 1000, 1000, 1000,
    ])
    const mixed = [constant('A', 1000, { work: 'wait' }), constant('B', 1000)]
    const policy = { kind: 'fixed', allocation: { A: 1, B: 1 } }
    // The second job waits at A while the first burns at B; neither slows the other.
    expect(
      await finishTimes({ source: { kind: 'batch', jobs: 2 }, stages: mixed, workers: 2, cores: 1, policy }),
    ).toEqual([2000, 3000])
  })
})
