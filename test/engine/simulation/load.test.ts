import { describe, expect, test } from 'vitest'
import { endOf, stateAt } from '../../../src/trace/trace.ts'
import { constant, playTrace } from './play.ts'

const scale = 1_000_000

describe('in the long run', () => {
  test.each([
    [0.3, 1],
    [0.7, 1],
    [0.8, 4],
  ])('workers are busy as much as the load says: load %d on %i workers', async (load, workers) => {
    const mean = 1000
    const rate = (load * workers * scale) / mean
    const trace = await playTrace({
      seed: 11,
      source: { kind: 'poisson', rate, jobs: 80_000 },
      stages: [{ id: 'A', service: { kind: 'exponential', mean } }],
      workers,
    })
    const { serviceSum } = stateAt(trace, Infinity).counts
    const utilisation = serviceSum[0] / (endOf(trace) * workers)
    expect(Math.abs(utilisation / load - 1)).toBeLessThan(0.01)
  })

  test('a run cannot end before its work is done, nor before its last job has passed all stages', async () => {
    const stages = [constant('A', 300), constant('B', 200), constant('C', 500)]
    const trace = await playTrace({ source: { kind: 'regular', rate: 3000, jobs: 3000 }, stages, workers: 3 })
    // Full throughput is 3 workers / 1000 us: the work alone takes 1 s, and so do the arrivals.
    expect(endOf(trace)).toBeGreaterThanOrEqual(1_000_000)
    expect(endOf(trace)).toBeLessThan(1_010_000)
  })
})
